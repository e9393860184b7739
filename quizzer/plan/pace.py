"""How many minutes a card takes this learner: their own times, else what such cards take."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, takewhile

from msgspec import Struct, field

from quizzer.deck import Asking, Deck, Entry
from quizzer.plan.settings import Settings
from quizzer.store import Store
from quizzer.values import Form

ENOUGH_TIMES = 3
"""Fewer times than this say nothing about a card."""
OF_TYPES = 100
"""So many of the newest times tell what a type takes: the card of each has to be looked up."""
ENOUGH_OF_TYPE = 5
"""Fewer times than this say nothing about a type of cards."""
MINUTES_A_POINT = 2.0
MINUTES = {"derivation": 8.0, "proof": 8.0, "problem-solving": 8.0, "multiple_choice": 1.0}
OTHER_MINUTES = 3.0
SHORT_MINUTES = {Form.WORKED: 2.0, Form.SLIP: 2.0, Form.MISSING: 2.0}
"""What a card takes in a short form, if its blank page takes no less."""


class Pace(Struct, frozen=True):
    """Median minutes by card and by type, where there are enough of them."""

    by_card: Mapping[str, float]
    by_type: Mapping[str, float]
    form_of: Callable[[Entry], Form] = lambda entry: Form.BLANK
    """In which form each card comes next."""
    by_form: Mapping[Form, float] = field(default_factory=dict)
    """Median minutes of short forms, where there are enough of them."""

    def minutes(self, entry: Entry) -> float:
        """What the card takes, from question to rating, when it is new or due."""
        blank = self.by_card.get(entry.id)
        if blank is None:
            blank = self.by_type.get(type_of(entry)) if self.by_type else None
        if blank is None:
            blank = _rule(entry)
        form = self.form_of(entry)
        if form is Form.BLANK:
            return blank
        return min(blank, self.by_form.get(form, SHORT_MINUTES.get(form, blank)))

    def is_short(self, entry: Entry) -> bool:
        """Whether the card comes in a short form."""
        return self.form_of(entry) is not Form.BLANK

    def total(self, entries: Iterable[Entry]) -> float:
        """Minutes for all of these cards."""
        return sum(map(self.minutes, entries))

    def fitting(self, entries: Sequence[Entry], minutes: float) -> int:
        """How many of these cards, taken in their order, fit into so many minutes."""
        taken = accumulate(map(self.minutes, entries))
        return sum(1 for _ in takewhile(lambda total: total <= minutes, taken))


BY_RULE = Pace({}, {})
"""Of a learner who has not been timed yet."""


def marks(entry: Entry) -> float:
    """What the card counts in an exam: its points, else those of a card that takes as long."""
    return entry.points or _rule(entry) / MINUTES_A_POINT


def pace_of(deck: Deck, store: Store) -> Pace:
    """The learner's pace from their newest reviews. Raises StoreError."""
    cards, types = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for number, (card, seconds) in enumerate(store.times()):
        cards[card].append(seconds / 60)
        if number < OF_TYPES and (entry := deck.by_id.get(card)):
            types[type_of(entry)].append(seconds / 60)
    return Pace(_medians(cards, ENOUGH_TIMES), _medians(types, ENOUGH_OF_TYPE))


def earlier_seconds(store: Store, deck: Deck, entry: Entry) -> list[float]:
    """Seconds of earlier successful reviews of this card, else of all cards of its type."""
    own = [seconds for _, seconds in store.answer_times(entry.id)]
    if len(own) >= ENOUGH_TIMES:
        return own
    met = ((deck.by_id.get(card), took) for card, took in store.answer_times())
    return [took for other, took in met if other and type_of(other) == type_of(entry)]


def step_share_of(at_first: Sequence[float], in_step: Sequence[float]) -> float:
    """The usual time of a repetition in a step over that of any other; 1 if that is not known."""
    if min(len(at_first), len(in_step)) < ENOUGH_OF_TYPE or not median(at_first):
        return 1.0
    return median(in_step) / median(at_first)


def minutes_left(settings: Settings, seconds: float) -> float | None:
    """The day's minutes less the whole ones spent; None where the day has no such limit."""
    minutes = settings.minutes_per_day
    return None if minutes is None else minutes - seconds // 60


def median(numbers: Sequence[float]) -> float:
    """The middle one, or what is halfway between the middle two; at least one is given."""
    # The module `statistics` takes longer to import than all that a day needs of it.
    ordered, half = sorted(numbers), len(numbers) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _medians(times: Mapping[str, list[float]], enough: int) -> dict[str, float]:
    return {name: median(taken) for name, taken in times.items() if len(taken) >= enough}


def type_of(entry: Entry) -> str:
    """The card's type; one whose answer is chosen is a choice, whatever type it names."""
    return "multiple_choice" if entry.asking is Asking.CHOICE else entry.kind


def _rule(entry: Entry) -> float:
    """An exam's measure: two minutes a point, else by type."""
    if entry.points:
        return MINUTES_A_POINT * entry.points
    return MINUTES.get(type_of(entry), OTHER_MINUTES)
