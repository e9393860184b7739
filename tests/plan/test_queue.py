import dataclasses
from collections.abc import Callable
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import CHECKER, MORNING, card_text

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry, Filter, load
from quizzer.plan.meeting import FIRST_CARDS
from quizzer.plan.pace import BY_RULE
from quizzer.plan.queue import NEW_FIRST, plan, ready
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import Form, Memory, Progress, State, study_day

TODAY = study_day(MORNING)


def deck_of(*ids: str, difficulty: int = 2) -> Deck:
    root = Path("/deck")
    entries = tuple(
        Entry(root / f"{i}.md", root, Header(i, i, difficulty=difficulty), Asking.REVEAL)
        for i in ids
    )
    return Deck((root,), entries, 0, (), {}, {}, {entry.id: entry for entry in entries})


def reviewed(days_ago: int, interval: int) -> Progress:
    at = MORNING - timedelta(days=days_ago)
    day = TODAY - days_ago
    return Progress(Memory(State.REVIEW, 5.0, 5.0, at, day, interval, 1, 0, day))


def test_easier_cards_of_a_folder_are_introduced_first(
    write_deck: Callable[[dict[str, str]], Path],
) -> None:
    hard = card_text("hard").replace("difficulty: 2", "difficulty: 5")
    files = {
        "one/a.md": hard,
        "one/b.md": card_text("easy"),
        "one/c.md": card_text("verified"),
        "one/c.py": CHECKER,
        "two/d.md": card_text("d"),
    }
    queue = plan(load((write_deck(files),), None), {}, Done(), Settings(), MORNING)
    assert [entry.id for entry in queue.new] == ["verified", "easy", "hard", "d"]


def of_courses(*courses: str) -> Deck:
    """A card of each of these courses, in this order."""
    deck = deck_of(*(f"{number}{course}" for number, course in enumerate(courses)))
    entries = tuple(
        dataclasses.replace(entry, header=replace(entry.header, course=course))
        for entry, course in zip(deck.entries, courses, strict=True)
    )
    return replace(deck, entries=entries, by_id={entry.id: entry for entry in entries})


def test_in_the_first_days_courses_take_turns() -> None:
    deck = of_courses(*"AAAAAAAABBB")
    several = Settings(new_per_day=9)
    first = plan(deck, {}, Done(), several, MORNING)
    assert [entry.id[-1] for entry in first.new] == list("ABABABAAA")
    met = {entry.id: reviewed(1, 9) for entry in first.new[:2]}
    second = plan(deck, met, Done(), several, MORNING)
    assert [entry.id for entry in second.new[:7]] == [entry.id for entry in first.new[2:]]
    elsewhere = plan(deck, {}, Done(), several, MORNING, later=met.keys())
    assert elsewhere.new == second.new


def test_only_the_courses_that_were_chosen_take_turns() -> None:
    deck = of_courses(*"AAABBBCCC")
    chosen = Filter(courses=("A", "C"))
    queue = plan(deck, {}, Done(), Settings(new_per_day=4), MORNING, chosen)
    assert [entry.id[-1] for entry in queue.new] == list("ACAC")


def test_a_mastered_card_takes_no_turn() -> None:
    deck = of_courses(*"AAABB")
    entries = [
        dataclasses.replace(e, header=replace(e.header, status="mastered"))
        for e in deck.entries[:2]
    ]
    deck = replace(deck, by_id=dict(deck.by_id) | {entry.id: entry for entry in entries})
    assert [entry.id for entry in plan(deck, {}, Done(), Settings(), MORNING).new] == [
        "2A",
        "3B",
        "4B",
    ]


def test_after_the_first_days_new_cards_come_in_the_decks_order() -> None:
    deck = of_courses(*"A" * FIRST_CARDS, *"BBBCCC")
    met = {entry.id: reviewed(1, 9) for entry in deck.entries[:FIRST_CARDS]}
    queue = plan(deck, met, Done(), Settings(new_per_day=9), MORNING)
    assert [entry.id[-1] for entry in queue.new] == list("BBBCCC")


