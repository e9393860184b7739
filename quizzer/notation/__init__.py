"""What the learner types, read into something that computes arrays.

A text passes through `lexer`, `grammar` and `compiler`, or through `python`; `reading` joins them.
What reading needs to know is here at once; reading itself comes with NumPy when it is wanted.
"""

from typing import TYPE_CHECKING

from quizzer.notation.values import Context, Invalid

if TYPE_CHECKING:
    from quizzer.notation.reading import Reading, read

__all__ = ["Context", "Invalid", "Reading", "read"]


def __getattr__(name: str) -> object:
    if name in ("Reading", "read"):
        from quizzer.notation import reading

        return getattr(reading, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
