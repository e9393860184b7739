"""What is foretold of an exam, against what can be counted by hand."""

import dataclasses
import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from samples import MORNING, card_text

from quizzer.deck import Deck, load
from quizzer.forecast import exam
from quizzer.forecast.exam import outlooks
from quizzer.forecast.habits import USUAL, Habits, habits_in
from quizzer.forecast.outlook import Need, Outlook, as_things_stand, topics_of
from quizzer.forecast.study_days import StudyDays
from quizzer.fsrs.step import MemoryState
from quizzer.plan.exam_gain import recall_on
from quizzer.plan.pace import Pace, pace_of
from quizzer.plan.settings import Course, Settings
from quizzer.session.rating import commit
from quizzer.store import Done, Store
from quizzer.values import Progress, Rating, Suspend, study_day

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


def foretold(
    deck: Deck,
    progress: Mapping[str, Progress],
    settings: Settings,
    minutes: float | None,
    *,
    done: Done | None = None,
    pace: Pace = THREE_MINUTES,
    habits: Habits = USUAL,
    search: bool = True,
) -> tuple[Outlook, ...]:
    met = done or Done()
    return exam.foretold(deck, progress, met, settings, TODAY, pace, minutes, habits, search)


def told(deck: Deck, minutes: float, progress: Mapping[str, Progress] = {}) -> Outlook:
    (found,) = foretold(deck, progress, SETTINGS, minutes)
    return found


def test_too_few_minutes_are_told_with_those_that_would_do(deck: Deck) -> None:
    few = told(deck, 6.0)
    # Two on every day: both are done when the ten minutes of a repetition are not over yet.
    assert (few.whole.cards, few.whole.seen, few.in_time) == (60, 42, False)
    assert few.need.minutes
    enough = told(deck, few.need.minutes)
    assert enough.whole.seen == 60 and enough.in_time and enough.whole.recall >= 0.9
    assert enough.need == Need()


def test_a_day_takes_one_card_at_least_however_few_its_minutes(deck: Deck) -> None:
    few = told(deck, 1.0)
    assert few.whole.seen == 21
    none = told(deck, 0.0)
    assert none.whole.seen == 0


