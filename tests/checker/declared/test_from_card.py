"""What a declared checker leaves out is taken from its card, and what it states itself wins."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from quizzer.card import parse
from quizzer.card.formulating import formulation_of
from quizzer.card.formulation import Formulation
from quizzer.checker.branches import generator
from quizzer.checker.declared.build import build
from quizzer.checker.declared.partial import faults_of
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.instance import draw_inputs, forward
from quizzer.checker.load import Checker, CheckerError, load
from quizzer.checker.source import Declared

ROOT = Path(__file__).parents[3]

CARD = r"""---
id: scaled
---

# Question
(5p) A layer with a gain of its own for each feature:

$$ s_{ni} = \gamma_i \, x_{ni}, \qquad y_{nm} = \sum_{i} s_{ni} W_{mi} $$

| symbol | typed | shape | meaning |
|---|---|---|---|
| $x_{ni}$ | `x` | $N \times D$ | inputs |
| $\gamma_i$ | `gain` | $D$ | gain, positive |
| $W_{mi}$ | `W` | $M \times D$ | weights |
| $s_{ni}$ | `s` | as $x$ | scaled inputs |
| $\delta_{nm} = \partial L / \partial y_{nm}$ | `dy` | $N \times M$ | upstream |

(a) (2p) Find the backward message $\frac{\partial L}{\partial x_{ni}}$ (`dx`).

(b) (3p) Find $\frac{\partial L}{\partial W_{mi}}$ (`dW`).

