"""The map of a deck: what each card comes after, how well it is known, and what rests on it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from quizzer.deck import Entry
from quizzer.fsrs.step import recall_after
from quizzer.plan.exams import is_unseen
from quizzer.plan.leeches import is_leech
from quizzer.plan.meeting import easy_first
from quizzer.plan.queue import step_of
from quizzer.plan.settings import Settings
from quizzer.values import UNSEEN, Progress, State, study_day

WEAK = 0.7
"""A card that is less likely than this to be recalled today is weak."""
MOST_NAMED = 5
"""How many cards to learn next, and how many weak ones, are named."""


class Standing(StrEnum):
    """How well a card is known today."""

    NEW = "new"
    """Never met, and neither is a card that it comes after."""
    READY = "ready"
    """Never met; all that it comes after has been, or does not come."""
    LEARNING = "learning"
    KNOWN = "known"
    DUE = "due"
    WEAK = "weak"
    """More likely forgotten than the schedule wants by far, or a leech."""


class Place(Struct, frozen=True):
    """A card on the map."""

    entry: Entry
    standing: Standing
    depth: int
    """How many cards are above it in the tree."""
    under: str | None
    """The card that the tree shows it under: of those that it comes after, the last one."""
    also: tuple[str, ...]
    """The ids of the others that it comes after, but those that this one rests on anyway."""
    holds_up: int
    """How many cards come after it, directly or through others."""


def course_map(
    entries: Sequence[Entry],
    deck: Mapping[str, Entry],
    progress: Mapping[str, Progress],
    settings: Settings,
    now: datetime,
) -> tuple[Place, ...]:
    """These cards as a tree, each below the last of those that it comes after (`Entry.after`) and
    before those that rest on it; `deck` has all cards, by id. In a circle of requirements one card
    counts as required by none of the others."""
    ordered = list(easy_first(entries))
    number = {entry.id: place for place, entry in enumerate(ordered)}
    resting = _resting(ordered, number)
    depth: dict[str, int] = {}
    under: dict[str, str | None] = {}
    below: dict[str | None, list[Entry]] = {}
    for place, entry in enumerate(ordered):
        before = [card for card in entry.after if number.get(card, place) < place]
        above = max(before, key=lambda card: (depth[card], number[card]), default=None)
        depth[entry.id] = 0 if above is None else depth[above] + 1
        under[entry.id] = above
        below.setdefault(above, []).append(entry)
    places = []
    waiting = below.get(None, [])[::-1]
    while waiting:
        entry = waiting.pop()
        waiting += below.get(entry.id, [])[::-1]
        above = under[entry.id]
        also = tuple(
            card
            for card in entry.after
            if above is None or card not in number or not resting[card] >> number[above] & 1
        )
        standing = _standing_of(entry, deck, progress, settings, now)
        holds_up = resting[entry.id].bit_count() - 1
        places.append(Place(entry, standing, depth[entry.id], above, also, holds_up))
    return tuple(places)


def next_ready(places: Iterable[Place]) -> list[Place]:
    """The cards that may be learned next, those first on which the most rests."""
    ready = [place for place in places if place.standing is Standing.READY]
    return sorted(ready, key=lambda place: -place.holds_up)


def weak_points(places: Iterable[Place]) -> list[Place]:
    """The weak cards on which others rest, the most first."""
    weak = [place for place in places if place.standing is Standing.WEAK and place.holds_up]
    return sorted(weak, key=lambda place: -place.holds_up)


def _resting(ordered: Sequence[Entry], number: Mapping[str, int]) -> dict[str, int]:
    """For each card the places of those that come after it and its own, as a number's bits."""
    resting = {entry.id: 1 << place for place, entry in enumerate(ordered)}
    for place, entry in reversed([*enumerate(ordered)]):
        for card in entry.after:
            if number.get(card, place) < place:
                resting[card] |= resting[entry.id]
    return resting


def _standing_of(
    entry: Entry,
    deck: Mapping[str, Entry],
    progress: Mapping[str, Progress],
    settings: Settings,
    now: datetime,
) -> Standing:
    known = progress.get(entry.id, UNSEEN)
    memory = known.memory
    if memory is None:
        coming = (
            card in deck and is_unseen(deck[card], progress.get(card, UNSEEN))
            for card in entry.after
        )
        return Standing.NEW if any(coming) else Standing.READY
    today = study_day(now, settings.rollover_hour)
    recall = recall_after(memory.stability, today - memory.day, settings.parameters)
    if is_leech(known) or recall < WEAK:
        return Standing.WEAK
    if memory.is_due(now, today, step_of(memory, entry, settings)):
        return Standing.DUE
    in_steps = memory.state in (State.LEARNING, State.RELEARNING)
    return Standing.LEARNING if in_steps else Standing.KNOWN
