"""A card in a short form: what is asked, what is saved, what comes next."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from form.sheets import SIGMOID, problems_in, sheet_in
from in_turn import InTurn
from msgspec.structs import replace
from samples import SettableClock, card_text

from quizzer.checker.remote import RemoteChecker
from quizzer.deck import load
from quizzer.form.forms import FindSlip
from quizzer.form.slips import slips
from quizzer.judge.judges import Judge
from quizzer.plan.forms import ALL
from quizzer.plan.settings import Settings
from quizzer.session import sentences
from quizzer.session.coming import AT_FIRST
from quizzer.session.short_form import (
    MENDED,
    MISSING,
    OWN,
    WRONG_LINE,
    ShortForm,
    ShortForms,
    Wanted,
    right_derivation,
)
from quizzer.session.turn import OutdatedTurnError
from quizzer.store import Store
from quizzer.values import Attempt, Form, Rating, Review, State, Verdict

Start = Callable[..., InTurn]
FILES = {"gate.md": SIGMOID}
SETTINGS = Settings(forms=ALL)
RIGHT = "Σ_i δ_i [i=j] y_i (1 - y_i)"
DERIVATION = f"""∂y_i/∂x_j = [i=j] y_i (1 - y_i)
∂L/∂x_j = {RIGHT} = Σ_i δ_i [i=j] (y_i - y_i^2)
= δ_j y_j (1 - y_j)"""


def reviews(store: Store) -> list[Review]:
    return [event.fact for event in store.events(kinds=[Review]) if isinstance(event.fact, Review)]


def test_a_missing_line_is_asked_and_any_right_line_is_right(start: Start, store: Store) -> None:
    session = start(FILES, form=Form.MISSING)
    turn = session.advance()
    assert turn and turn.part and turn.part.name == MISSING
    assert r"\frac{\partial L}{\partial x_j} = \;? $$" in turn.card.question
    assert session.answer("foo(").verdict is Verdict.INVALID
    assert session.answer(f"= {RIGHT}").verdict is Verdict.CORRECT
    assert session.suggestion() is Rating.GOOD
    session.reveal()
    session.rate(Rating.GOOD)
    (review,) = reviews(store)
    assert (review.form, review.slip, review.state) == (Form.MISSING, None, State.NEW)
    attempts = [event.fact for event in store.events(kinds=[Attempt])]
    assert [each.name for each in attempts if isinstance(each, Attempt)] == [MISSING, MISSING]


def test_a_slip_is_found_and_then_mended(start: Start, store: Store) -> None:
    session = start(FILES, form=Form.SLIP)
    turn = session.advance()
    assert turn and turn.short
    assert [part.name for part in turn.parts] == [WRONG_LINE, MENDED]
    slip = turn.short.made.slip
    assert session.answer("0").verdict is Verdict.INVALID
    assert session.answer("4").verdict is Verdict.INVALID
    assert session.answer(str(slip.place + 1)).verdict is Verdict.CORRECT
    assert session.answer(slip.right).verdict is Verdict.WRONG
    mended = turn.short.made.sheet.lines[slip.place].right
    assert session.answer(mended).verdict is Verdict.CORRECT
    assert session.suggestion() is Rating.HARD
    session.reveal()
    session.rate(Rating.HARD)
    assert (reviews(store)[0].form, reviews(store)[0].slip) == (Form.SLIP, slip.kind)


def test_a_line_taken_for_the_one_with_the_slip_is_again(start: Start) -> None:
    session = start(FILES, form=Form.SLIP)
    turn = session.advance()
    assert turn and turn.short
    slip = turn.short.made.slip
    other = 1 + (slip.place + 1) % 3
    assert session.answer(str(other)).verdict is Verdict.WRONG
    session.answer(str(slip.place + 1))
    session.answer(turn.short.made.sheet.lines[slip.place].right)
    assert session.suggestion() is Rating.AGAIN


@pytest.mark.parametrize("form", [Form.SLIP, Form.MISSING])
def test_who_gives_up_is_told_the_line_and_who_typed_it_is_not(start: Start, form: Form) -> None:
    session = start(FILES, form=form)
    turn = session.advance()
    assert turn and turn.short and turn.short.place is not None and not turn.line_shown
    told = session.reveal().line_shown
    assert turn.short.made and turn.short.made.sheet.lines[turn.short.place].whole in told
    assert told.startswith(
        f"Line {turn.short.place + 1} is wrong" if form is Form.SLIP else "The m"
    )
    assert session.suggestion() is Rating.AGAIN


def test_a_line_that_follows_from_the_slip_is_not_the_one_and_may_be_what_mends_it() -> None:
    sheet, problems = sheet_in(SIGMOID), problems_in(SIGMOID)
    slip = next(each for each in slips(sheet, problems, Random(1)) if each.after)
    short = ShortForm(Form.SLIP, FindSlip(sheet, slip), problems)
    (place, right), *_ = slip.after
    chosen = short.judged(WRONG_LINE, str(place + 1))
    assert (chosen.verdict, chosen.message) == (
        Verdict.WRONG,
        f"Line {place + 1} only follows from a line above.",
    )
    assert short.judged(MENDED, right).verdict is Verdict.WRONG
    assert short.judged(MENDED, sheet.lines[place].right).verdict is Verdict.CORRECT


@pytest.mark.parametrize("typed", ["0", "99", "two", "-1", "1" * 5000])
def test_what_is_no_number_of_a_line_costs_nothing(start: Start, typed: str) -> None:
    session = start(FILES, form=Form.SLIP)
    session.advance()
    assert session.answer(typed).verdict is Verdict.INVALID


def test_a_worked_solution_shows_its_steps_one_by_one_and_counts_as_seen(
    start: Start, store: Store, clock: SettableClock
) -> None:
    session = start(FILES, SETTINGS)
    turn = session.advance()
    assert turn and turn.form is Form.WORKED
    steps = []
    while session.turn and session.turn.step_waits:
        steps.append(session.hint())
    assert tuple(steps) == turn.card.steps
    session.reveal()
    assert session.suggestion() is Rating.GOOD
    assert session.rate(Rating.GOOD).interval == 1
    clock.forward(days=1)
    again = start(FILES, SETTINGS).advance()
    assert again and again.form in (Form.SLIP, Form.MISSING)


def test_who_asks_for_all_steps_of_a_worked_solution_gets_them_not_only_the_answer(
    start: Start,
) -> None:
    session = start(FILES, form=Form.WORKED)
    session.advance()
    session.hint()
    assert not session.reveal().brief
    read = start(FILES, form=Form.WORKED)
    turn = read.advance()
    for _ in turn.hints if turn else ():
        read.hint()
    assert read.reveal().brief


def test_a_step_is_predicted_and_then_shown_and_the_rating_stays(
    start: Start, store: Store
) -> None:
    session = start(FILES, form=Form.WORKED)
    turn = session.advance()
    assert turn and turn.prediction
    wrong = next(
        n for n, each in enumerate(turn.prediction.choices) if each != turn.prediction.right
    )
    said = sentences.predicted(session.predict(wrong))
    assert said == ("✗ not +, but −", "With plus, the line would be false.")
    assert session.turn.hints_shown == 1 and session.turn.prediction is None
    with pytest.raises(OutdatedTurnError):
        session.predict(wrong)
    session.reveal()
    assert sentences.outcomes(session.turn) == "0 of 1 predicted"
    assert session.suggestion() is Rating.GOOD
    session.rate(Rating.GOOD)
    assert store.events(kinds=[Attempt]) == []


def test_who_goes_on_without_a_prediction_hears_nothing_of_it(start: Start) -> None:
    session = start(FILES, form=Form.WORKED)
    turn = session.advance()
    assert turn and turn.prediction
    with pytest.raises(OutdatedTurnError):
        session.predict(len(turn.prediction.choices))
    session.hint()
    assert session.turn.prediction is None
    session.reveal()
    assert sentences.outcomes(session.turn) == ""


def test_another_session_asks_for_the_same_prediction_until_the_card_is_reviewed(
    start: Start, clock: SettableClock
) -> None:
    def asked() -> InTurn:
        session = start(FILES, form=Form.WORKED)
        session.advance()
        while session.turn.prediction is None:
            session.hint()
        return session

    session = asked()
    first = session.turn.prediction
    assert asked().turn.prediction == first
    session.reveal()
    session.rate(Rating.GOOD)
    clock.forward(days=40)
    assert asked().turn.prediction != first


def test_a_worked_solution_does_not_wait_for_its_predictions(start: Start, judge: Judge) -> None:
    proving = Event()

    class Slow:
        def __getattr__(self, name: str) -> Any:
            return getattr(judge, name)

        def checker(self, path: Path) -> RemoteChecker:
            proving.wait(60)
            return judge.checker(path)

    session = start(FILES, SETTINGS, judge=Slow(), patience=30.0)
    turn = session.advance()
    assert turn and turn.form is Form.WORKED and turn.prediction is None
    proving.set()
    turn.short.later.result(60)
    assert turn.prediction, "it is there as soon as it is made"


def test_an_undone_short_form_comes_again_as_it_was(start: Start, store: Store) -> None:
    for form in (Form.WORKED, Form.SLIP, Form.MISSING):
        session = start(FILES, form=form)
        before = session.advance()
        session.reveal()
        session.rate(Rating.GOOD)
        session.undo()
        assert session.turn and before
        assert replace(session.turn, transcript=(), parts=()) == replace(before, parts=())
        assert store.progress_of("q-gate").memory is None
        session.rate(Rating.AGAIN)
        session.undo()


def test_a_card_without_enough_lines_comes_on_a_blank_page(start: Start) -> None:
    bare = SIGMOID.partition("# Solution")
    text = f"{bare[0]}# Solution\nIt is so.\n\n```checker{bare[2].partition('```checker')[2]}"
    turn = start({"gate.md": text}, form=Form.SLIP).advance()
    assert turn and turn.form is Form.BLANK
    assert [part.name for part in turn.parts] == ["dx"]


def test_who_wants_blank_pages_only_gets_them(start: Start) -> None:
    turn = start(FILES, Settings(forms=(Form.BLANK,))).advance()
    assert turn and turn.form is Form.BLANK


@pytest.mark.parametrize("others", [{}, {"open.md": card_text("open")}])
def test_a_form_that_is_not_ready_lets_another_card_go_first_or_is_a_blank_page(
    start: Start, judge: Judge, others: dict[str, str]
) -> None:
    only_slips, slow = Settings(forms=(Form.SLIP, Form.BLANK)), Slow(judge)
    session = start({**FILES, **others}, only_slips, judge=slow, patience=0.0)
    turn = session.advance()
    assert turn and turn.form is Form.BLANK
    assert turn.entry.id == ("open" if others else "q-gate")
    slow.proving.set()


class Slow:
    """A judge that proves nothing until it is told to."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.proving = Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    def checker(self, path: Path) -> RemoteChecker:
        self.proving.wait(60)
        return self._judge.checker(path)


