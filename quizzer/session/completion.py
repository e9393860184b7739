"""What can be completed while an answer is typed: its names, and LaTeX commands to their signs."""

from collections.abc import Iterable, Iterator

GREEK = (
    "alpha beta gamma delta epsilon eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi "
    "omega Gamma Delta Theta Lambda Sigma Phi Psi Omega"
)
COMMANDS = tuple(f"{GREEK} partial sum prod top odot cdot le ge ne".split())
WORD = r"\\?[^\W\d]\w*$|\\$"
"""What stands before the cursor and is to be completed."""


def completions(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What one may type the beginning of, and what stands there then: `\\delta` and δ."""
    from quizzer import tex

    yield from ((name, name) for name in sorted(set(names)))
    yield from ((f"\\{command}", tex.inline(f"\\{command}")) for command in COMMANDS)


def names_of(usable: Iterable[str]) -> list[str]:
    """The names without their shapes: `W` of `W (5, 3)`."""
    return [name.split(" ")[0] for name in usable]
