"""How many days a learner has kept at it: a missed day or two does not begin the count anew."""

from collections.abc import Collection

from msgspec import Struct

from quizzer.text import count

FORGIVEN = 2
"""So many missed days of any `MONTH` are forgiven."""
MONTH = 30


class Streak(Struct, frozen=True):
    """Days with reviews, and the missed ones between them."""

    days: int = 0
    missed: int = 0


def streak(reviewed: Collection[int], today: int) -> Streak:
    """The longest streak that reaches today: no 30 days of it have more than two missed ones.

    A day that is not over yet is not missed.
    """
    first = min(reviewed, default=today + 1)
    day = today if today in reviewed else today - 1
    found, missed = Streak(), list[int]()
    while day >= first:
        if day in reviewed:
            found = Streak(found.days + 1, len(missed))
        else:
            missed.append(day)
            if len(missed) > FORGIVEN and missed[-1 - FORGIVEN] - day < MONTH:
                break
        day -= 1
    return found


def in_words(found: Streak) -> str:
    """For how many days a learner has kept at it; empty for none."""
    if not found.missed:
        return f"{count(found.days, 'day')} in a row" if found.days else ""
    return f"a streak of {count(found.days, 'day')}, with {found.missed} missed and forgiven"
