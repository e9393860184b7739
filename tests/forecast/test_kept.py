"""Who makes the forecast of the exams, who shows it, and until when it is up to date."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from samples import MORNING, card_text

from quizzer.deck import Deck, load
from quizzer.forecast import exam
from quizzer.forecast.kept import KeptForecast
from quizzer.forecast.outlook import Limit, as_things_stand
from quizzer.forecast.study_days import StudyDays
from quizzer.plan.settings import Course, Settings
from quizzer.session.rating import commit
from quizzer.store import Store
from quizzer.values import Rating, Review, State, study_day

TODAY = study_day(MORNING)
SETTINGS = Settings(courses={"ml": Course(exam_day=TODAY + 6, new_per_day=1)})
LATER = MORNING + timedelta(hours=3)

Keep = Callable[..., KeptForecast]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "history.db", MORNING) as opened:
        yield opened


@pytest.fixture
def deck(write_deck: Callable[[dict[str, str]], Path]) -> Deck:
    files = {f"a/{n}.md": card_text(f"a{n}") for n in range(8)}
    files |= {f"b/{n}.md": card_text(f"b{n}", course="Other") for n in range(4)}
    return load((write_deck(files),), None)


@pytest.fixture
def kept(tmp_path: Path, deck: Deck, store: Store) -> Keep:
    def of(settings: Settings = SETTINGS, now: object = MORNING, deck: Deck = deck) -> KeptForecast:
        return KeptForecast(tmp_path / "forecasts", deck, store, settings, now)  # type: ignore[arg-type]

    return of


def test_what_was_foretold_is_shown_as_it_was_made(kept: Keep) -> None:
    (made,) = kept().renewed(search=True)
    assert made.need and made.need.limits == (Limit("new_per_day", 1, "ml"),)
    assert kept(now=LATER).shown() == (made,)


def test_without_a_forecast_is_shown_how_things_stand(kept: Keep, deck: Deck) -> None:
    assert kept().shown() == as_things_stand(deck, {}, SETTINGS, TODAY)
    assert kept().shown()[0].whole.recall is None


def test_what_a_forecast_allows_for_is_kept_for_another_exam_day(
    kept: Keep, deck: Deck, store: Store
) -> None:
    for day in range(20):
        now = MORNING - timedelta(days=21 - day)
        facts = [Review(f"a{n}", Rating.AGAIN, 1, State.REVIEW) for n in range(8)]
        store.record(*facts, at=now, day=study_day(now))
    (made,) = kept().renewed(search=False)
    assert made.past.came_true == 0 < made.past.foretold
    later = Settings(courses={"ml": Course(exam_day=TODAY + 9)})
    (stands,) = kept(settings=later).shown()
    (uncorrected,) = as_things_stand(deck, store.progress(), later, TODAY)
    assert stands.past == made.past
    assert stands.whole.recall_alone < uncorrected.whole.recall_alone / 2


def test_after_another_review_the_time_of_the_forecast_is_shown(
    kept: Keep, deck: Deck, store: Store
) -> None:
    (made,) = kept().renewed(search=False)
    commit(store, deck.entries[0], Rating.GOOD, SETTINGS, LATER)
    assert kept(now=LATER).shown() == (replace(made, as_of=MORNING),)
    (anew,) = kept(now=LATER).renewed(search=False)
    assert anew.as_of is None and anew.seen_now == 1
    assert kept(now=LATER).shown() == (anew,)


def test_on_another_day_the_forecast_is_out_of_date_and_the_exam_a_day_nearer(kept: Keep) -> None:
    (made,) = kept().renewed(search=False)
    tomorrow = MORNING + timedelta(days=1)
    (shown,) = kept(now=tomorrow).shown()
    assert shown == replace(made, day=TODAY + 1, as_of=MORNING) and shown.days == 5


def test_the_missed_days_that_a_forecast_allows_for_are_kept_and_counted_again_the_next_day(
    kept: Keep, store: Store
) -> None:
    for ago in (9, 8, 4):
        at = MORNING - timedelta(days=ago)
        store.record(Review("a0", Rating.GOOD, 1, State.REVIEW), at=at, day=TODAY - ago)
    (made,) = kept().renewed(search=False)
    assert made.study_days == StudyDays(studied=3, of=9)
    assert kept(now=LATER).shown() == (made,)
    tomorrow = MORNING + timedelta(days=1)
    assert kept(now=tomorrow).shown() == (replace(made, day=TODAY + 1, as_of=MORNING),)
    assert kept(now=tomorrow).of_today()[0].study_days == StudyDays(studied=3, of=10)


def test_a_forecast_that_knew_nothing_of_missed_days_is_made_again(
    kept: Keep, tmp_path: Path
) -> None:
    (made,) = kept().renewed(search=False)
    (file,) = (tmp_path / "forecasts").iterdir()
    told = json.loads(file.read_text())
    del told["outlooks"][0]["study_days"]
    file.write_text(json.dumps(told))
    assert kept().shown()[0].whole.recall is None
    assert kept().of_today() == (made,)


def test_another_configuration_or_deck_makes_it_out_of_date(kept: Keep, deck: Deck) -> None:
    kept().renewed(search=False)
    assert kept(replace(SETTINGS, minutes_per_day=3)).shown()[0].as_of == MORNING
    fewer = dict(list(deck.by_id.items())[1:])
    assert kept(deck=replace(deck, by_id=fewer)).shown()[0].as_of == MORNING


def test_what_was_foretold_of_another_date_is_not_shown(kept: Keep) -> None:
    kept().renewed(search=False)
    moved = Settings(courses={"ml": Course(exam_day=TODAY + 12)})
    assert kept(moved).shown()[0].whole.recall is None
    assert kept(Settings()).shown() == ()
    after = MORNING + timedelta(days=9)
    assert kept(now=after).shown() == ()


def test_an_exam_named_since_is_shown_as_it_stands_beside_the_forecast(kept: Keep) -> None:
    kept().renewed(search=False)
    both = Settings(courses={**SETTINGS.courses, "other": Course(exam_day=TODAY + 3)})
    sooner, later = kept(both).shown()
    assert (sooner.course, sooner.whole.recall) == ("Other", None)
    assert later.course == "ML" and later.whole.recall is not None


def test_the_days_first_session_makes_a_forecast_and_the_second_does_not(
    kept: Keep, deck: Deck, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[int]()
    real = exam.outlooks
    monkeypatch.setattr(exam, "outlooks", lambda *told: (made.append(1), real(*told))[1])
    kept().of_today()
    commit(store, deck.entries[0], Rating.GOOD, SETTINGS, LATER)
    assert kept(now=LATER).of_today()[0].as_of == MORNING
    assert len(made) == 1
    assert kept(replace(SETTINGS, minutes_per_day=3), LATER).of_today()[0].as_of is None
    kept(now=MORNING + timedelta(days=1)).of_today()
    assert len(made) == 3


def test_only_what_nobody_searched_for_is_searched(
    kept: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = list[bool]()
    real = exam.outlooks
    monkeypatch.setattr(exam, "outlooks", lambda *told: (searched.append(told[-1]), real(*told))[1])
    for search in (False, False, True, True, False):
        kept().renewed(search=search)
    assert searched == [False, True]
    assert kept().shown()[0].need


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"stamp": 3}', "null", '{"stamp": {}, "made": 1}']
)
def test_a_file_that_is_no_forecast_is_as_none(kept: Keep, tmp_path: Path, text: str) -> None:
    (made,) = kept().renewed(search=True)
    (file,) = (tmp_path / "forecasts").iterdir()
    file.write_text(text)
    assert kept().shown()[0].whole.recall is None
    assert kept().renewed(search=True) == (made,)


def test_without_a_folder_nothing_is_kept(deck: Deck, store: Store) -> None:
    forecast = KeptForecast(None, deck, store, SETTINGS, MORNING)
    assert forecast.renewed(search=False)[0].whole.recall is not None
    assert forecast.shown()[0].whole.recall is None
