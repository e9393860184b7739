"""What a derivation's lines claim, and what they give: values without a rule of their own."""

from collections.abc import Callable

from msgspec import Struct

from quizzer.checker.derivation.derived import Choice
from quizzer.checker.derivative import Array
from quizzer.notation import Reading

Truth = tuple[Array, Array]
Of = Callable[[int, Choice], Truth]
"""What a left side stands for on one instance, with the error of each entry."""


class Target(Struct, frozen=True):
    """What a statement is about."""

    kind: str
    """`derivative`, `value`, `differential`, `definition` or `equation`."""
    name: str
    of: Of | None = None
    letters: tuple[str, ...] = ()
    pair: tuple[str, str] | None = None
    """The derivative on the left, where it may be total or direct."""
    way: bool = False
    """Whether d-names on the right are differentials."""
    asked: str | None = None
    """The asked name that the left side is."""
    base: str | None = None
    """The name whose value, differential or message this is."""
    take: Callable[[Array], Array] | None = None
    """What takes the entries that the left side names out of the whole array."""
    is_symmetric: bool = False
    """Whether only the symmetric part in the last two axes is compared."""
    ends: tuple[str, str] | None = None
    """What it is a derivative of and with respect to."""


class Claim(Struct, frozen=True):
    """One link of a line: `left = right`."""

    line: int
    statement: int
    text: str
    target: Target | None
    reading: Reading | None = None
    unread: str | None = None
    code: str = ""
    words: bool = False
    remark: bool = False
    defines: bool = False
    unknown: str | None = None
    """A multiplier that the equation solves for."""
    steered: frozenset[str] = frozenset()
    """The names that move where it has differentials: other inputs are held."""


class Unjudged(Exception):
    """Why a line cannot be judged."""

    def __init__(self, message: str, code: str = "not-judged") -> None:
        super().__init__(message)
        self.code = code
