from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.card import parse
from quizzer.deck import Asking, Entry
from quizzer.judge.judgement import Answered, AskedName, Broken, Question
from quizzer.session.beginning import begin
from quizzer.session.turn import Outcome, Turn
from quizzer.values import Rating, Verdict

TEXT = (
    "---\nid: a\n---\n# Question\nWhat?\n---\n# Solution\n"
    "### Steps\n1. First.\n2. Second.\n\n## Hints\n- Look.\n"
)
SLOW = [100.0, 100.0, 100.0]


def turn(*names: str) -> Turn:
    card = parse(TEXT.encode(), Path("a.md")).card
    assert card
    entry = Entry(Path("a.md"), Path(), card.header, Asking.CHECKER)
    asks = Question(
        tuple(AskedName(name, name, (), ()) for name in names), hints=("Differentiate.",)
    )
    return begin(entry, card, asks if names else None)


def play(start: Turn, *verdicts: str) -> Turn:
    for verdict in verdicts:
        part = start.part
        assert part
        start = start.tried("typed", Answered(part.name, Verdict(verdict), "Said."))
    return start


def test_right_at_once_suggests_good() -> None:
    assert play(turn("dx"), "correct").suggestion(80, SLOW) is Rating.GOOD


def test_right_at_once_and_twice_as_fast_as_usual_suggests_easy() -> None:
    assert play(turn("dx"), "correct").suggestion(49, SLOW) is Rating.EASY


def test_without_enough_earlier_times_nothing_is_called_fast() -> None:
    assert play(turn("dx"), "correct").suggestion(1, [100.0, 100.0]) is Rating.GOOD


def test_a_second_try_suggests_hard() -> None:
    assert play(turn("dx"), "wrong", "correct").suggestion(1, SLOW) is Rating.HARD


def test_a_third_try_suggests_again() -> None:
    assert play(turn("dx"), "wrong", "wrong", "correct").suggestion(1, SLOW) is Rating.AGAIN


def test_an_invalid_answer_is_no_try() -> None:
    assert play(turn("dx"), "invalid", "invalid", "correct").suggestion(80, SLOW) is Rating.GOOD


def test_a_hint_suggests_again() -> None:
    assert play(turn("dx").hint(), "correct").suggestion(1, SLOW) is Rating.AGAIN


def test_giving_up_suggests_again() -> None:
    assert play(turn("dx"), "wrong").reveal().suggestion(1, SLOW) is Rating.AGAIN


def test_giving_up_one_of_two_parts_suggests_again() -> None:
    assert play(turn("dx", "dW"), "correct").reveal().suggestion(1, SLOW) is Rating.AGAIN


def test_who_derives_on_paper_and_reveals_gets_no_suggestion() -> None:
    assert turn("dx").reveal().suggestion(1, SLOW) is None


def test_a_broken_checker_leaves_the_rating_to_the_learner() -> None:
    broken = play(turn("dx"), "wrong", "broken")
    assert broken.part is None
    assert broken.suggestion(1, SLOW) is None


def test_a_checker_broken_from_the_start_asks_nothing() -> None:
    started = turn()
    broken = begin(started.entry, started.card, Broken("it raises"))
    assert (broken.parts, broken.broken) == ((), "it raises")


def test_what_is_right_stays_and_only_what_is_wrong_is_asked_again() -> None:
    after = play(turn("dx", "dW"), "correct", "wrong")
    assert [part.outcome for part in after.parts] == [Outcome.RIGHT, Outcome.OPEN]
    assert after.part
    assert after.part.name == "dW"


def test_a_disputed_wrong_verdict_does_not_count() -> None:
    disputed = play(turn("dx", "dW"), "correct", "wrong").disputed("dW", Verdict.WRONG)
    assert disputed.part is None
    assert disputed.suggestion(80, SLOW) is Rating.GOOD


def test_a_disputed_invalid_verdict_takes_no_earlier_wrong_answer_back() -> None:
    disputed = play(turn("dx"), "wrong", "invalid").disputed("dx", Verdict.INVALID)
    assert disputed.parts[0].wrong == 1


def test_when_all_that_was_judged_is_disputed_there_is_no_suggestion() -> None:
    assert play(turn("dx"), "wrong").disputed("dx", Verdict.WRONG).suggestion(1, SLOW) is None


def test_hints_come_from_the_card_then_the_checker_then_the_steps_and_end() -> None:
    asked = turn("dx")
    assert asked.hints == ("Look.", "Differentiate.", "First.", "Second.")
    for _ in range(9):
        asked = asked.hint()
    assert asked.hints_shown == 4


@settings(derandomize=True, deadline=None)
@given(
    st.lists(st.sampled_from(["correct", "wrong", "invalid", "hint", "dispute"]), max_size=12),
    st.integers(1, 3),
)
def test_no_course_of_events_suggests_more_than_the_tries_deserve(
    events: list[str], parts: int
) -> None:
    asked = turn(*(f"d{n}" for n in range(parts)))
    wrong = hints = 0
    for event in events:
        if event == "hint":
            hints += 1
            asked = asked.hint()
        elif asked.part and event != "dispute":
            wrong += event == "wrong"
            asked = play(asked, event)
    suggested = asked.reveal().suggestion(80, SLOW)
    if hints:
        assert suggested is Rating.AGAIN
    elif suggested in (Rating.GOOD, Rating.EASY):
        assert wrong == 0
    elif suggested is Rating.HARD:
        assert 1 <= wrong <= parts


@pytest.mark.parametrize("verdict", [Verdict.CORRECT, Verdict.BROKEN])
def test_disputing_what_does_not_count_changes_nothing(verdict: Verdict) -> None:
    asked = turn("dx")
    assert asked.disputed("dx", verdict).parts == asked.parts