def test_without_a_limit_or_a_habit_the_minutes_are_told_that_would_do_and_what_they_do(
    deck: Deck, store: Store
) -> None:
    (freely,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    assert freely.minutes_a_day is None and freely.in_time and freely.whole.seen == 60
    assert freely.need.minutes
    followed = told(deck, freely.need.minutes)
    assert (followed.whole, followed.need) == (freely.whole, Need())


def test_marks_are_recall_by_points(deck: Deck) -> None:
    entries = tuple(
        dataclasses.replace(entry, header=replace(entry.header, points=9 if "a" in entry.id else 1))
        for entry in deck.entries
    )
    deck = replace(deck, entries=entries, by_id={entry.id: entry for entry in entries})
    (found,) = foretold(deck, {}, SETTINGS, 10)
    layers, others = found.topics
    assert layers.recall and others.recall == 0
    assert layers.marks == pytest.approx(layers.recall)
    assert found.whole.marks == pytest.approx(0.9 * layers.recall)


def test_recall_as_things_stand_is_the_mean_over_all_cards(deck: Deck, store: Store) -> None:
    for card in ("a0", "a1"):
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, MORNING)
    memory = store.progress_of("a0").memory
    assert memory
    recall = recall_on(MemoryState(memory.stability, memory.difficulty), TODAY, EXAM)
    (found,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    assert found.seen_now == 2
    assert found.whole.recall_alone == pytest.approx(2 * recall / 60)
    assert found.topics[0].recall_alone == pytest.approx(2 * recall / 30)


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


def test_a_topic_is_one_however_its_accents_are_encoded(
    write_deck: Callable[[dict[str, str]], Path],
) -> None:
    files: dict[str, str] = {}
    for form in ("NFC", "NFD"):
        tag, folder, name = (
            unicodedata.normalize(form, word) for word in ("nät", "Übung", "Théorie")
        )
        files |= {
            f"{form}/{folder}/{form}.md": card_text(f"in {form}"),
            f"{form}/named/{form}.md": card_text(f"named {form}"),
            f"{form}/named/info.json": json.dumps({"name": name}),
            f"{form}.md": card_text(form).replace("tags: []", f"tags: [{tag}]"),
        }
    deck = load((write_deck(files | {"a.md": card_text("a")}),), None)
    in_folders = [entry for entry in deck.entries if len(entry.folders) > 2]
    assert topics_of(in_folders) == {
        "Théorie": ["named NFC", "named NFD"], "Übung": ["in NFC", "in NFD"]
    }  # fmt: skip
    tagged = [entry for entry in deck.entries if len(entry.folders) == 1]
    assert topics_of(tagged) == {"other": ["a"], "nät": ["NFC", "NFD"]}


def test_suspended_cards_and_mastered_ones_are_no_part_of_it(
    write_deck: Callable[..., Path], store: Store
) -> None:
    files = {"a.md": card_text("a"), "b.md": card_text("b", status="mastered"),
             "c.md": card_text("c")}  # fmt: skip
    deck = load((write_deck(files),), None)
    store.record(Suspend("c"), at=MORNING, day=TODAY)
    (found,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    assert found.whole.cards == 1


def test_minutes_are_those_that_stand_of_the_last_two_weeks_before_today_on_days_not_missed(
    deck: Deck, store: Store
) -> None:
    for ago, card in ((40, "a0"), (6, "a1"), (4, "a2"), (2, "a3")):
        now = MORNING - timedelta(ago)
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, now, seconds=240.0)
    yesterday = MORNING - timedelta(1)
    commit(store, deck.by_id["a4"], Rating.GOOD, SETTINGS, yesterday, seconds=240.0)
    store.undo(yesterday, TODAY - 1)
    commit(store, deck.by_id["a5"], Rating.GOOD, SETTINGS, MORNING, seconds=240.0)
    (found,) = outlooks(deck, store, SETTINGS, TODAY, pace_of(deck, store))
    assert found.study_days == StudyDays(studied=3, of=6)
    assert found.minutes_a_day == pytest.approx(3 * 4 / 6 / (1 - found.study_days.missed))
    limited = replace(SETTINGS, minutes_per_day=20)
    (found,) = outlooks(deck, store, limited, TODAY, pace_of(deck, store))
    assert found.minutes_a_day == 20


def test_a_repetition_takes_its_usual_share_of_the_minutes_of_a_card(
    deck: Deck, store: Store
) -> None:
    for ago in range(2, 7):
        for rating, seconds in ((Rating.AGAIN, 240.0), (Rating.GOOD, 60.0)):
            now = MORNING - timedelta(ago)
            commit(store, deck.by_id[f"a{ago}"], rating, SETTINGS, now, seconds=seconds)
    pace = pace_of(deck, store)
    (found,) = outlooks(deck, store, SETTINGS, TODAY, pace)
    habits = habits_in(store, deck, TODAY)
    assert habits.step_share == 0.25
    minutes = 25 / 6 / (1 - habits.study_days.missed)
    usual, full = (
        foretold(deck, store.progress(), SETTINGS, minutes, pace=pace, habits=each)[0]
        for each in (habits, replace(habits, step_share=4.0))
    )
    assert found == usual
    assert usual.need.minutes and full.need.minutes
    assert usual.need.minutes < full.need.minutes


@pytest.mark.parametrize("minutes", [None, 6.0])
def test_who_missed_no_day_is_foretold_the_same_as_without_a_look_at_it(
    deck: Deck, minutes: float | None
) -> None:
    (usual,) = foretold(deck, {}, SETTINGS, minutes)
    every_day = replace(USUAL, study_days=StudyDays(30, 30))
    (found,) = foretold(deck, {}, SETTINGS, minutes, habits=every_day)
    assert replace(found, study_days=usual.study_days) == usual


def test_who_misses_days_is_foretold_less_and_needs_more_minutes(deck: Deck) -> None:
    every_day, missing = (
        foretold(deck, {}, SETTINGS, 6.0, habits=replace(USUAL, study_days=days))[0]
        for days in (StudyDays(30, 30), StudyDays(20, 30))
    )
    assert missing.whole.recall < every_day.whole.recall - 0.05
    assert missing.whole.seen < every_day.whole.seen
    assert missing.need.minutes > every_day.need.minutes


def test_two_days_of_study_are_no_habit_yet(deck: Deck, store: Store) -> None:
    for ago, card in ((3, "a0"), (2, "a1")):
        now = MORNING - timedelta(ago)
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, now, seconds=240.0)
    (found,) = outlooks(deck, store, SETTINGS, TODAY, pace_of(deck, store))
    assert found.minutes_a_day is None


