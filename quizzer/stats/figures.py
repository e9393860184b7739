"""The figures of a deck's cards: what the log adds up to, leeches, hours by type of card."""

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from quizzer.deck import Deck, types_of
from quizzer.fsrs.step import Parameters
from quizzer.plan.leeches import is_leech
from quizzer.stats.tally import Tally, tally
from quizzer.store import Fitted, Store
from quizzer.values import Dispute, Event

FEWEST_FOR_FIT = 300
"""New reviews; with fewer a fit has too little to be judged on."""
BIAS = 0.05
"""Between the share remembered and the mean chance expected: more is worth a fit."""


class Figures(Struct, frozen=True):
    """All that the statistics show of the past."""

    cards: int
    tally: Tally
    leeches: tuple[str, ...]
    seconds_by_type: Mapping[str, float]
    """The longest first; time on cards whose file is gone counts as `other`."""
    reviews_for_fit: int | None
    """Reviews since the last fit, where another is worth it."""


def figures(
    store: Store, deck: Deck, today: int, parameters: Parameters, *, all_events: bool
) -> Figures:
    """The figures of the deck's cards; `all_events` includes those of cards without a file."""
    cards = deck.by_id.keys() if all_events else {entry.id for entry in deck.entries}
    progress = {card: known for card, known in store.progress().items() if card in cards}
    undone = store.undone_ids()

    def meant(events: Iterable[Event]) -> list[Event]:
        standing = (event for event in events if event.id not in undone)
        return [event for event in standing if all_events or event.fact.card in cards]

    reviews = store.brief_reviews()
    added = tally(
        reviews if all_events else reviews.of_cards(cards),
        meant(store.wrong_attempts()),
        meant(store.events(kinds=(Dispute,))),
        progress,
        today,
        parameters,
    )
    return Figures(
        cards=len(cards),
        tally=added,
        leeches=tuple(sorted(card for card, known in progress.items() if is_leech(known))),
        seconds_by_type=_by_type(added, deck),
        reviews_for_fit=_reviews_for_fit(added, store.fitted()),
    )


def in_bands(stabilities: Iterable[float], bounds: Iterable[float]) -> list[int]:
    """How many stabilities lie below each bound and not below the one before; the rest last."""
    left = sorted(stabilities)
    counts = []
    for bound in bounds:
        within = sum(stability < bound for stability in left)
        counts.append(within)
        left = left[within:]
    return [*counts, len(left)]


def _reviews_for_fit(added: Tally, fitted: Fitted | None) -> int | None:
    """A fit is worth it once the log has grown by half, or where recall is not what it expects."""
    before = fitted.reviews if fitted else 0
    since = added.reviews - before
    found = added.retention_all
    if found is None or since < FEWEST_FOR_FIT:
        return None
    biased = abs(found.remembered - found.expected) > BIAS
    return since if biased or 2 * since >= before else None


def _by_type(added: Tally, deck: Deck) -> dict[str, float]:
    types, spent = types_of(deck.by_id), Counter[str]()
    for card, seconds in added.seconds.items():
        spent[types.get(card, "other")] += round(seconds)
    return {name: total for name, total in spent.most_common() if total}
