"""What an asked name means: an output, a message, a local derivative, or a closed form."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

UPSTREAM_ALIASES = ("delta", "δ")
"""Other names of the upstream, if there is only one."""


class Kind(StrEnum):
    """What an asked name is."""

    FORWARD = "forward"
    MESSAGE = "message"
    LOCAL = "local"
    REFERENCE = "reference"


class Meaning(Struct, frozen=True):
    """An asked name resolved: its kind, with its output and its variable where it has them."""

    kind: Kind
    output: str | None = None
    variable: str | None = None


def resolve(name: str, variables: Iterable[str], outputs: Iterable[str]) -> Meaning:
    """What an asked name means among these variables and outputs."""
    if name in outputs:
        return Meaning(Kind.FORWARD, output=name)
    for variable in variables:
        if name == f"d{variable}":
            return Meaning(Kind.MESSAGE, variable=variable)
        for output in outputs:
            if name == f"d{output}_d{variable}":
                return Meaning(Kind.LOCAL, output=output, variable=variable)
    return Meaning(Kind.REFERENCE)
