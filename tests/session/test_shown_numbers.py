"""Cards that show numbers, asked in a session."""

from collections.abc import Callable

from in_turn import InTurn
from samples import card_text

from quizzer.store import Store
from quizzer.values import Attempt, Form, Rating, Verdict

Start = Callable[..., InTurn]
SQUARE = "x: number 2..9\ny = x^2\nshow x\nask y\n"
FILES = {"a.md": card_text("a"), "a.checker": SQUARE}


def value(session: InTurn) -> int:
    turn = session.turn
    assert turn and turn.asks
    return int(turn.asks.given[0].lines[0])


def test_the_numbers_stay_through_a_turn_and_are_others_the_next_time(start: Start) -> None:
    seen = set()
    session = start(FILES)
    session.advance()
    for _ in range(6):
        x = value(session)
        seen.add(x)
        assert session.answer(f"{2 * x + 100}").verdict is Verdict.WRONG
        session.hint()
        assert value(session) == x
        assert session.answer(f"{x**2}").verdict is Verdict.CORRECT
        session.reveal()
        assert value(session) == x
        assert session.turn and session.turn.asks
        assert session.turn.asks.values[0].lines == (f"{x**2}",)
        session.rate(Rating.AGAIN)
        session.advance(early=True)
    assert len(seen) > 1


def test_the_log_tells_which_numbers_an_answer_was_for(
    start: Start, store: Store, judge: object
) -> None:
    session = start(FILES)
    turn = session.advance()
    assert turn and turn.asks
    x = value(session)
    session.answer("1000")
    session.answer(f"{x**2}")
    facts = [event.fact for event in store.events(kinds=[Attempt])]
    assert [fact.seed for fact in facts] == [turn.asks.seed] * 2  # type: ignore[union-attr]
    again = judge.numbered(turn.entry.checker, turn.asks, turn.asks.seed)  # type: ignore[attr-defined]
    assert again.given == turn.asks.given


def test_a_worked_solution_has_the_numbers_of_its_question(start: Start) -> None:
    worked = card_text("a", solution="### Steps\n1. Look.\n2. Square it.")
    session = start(FILES | {"a.md": worked}, form=Form.WORKED)
    turn = session.advance()
    assert turn and turn.form is Form.WORKED and turn.parts == ()
    x = value(session)
    session.reveal()
    assert session.turn and session.turn.asks
    assert session.turn.asks.values[0].lines == (f"{x**2}",)
    assert session.suggestion() is Rating.GOOD