---
# Solution
**Short Answer:** With $g_{ni} = \sum_m \delta_{nm} W_{mi}$,
$$ \frac{\partial L}{\partial x_{ni}} = \gamma_i \, g_{ni} $$
$$ \frac{\partial L}{\partial W} = \delta^\top s $$
"""


def stated(card: str = CARD) -> Formulation:
    parsed = parse(card.encode(), Path("scaled.md")).card
    assert parsed is not None
    return formulation_of(parsed)


def made(text: str = "ask dx", card: str = CARD) -> Checker:
    return build(Declared(text, 1, stated(card), is_apart=True))


def faults(text: str, card: str = CARD) -> Mapping[str, str]:
    declaration = read_declaration(text, 1, stated(card), is_apart=True)
    return {str(each.line): each.message for each in faults_of(declaration, 1)}


def line_of(text: str, card: str = CARD) -> int:
    return card[: card.index(text)].count("\n") + 1


def values(checker: Checker) -> tuple[dict[str, np.ndarray], np.ndarray]:
    inputs = draw_inputs(checker, generator(1))
    return dict(inputs), forward(checker, inputs)["y"]  # type: ignore[arg-type]


def test_one_line_is_enough_where_table_formulas_and_parts_say_all() -> None:
    checker = made("# the card says it all")
    inputs, y = values(checker)
    np.testing.assert_allclose(y, inputs["x"] * inputs["gain"] @ inputs["W"].T)
    assert inputs["gain"].min() > 0
    assert checker.answers == {"dx": "backward message", "dW": ""}
    assert checker.symbols == {"gain": "γ"}
    assert set(checker.sizes) == {"N", "D", "M"}


def test_the_short_answer_is_the_first_right_answer_where_the_checker_gives_none() -> None:
    checker = made("right dW = dy^T s")
    assert checker.right["dW"] == ("dW = dy^T s",)
    assert len(checker.right["dx"]) == 1 and "g_{ni}" in checker.right["dx"][0]
    assert checker.taken.right == {"dx": line_of(r"g_{ni} $$")}
    assert checker.taken.forward == (line_of("s_{ni} ="),)


def test_most_cards_of_the_starter_deck_need_no_line_of_a_checker() -> None:
    """Their forward, as it is read from the card, is that of their checker in Python."""
    same = 0
    twins = ROOT / "tests/python_deck"
    for python in sorted(twins.rglob("*.py")):
        card = (ROOT / "cards" / python.relative_to(twins)).with_suffix(".md")
        card = stated(card.read_text("utf-8"))
        try:
            ours, theirs = build(Declared("#", 1, card)), load(python.read_text("utf-8"))
            inputs = draw_inputs(ours, generator(0))
            fixed = {k: v for k, v in draw_inputs(theirs, generator(0)).items() if k not in inputs}
            expected = forward(theirs, {**inputs, **fixed})
            found = forward(ours, inputs)
        except CheckerError:
            continue
        if found.keys() == expected.keys():
            same += all(np.allclose(found[name], expected[name]) for name in expected)
    assert same >= 75


def test_what_the_checker_states_itself_wins() -> None:
    checker = made("x: N × D in (1, 2)\ns_{ni} = gain_i + x_{ni}\nask dgain: to the gain")
    inputs, y = values(checker)
    np.testing.assert_allclose(y, (inputs["x"] + inputs["gain"]) @ inputs["W"].T)
    assert inputs["x"].min() >= 1
    assert checker.answers == {"dgain": "to the gain"}


def test_a_checker_with_formulas_of_its_own_takes_only_what_they_use() -> None:
    checker = made("z_n = sum_i s_{ni}\nask ds\nask dx")
    inputs = draw_inputs(checker, generator(1))
    assert list(inputs) == ["x", "gain"]
    assert list(forward(checker, inputs)) == ["z"]


def test_a_complete_checker_is_not_changed_by_its_card() -> None:
    text = "x: N × D\nW: M × D\ny = x W^T\nask dx\nright dx = dy W"
    alone, beside = build(Declared(text)), made(text)
    for seed in range(3):
        one, other = draw_inputs(alone, generator(seed)), draw_inputs(beside, generator(seed))
        assert list(one) == list(other)
        np.testing.assert_array_equal(one["x"], other["x"])
    assert (alone.answers, alone.right) == (beside.answers, beside.right)


def test_an_input_may_say_its_domain_only() -> None:
    inputs, _ = values(made("x: positive"))
    assert inputs["x"].shape[1:] == inputs["gain"].shape
    assert inputs["x"].min() > 0
    assert "is no shape" in faults("q: positive\ny_n = q")["1"]


@pytest.mark.parametrize(
    ("line", "said"),
    [("x: N", "`x` is N here and N × D"), ("x: D × N", "`x` is D × N here and N × D")],
)
def test_a_shape_that_contradicts_the_table_is_an_error_with_both_places(
    line: str, said: str
) -> None:
    message = faults(line)["1"]
    assert said in message
    assert f"(line {line_of('| $x_{ni}$')} of the card)" in message


def test_other_letters_for_the_sizes_contradict_nothing() -> None:
    assert not faults("x: B × F\nW: M × F\ngain: F")


def test_a_formula_that_cannot_be_read_is_told_with_its_line_in_the_card() -> None:
    card = CARD.replace(r"\gamma_i \, x_{ni},", r"\gamma_i \, q_{ni},")
    found = faults("ask dW", card)
    (line,) = found
    assert line == f"{line_of('s_{ni} =', card)} of the card"
    assert "q is not a known name" in found[line]


def test_a_formula_that_is_no_equation_keeps_the_forward_from_being_taken() -> None:
    card = CARD.replace("| symbol", "$$ x_{ni} \\sim \\mathcal{N}(0, 1) $$\n\n| symbol")
    message = faults("ask dx", card)["1"]
    assert f"line {line_of('sim', card)} of the card" in message
    assert "write the formulas here" in message
    assert not faults("s_{ni} = gain_i x_{ni}\ny_{nm} = sum_i s_{ni} W_{mi}", card)


def test_within_the_card_its_lines_are_those_of_the_file() -> None:
    card = stated(CARD.replace(r"\gamma_i \, x_{ni},", r"\gamma_i \, q_{ni},"))
    with pytest.raises(CheckerError, match=rf"^line {line_of('s_{ni} =')}: "):
        build(Declared("ask dW", 60, card))


def test_of_several_ways_to_write_a_formula_the_first_that_can_be_read_counts() -> None:
    card = CARD.replace(r"y_{nm} = \sum", r"y_{nm} = \mathrm{blend}(s, W) = \sum")
    assert not faults("ask dx", card)


def test_a_function_and_a_set_are_read_with_the_formulas_that_use_them() -> None:
    checker = build(
        Declared(
            "x: N\ny_n = h(x_n) + sum_{k \\in A(n)} x_k\nh(r) = max(r, 2 r)\nA(n) = {k : k <= n}"
        )
    )
    inputs = draw_inputs(checker, generator(0))
    x = np.asarray(inputs["x"])
    expected = np.maximum(x, 2 * x) + np.cumsum(x)
    np.testing.assert_allclose(forward(checker, inputs)["y"], expected)


def test_every_line_that_cannot_be_read_is_told_at_once() -> None:
    text = "a_n = foo(x_n)\nb_n = sum_i q_{ni}\nc_n = a_n + 1\ny_n = sum_i x_{ni}\nhint\nask dx"
    assert list(faults(text)) == ["1", "2", "5"]


def test_what_can_be_read_is_built_without_the_rest() -> None:
    text = "a_n = foo(x_n)\nc_n = a_n + 1\ny_n = sum_i x_{ni}\nneed sum_n zz > 0\nask dx\nhint"
    checker = build(Declared(text, 1, stated(), is_apart=True, is_partial=True))
    assert list(checker.answers) == ["dx"]
    assert "y" in forward(checker, draw_inputs(checker, generator(0)))


SCATTERED = (
    CARD[: CARD.index("# Question")]
    + r"""# Question
Sums at $J$ nodes:

$$ y_j = \sum_e [k_e = j] \, x_e $$

| symbol | typed | shape | meaning |
|---|---|---|---|
| $x_e$ | `x` | $E$ | values |
| $y_j$ | `y` | $J$ | sums |
"""
)


def test_an_axis_of_the_table_may_be_as_long_as_a_number_that_is_given() -> None:
    checker = made("k: E below J\nJ: number 3..5\nask dx", SCATTERED)
    for seed in range(20):
        inputs = draw_inputs(checker, generator(seed))
        assert inputs["k"].max() < inputs["J"]
        outputs = forward(checker, inputs)
        assert outputs["y"].shape == (inputs["J"],)


def test_an_axis_of_the_table_whose_length_nothing_tells_is_named() -> None:
    with pytest.raises(CheckerError, match=r"how far j runs .*: J is the length of no axis"):
        made("k: E below J\nsize J: 3..5\nask dx", SCATTERED)
