"""What an exam ahead changes about a day, and that it changes nothing else."""

import dataclasses
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import MORNING, card_text

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry, Filter, load
from quizzer.forecast.exam import outlooks
from quizzer.plan.exam_gain import BUFFER, LAST_DAYS
from quizzer.plan.pace import Pace, pace_of
from quizzer.plan.queue import plan
from quizzer.plan.settings import Course, Settings
from quizzer.session.rating import commit
from quizzer.store import Done, Store
from quizzer.values import Memory, Progress, Rating, State, study_day

TODAY = study_day(MORNING)
PROPERTY = hypothesis_settings(
    derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def deck_of(**courses: str) -> Deck:
    """Courses by name, with a card for each letter."""
    root = Path("/deck")
    entries = tuple(
        Entry(root / f"{card}.md", root, Header(card, card, course=course), Asking.REVEAL)
        for course, cards in courses.items()
        for card in cards
    )
    return Deck((root,), entries, 0, (), {}, {}, {entry.id: entry for entry in entries})


def reviewed(ago: int, interval: int, stability: float = 5.0) -> Progress:
    at, day = MORNING - timedelta(days=ago), TODAY - ago
    return Progress(Memory(State.REVIEW, stability, 5.0, at, day, interval, 1, 0, day))


def with_exam(course: str, ahead: int, **own: int) -> Settings:
    return Settings(courses={course.casefold(): Course(exam_day=TODAY + ahead, **own)})


def ids(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.id for entry in entries]


known = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.builds(reviewed, st.integers(0, 40), st.integers(1, 40), st.floats(0.1, 300)),
)


@PROPERTY
@given(known, st.integers(-30, 0))
def test_on_the_day_and_after_it_nothing_differs_from_a_course_without_exam(
    progress: dict[str, Progress], ahead: int
) -> None:
    deck = deck_of(A="abcd", B="efgh")
    without = plan(deck, progress, Done(), Settings(), MORNING)
    assert plan(deck, progress, Done(), with_exam("A", ahead), MORNING) == without
    assert with_exam("A", ahead).policy("A", TODAY) == Settings().policy("A", TODAY)


@PROPERTY
@given(known, st.integers(1, 40))
def test_a_course_with_an_exam_comes_first_and_the_others_keep_their_order(
    progress: dict[str, Progress], ahead: int
) -> None:
    deck = deck_of(A="abcd", B="efgh")
    without = plan(deck, progress, Done(), Settings(reviews_per_day=4), MORNING)
    settings = Settings(reviews_per_day=4, courses=with_exam("A", ahead).courses)
    exam = plan(deck, progress, Done(), settings, MORNING)
    assert [e for e in without.reviews if e.header.course == "B"] == [
        e for e in exam.reviews if e.header.course == "B"
    ]
    # A course with a pace of its own leaves the common limit of new cards to the others.
    assert {e for e in without.new if e.header.course == "B"} <= {*exam.new}
    assert {*without.reviews} <= {*exam.reviews}
    # At the places of its due cards stand the best of the course, which may not be due yet.
    courses = [entry.header.course for entry in exam.reviews[: len(without.reviews)]]
    assert courses == sorted(entry.header.course for entry in without.reviews)
    new = [entry.header.course for entry in exam.new]
    first = [entry.header.course for entry in exam.fresh[: new.count("A")]]
    assert first == ["A"] * new.count("A")
    assert [e.header.course for e in exam.fresh[len(exam.fresh) - new.count("B") :]] == [
        "B"
    ] * new.count("B")


