"""What became of an answer."""

from enum import StrEnum


class Verdict(StrEnum):
    """What an answer is. Only `wrong` may count against the learner."""

    CORRECT = "correct"
    WRONG = "wrong"
    INVALID = "invalid"
    BROKEN = "broken"
