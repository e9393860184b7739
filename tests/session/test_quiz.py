from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from in_turn import InTurn
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD, NUMBER_CARD, SettableClock, card_text

from quizzer.deck import Filter, load
from quizzer.judge.judges import Judge
from quizzer.plan.settings import Settings
from quizzer.session.quiz import Basis, Quiz, draw
from quizzer.session.turn import Outcome
from quizzer.store import Store
from quizzer.values import Verdict
from tests.derived import card_of

FILES = {
    "choice.md": CHOICE_CARD.replace("Which?", "(2p) Which?"),
    "number.md": NUMBER_CARD,
    "open.md": card_text("open", question="(3p) Why?"),
}


@pytest.fixture
def start(
    write_deck: Callable[[dict[str, str]], Path],
    clock: SettableClock,
    judge: Judge,
    store: Store,
) -> Callable[..., InTurn]:
    def quiz(files: dict[str, str], seed: int = 1, minutes: float | None = None) -> InTurn:
        deck = load((write_deck(files),), None)
        rng = Random(seed)
        return InTurn(
            Quiz(
                paper=draw(deck, Filter(), None, rng),
                store=store,
                judge=judge,
                settings=Settings(),
                clock=clock,
                rng=rng,
                minutes=minutes,
            )
        )

    return quiz


def answer_all(quiz: InTurn, answers: dict[str, str], share: float | None = 0.5) -> None:
    while turn := quiz.advance():
        if turn.parts:
            quiz.answer(answers[turn.entry.id])
            quiz.finish()
        else:
            quiz.finish(share)


def test_the_same_seed_draws_the_same_cards_in_the_same_order(
    write_deck: Callable[[dict[str, str]], Path],
) -> None:
    deck = load((write_deck({f"{n}.md": card_text(f"c{n}") for n in range(20)}),), None)
    drawn = [[e.id for e, _ in draw(deck, Filter(), 7, Random(seed))] for seed in (3, 3, 4)]
    assert len(drawn[0]) == 7
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


def test_points_of_judged_and_of_self_assessed_cards_are_told_apart(
    start: Callable[..., InTurn],
) -> None:
    quiz = start(FILES)
    answer_all(quiz, {"choice": "B", "number": "0.7"})
    result = quiz.result()
    assert (result.earned, result.points) == (3.5, 6)
    assert result.of(Basis.JUDGED) == (2, 3)
    assert result.of(Basis.SELF) == (1.5, 3)


def test_parts_earn_their_own_points(start: Callable[..., InTurn]) -> None:
    question = "(a) (3p) The message.\n(b) (1p) The output."
    checker = 'answers = ["dx", "y"]\n' + CHECKER
    card = DERIVATION_CARD.replace("(4p) ", question)
    quiz = start({"square.md": card, "square.py": checker})
    quiz.advance()
    assert quiz.answer("2 * x * dy").verdict is Verdict.CORRECT
    assert quiz.answer("x").verdict is Verdict.WRONG
    item = quiz.finish()
    assert (item.earned, item.points) == (3, 4)


def test_a_wrong_answer_cannot_be_mended_but_an_invalid_one_can(
    start: Callable[..., InTurn],
) -> None:
    quiz = start({"number.md": NUMBER_CARD})
    quiz.advance()
    assert quiz.answer("no").verdict is Verdict.INVALID
    assert quiz.turn
    assert quiz.turn.part
    assert quiz.answer("7").verdict is Verdict.WRONG
    assert quiz.turn.part is None
    assert quiz.finish().earned == 0


def test_when_the_time_is_up_the_rest_counts_as_unanswered(
    start: Callable[..., InTurn], clock: SettableClock
) -> None:
    quiz = start(FILES, minutes=10)
    quiz.advance()
    clock.forward(minutes=9)
    assert quiz.left() == timedelta(minutes=1)
    clock.forward(minutes=5)
    assert quiz.left() == timedelta(0)
    assert quiz.advance() is None
    result = quiz.result()
    assert (result.earned, result.points) == (0, 6)
    assert {item.basis for item in result.items} == {Basis.UNANSWERED}


def test_a_broken_checker_counts_on_neither_side(start: Callable[..., InTurn]) -> None:
    quiz = start({"number.md": NUMBER_CARD, "square.md": DERIVATION_CARD, "square.py": "1/0"})
    answer_all(quiz, {"number": "0.25"}, share=None)
    result = quiz.result()
    assert (result.earned, result.points) == (1, 1)


def test_a_quiz_leaves_the_schedule_as_it_was(start: Callable[..., InTurn], store: Store) -> None:
    answer_all(start(FILES), {"choice": "A", "number": "0.25"})
    assert store.progress() == {}
    assert len(store.events()) == 2


def test_an_answer_after_the_end_does_not_count_and_ends_the_card(
    start: Callable[..., InTurn], clock: SettableClock
) -> None:
    quiz = start({"number.md": NUMBER_CARD}, minutes=1)
    quiz.advance()
    clock.forward(minutes=2)
    assert quiz.answer("0.25") is None
    assert quiz.turn
    assert quiz.turn.part is None
    assert quiz.finish().earned == 0


def test_a_mark_after_the_end_does_not_count(
    start: Callable[..., InTurn], clock: SettableClock
) -> None:
    quiz = start({"open.md": card_text("open", question="(3p) Why?")}, minutes=1)
    quiz.advance()
    clock.forward(minutes=2)
    assert quiz.finish(1.0).earned == 0


def test_parts_that_were_right_count_when_the_quiz_is_left_inside_a_card(
    start: Callable[..., InTurn],
) -> None:
    checker = 'answers = ["dx", "y"]\n' + CHECKER
    quiz = start({"square.md": DERIVATION_CARD, "square.py": checker})
    quiz.advance()
    quiz.answer("2 * x * dy")
    result = quiz.result()
    assert (result.earned, result.points, len(result.items)) == (2, 4, 1)


ATTENTION = {"attention.md": card_of("attention").read_text("utf-8")}
BOTH = """∂L/∂P = δ V^T
∂L/∂S_{nm} = P_{nm} (∂L/∂P_{nm} - Σ_j P_{nj} ∂L/∂P_{nj})
∂L/∂Q = ∂L/∂S K"""


@pytest.mark.parametrize(
    ("text", "share"),
    [
        (BOTH, 1.0),
        (BOTH.replace("- Σ_j", "+ Σ_j"), 0.5),
        ("∂L/∂P = ∂L/∂P\n∂L/∂P = ∂L/∂P\n∂L/∂Q = δ V^T K", 0.0),
        ("A = ∂L/∂P\n= δ V^T\n∂L/∂Q = A K", 0.5),
    ],
)
def test_a_wrong_result_earns_up_to_half_by_what_was_right_of_the_way(
    start: Callable[..., InTurn], text: str, share: float
) -> None:
    quiz = start(ATTENTION)
    quiz.advance()
    quiz.answer(text)
    parts = {part.name: part for part in quiz.turn.parts}
    assert (parts["dQ"].outcome, parts["dQ"].share) == (Outcome.GIVEN_UP, share)
    assert parts["dV"].outcome is Outcome.OPEN
    assert quiz.turn.to_mend is None
    for name in ("dV", "dK"):
        assert quiz.turn.part.name == name
        quiz.leave()
    points = quiz.turn.card.parts[1].points
    assert quiz.finish().earned == pytest.approx(points * share / 2)