def test_of_equal_cards_the_one_with_more_marks_a_minute_comes_first() -> None:
    deck = deck_of(ml="abc")
    points = {"a": 2, "b": 6, "c": 6}
    entries = tuple(
        dataclasses.replace(entry, header=replace(entry.header, points=points[entry.id]))
        for entry in deck.entries
    )
    deck = replace(deck, entries=entries, by_id={entry.id: entry for entry in entries})
    progress = {card: reviewed(10, 9) for card in "abc"}

    def order(minutes: dict[str, float]) -> str:
        settings, pace = with_exam("ml", 10), Pace(minutes, {})
        return "".join(ids(plan(deck, progress, Done(), settings, MORNING, pace=pace).today))

    assert order({"a": 5, "b": 5, "c": 20}) == "bac"
    assert order({"a": 1, "b": 12, "c": 6}) == "acb"
    assert order({}) == "abc", "without times all bring as much a minute"


def test_before_the_last_days_reviews_come_in_due_order_and_none_early() -> None:
    deck, progress = deck_of(A="abc"), {"a": reviewed(12, 9, 90.0), "b": reviewed(4, 2, 2.0)}
    progress["c"] = reviewed(5, 6, 2.0)
    far = plan(deck, progress, Done(), with_exam("A", LAST_DAYS + 1), MORNING)
    assert far.today == plan(deck, progress, Done(), Settings(), MORNING).today
    assert ids(far.today) == ["a", "b"]
    near = plan(deck, progress, Done(), with_exam("A", 1), MORNING)
    assert ids(near.today) == ["c", "b", "a"]
    assert ids(near.reviews) == ["c", "b", "a"]


def test_a_card_reviewed_today_does_not_come_again_for_the_exam() -> None:
    progress = {"a": reviewed(0, 5, 1.0)}
    assert not plan(deck_of(A="a"), progress, Done(), with_exam("A", 1), MORNING).reviews


def test_cards_taken_early_stay_within_the_limit_of_reviews() -> None:
    progress = {card: reviewed(2, 9, 2.0) for card in "abcdefgh"}
    queue = plan(
        deck_of(A="abcdefgh"), progress, Done(), with_exam("A", 1, reviews_per_day=3), MORNING
    )
    assert len(queue.today) == len(queue.reviews) == 3


def test_a_card_that_is_known_well_enough_does_not_come_early() -> None:
    deck, progress = deck_of(A="ab"), {"a": reviewed(2, 60, 300.0), "b": reviewed(2, 60, 5.0)}
    assert ids(plan(deck, progress, Done(), with_exam("A", 1), MORNING).today) == ["b"]


def test_cards_come_early_only_where_there_is_time_for_them_and_for_their_last_review() -> None:
    letters = "abcdefghijklmnopqrst"
    deck, settings = deck_of(A=letters + "z"), with_exam("A", 10, new_per_day=0)
    progress = {card: reviewed(9, 40, 4.0) for card in letters}
    assert len(plan(deck, progress, Done(), settings, MORNING).today) == 20
    # Of late he reviewed one card a day: the others would find no room on the eve.
    progress["z"] = reviewed(1, 40, 300.0)
    assert len(plan(deck, progress, Done(), settings, MORNING).today) == 0


def test_new_cards_follow_the_days_left_and_not_the_daily_limit() -> None:
    deck = deck_of(A=[f"a{n}" for n in range(60)], B=[f"b{n}" for n in range(9)])  # type: ignore[arg-type]
    queue = plan(deck, {}, Done(), with_exam("A", BUFFER + 20), MORNING)
    assert sum(e.header.course == "A" for e in queue.new) == 6
    assert sum(e.header.course == "B" for e in queue.new) == 5
    done = Done(new=frozenset({"a0", "a1"}))
    met = {card: reviewed(0, 2) for card in done.new}
    later = plan(deck, met, done, with_exam("A", BUFFER + 20), MORNING)
    assert sum(e.header.course == "A" for e in later.new) == 4


def test_limits_set_by_hand_are_stronger_than_the_exam() -> None:
    deck = deck_of(A=[f"a{n}" for n in range(60)])  # type: ignore[arg-type]
    by_hand = with_exam("A", 10, new_per_day=2)
    assert len(plan(deck, {}, Done(), by_hand, MORNING).new) == 2
    asked = with_exam("A", 10).with_new(3)
    assert len(plan(deck, {}, Done(), asked, MORNING).new) == 3
    assert asked.policy("A", TODAY).maximum_interval == 9


