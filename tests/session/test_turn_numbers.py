"""Every action names the turn that it answers; verdicts may be worked out in another thread."""

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Thread

import pytest
from in_turn import InTurn
from samples import (
    CHECKER,
    CHOICE_CARD,
    DERIVATION_CARD,
    NUMBER_CARD,
    SettableClock,
    card_text,
    plain_cards,
)

from quizzer.judge.judgement import Broken, Judgement, Question
from quizzer.judge.judges import Judge
from quizzer.judge.repair import Repair
from quizzer.session.daily import Session
from quizzer.session.judging import Judged
from quizzer.session.moves import Revealed, Tried
from quizzer.session.quiz import Quiz
from quizzer.session.turn import OutdatedTurnError
from quizzer.store import Store
from quizzer.values import Attempt, Rating, Verdict

Start = Callable[..., InTurn]
SQUARE = {"square.md": DERIVATION_CARD, "square.py": CHECKER}
LONG = 60.0
"""Seconds after which a test gives up on another thread."""

ACTIONS: dict[str, Callable[[Session, int], object]] = {
    "answer": lambda session, number: session.answer(number, "0.25"),
    "judge": lambda session, number: session.judge(number, "0.25"),
    "hint": lambda session, number: session.hint(number),
    "repair": lambda session, number: session.repair(number),
    "reveal": lambda session, number: session.reveal(number),
    "dispute": lambda session, number: session.dispute(number),
    "rate": lambda session, number: session.rate(number, Rating.GOOD),
    "undo": lambda session, number: session.undo(number),
    "skip": lambda session, number: session.skip(number),
    "flag": lambda session, number: session.flag(number),
    "suspend": lambda session, number: session.suspend(number),
    "bury": lambda session, number: session.bury(number),
    "reread": lambda session, number: session.reread(number),
}


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_an_action_for_another_turn_is_refused_and_nothing_is_written(
    start: Start, store: Store, action: Callable[[Session, int], object]
) -> None:
    session: Session = start({"number.md": NUMBER_CARD, "z.md": card_text("z")})._session
    session.advance()
    old = session.number
    session.answer(old, "7")
    turn, number, events = session.turn, session.number, store.events()
    for outdated in (old, number + 1):
        with pytest.raises(OutdatedTurnError, match="Nothing was saved"):
            action(session, outdated)
    assert (session.turn, session.number) == (turn, number)
    assert store.events() == events


@pytest.mark.parametrize("action", sorted(ACTIONS.keys() - {"judge", "repair"}))
def test_a_form_that_is_sent_twice_acts_once(start: Start, store: Store, action: str) -> None:
    session: Session = start({"number.md": NUMBER_CARD} | plain_cards("a"))._session
    session.advance()
    session.rate(session.number, Rating.GOOD)
    session.advance()
    session.answer(session.number, "7")
    form = session.number
    ACTIONS[action](session, form)
    events = store.events()
    with pytest.raises(OutdatedTurnError):
        ACTIONS[action](session, form)
    assert store.events() == events


def test_between_cards_nothing_can_be_answered(start: Start) -> None:
    session: Session = start(plain_cards("a", "b"))._session
    with pytest.raises(OutdatedTurnError):
        session.reveal(session.number)
    session.advance()
    session.rate(session.number, Rating.GOOD)
    with pytest.raises(OutdatedTurnError):
        session.rate(session.number, Rating.GOOD)
    assert session.undo(session.number) == ("a", Rating.GOOD)


def test_to_advance_twice_leaves_the_card_that_is_asked(start: Start) -> None:
    session = start(plain_cards("a", "b"))
    first, number = session.advance(), session.number
    assert session.advance() is first
    assert session.number == number


def test_judging_records_nothing_and_changes_no_turn(start: Start, store: Store) -> None:
    session = start(SQUARE)
    before = session.advance()
    judged = session.judge("2 * x")
    assert judged.answered.verdict is Verdict.WRONG
    assert (session.turn, store.events()) == (before, [])
    assert session.record(judged) is judged.answered
    assert [event.fact.answer for event in store.events()] == ["2 * x"]
    assert session.turn.parts[0].wrong == 1


def test_a_verdict_is_recorded_once(start: Start, store: Store) -> None:
    session = start(SQUARE)
    session.advance()
    judged = session.judge("2 * x")
    session.record(judged)
    with pytest.raises(OutdatedTurnError):
        session.record(judged)
    assert len(store.events()) == 1


def test_the_same_turn_is_judged_on_the_same_instances_the_next_on_fresh_ones(
    start: Start,
) -> None:
    session = start(SQUARE)
    session.advance()
    first, again = session.judge("2 * x"), session.judge("3 * x")
    assert first.attempts[0].seed == again.attempts[0].seed is not None
    session.record(first)
    assert session.judge("3 * x").attempts[0].seed != first.attempts[0].seed


