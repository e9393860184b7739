"""An answer with readings that differ: which one is meant is asked before anything is judged."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from in_turn import InTurn
from samples import CHECKER, DERIVATION_CARD, SettableClock

from quizzer.deck import Filter, load
from quizzer.judge.judges import Judge
from quizzer.plan.settings import Settings
from quizzer.session import sentences
from quizzer.session.quiz import Quiz, draw
from quizzer.session.turn import Outcome
from quizzer.store import Store
from quizzer.values import Attempt, Rating, Verdict

Start = Callable[..., InTurn]
SQUARE = {"square.md": DERIVATION_CARD, "square.py": CHECKER}

FIRST_RIGHT = "dx_i = 2 dy_i / x_i x_i x_i"
"""Right as ((2 dy / x) x) x, wrong as 2 dy / (x x x)."""
BOTH_WRONG = "dx_i = dy_i / x_i x_i"
ALIKE = "dx_i = 2 dy_i x_i / [x_i = x_i] [x_i = x_i]"


def attempts(store: Store) -> list[Attempt]:
    facts = [event.fact for event in store.events(kinds=[Attempt])]
    return [fact for fact in facts if isinstance(fact, Attempt)]


@pytest.fixture
def asked(start: Start) -> InTurn:
    """A session that asks the square."""
    session = start(SQUARE)
    session.advance()
    return session


def pick(session: InTurn, which: int) -> Verdict:
    verdict: Verdict = session.record(session.judge_reading(which)).verdict
    return verdict


@pytest.mark.parametrize("text", [FIRST_RIGHT, BOTH_WRONG])
def test_it_is_asked_whatever_the_verdicts_would_be_and_nothing_is_logged(
    asked: InTurn, store: Store, text: str
) -> None:
    asked.answer(text)
    assert asked.turn.unclear.typed == text
    assert len(asked.turn.unclear.readings) == 2
    assert asked.turn.transcript == ()
    assert attempts(store) == []


def test_readings_that_agree_on_every_problem_are_not_asked_about(
    asked: InTurn, store: Store
) -> None:
    assert asked.answer(ALIKE).verdict is Verdict.CORRECT
    assert asked.turn.unclear is None
    assert attempts(store)[0].reading is None


def test_the_reading_that_was_picked_is_judged_and_logged(asked: InTurn, store: Store) -> None:
    asked.answer(FIRST_RIGHT)
    reading = asked.turn.unclear.readings[0].text
    assert pick(asked, 0) is Verdict.CORRECT
    assert asked.turn.unclear is None
    assert asked.turn.transcript[0].answered.understood.text == reading
    (attempt,) = attempts(store)
    assert (attempt.answer, attempt.reading) == (FIRST_RIGHT, reading)
    assert asked.suggestion() is Rating.GOOD, "the question was no try"


def test_picking_again_after_wrong_is_a_new_try(asked: InTurn, store: Store) -> None:
    asked.answer(FIRST_RIGHT)
    assert pick(asked, 1) is Verdict.WRONG
    assert asked.turn.part.wrong == 1
    asked.answer(FIRST_RIGHT)
    assert asked.turn.part.wrong == 1
    assert pick(asked, 0) is Verdict.CORRECT
    assert [attempt.verdict for attempt in attempts(store)] == [Verdict.WRONG, Verdict.CORRECT]
    assert asked.suggestion() is Rating.HARD


def test_an_answer_that_is_taken_back_leaves_no_trace(asked: InTurn, store: Store) -> None:
    asked.answer(FIRST_RIGHT)
    asked.take_back()
    assert asked.turn.unclear is None
    assert attempts(store) == []
    with pytest.raises(ValueError, match="no such reading"):
        asked.judge_reading(0)


def test_another_answer_may_be_given_instead(asked: InTurn) -> None:
    asked.answer(FIRST_RIGHT)
    assert asked.answer("2 * x * dy").verdict is Verdict.CORRECT
    assert asked.turn.unclear is None


@pytest.mark.parametrize("which", [-1, 2])
def test_no_reading_is_picked_that_was_not_offered(asked: InTurn, which: int) -> None:
    asked.answer(FIRST_RIGHT)
    with pytest.raises(ValueError, match="no such reading"):
        asked.judge_reading(which)


@pytest.mark.parametrize("action", ["hint", "reveal"])
def test_going_on_takes_the_question_back(asked: InTurn, action: str) -> None:
    asked.answer(FIRST_RIGHT)
    getattr(asked, action)()
    assert asked.turn.unclear is None


def test_time_spent_on_picking_is_no_time_on_the_card(
    asked: InTurn, store: Store, clock: SettableClock
) -> None:
    clock.forward(seconds=30)
    asked.answer(FIRST_RIGHT)
    clock.forward(seconds=50)
    pick(asked, 0)
    assert attempts(store)[0].seconds == 30


def test_a_repair_is_looked_for_in_the_reading_that_was_picked(asked: InTurn) -> None:
    # 3 x dy and dy / (3 x): only the first is one number away from 2 x dy.
    asked.answer("dx_i = 3 dy_i / x_i x_i x_i")
    assert pick(asked, 0) is Verdict.WRONG
    while asked.turn.hints_shown < asked.turn.own_hints:
        asked.hint()
    assert "3" in "".join(asked.repair().hints)


def test_several_places_are_asked_about_at_once(asked: InTurn) -> None:
    asked.answer("x_i dy_i / y_i x_i / y_i x_i")
    texts = [each.text for each in asked.turn.unclear.readings]
    assert len(set(texts)) == len(texts) > 2


def test_only_the_lines_that_differ_are_shown(asked: InTurn) -> None:
    asked.answer("s_i = 2 dy_i\ndx_i = s_i / x_i x_i x_i")
    question, readings = sentences.unclear(asked.turn.unclear)
    assert question == "dx can be read in 2 ways. Which one do you mean?"
    assert [each.text for each in readings] == [
        "dx[i] = (s[i] / x[i]) x[i] x[i]",
        "dx[i] = s[i] / (x[i] x[i] x[i])",
    ]
    assert all("s_{i} =" not in each.latex and "dx" in each.latex for each in readings)


@pytest.fixture
def quiz(
    write_deck: Callable[[dict[str, str]], Path], clock: SettableClock, judge: Judge, store: Store
) -> InTurn:
    deck, rng = load((write_deck(SQUARE),), None), Random(1)
    found = InTurn(
        Quiz(
            paper=draw(deck, Filter(), None, rng),
            store=store,
            judge=judge,
            settings=Settings(),
            clock=clock,
            rng=rng,
            minutes=5,
        )
    )
    found.advance()
    return found


def test_a_quiz_asks_too_and_the_pick_closes_the_part(quiz: InTurn, store: Store) -> None:
    quiz.answer(FIRST_RIGHT)
    assert quiz.turn.part.outcome is Outcome.OPEN
    assert attempts(store) == []
    assert pick(quiz, 1) is Verdict.WRONG
    assert quiz.turn.part is None
    assert attempts(store)[0].reading


def test_an_answer_sent_in_time_counts_however_late_its_reading_is_picked(
    quiz: InTurn, clock: SettableClock
) -> None:
    quiz.answer(FIRST_RIGHT)
    clock.forward(minutes=6)
    assert quiz.left() == timedelta(0)
    assert pick(quiz, 0) is Verdict.CORRECT
    assert quiz.result().earned == 4
