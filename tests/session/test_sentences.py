from dataclasses import replace

import pytest

from quizzer.judge.judgement import AskedName, Question
from quizzer.plan.agenda import Remaining
from quizzer.plan.backlog import Backlog
from quizzer.session import sentences
from quizzer.session.summary import Summary

NOTHING = Summary(
    asked=0,
    rated=0,
    cards=0,
    seconds=0,
    retention=None,
    tomorrow=3,
    waiting=0,
    left=0,
    left_minutes=0,
    beyond=0,
)


def test_a_summary_says_what_was_rated_what_waits_and_what_is_left() -> None:
    ended = Summary(
        asked=3,
        rated=3,
        cards=2,
        seconds=600,
        retention=0.5,
        tomorrow=1,
        waiting=1,
        left=2,
        left_minutes=12,
        beyond=0,
    )
    assert tuple(sentences.summary(ended)) == (
        "3 ratings on 2 cards in 10 min, 50% remembered. All saved.",
        "1 card in the ten-minute step.",
        "Left for today: 2 cards, about 12 min.",
        "Tomorrow: 1 card due.",
    )


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        (NOTHING, "Nothing is due now."),
        (replace(NOTHING, asked=1, left=1), "Nothing was rated."),
        (replace(NOTHING, left=2, left_minutes=9), "Today's minutes are spent; 2 cards, about 9"),
        (replace(NOTHING, beyond=4), "Today's limit leaves 4 cards for later"),
    ],
)
def test_a_summary_without_ratings_says_why(ended: Summary, why: str) -> None:
    assert next(sentences.summary(ended)).startswith(why)


@pytest.mark.parametrize(
    ("found", "budget", "told"),
    [
        (Backlog(90, 300, 10, 8, 4.4), None, "Today's limit takes the 10 that have waited longest"),
        (Backlog(90, 300, 10, 8, 4.4), 30, "The 30 minutes take the 10 that have waited longest"),
        (Backlog(90, 300, 1, 89, 0.2), 1, "The minute takes the one that has waited longest"),
        (Backlog(90, 300, 10, 8, 4.4, True), None, "the 10 that come first toward the exam"),
        (Backlog(90, 300, 10, 8, 4.4), None, "(8 days), about 4 more of them will be forgotten."),
        (Backlog(90, 300, 10, 1, 0.4), None, "(1 day), hardly any more of them"),
    ],
)
def test_a_backlog_says_what_comes_today_and_what_waiting_costs(
    found: Backlog, budget: float | None, told: str
) -> None:
    sentence = sentences.backlog(found, budget)
    assert sentence.startswith("90 cards are due, about 5 h 0 min. ")
    assert told in sentence


def test_the_place_of_a_card_has_the_time_left_only_where_time_is_limited() -> None:
    left = Remaining(steps=1, reviews=2, new=1, minutes=25)
    assert sentences.position(3, left, None) == "3 of 7"
    assert sentences.position(3, left, 30) == "3 of 7 · about 25 min left"
    assert sentences.to_go(left) == "4 cards to go, about 25 min"
    assert sentences.to_go(Remaining(0, 0, 0, 5)) == ""


def test_instructions_tell_names_shapes_and_rules_as_values() -> None:
    asks = Question(
        (
            AskedName("dx", "backward message", ("N", "3"), ("x (N, 3)", "dy (N,)")),
            AskedName("c", "a constant", (), ("x (N, 3)",)),
            AskedName("db", "bias", ("K",), ("x (N, 3)",)),
        ),
        assume="x > 0",
        first_index=1,
    )
    assert [sentences.shape(each) for each in asks.asked] == [
        "shape (N, 3), for example",
        "a number",
        "shape (K,)",
    ]
    assert tuple(sentences.conditions(asks)) == (
        ("you may use", "x (N, 3)"),
        ("for dx also", "dy (N,)"),
        ("assume", "x > 0"),
        ("indices count from", "1"),
    )


def test_a_replaced_history_is_told_with_the_ratings_that_it_lacks() -> None:
    assert "missing" not in sentences.replaced(0)
    assert sentences.replaced(2).endswith("; 2 ratings of this session are missing from it.")