def test_a_limit_is_the_exams_for_its_course_comes_before_the_others(
    write_deck: Callable[..., Path], store: Store
) -> None:
    files = {"a.md": card_text("a"), "b.md": card_text("b", course="Other")}
    deck = load((write_deck(files),), None)
    for ago in (3, 2, 1):
        now = MORNING - timedelta(ago)
        for card, seconds in (("a", 600.0), ("b", 1800.0)):
            commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, now, seconds=seconds)
    limited = replace(SETTINGS, minutes_per_day=20)
    (found,) = outlooks(deck, store, limited, TODAY, THREE_MINUTES)
    assert found.minutes_a_day == pytest.approx(20)
    (by_habit,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    assert by_habit.minutes_a_day == pytest.approx(10)


def test_the_minutes_that_would_do_are_of_whole_days_with_what_was_done_today(
    deck: Deck, store: Store
) -> None:
    tomorrow = Settings(courses={"ml": Course(exam_day=TODAY + 1)})
    (before,) = outlooks(deck, store, tomorrow, TODAY, THREE_MINUTES)
    for entry in deck.entries[:30]:
        commit(store, entry, Rating.GOOD, tomorrow, MORNING, seconds=180.0)
    (after,) = outlooks(deck, store, tomorrow, TODAY, THREE_MINUTES)
    assert before.need.minutes and after.need.minutes
    assert before.need.minutes >= after.need.minutes >= 60 * 3


def test_a_new_card_of_today_leaves_room_for_the_less_today(deck: Deck, store: Store) -> None:
    settings = Settings(courses={"ml": Course(exam_day=EXAM, new_per_day=2)})
    for card in ("a0", "a1"):
        commit(store, deck.by_id[card], Rating.GOOD, settings, MORNING)
    (found,) = outlooks(deck, store, settings, TODAY, THREE_MINUTES)
    assert found.whole.seen == 2 * 21


def test_cards_met_today_have_used_up_their_minutes(deck: Deck, store: Store) -> None:
    before = told(deck, 6.0)
    for card in ("a0", "a1"):
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, MORNING, seconds=180.0)
    (after,) = foretold(deck, store.progress(), SETTINGS, 6.0, done=store.done(TODAY))
    assert after.whole.seen == before.whole.seen


def test_an_exam_of_a_course_that_the_deck_does_not_hold_is_left_out(
    deck: Deck, store: Store
) -> None:
    settings = Settings(courses={"biology": Course(exam_day=EXAM)})
    assert outlooks(deck, store, settings, TODAY, THREE_MINUTES) == ()
    assert as_things_stand(deck, {}, settings, TODAY) == ()


def test_without_a_search_recall_is_foretold_and_nothing_said_of_what_is_needed(deck: Deck) -> None:
    searched, quick = (
        foretold(deck, {}, SETTINGS, 6.0, search=search)[0] for search in (True, False)
    )
    assert searched.need and not searched.in_time
    assert (quick.need, quick.in_time) == (None, None)
    assert quick == replace(searched, need=None)


def test_without_a_forecast_recall_is_that_without_another_review(deck: Deck, store: Store) -> None:
    for card in ("a0", "a1"):
        commit(store, deck.by_id[card], Rating.GOOD, SETTINGS, MORNING)
    (stands,) = as_things_stand(deck, store.progress(), SETTINGS, TODAY)
    (found,) = outlooks(deck, store, SETTINGS, TODAY, THREE_MINUTES)
    assert (stands.whole.recall, stands.whole.seen) == (None, None)
    assert stands.seen_now == 2
    assert stands.whole.recall_alone == found.whole.recall_alone > 0
    assert [topic.recall_alone for topic in stands.topics] == [
        topic.recall_alone for topic in found.topics
    ]