def gates(count: int) -> dict[str, str]:
    return {f"gate_{n}.md": SIGMOID.replace("q-gate", f"q-gate-{n}") for n in range(count)}


def test_while_no_form_is_ready_a_new_card_is_read_first(
    start: Start, judge: Judge, store: Store, clock: SettableClock
) -> None:
    settings, slow = Settings(forms=ALL, new_per_day=4), Slow(judge)
    session = start(gates(4), settings)
    while session.advance():
        session.reveal()
        session.rate(Rating.GOOD)
    clock.forward(days=1)
    turn = start(gates(5), settings, judge=slow, patience=0.0).advance()
    assert turn and (turn.entry.id, turn.form) == ("q-gate-4", Form.WORKED)
    slow.proving.set()


def test_the_first_card_of_a_session_waits_longer_for_its_form(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float | None] = []
    monkeypatch.setattr(ShortForms, "take", lambda self, name, wanted, time: waited.append(time))
    session = start(gates(2), Settings(forms=(Form.SLIP, Form.BLANK)), patience=1.0)
    session.advance()
    session.skip()
    session.advance()
    assert waited == [AT_FIRST, 1.0]


def test_closing_the_judge_ends_the_proofs_that_wait(
    write_deck: Callable[[dict[str, str]], Path],
) -> None:
    deck = load(
        (write_deck({f"gate_{n}.md": SIGMOID.replace("q-gate", f"q-gate-{n}") for n in range(4)}),),
        None,
    )
    judge = Judge()
    forms = ShortForms(judge, Random(1))
    wanted = {
        entry.id: Wanted(entry.checker, card, (Form.SLIP,))
        for entry in deck.entries
        if entry.checker and (card := deck.read(entry).card)
    }
    assert len(wanted) == 4
    for name, each in wanted.items():
        forms.begin(name, each)
    judge.close()
    assert [forms.take(name, each, None) for name, each in wanted.items()] == [None] * 4


