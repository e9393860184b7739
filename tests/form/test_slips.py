from itertools import islice
from random import Random

import numpy as np
from form.sheets import SIGMOID, problems_in, sheet_in
from msgspec.structs import replace

from quizzer.form.candidates import Candidate, candidates_of
from quizzer.form.changes import Change
from quizzer.form.slips import certified, slips
from quizzer.judge.derivation import Mark

RELU = r"""---
id: q-off
type: derivation
---
# Question
(4p) A layer that cuts off. Find the backward message (`dx`).

$$ y_i = \max(x_i, 0) $$

---
# Solution
**Short Answer:** $\frac{\partial L}{\partial x_i} = \delta_i [x_i > 0]$

### Steps
1. The slope: $\frac{\partial y_i}{\partial x_j} = [i = j] [x_i > 0]$.
2. Sum: $\frac{\partial L}{\partial x_j} = \sum_i \delta_i [i = j] [x_i > 0]$.

```checker
x: D
size D: 2..3
y_i = max(x_i, 0)
ask dx: backward message
right dx_i = dy_i [x_i > 0]
```
"""

BY_HAND = r"""---
id: q-by-hand
type: derivation
---
# Question
(4p) Two nodes. Find the slope (`dL_dx`).

$$ u = x y, \qquad L = \frac{1}{2} u^2 $$

---
# Solution
**Short Answer:** $\frac{\partial L}{\partial x} = u y$

### Steps
1. The outer slope: $\frac{\partial L}{\partial u} = u$.
2. The inner slope: $\frac{\partial u}{\partial x} = y$.

```checker
x, y: number in (1, 4)
u = x y
L = u^2 / 2
show x, y
ask dL_dx within 1 %: slope
right dL_dx = u y
```
"""


def is_certified(right: str) -> bool:
    sheet = sheet_in(SIGMOID)
    candidate = Candidate(2, Change(right, "one-edit"))
    return certified(sheet, [candidate], problems_in(SIGMOID)) == [candidate]


def test_a_slips_line_is_the_only_false_one_on_seeds_that_it_was_not_made_with() -> None:
    sheet = sheet_in(SIGMOID)
    made = list(islice(slips(sheet, problems_in(SIGMOID), Random(1)), 4))
    assert len(made) == 4
    for slip in made:
        for judged in problems_in(SIGMOID, (7, 8, 9)).judged_on_each(
            sheet.with_rights(slip.rights)
        ):
            assert judged.first_wrong == slip.place + 1
            assert [each.mark for each in judged.lines].count(Mark.WRONG) == 1


def test_a_slip_of_the_wanted_kind_comes_first() -> None:
    sheet = sheet_in(SIGMOID)
    for kind in ("sign", "one-edit"):
        first = candidates_of(sheet, Random(0), (kind,))[0]
        assert first.change.kind == kind


def test_what_is_right_in_another_notation_is_no_slip() -> None:
    assert not is_certified(r"\delta_j \, (y_j - y_j^2)")


def test_what_cannot_be_read_is_no_slip() -> None:
    assert not is_certified(r"\delta_j \, (")


def test_what_has_another_shape_is_no_slip() -> None:
    assert not is_certified(r"\sum_k \delta_k \, y_k")


def test_what_is_false_by_a_rounding_error_only_is_no_slip() -> None:
    assert not is_certified(r"1.0000001 \delta_j \, y_j (1 - y_j)")


def test_the_same_line_with_another_sign_is_a_slip() -> None:
    assert is_certified(r"\delta_j \, y_j (1 + y_j)")


def test_what_is_off_in_one_entry_only_is_no_slip() -> None:
    sheet, problems = sheet_in(SIGMOID), problems_in(SIGMOID)
    one = Candidate(2, Change(r"\delta_j \, y_j (1 - y_j) + [j = 0] y_j", "one-edit"))
    assert certified(sheet, [one], problems) == []
    assert certified(sheet, [one], problems, fewest=1) == [one]


def test_an_instance_that_is_zero_throughout_tells_nothing() -> None:
    sheet, seeds = sheet_in(RELU), tuple(range(6))
    off = [
        not np.any(np.asarray(each.names["x"]) > 0)
        for request in problems_in(RELU, seeds).requests
        for each in request.instances
    ]
    assert 0 < sum(off) < len(off) / 2
    place = next(n for n, line in enumerate(sheet.lines) if "delta" in line.right)
    sign = Candidate(place, Change(f"-{sheet.lines[place].right}", "sign"))
    same = Candidate(place, Change(r"[x_i > 0] \delta_i", "one-edit"))
    assert certified(sheet, [sign, same], problems_in(RELU, seeds)) == [sign]


def test_a_slip_must_be_false_on_further_problems_too() -> None:
    sheet, problems = sheet_in(SIGMOID), problems_in(SIGMOID)
    again = replace(problems, further=lambda: problems_in(SIGMOID, (4, 5)))
    assert next(slips(sheet, again, Random(1)))
    # Problems of which the lines say nothing: there is no ∂L/∂x.
    other = SIGMOID.replace("x: D", "z: D").replace("-x_i)", "-z_i)").replace("dx", "dz")
    doubtful = replace(problems, further=lambda: problems_in(other))
    assert not list(slips(sheet, doubtful, Random(1)))


def test_no_slip_takes_one_rounded_number_for_another_that_may_be_equal() -> None:
    sheet, problems = sheet_in(BY_HAND), problems_in(BY_HAND)
    place = next(n for n, line in enumerate(sheet.lines) if line.right == "u y")
    taken = Candidate(place, Change("u x", "one-edit"))
    twice = Candidate(place, Change("2 u y", "factor"))
    assert certified(sheet, [taken, twice], problems) == [twice]
    assert certified(sheet, [taken, twice], replace(problems, rounded=False)) == [taken, twice]


def test_nor_one_for_another_that_is_larger_in_all_but_a_few_draws() -> None:
    both = "x, y: number in (1, 4)"
    alike = BY_HAND.replace(both, "x: number in (2, 16)\ny: number in (12, 40)")
    apart = BY_HAND.replace(both, "x: number in (2, 4)\ny: number in (12, 40)")
    for text, kept in ((alike, False), (apart, True)):
        sheet, problems = sheet_in(text), problems_in(text, (0, 1, 2, 3))
        place = next(n for n, line in enumerate(sheet.lines) if line.right == "u y")
        taken = Candidate(place, Change("u x", "one-edit"))
        assert certified(sheet, [taken], problems) == [taken] * kept
