"""What a worked solution asks to predict: only what is certain, with one right choice."""

from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from form.sheets import SIGMOID, card_in, problems_in, sheet_in

from quizzer.form.predictions import (
    A_NUMBER,
    ONE_IN,
    Prediction,
    axes_of,
    hidden_signs,
    predictions,
    shapes,
    sizes_of,
)
from quizzer.form.problems import Problems
from quizzer.form.sheet import Sheet
from quizzer.judge.derivation import Mark

CARDS = Path(__file__).parents[2] / "cards"
SAMPLE = {"2_layers/linear_layer": 1, "2_layers/log_softmax": 2, "2_layers/silu": 2}
"""Cards, and how many kinds of questions they have."""
OTHER_SEEDS = (1000, 1001)
NO_QUESTION = r"""---
id: q-number
type: derivation
---
# Question
(4p) A product. Find the backward messages (`dx`).

$$ y = x w $$

---
# Solution
### Steps
1. The slope: $\frac{\partial y}{\partial x} = w$.
2. The product: $\frac{\partial L}{\partial x} = \delta w$.

```checker
x: number
w: number
y = x w
ask dx: backward message
right dx = dy w
```
"""


@cache
def text_of(name: str) -> str:
    return (CARDS / f"{name}.md").read_text("utf-8")


def all_of(text: str) -> list[Prediction]:
    sheet, problems = sheet_in(text), problems_in(text)
    return [*shapes(sheet, problems, Random(1)), *hidden_signs(sheet, problems)]


def arrays(problems: Problems, sheet: Sheet, place: int) -> list[tuple[int, ...]]:
    """The shape on every instance of what a line of the sheet is about."""
    found = []
    for derived in problems.derived(sheet.text):
        at = next(k for k, said in enumerate(derived.claims) if said.line == place + 1)
        known = derived.by[0].known[at]
        assert known
        found += [np.shape(truth) for truth in known.truths]
    return found


def right_choices(asked: Prediction, sheet: Sheet, problems: Problems) -> list[str]:
    """The choices that are right on these problems."""
    if r"\pm" not in asked.asks:
        sizes = sizes_of(problems)
        found = arrays(problems, sheet, asked.place)
        shape_of = {
            choice: [
                tuple(sizes[name][at] for name in choice.split(" × ") if choice != A_NUMBER)
                for at in range(len(found))
            ]
            for choice in asked.choices
        }
        return [choice for choice, shape in shape_of.items() if shape == found]
    right = []
    for choice in asked.choices:
        line = asked.asks.partition("$$")[2].strip("$ ")
        line = line.replace(r"\pm", choice.replace("−", "-"))
        marks = {
            each.mark
            for judged in problems.judged_on_each(sheet.with_line(asked.place, line))
            for each in judged.lines
            if each.line == asked.place + 1
        }
        right += [choice] * (marks <= {Mark.RIGHT, Mark.AGAIN})
    return right


@pytest.mark.parametrize("name", SAMPLE)
def test_of_the_choices_one_alone_is_right_on_problems_that_were_not_used(name: str) -> None:
    text = text_of(name)
    sheet, others = sheet_in(text), problems_in(text, OTHER_SEEDS)
    found = all_of(text)
    assert len({r"\pm" in asked.asks for asked in found}) == SAMPLE[name]
    for asked in found:
        assert len(set(asked.choices)) == len(asked.choices) >= 2
        assert right_choices(asked, sheet, others) == [asked.right]


def test_a_shape_is_asked_with_its_transpose_and_with_a_sum_over_an_axis() -> None:
    asked = next(each for each in all_of(text_of("2_layers/linear_layer")) if "W_{mi}" in each.asks)
    assert asked.asks.startswith("Which shape does the array of all $")
    assert asked.right == "M × D"
    assert {"D × M", "M"} < {*asked.choices}
    assert asked.why.startswith("The derivative of a number has the shape")


def test_a_sign_is_hidden_in_its_line() -> None:
    asked = next(each for each in all_of(SIGMOID) if r"\pm" in each.asks)
    assert asked.asks.endswith(r"[i = j] \, y_i (1 \pm y_i) $$")
    assert (asked.choices, asked.right) == (("+", "−"), "−")
    assert asked.why == "With plus, the line would be false."


def test_an_axis_as_long_as_two_sizes_or_as_none_has_no_shape_in_symbols() -> None:
    found = [(3, 5), (4, 2)]
    assert axes_of(found, {"N": (3, 4), "D": (5, 2)}) == ("N", "D")
    assert axes_of(found, {"N": (3, 4), "D": (5, 2), "M": (5, 2)}) == ()
    assert axes_of(found, {"N": (3, 4), "D": (5, 6)}) == ()


def test_a_size_that_never_varies_names_no_axis() -> None:
    """A rotation of two coordinates has nothing to do with two classes."""
    assert axes_of([(3, 2), (4, 2)], {"N": (3, 4), "K": (2, 2)}) == ()


def test_nothing_is_asked_where_nothing_is_certain() -> None:
    assert predictions(sheet_in(NO_QUESTION), problems_in(NO_QUESTION), Random(1)) == ()
    assert sheet_in(NO_QUESTION).lines, "its lines are proven"


def test_one_step_in_three_is_asked_about_and_always_the_same_by_the_same_draw() -> None:
    text = text_of("2_layers/batch_norm")
    sheet, problems = sheet_in(text), problems_in(text, (0,))

    def drawn(seed: str) -> tuple[Prediction, ...]:
        return predictions(sheet, problems, Random(seed))

    first = drawn("card 0")
    steps = [each.step for each in first]
    assert steps == sorted(set(steps))
    assert len(steps) == len(card_in(text).steps) // ONE_IN > 1
    assert drawn("card 0") == first != drawn("card 1")
    assert len(predictions(sheet_in(SIGMOID), problems_in(SIGMOID), Random(1))) == 1