def bare_of(session: InTurn, store: Store, *answers: str) -> bool | None:
    """What the log says of the card once it was answered with these."""
    turn = session.advance()
    assert turn
    for answer in answers:
        assert session.answer(answer).verdict is Verdict.CORRECT
    session.reveal()
    session.rate(Rating.GOOD)
    return reviews(store)[-1].bare


def test_the_log_tells_a_bare_result_from_one_with_a_line_on_the_way(
    start: Start, store: Store, clock: SettableClock
) -> None:
    def blank() -> InTurn:
        clock.forward(days=40)
        return start(FILES, form=Form.BLANK, ahead=36500)

    lines = "∂L/∂x_j = Σ_i δ_i [i=j] y_i (1 - y_i)\n= δ_j y_j (1 - y_j)"
    assert bare_of(blank(), store, "dy * y * (1 - y)") is True
    assert bare_of(blank(), store, lines) is None
    revealed = blank()
    revealed.advance()
    revealed.reveal()
    revealed.rate(Rating.GOOD)
    assert reviews(store)[-1].bare is None


def test_after_three_bare_results_the_next_card_asks_for_a_line(
    start: Start, store: Store, clock: SettableClock
) -> None:
    for _ in range(3):
        assert bare_of(start(FILES, form=Form.BLANK, ahead=36500), store, "dy * y * (1 - y)")
        clock.forward(days=40)
    turn = start(FILES, SETTINGS, ahead=36500).advance()
    assert turn and turn.form is Form.MISSING