def test_toward_an_exam_its_new_cards_come_first_then_its_reviews() -> None:
    deck, progress = deck_of(A="ab", B="cd"), {"a": reviewed(3, 2), "c": reviewed(3, 2)}
    without = plan(deck, progress, Done(), Settings(), MORNING)
    assert ids(without.fresh) == ["a", "c", "b", "d"]
    queue = plan(deck, progress, Done(), with_exam("A", 9), MORNING)
    assert ids(queue.fresh) == ["b", "a", "c", "d"]
    assert ids(queue.first(2).fresh) == ["b", "a"]


def test_a_filter_changes_which_new_cards_come_and_not_how_many_the_exam_needs() -> None:
    deck = deck_of(A=[f"a{n}" for n in range(60)])  # type: ignore[arg-type]
    named = Filter(text="a1")
    queue = plan(deck, {}, Done(), with_exam("A", BUFFER + 20), MORNING, named)
    assert len(queue.new) == 6


@PROPERTY
@given(
    st.none() | st.builds(lambda p: p.memory, st.builds(reviewed, st.integers(0, 99), st.just(9))),
    st.integers(1, 60),
    st.sampled_from(Rating),
)
def test_no_interval_passes_the_exam_day(memory: Memory | None, ahead: int, rating: Rating) -> None:
    from quizzer.fsrs.scheduler import schedule

    policy = with_exam("A", ahead).policy("a", TODAY)
    after = schedule("card", memory, rating, MORNING, TODAY, policy)
    assert after.due_day <= TODAY + ahead
    assert after.due_day < TODAY + ahead or ahead == 1


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "history.db", MORNING) as opened:
        yield opened


def test_a_learner_of_three_weeks_has_seen_all_and_is_free_after_the_exam(
    write_deck: Callable[[dict[str, str]], Path], store: Store
) -> None:
    files = {f"{n}.md": card_text(f"card{n}", course="Exam") for n in range(40)}
    files |= {f"other{n}.md": card_text(f"other{n}", course="Other") for n in range(10)}
    deck, luck = load((write_deck(files),), None), Random(3)
    exam_day = TODAY + 21
    settings = Settings(courses={"exam": Course(exam_day=exam_day)})
    told = []
    for number in range(21):
        now = MORNING + timedelta(number)
        day = study_day(now)
        pace = pace_of(deck, store)
        told.append(outlooks(deck, store, settings, day, pace)[0])
        while cards := plan(deck, store.progress(), store.done(day), settings, now).fresh:
            rating = Rating.AGAIN if luck.random() < 0.1 else Rating.GOOD
            for each in (rating, Rating.GOOD) if rating is Rating.AGAIN else (rating,):
                event = commit(store, cards[0], each, settings, now, seconds=30.0)
                if cards[0].header.course == "Exam":
                    assert event.day + event.fact.interval <= exam_day  # type: ignore[union-attr]
    seen = [
        known.memory.first_day
        for card, known in store.progress().items()
        if card.startswith("card") and known.memory
    ]
    assert len(seen) == 40 and max(seen) < exam_day - 3
    assert told[0].whole.seen == 40 and told[0].seen_now == 0
    assert told[-1].whole.recall == pytest.approx(told[0].whole.recall, abs=0.05)
    assert told[-1].whole.recall > 0.9  # one review in ten is a slip, whatever they know
    after = MORNING + timedelta(21)
    assert outlooks(deck, store, settings, exam_day, pace_of(deck, store)) == ()
    assert plan(deck, store.progress(), Done(), settings, after) == plan(
        deck, store.progress(), Done(), Settings(), after
    )
    event = commit(store, deck.by_id["card0"], Rating.EASY, settings, after)
    assert event.fact.interval > 1  # type: ignore[union-attr]
