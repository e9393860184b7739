"""A text read as on paper, in index or matrix notation, and never as Python."""

from quizzer.notation import Context, Invalid, Reading, read
from quizzer.notation.choose import choose
from quizzer.notation.lexer.names import Names

PYTHON = (
    "this is Python; a formula here is written as on paper, in index or matrix notation (a checker "
    "in Python is a file with the ending .py beside the card)"
)


def read_math(text: str, context: Context, indexed: bool = False) -> Reading | Invalid:
    """A text in index or matrix notation; `indexed` where its left side has indices."""
    notation = "index" if indexed else choose(text, Names(context))
    order = ("index", "matrix") if notation == "index" else ("matrix", "index")
    faults = []
    for each in order[:1] if indexed else order:
        reading = read(text, context, each)
        if isinstance(reading, Invalid):
            faults.append(reading)
        elif not is_python(reading):
            return reading
    if not faults or (notation == "numpy" and ("np." in text or faults[0].code == "syntax")):
        return Invalid(PYTHON, code="python")
    return faults[0]


def is_python(reading: Reading) -> bool:
    """Whether working it out, in any of the ways in which it can be read, runs Python."""
    return any(way.program is not None for way in (reading, *reading.others))
