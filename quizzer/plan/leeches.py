"""Leeches: cards forgotten so often that they want another wording rather than another review."""

from quizzer.values import Progress

LEECH = "leech"
"""The status and the tag by which filters find them; no file is ever changed to hold it."""
LAPSES = 8
REMINDER = 4
"""After so many lapses more the learner is told again, as in Anki."""


def is_leech(progress: Progress) -> bool:
    return progress.memory is not None and progress.memory.lapses >= LAPSES


def newly(before: Progress, after: Progress) -> int | None:
    """The card's lapses, if this rating brought one at which the learner is to be told."""
    if before.memory is None or after.memory is None:
        return None
    lapses = after.memory.lapses
    told = lapses >= LAPSES and (lapses - LAPSES) % REMINDER == 0
    return lapses if told and lapses > before.memory.lapses else None


def advice(card: str, lapses: int) -> str:
    return (
        f"this card has lapsed {lapses} times: it is a leech; rewrite it, split it or suspend it: "
        f"quizzer edit {card}"
    )
