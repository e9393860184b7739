"""A solution's formulas as one derivation."""

from pathlib import Path

from quizzer.card import parse
from quizzer.card.solved import solved

CARD = r"""---
id: q-scale
type: derivation
---

# Question
A layer scales its input, $y_i = \gamma_i x_i$:

| symbol | typed | shape | meaning |
|---|---|---|---|
| $x_i$ | `x` | $D$ | input |
| $\gamma_i$ | `gamma` | $D$ | gain |

Find the message $\frac{\partial L}{\partial x_i}$ (`dx`).

---
# Solution
**Short Answer:** The gain in front.
$$ \frac{\partial L}{\partial x_i} = m_i $$

### Steps / Derivation
1. Name the message $m_i = \gamma_i \delta_i$. Where an input is zero, $x_i = 0$, nothing changes.
2. So $m_i = 0$ for a gain of zero. In the end
   $$ \frac{\partial L}{\partial x_i} = \gamma_i \delta_i $$
"""


def test_names_that_the_words_define_come_with_the_displayed_formulas() -> None:
    card = parse(CARD.encode(), Path("scale.md")).card
    assert card is not None
    assert solved(card).text.split("\n") == [
        r"\frac{\partial L}{\partial x_i} = m_i",
        r"m_i = \gamma_i \delta_i",
        r"\frac{\partial L}{\partial x_i} = \gamma_i \delta_i",
    ]
