"""Reviews that another program recorded, as rows of the log.

The same reviews give the same rows, with the same ids, whenever and wherever they are imported:
what is imported twice is there once.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from quizzer.fsrs.scheduler import MAXIMUM_INTERVAL, intervals, remember
from quizzer.store.codec import Row, body_of, instant, kind_of, milliseconds, offset_minutes
from quizzer.store.ids import next_id
from quizzer.store.integrity import hashed
from quizzer.store.merge import Log
from quizzer.values import Fact, Memory, Rating, Reset, Review, State, study_day

At = Callable[[int], datetime]
"""The instant of so many milliseconds since 1970, in the zone where the learner was.

It is called only where the other program does not say the zone.
"""


class Repetition(Struct, frozen=True):
    """One review as another program recorded it; what it does not say is None."""

    card: str
    at_ms: int
    rating: Rating | None
    """None where the card was made new again."""
    interval: int | None = None
    state: State | None = None
    seconds: float | None = None
    offset_min: int | None = None
    """The learner's zone then, minutes ahead of UTC; None where only the instant is known."""


class ProgramLog(Struct, frozen=True):
    """What another program recorded, and by which names each of its cards may be known.

    The first name is the card's own; the others may be those of several cards.
    """

    program: str
    repetitions: tuple[Repetition, ...]
    names: Mapping[str, tuple[str, ...]]


class Matched(Struct, frozen=True):
    """Reviews of cards of ours, and how many there are of each that was left out."""

    repetitions: tuple[Repetition, ...]
    unknown: Counter[str]
    ambiguous: Counter[str]
    """Several cards there would be one here, and nobody said that they are the same."""


def matched(found: ProgramLog, mapping: Mapping[str, str], ours: Collection[str]) -> Matched:
    """Whose reviews these are: as `mapping` says, else where a name is the id of one of ours."""
    cards: dict[str, str] = {}
    said, guessed = set[str](), set[str]()
    for card in dict.fromkeys(repetition.card for repetition in found.repetitions):
        names = found.names.get(card, (card,))
        if names[0] in mapping:
            said.add(card)
        known = [mapping[name] for name in names if name in mapping]
        if not known:
            guessed.add(card)
            known = [name for name in names if name in ours]
        if known:
            cards[card] = known[0]
    claims = Counter(ours for theirs, ours in cards.items() if theirs not in said)
    told = {ours for card, ours in cards.items() if card not in guessed}
    left = {
        card
        for card, ours in cards.items()
        if (card not in said and claims[ours] > 1) or (card in guessed and ours in told)
    }
    counts = Counter(repetition.card for repetition in found.repetitions)
    return Matched(
        tuple(
            replace(repetition, card=cards[repetition.card])
            for repetition in found.repetitions
            if repetition.card in cards and repetition.card not in left
        ),
        unknown=Counter({card: n for card, n in counts.items() if card not in cards}),
        ambiguous=Counter({card: n for card, n in counts.items() if card in left}),
    )


def rows(
    repetitions: Iterable[Repetition], here: Log, at: At, rollover: int
) -> tuple[list[Row], int]:
    """The rows that a log lacks, and how many reviews it has already.

    Where it has some of them from another file, the rest is a device of its own.
    """
    told = list(_told(repetitions, at, rollover))
    there = here.hashes()
    lacking = [row for row in _as_device(told) if row.id not in there]
    known = here.instants(("review", "reset"))
    if any((row.card, row.at_ms) in known for row in lacking):
        lacking = _as_device([row for row in told if (row.card, row.at_ms) not in known])
    return lacking, len(told) - len(lacking)


def _told(repetitions: Iterable[Repetition], at: At, rollover: int) -> Iterable[Row]:
    """A row for each review, oldest first, without what depends on the others."""
    memories: dict[str, Memory | None] = {}
    last: tuple[str, int] | None = None
    for repetition in sorted(repetitions, key=_order):
        if (repetition.card, repetition.at_ms) == last:
            continue
        last = repetition.card, repetition.at_ms
        offset = repetition.offset_min
        moment = at(repetition.at_ms) if offset is None else instant(repetition.at_ms, offset)
        day = study_day(moment, rollover)
        fact, memory = _fact(repetition, memories.get(repetition.card), moment, day)
        memories[repetition.card] = memory
        yield Row(
            id="",
            device="",
            after="",
            at_ms=milliseconds(moment),
            offset_min=offset_minutes(moment),
            day=day,
            kind=kind_of(type(fact)),
            card=fact.card,
            body=body_of(fact),
            hash="",
        )


def _order(repetition: Repetition) -> tuple[int, str, int, bool, int]:
    """Oldest first, and the same whatever the order in the file."""
    offset = repetition.offset_min
    return (
        repetition.at_ms, repetition.card, repetition.rating or 0, offset is None, offset or 0
    )  # fmt: skip


def _fact(
    repetition: Repetition, memory: Memory | None, at: datetime, day: int
) -> tuple[Fact, Memory | None]:
    """What was done, and the memory after it; what is not known is what quizzer would have done."""
    card, rating = repetition.card, repetition.rating
    if rating is None:
        return Reset(card), None
    state = (repetition.state or memory.state) if memory else State.NEW
    interval = repetition.interval
    if interval is None:
        interval = _interval(card, memory, rating, day)
    interval = min(max(interval, 0), MAXIMUM_INTERVAL)
    after = remember(memory, rating, interval, at, day)
    return Review(card, rating, interval, state, repetition.seconds), after


def _interval(card: str, memory: Memory | None, rating: Rating, day: int) -> int:
    """The interval that quizzer chose when imports began.

    It is part of the row: another one would make of an old import, repeated, a second log.
    """
    first = memory is None or memory.state is State.LEARNING
    if rating is Rating.AGAIN or (first and rating is Rating.HARD):
        return 0
    return intervals(card, memory, day)[rating]


def _as_device(told: Sequence[Row]) -> list[Row]:
    """The rows as those of a device named by its first event; each id follows from all before."""
    if not told:
        return []
    device = f"import-{sha256(_content(told[0])).hexdigest()[:16]}"
    found: list[Row] = []
    before = ""
    for row in told:
        digest = sha256(f"{device} {before} ".encode() + _content(row)).digest()
        id = next_id(None, row.at_ms, lambda count, digest=digest: digest[:count])  # type: ignore[misc]
        found.append(hashed(row._replace(id=id, device=device, after=before)))
        before = id
    return found


def _content(row: Row) -> bytes:
    return json.dumps(row[3:-1]).encode()
