"""The days until the exams ahead, and what will be known on the day of each."""

from collections.abc import Mapping, Sequence
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from quizzer.deck import Deck, Entry
from quizzer.forecast.days import Days
from quizzer.forecast.habits import Habits
from quizzer.plan.pace import Pace
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import Progress


class Preparation(Struct, frozen=True):
    """What the days before the exams begin with, the same however many minutes they have."""

    deck: Deck
    """The cards of the courses with an exam ahead that come some day."""
    exams: Mapping[str, int]
    """Their exam days, by course in lower case; each has a card."""
    progress: Mapping[str, Progress]
    done: Done
    pace: Pace
    habits: Habits
    day: int

    def cards(self, course: str) -> Sequence[Entry]:
        return [entry for entry in self.deck.entries if entry.header.course.casefold() == course]


class Arrived(Struct, frozen=True):
    """How the cards of the courses stand on the morning of their exam."""

    recall: Mapping[str, float]
    """By card: the chance of recall, 0 for one never met."""
    seen: frozenset[str]
    longest: float
    """Minutes of the longest day, those spent today among them."""


def live_until_exams(start: Preparation, settings: Settings, minutes: float = inf) -> Arrived:
    """The courses share so many minutes a day; without any minutes nothing is studied."""
    limited = replace(settings, minutes_per_day=None if minutes == inf else minutes)
    days = Days(
        start.deck, start.progress, start.done, limited, start.pace, start.habits, start.day
    )
    recall, seen = dict[str, float](), set[str]()
    longest, spent = 0.0, start.done.seconds / 60
    for today in range(start.day, max(start.exams.values()) + 1):
        for course, exam_day in start.exams.items():
            if exam_day == today:
                cards = start.cards(course)
                recall |= {entry.id: days.recall(entry, today) for entry in cards}
                seen |= {entry.id for entry in cards if days.memory(entry)}
        if minutes > 0:
            longest = max(longest, spent + days.live(today).minutes)
        spent = 0.0
    return Arrived(recall, frozenset(seen), longest)
