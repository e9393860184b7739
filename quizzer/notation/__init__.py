"""What the learner types, read into something that computes arrays."""

from quizzer.notation.reading import Reading, read
from quizzer.notation.values import Context, Invalid

__all__ = ["Context", "Invalid", "Reading", "read"]
