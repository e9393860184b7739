from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from statistics import pvariance

import pytest
from msgspec.structs import replace
from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Entry
from quizzer.plan.settings import Settings
from quizzer.session.rating import commit, previews
from quizzer.store import Store
from quizzer.values import Rating, Review, State, Suspend, study_day

TODAY = study_day(MORNING)
LATER = MORNING + timedelta(days=30)
SETTINGS = Settings()
CARDS = [Entry(Path(f"{n}.md"), Path(), Header(f"c{n}", ""), Asking.REVEAL) for n in range(60)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """All cards were reviewed a month ago and are due."""
    with Store.open(tmp_path / "history.db", MORNING, backups=False) as opened:
        facts = [Review(card.id, Rating.EASY, 20, State.NEW) for card in CARDS]
        opened.record(*facts, at=MORNING, day=TODAY)
        yield opened


@pytest.mark.slow
def test_previews_promise_what_a_rating_commits_also_after_undo(store: Store) -> None:
    for card in CARDS:
        shown = previews(store, card, SETTINGS, LATER)
        for rating in (Rating.HARD, Rating.GOOD, Rating.EASY, Rating.GOOD):
            commit(store, card, rating, SETTINGS, LATER)
            memory = store.progress_of(card.id).memory
            assert memory == shown[rating]
            if rating is not Rating.EASY:
                store.undo(LATER, study_day(LATER))
                assert previews(store, card, SETTINGS, LATER) == shown
            else:
                store.undo(LATER, study_day(LATER))
        commit(store, card, Rating.GOOD, SETTINGS, LATER)


def test_ratings_of_a_day_spread_more_evenly_than_by_chance(store: Store) -> None:
    def unevenness(settings: Settings) -> float:
        """The variance of cards a day, after all were rated Good."""
        for card in CARDS:
            commit(store, card, Rating.GOOD, settings, LATER)
        due = store.due_by_day(TODAY, TODAY + 999, but="")
        for _ in CARDS:
            store.undo(LATER, study_day(LATER))
        return pvariance(due.values())

    assert unevenness(SETTINGS) < 0.5 * unevenness(replace(SETTINGS, load_balance=False))


def test_days_without_work_get_none_also_without_balancing(store: Store) -> None:
    weekend = (1.0,) * 5 + (0.0, 0.0)
    for balance in (True, False):
        settings = replace(SETTINGS, load_balance=balance, easy_days=weekend)
        for card in CARDS:
            commit(store, card, Rating.GOOD, settings, LATER)
        due = store.due_by_day(TODAY + 31, TODAY + 999, but="")
        assert due
        assert not any((day - 1) % 7 > 4 for day in due)


def test_suspended_cards_and_the_card_itself_take_no_room(store: Store) -> None:
    day = TODAY + 20
    assert store.due_by_day(day, day, but="") == {day: 60}
    assert store.due_by_day(day + 1, day + 99, but="") == {}
    store.record(Suspend("c1"), at=MORNING, day=TODAY)
    store.record(Review("c2", Rating.AGAIN, 0, State.REVIEW), at=MORNING, day=TODAY)
    assert store.due_by_day(day, day, but="c3") == {day: 57}