def test_the_log_tells_the_learners_newest_derivation_of_right_lines_only(
    start: Start, store: Store, clock: SettableClock
) -> None:
    wrong = "∂y_i/∂x_j = [i=j] y_i (1 + y_i)"
    for answer in (DERIVATION, f"{wrong}\n{DERIVATION}"):
        session = start(FILES, form=Form.BLANK, ahead=36500)
        session.advance()
        session.answer(answer)
        session.reveal()
        session.rate(Rating.GOOD)
        clock.forward(days=40)
    assert right_derivation(store, "q-gate") == DERIVATION
    assert right_derivation(store, "q-other") == ""


def test_a_form_is_made_of_the_cards_own_lines_or_of_the_learners(
    judge: Judge, write_deck: Callable[[dict[str, str]], Path]
) -> None:
    deck = load((write_deck(FILES),), None)
    (entry,) = deck.entries
    card = deck.read(entry).card
    assert entry.checker and card
    forms = ShortForms(judge, Random(1))
    wanted = Wanted(entry.checker, card, (Form.MISSING,), own=DERIVATION)
    made = [forms.take("q-gate", wanted, None) for _ in range(8)]
    assert {each.made.sheet.is_learners for each in made if each and each.made} == {True, False}
    for each in made:
        assert each and each.made
        assert (
            ("y_i^2" in each.listed or RIGHT in each.listed)
            == each.made.sheet.is_learners
            == (OWN in each.told)
        )