@pytest.fixture
def two(write_deck: Callable[..., Path]) -> Deck:
    """A course that is met first, and another, thirty cards each."""
    files = {f"a/{n}.md": card_text(f"a{n}", course="First") for n in range(30)}
    files |= {f"b/{n}.md": card_text(f"b{n}", course="Second") for n in range(30)}
    return load((write_deck(files),), None)


def second_of(two: Deck) -> Deck:
    return replace(two, entries=two.entries[30:])


TWO_EXAMS = Settings(courses={"first": Course(exam_day=TODAY + 9), "second": Course(exam_day=EXAM)})


def test_what_is_foretold_of_several_exams_is_possible_together(two: Deck) -> None:
    both = foretold(two, {}, TWO_EXAMS, 6.0)
    assert [each.course for each in both] == ["First", "Second"]
    first, second = both
    assert first.whole.seen + second.whole.seen <= 21 * 2
    alone = foretold(second_of(two), {}, TWO_EXAMS, 6.0)
    assert second.whole.recall < alone[0].whole.recall
    assert first.minutes_a_day == second.minutes_a_day == alone[0].minutes_a_day == 6
    assert first.shares and second.shares and not alone[0].shares
    assert not first.in_time and not second.in_time


def test_the_minutes_that_would_do_are_those_for_all_exams_together(two: Deck) -> None:
    few = foretold(two, {}, TWO_EXAMS, 6.0)
    (alone,) = foretold(second_of(two), {}, TWO_EXAMS, 6.0)
    told = [each.need.minutes or 0 for each in few]
    assert alone.need.minutes and told[1] > alone.need.minutes
    enough = foretold(two, {}, TWO_EXAMS, max(told))
    assert all(each.in_time and each.whole.seen == 30 for each in enough)
    unknown = foretold(two, {}, TWO_EXAMS, None)
    assert [each.whole for each in unknown] == [
        each.whole for each in foretold(two, {}, TWO_EXAMS, unknown[0].need.minutes)
    ]


def test_the_habits_of_courses_with_exams_are_one_time_for_all_of_them(
    two: Deck, store: Store
) -> None:
    for ago in (3, 2, 1):
        for card, seconds in (("a0", 600.0), ("b0", 300.0)):
            now = MORNING - timedelta(ago)
            commit(store, two.by_id[card], Rating.GOOD, SETTINGS, now, seconds=seconds)
    for settings in (TWO_EXAMS, replace(TWO_EXAMS, minutes_per_day=15)):
        found = outlooks(two, store, settings, TODAY, THREE_MINUTES)
        habits = habits_in(store, two, TODAY)
        assert found == foretold(two, store.progress(), settings, 15.0, habits=habits)


def test_the_last_eve_holds_no_more_than_a_day_does(deck: Deck) -> None:
    needed = told(deck, 6.0).need.minutes
    assert needed
    just, plenty = told(deck, needed), told(deck, 9.0 * needed)
    assert just.in_time and just.whole.seen == 60
    assert just.whole.recall < plenty.whole.recall - 0.01


def test_what_may_come_before_its_day_fills_an_eve_and_is_not_needed(
    deck: Deck, store: Store
) -> None:
    for entry in deck.entries:
        commit(store, entry, Rating.GOOD, Settings(), MORNING - timedelta(1))
    progress = store.progress()
    assert all(known.memory and known.memory.due_day > TODAY for known in progress.values())
    tomorrow = Settings(courses={"ml": Course(exam_day=TODAY + 1)})
    (found,) = foretold(deck, progress, tomorrow, 60.0)
    assert found.whole.recall > found.whole.recall_alone > 0.9
    assert found.need == Need()
    (nothing,) = foretold(deck, progress, tomorrow, None)
    assert nothing.need == Need() and nothing.whole.recall == nothing.whole.recall_alone
