"""What is foretold of an exam, against what can be counted by hand."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from samples import MORNING, card_text

from quizzer.deck import Deck, load
from quizzer.review import Rating, Suspend, study_day
from quizzer.schedule.exam import recall_on
from quizzer.schedule.fsrs import Strength
from quizzer.session.exam_outlook import outlook, outlooks, topics_of
from quizzer.session.pace import Pace, pace_of
from quizzer.session.rating import commit
from quizzer.session.settings import Course, Settings
from quizzer.store import Store

TODAY = study_day(MORNING)
EXAM = TODAY + 21
SETTINGS = Settings(courses={"ml": Course(exam_day=EXAM)})
THREE_MINUTES = Pace({}, {})
"""For cards that neither points nor type say more of."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "history.db", MORNING) as opened:
        yield opened


@pytest.fixture
def deck(write_deck: Callable[[dict[str, str]], Path]) -> Deck:
    cards = {f"{folder}/{n}.md": card_text(f"{folder}{n}") for folder in "ab" for n in range(30)}
    return load((write_deck(cards | {"a/info.json": '{"name": "Layers"}'}),), None)


def test_too_few_minutes_are_told_with_those_that_would_do(deck: Deck) -> None:
    few = outlook(deck.entries, {}, SETTINGS, TODAY, EXAM, THREE_MINUTES, 6.0)
    assert (few.whole.cards, few.whole.seen, few.all_seen, few.in_time) == (60, 42, False, False)
    assert few.minutes_needed > 60 * 3 / 21
    enough = outlook(deck.entries, {}, SETTINGS, TODAY, EXAM, THREE_MINUTES, few.minutes_needed)
    assert enough.all_seen and enough.in_time
    assert enough.whole.recall > few.whole.recall + 0.2


def test_a_day_takes_one_card_at_least_however_few_its_minutes(deck: Deck) -> None:
    few = outlook(deck.entries, {}, SETTINGS, TODAY, EXAM, THREE_MINUTES, 1.0)
    assert few.whole.seen == 21
    none = outlook(deck.entries, {}, SETTINGS, TODAY, EXAM, THREE_MINUTES, 0.0)
    assert none.whole.seen == 0


def test_without_a_limit_or_a_habit_the_plan_is_taken_to_be_followed(
    deck: Deck, store: Store
) -> None:
    (freely,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    assert freely.minutes_a_day is None and freely.in_time and freely.all_seen


def test_recall_as_things_stand_is_the_mean_over_all_cards(deck: Deck, store: Store) -> None:
    for card in ("a0", "a1"):
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, MORNING)
    memory = store.progress_of("a0").memory
    assert memory
    recall = recall_on(Strength(memory.stability, memory.difficulty), TODAY, EXAM)
    (told,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    assert told.seen_now == 2
    assert told.whole.recall_alone == pytest.approx(2 * recall / 60)
    assert told.topics[0].recall_alone == pytest.approx(2 * recall / 30)


def test_topics_are_folders_by_their_names_else_first_tags(
    deck: Deck, write_deck: Callable[..., Path]
) -> None:
    assert {name: len(ids) for name, ids in topics_of(deck.entries).items()} == {
        "Layers": 30, "b": 30
    }  # fmt: skip
    tagged = {
        f"{n}.md": card_text(f"t{n}").replace("tags: []", f"tags: [{tag}, more]")
        for n, tag in enumerate(("sgd", "sgd", "adam"))
    }
    one_folder = load((write_deck({**tagged, "3.md": card_text("t3")}, "tagged"),), None)
    assert topics_of(one_folder.entries) == {"sgd": ["t0", "t1"], "adam": ["t2"], "other": ["t3"]}
    assert topics_of(one_folder.entries[:2]) == {}


def test_suspended_cards_and_mastered_ones_are_no_part_of_it(
    write_deck: Callable[..., Path], store: Store
) -> None:
    files = {"a.md": card_text("a"), "b.md": card_text("b", status="mastered"),
             "c.md": card_text("c")}  # fmt: skip
    deck = load((write_deck(files),), None)
    store.record(Suspend("c"), at=MORNING, day=TODAY)
    (told,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    assert told.whole.cards == 1


def test_his_minutes_are_those_of_the_last_two_weeks(deck: Deck, store: Store) -> None:
    for ago, card in ((40, "a0"), (6, "a1"), (4, "a2"), (2, "a3")):
        now = MORNING - timedelta(ago)
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, now, seconds=240.0)
    (told,) = outlooks(deck, store, SETTINGS, TODAY, pace_of(deck, store))
    assert told.minutes_a_day == pytest.approx(3 * 4 / 6)
    limited = replace(SETTINGS, minutes_per_day=20)
    (told,) = outlooks(deck, store, limited, TODAY, pace_of(deck, store))
    assert told.minutes_a_day == 20


def test_two_days_of_study_are_no_habit_yet(deck: Deck, store: Store) -> None:
    for ago, card in ((3, "a0"), (2, "a1")):
        now = MORNING - timedelta(ago)
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, now, seconds=240.0)
    (told,) = outlooks(deck, store, SETTINGS, TODAY, pace_of(deck, store))
    assert told.minutes_a_day is None


