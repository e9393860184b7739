"""A derivation sent to a session: what it settles, what costs a try, what is said of its lines."""

from collections.abc import Callable

import pytest
from in_turn import InTurn
from msgspec.structs import replace

from quizzer.plan.settings import Settings
from quizzer.session.turn import Outcome
from quizzer.store import Store
from quizzer.store.codec import body_of
from quizzer.values import Attempt, Rating, Verdict
from tests.derived import card_of

CARD = {"softmax_jacobian.md": card_of("softmax_jacobian").read_text("utf-8")}
LOCAL = "∂p_k/∂z_j = [k=j] p_k - p_k p_j"
CHAIN = "∂L/∂z_j = Σ_k δ_k ∂p_k/∂z_j"
SLIP = "        = Σ_k δ_k p_k ([k=j] - p_k)"
RIGHT = "        = p_j (δ_j - Σ_k δ_k p_k)"
WRONG = "        = p_j (δ_j - Σ_k δ_k p_k^2)"

Start = Callable[..., InTurn]


@pytest.fixture
def session(start: Start) -> InTurn:
    found = start(CARD)
    found.advance()
    return found


def outcomes(session: InTurn) -> dict[str, tuple[Outcome, int]]:
    return {part.name: (part.outcome, part.wrong) for part in session.turn.parts}


def test_a_derivation_settles_every_asked_name_that_it_reaches(session: InTurn) -> None:
    session.answer("\n".join([LOCAL, CHAIN, RIGHT]))
    assert session.turn.all_right
    assert session.suggestion() is Rating.GOOD


def test_another_name_that_it_reaches_is_no_try_at_the_one_that_is_asked(session: InTurn) -> None:
    session.answer("\n".join([CHAIN, "= Σ_k δ_k p_k ([k=j] - p_j)", RIGHT]))
    assert outcomes(session) == {"dp_dz": (Outcome.OPEN, 0), "dz": (Outcome.RIGHT, 0)}


def test_only_a_wrong_result_costs_a_try_and_the_lines_stay_to_be_mended(session: InTurn) -> None:
    text = "\n".join([LOCAL, CHAIN, SLIP, WRONG])
    session.answer(text)
    assert outcomes(session) == {"dp_dz": (Outcome.RIGHT, 0), "dz": (Outcome.OPEN, 1)}
    tried = session.turn.to_mend
    assert tried.typed == text
    assert [line.edge for line in tried.marked.lines] == ["✓", "✓", "✗", "✗"]
    assert tried.marked.line_to_mend == tried.marked.wrong == 3
    assert tried.marked.step == "∂L/∂z"


def test_the_log_keeps_the_text_the_first_wrong_line_and_what_is_wrong_with_it(
    session: InTurn, store: Store
) -> None:
    text = "\n".join([CHAIN, "        = Σ_k δ_k p_k (p_j - [k=j])", WRONG])
    session.answer(text)
    (fact,) = [event.fact for event in store.events(kinds=[Attempt])]
    assert (fact.answer, fact.line, fact.step, fact.slip) == (text, 2, "∂L/∂z", "sign")
    old = Attempt("c", "dx", "x", Verdict.WRONG)
    assert '"line"' not in body_of(old)


def test_first_only_the_line_is_said_then_on_demand_what_is_wrong_with_it(session: InTurn) -> None:
    session.answer("\n".join([LOCAL, CHAIN, SLIP, WRONG]))
    marked = session.turn.to_mend.marked
    assert marked.message == "Line 3 is wrong. Lines 1 and 2 are right."
    assert session.explain()
    told = session.turn.to_mend.marked
    assert told.message.startswith("Line 3 is wrong: ")
    assert told.message != marked.message
    assert not session.explain()
    assert outcomes(session)["dz"] == (Outcome.OPEN, 1)


def test_the_next_try_says_what_is_wrong_at_once(session: InTurn) -> None:
    for _ in range(2):
        session.answer("\n".join([CHAIN, SLIP, WRONG]))
    assert session.turn.to_mend.marked.message.startswith("Line 2 is wrong: ")


def test_whoever_wants_to_hear_all_hears_it_at_once(start: Start) -> None:
    session = start(CARD, settings=replace(Settings(), say="all"))
    session.advance()
    session.answer("\n".join([CHAIN, SLIP, WRONG]))
    assert session.turn.to_mend.marked.told


