"""Sheets of cards written here, judged in this process."""

import warnings
from functools import cache
from pathlib import Path

import numpy as np

from quizzer.card import Card, parse
from quizzer.checker.derivation.derive import derive
from quizzer.checker.derivation.derived import Derive, Derived
from quizzer.checker.posed import Posed
from quizzer.checker.problem import pose
from quizzer.checker.requests import Pose
from quizzer.checker.source import Declared
from quizzer.form.problems import Problems, problems_of
from quizzer.form.sheet import Sheet, sheet_of

SIGMOID = r"""---
id: q-gate
type: derivation
---
# Question
(4p) A gate. Find the backward message (`dx`).

$$ y_i = \frac{1}{1 + e^{-x_i}} $$

---
# Solution
**Short Answer:** $\frac{\partial L}{\partial x_j} = \delta_j \, y_j (1 - y_j)$

### Steps
1. The slope is a product, $\frac{\partial y_i}{\partial x_j} = [i = j] \, y_i (1 - y_i)$.
2. Somebody forgot the sign here: $\frac{\partial y_i}{\partial x_j} = -y_i$.
3. Sum: $$ \frac{\partial L}{\partial x_j} = \sum_i \delta_i \, [i = j] \, y_i (1 - y_i)
   = \delta_j \, y_j (1 - y_j) $$

```checker
x: D
size D: 4..8
y_i = 1 / (1 + exp(-x_i))
ask dx: backward message
right dx_i = dy_i y_i (1 - y_i)
```
"""


def card_in(text: str) -> Card:
    card = parse(text.encode(), Path("card.md")).card
    assert card and card.checker
    return card


def quiet_derive(request: Derive) -> Derived:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return derive(request)


@cache
def _posed(declared: str, seed: int) -> Posed:
    return pose(Pose(Declared(declared), seed, 4, {}, 0))


def problems_in(text: str, seeds: tuple[int, ...] = (0, 1)) -> Problems:
    card = card_in(text)
    assert card.checker
    source = Declared(card.checker.text)
    posed = [_posed(card.checker.text, seed) for seed in seeds]
    return problems_of(source, posed, (), (), quiet_derive)


@cache
def sheet_in(text: str) -> Sheet:
    card = card_in(text)
    assert card.checker
    right = _posed(card.checker.text, 0).sheet.right
    return sheet_of(card, right, problems_in(text))