def test_minutes_spent_on_other_courses_are_not_there_for_this_one(
    write_deck: Callable[..., Path], store: Store
) -> None:
    files = {"a.md": card_text("a"), "b.md": card_text("b", course="Other")}
    deck = load((write_deck(files),), None)
    for ago in (3, 2, 1):
        now = MORNING - timedelta(ago)
        commit(store, deck.by_id["b"], Rating.GOOD, SETTINGS, now, seconds=300.0)
    limited = replace(SETTINGS, minutes_per_day=20)
    (told,) = outlooks(deck, store, limited, TODAY, THREE_MINUTES)
    assert told.minutes_a_day == pytest.approx(15)


def test_a_limit_below_his_habit_is_shared_as_his_time_was(
    write_deck: Callable[..., Path], store: Store
) -> None:
    files = {"a.md": card_text("a"), "b.md": card_text("b", course="Other")}
    deck = load((write_deck(files),), None)
    for ago in (3, 2, 1):
        now = MORNING - timedelta(ago)
        for card, seconds in (("a", 600.0), ("b", 1800.0)):
            commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, now, seconds=seconds)
    limited = replace(SETTINGS, minutes_per_day=20)
    (told,) = outlooks(deck, store, limited, TODAY, THREE_MINUTES)
    assert told.minutes_a_day == pytest.approx(5)


def test_what_was_done_today_is_not_asked_for_again(deck: Deck, store: Store) -> None:
    (before,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    for card in ("a0", "a1"):
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, MORNING)
    (after,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    assert after.minutes_needed < before.minutes_needed


def test_a_new_card_of_today_leaves_room_for_the_less_today(deck: Deck, store: Store) -> None:
    settings = Settings(courses={"ml": Course(exam_day=EXAM, new_per_day=2)})
    for card in ("a0", "a1"):
        commit(store, deck.by_id[card], Rating.GOOD, settings, MORNING)
    (told,) = outlooks(deck, store, settings, TODAY, THREE_MINUTES)
    assert told.whole.seen == 2 * 21


def test_cards_met_today_have_used_up_their_minutes(deck: Deck, store: Store) -> None:
    before = outlook(deck.entries, {}, SETTINGS, TODAY, EXAM, THREE_MINUTES, 6.0)
    for card in ("a0", "a1"):
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, MORNING)
    progress = store.progress()
    after = outlook(deck.entries, progress, SETTINGS, TODAY, EXAM, THREE_MINUTES, 6.0)
    assert after.whole.seen == before.whole.seen


def test_an_exam_of_a_course_that_the_deck_does_not_hold_is_left_out(
    deck: Deck, store: Store
) -> None:
    settings = Settings(courses={"biology": Course(exam_day=EXAM)})
    assert outlooks(deck, store, settings, TODAY, THREE_MINUTES) == ()
