"""Names with something above them on the left: a label, `w^*`, or an operation, `S^{-1}`."""

import re

from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.spellings import WORD

DECORATED = re.compile(
    rf"({WORD}?)(?P<below>_\s*\{{[^{{}}]*\}}|_\w)?\s*"
    r"(?P<above>\^\s*(?:\{[^{}]*\}|[+*⋆⊤\w]|\([^()]*\))|'|\*)\s*(?P<after>_\s*\{[^{}]*\}|_\w)?"
)
_OPERATION = re.compile(r"\^\s*\{?\s*(?:-\s*)?(?:[0-9]|\(\()")


def is_decorated(text: str) -> bool:
    """Whether the text is one name with something above it, `h^*` or `W^{(1)}`."""
    decorated = DECORATED.fullmatch(text.strip())
    return decorated is not None and not _acts(decorated["above"], axes=2)


def is_another_value(text: str, names: Names) -> bool:
    """Whether the text is the asked name with an operation above it: S^{-1} is not S."""
    decorated = DECORATED.fullmatch(text)
    if decorated is None or names.spelled(decorated[1].rstrip("_")) != names.context.asked:
        return False
    below = decorated["below"] or decorated["after"] or ""
    axes = len(names.context.asked_shape or ()) - len(re.findall(r"[^\W_]", below))
    return _acts(decorated["above"], axes)


def _acts(above: str, axes: int) -> bool:
    """Whether what stands above a name with so many axes makes another value of it: `^{-1}`,
    `^2`, `^⊤` of a matrix. A label such as `^*` or `^{(1)}` does not, nor does ⊤ of a vector."""
    transposed = above.strip("^{} ") in ("⊤", "T")
    return axes == 2 if transposed else _OPERATION.match(above) is not None