class Endless:
    """A judge whose verdicts take as long as the test wants."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.begun, self.ended = Event(), Event()

    def question(self, checker: Path) -> Question | Broken:
        return self._judge.question(checker)

    def prepare(self, checker: Path, seed: int) -> None:
        self._judge.prepare(checker, seed)

    def judge(
        self, checker: Path, answers: Mapping[str, str], seed: int, *more: str | None
    ) -> Judgement | Broken:
        self.begun.set()
        assert self.ended.wait(LONG)
        return self._judge.judge(checker, answers, seed, *more)

    def repair(
        self, checker: Path, answers: Mapping[str, str], seed: int, notation: str | None = None
    ) -> tuple[Repair, ...]:
        return self._judge.repair(checker, answers, seed, notation)


class Elsewhere:
    """Judges an answer in a thread of its own, as the executor of a web face does."""

    def __init__(self, session: InTurn, judge: Endless, text: str) -> None:
        self._judge, self.judged = judge, list[Judged]()
        number = session.number
        judging = session._session.judge
        self._thread = Thread(target=lambda: self.judged.append(judging(number, text)))
        self._thread.start()
        assert judge.begun.wait(LONG)

    def verdict(self) -> Judged:
        self._judge.ended.set()
        self._thread.join(LONG)
        (judged,) = self.judged
        return judged


def test_an_endless_answer_holds_up_nothing_and_its_verdict_comes_too_late(
    start: Start, judge: Judge, store: Store
) -> None:
    endless = Endless(judge)
    session = start(SQUARE | plain_cards("a"), judge=endless)
    assert session.advance().entry.id == "square"
    pending = Elsewhere(session, endless, "2 * x")
    assert session.hint() == "Use the chain rule."
    session.skip()
    assert session.advance().entry.id == "a"
    session.reveal()
    session.rate(Rating.GOOD)
    events = store.events()
    with pytest.raises(OutdatedTurnError):
        session.record(pending.verdict())
    assert store.events() == events
    assert not store.events(kinds=[Attempt])


def test_a_slow_verdict_that_is_still_wanted_is_recorded_without_the_time_it_took(
    start: Start, judge: Judge, store: Store, clock: SettableClock
) -> None:
    endless = Endless(judge)
    session = start(SQUARE, judge=endless)
    session.advance()
    clock.forward(seconds=50)
    pending = Elsewhere(session, endless, "2 * x * dy")
    clock.forward(seconds=30)
    assert session.record(pending.verdict()).verdict is Verdict.CORRECT
    (attempt,) = store.events(kinds=[Attempt])
    assert attempt.fact.seconds == 50


def test_a_page_that_is_loaded_again_finds_all_that_was_done_in_the_turn(start: Start) -> None:
    session = start(SQUARE)
    session.advance()
    session.answer("2 * x *")
    session.answer("-2 * x * dy")
    session.hint()
    where = (session.hint(), session.hint())[0]
    session.answer("2 * x * dy")
    session.reveal()
    tried = [move for move in session.turn.transcript if isinstance(move, Tried)]
    assert [(move.typed, move.answered.verdict.value) for move in tried] == [
        ("2 * x *", "invalid"),
        ("-2 * x * dy", "wrong"),
        ("2 * x * dy", "correct"),
    ]
    assert all(move.answered.message for move in tried)
    kinds = [type(move).__name__ for move in session.turn.transcript]
    assert kinds == ["Tried", "Tried", "Hinted", "Hinted", "Hinted", "Tried", "Revealed"]
    assert session.turn.transcript[3].text == where


def test_a_rating_that_was_taken_back_brings_the_transcript_back(start: Start) -> None:
    session = start({"1.md": CHOICE_CARD, "2.md": NUMBER_CARD})
    session.advance()
    session.answer("A")
    session.reveal()
    before = session.turn
    session.rate(Rating.GOOD)
    session.advance()
    session.answer("7")
    interrupted = session.turn
    session.undo()
    assert session.turn == before
    assert session.turn.transcript[-1] == Revealed()
    session.rate(Rating.HARD)
    assert session.advance() == interrupted


def test_a_card_keeps_its_place_when_it_is_asked_anew(start: Start) -> None:
    session = start(plain_cards("a", "b"))
    assert session.place == 0
    session.advance()
    session.reread()
    assert session.place == 1
    session.reveal()
    session.rate(Rating.GOOD)
    session.advance()
    assert session.place == 2
    session.undo()
    session.rate(Rating.GOOD)
    session.advance()
    assert session.place == 2


QUIZ_ACTIONS: dict[str, Callable[[Quiz, int], object]] = {
    "answer": lambda quiz, number: quiz.answer(number, "0.25"),
    "leave": lambda quiz, number: quiz.leave(number),
    "finish": lambda quiz, number: quiz.finish(number, 1.0),
}


@pytest.mark.parametrize("action", QUIZ_ACTIONS.values(), ids=QUIZ_ACTIONS)
def test_a_quiz_refuses_an_action_for_another_turn(
    judge: Judge,
    store: Store,
    clock: SettableClock,
    tmp_path: Path,
    write_deck: Callable[[dict[str, str]], Path],
    action: Callable[[Quiz, int], object],
) -> None:
    from random import Random

    from quizzer.deck import Filter, load
    from quizzer.plan.settings import Settings
    from quizzer.session.quiz import draw

    rng = Random(1)
    quiz = Quiz(
        paper=draw(load((write_deck({"a.md": NUMBER_CARD}),), None), Filter(), None, rng),
        store=store,
        judge=judge,
        settings=Settings(),
        clock=clock,
        rng=rng,
    )
    turn = quiz.advance()
    judged = quiz.judge(quiz.number, "no number")
    with pytest.raises(OutdatedTurnError):
        action(quiz, quiz.number + 1)
    assert quiz.turn is turn
    assert store.events() == []
    quiz.record(judged)
    with pytest.raises(OutdatedTurnError):
        quiz.record(judged)
    assert len(store.events()) == 1