@pytest.mark.parametrize(
    ("settings", "minutes"),
    [
        (Settings(), 10),
        (Settings(learning_steps=25, relearning_steps=5), 25),
        (Settings(learning_steps=25, courses={"": Course(learning_steps=40)}), 40),
        (Settings(courses={"": Course(relearning_steps=40)}), 10),
    ],
)
def test_cards_in_a_step_are_ready_once_its_minutes_are_over(
    settings: Settings, minutes: int
) -> None:
    memory = Memory(State.LEARNING, 1.0, 5.0, MORNING, TODAY, 0, 1, 0, TODAY)
    progress = {"a": Progress(memory)}
    queue = plan(deck_of("a"), progress, Done(), settings, MORNING)
    over = MORNING + timedelta(minutes=minutes)
    assert not ready(queue, progress, settings, over - timedelta(seconds=1))
    assert ready(queue, progress, settings, over)


def test_a_journey_west_does_not_bring_a_card_on_the_day_it_was_reviewed() -> None:
    progress = {"a": reviewed(0, 1)}
    home = MORNING + timedelta(hours=20)
    west = home.astimezone(timezone(timedelta(hours=-8)))
    assert not plan(deck_of("a"), progress, Done(), Settings(), west).reviews


def test_of_two_cards_the_one_that_has_waited_longer_comes_first() -> None:
    progress = {"short": reviewed(4, 2), "long": reviewed(33, 30), "same": reviewed(33, 31)}
    queue = plan(deck_of(*progress), progress, Done(), Settings(), MORNING)
    assert [entry.id for entry in queue.reviews] == ["long", "short", "same"]


def test_the_limit_of_reviews_leaves_the_most_overdue_ones() -> None:
    progress = {"a": reviewed(10, 10), "b": reviewed(10, 2), "c": reviewed(10, 5)}
    settings = Settings(reviews_per_day=2)
    queue = plan(deck_of("a", "b", "c"), progress, Done(), settings, MORNING)
    assert [entry.id for entry in queue.today] == ["b", "c"]
    assert [entry.id for entry in queue.reviews] == ["b", "c", "a"]


@settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.tuples(st.integers(0, 40), st.integers(1, 40))),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_every_card_is_in_one_place_at_most_and_none_before_its_day(
    known: dict[str, tuple[int, int]], new: int, reviews: int
) -> None:
    progress = {card: reviewed(*when) for card, when in known.items()}
    limits = Settings(new_per_day=new, reviews_per_day=reviews)
    queue = plan(deck_of(*"abcdefgh"), progress, Done(), limits, MORNING)
    due = {card for card, (ago, interval) in known.items() if ago >= interval}
    assert {entry.id for entry in queue.reviews} == due
    assert {entry.id for entry in queue.new} <= set("abcdefgh") - set(known)
    assert len(queue.new) == min(new, 8 - len(known))
    assert len(queue.today) == min(reviews, len(due))


def test_short_forms_come_before_blank_pages_with_a_few_new_cards_among_them() -> None:
    known = {"page": reviewed(5, 5), "slip": reviewed(4, 3)}
    deck = deck_of("page", "slip", *(f"new{number}" for number in range(NEW_FIRST + 1)))
    pace = replace(BY_RULE, form_of=lambda entry: Form.BLANK if entry.id == "page" else Form.SLIP)
    queue = plan(deck, known, Done(), Settings(), MORNING, pace=pace)
    news = [f"new{number}" for number in range(NEW_FIRST + 1)]
    first, last = news[:NEW_FIRST], news[NEW_FIRST:]
    assert [entry.id for entry in queue.fresh] == ["slip", *first, "page", *last]


def test_without_short_forms_reviews_come_before_new_cards() -> None:
    deck = deck_of("page", "new")
    queue = plan(deck, {"page": reviewed(5, 5)}, Done(), Settings(), MORNING)
    assert [entry.id for entry in queue.fresh] == ["page", "new"]