def test_a_right_result_below_a_wrong_line_is_right_with_a_remark(session: InTurn) -> None:
    session.answer(LOCAL)
    answered = session.answer("\n".join([CHAIN, SLIP, RIGHT]))
    assert answered.verdict is Verdict.CORRECT
    assert answered.diagnosis.code == "line"
    last = session.turn.last_tried.marked
    assert [line.edge for line in last.lines] == ["✓", "✗", "✓ again"]
    assert last.message.startswith("Line 2 is wrong: ")
    assert session.turn.to_mend is None
    assert session.turn.all_right


def test_a_wrong_definition_of_a_name_of_the_card_does_not_change_the_result(
    session: InTurn,
) -> None:
    answered = session.answer("p_k = exp(z_k)\n∂L/∂z_j = p_j (δ_j - Σ_k δ_k p_k)")
    assert (answered.name, answered.verdict) == ("dz", Verdict.CORRECT)


def test_a_line_that_cannot_be_read_costs_no_try_and_the_others_are_judged(
    session: InTurn,
) -> None:
    result = "= p_j (δ_j - blah_k)"
    answered = session.answer(f"{CHAIN}\n{SLIP}\n{result}")
    assert answered.verdict is Verdict.INVALID
    assert (answered.line, answered.column) == (3, 1 + result.index("blah"))
    assert outcomes(session)["dz"] == (Outcome.OPEN, 0)
    marked = session.turn.to_mend.marked
    assert [line.edge for line in marked.lines] == ["✓", "✗", "not read"]
    assert "blah" in marked.lines[2].below


def test_a_result_with_a_derivative_that_no_line_works_out_is_not_finished(
    session: InTurn,
) -> None:
    answered = session.answer(f"{CHAIN}\n= Σ_m δ_m ∂p_m/∂z_j")
    assert (answered.name, answered.verdict) == ("dz", Verdict.INVALID)
    assert answered.diagnosis.code == "unfinished"
    assert answered.message.startswith("Right so far.")


def test_a_definition_that_nothing_uses_is_told_below_its_line(session: InTurn) -> None:
    session.answer(f"g_k = z_k^2\n{CHAIN}\n{WRONG}")
    first = session.turn.to_mend.marked.lines[0]
    assert first.below == "Line 1 defines g; nothing uses it."


def test_a_hint_is_the_step_of_the_solution_behind_the_last_right_line(start: Start) -> None:
    session = start({"attention.md": card_of("attention").read_text("utf-8")})
    session.advance()
    steps = session.turn.card.steps
    wrong = "∂L/∂S_{nm} = P_{nm} (∂L/∂P_{nm} + Σ_j P_{nj} ∂L/∂P_{nj})\n∂L/∂Q = ∂L/∂S K"
    session.answer(f"∂L/∂V = P^T δ\n{wrong}")
    shown = [session.hint() for _ in range(len(session.turn.hints))]
    assert steps[0] not in shown
    assert steps[1] in shown


def test_a_text_that_is_too_long_is_neither_judged_nor_recorded(session: InTurn) -> None:
    judged = session.judge(f"{CHAIN}\n" * 201)
    assert judged.answered.verdict is Verdict.INVALID
    assert "200 lines and 20,000 characters" in judged.answered.message
    assert judged.attempts == ()


def test_lines_of_python_are_one_answer(session: InTurn) -> None:
    session.answer(LOCAL)
    answered = session.answer("g = np.sum(dp * p)\ndz = p * (dp - g)")
    assert answered.verdict is Verdict.CORRECT
    assert session.turn.last_tried.marked is None


def test_one_line_under_the_name_of_another_part_settles_that_one(session: InTurn) -> None:
    session.answer("dz_j = p_j (δ_j - Σ_k δ_k p_k)")
    assert outcomes(session) == {"dp_dz": (Outcome.OPEN, 0), "dz": (Outcome.RIGHT, 0)}
    assert session.turn.last_tried.marked is None


@pytest.mark.parametrize(
    "above", ["", "p_k = exp(z_k)\n", "g_k = 2 p_k\n", f"{CHAIN}\n{SLIP}\n", f"{LOCAL}\n"]
)
@pytest.mark.parametrize("result", [RIGHT, WRONG])
def test_the_verdict_on_the_result_is_that_on_the_result_alone(
    session: InTurn, above: str, result: str
) -> None:
    alone = session.judge(f"dz_j {result.strip()}").answered
    whole = session.judge(f"{above}{CHAIN}\n{result}").answers
    assert alone.name == "dz"
    assert {each.name: each.verdict for each in whole}["dz"] is alone.verdict
