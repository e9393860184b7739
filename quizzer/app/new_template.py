"""What `quizzer new` writes.

A derivation has its checker within and passes `quizzer check` as it is, as an example to change. In
a card of another type, `check` names each place that is still to be filled in.
"""

import json
import re
from collections.abc import Sequence

from quizzer.card.unfilled import place


def card(id_: str, course: str, tags: Sequence[str], type_: str) -> str:
    """The text of a new card of one of the TYPES."""
    return f"{header(id_, course, tags, type_)}{_BODIES[type_]}"


def parts(type_: str) -> tuple[str, str, str]:
    """Question, solution and perhaps a checker of a new card of one of the TYPES."""
    question, rest = _BODIES[type_].removeprefix(_QUESTION).split(_SOLUTION)
    solution, _, checker = rest.partition(_CHECKER)
    return question, solution, checker.removesuffix(_END)


def body(question: str, solution: str, checker: str) -> str:
    """The text of a card below its front matter."""
    fence = f"{_CHECKER}{checker}{_END}" if checker else ""
    return f"{_QUESTION}{question}{_SOLUTION}{solution}{fence}"


def header(id_: str, course: str, tags: Sequence[str], type_: str, difficulty: str = "2") -> str:
    """The front matter of a new card."""
    facts = {
        "id": id_,
        "course": _yaml(course),
        "tags": f"[{', '.join(map(_yaml, tags))}]",
        "difficulty": difficulty,
        "type": type_,
        "status": "to_learn",
    }
    lines = "".join(f"{key}: {value}\n" for key, value in facts.items())
    return f"---\n{lines}---\n\n"


def _yaml(text: str) -> str:
    """A text as YAML; in double quotes, as JSON writes it, where it may not stand alone."""
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


_QUESTION = "# Question\n"
_CHECKER = "\n```checker\n"
_END = "```\n"
_SOLUTION = "\n---\n# Solution\n"
_BARE = re.compile(r"[^\W\d_][\w-]*(?: [\w-]+)*")

_DERIVATION = r"""# Question
(4p) A layer scales the square of each input by a learned factor:

$$ y_i = a_i \, x_i^2 $$

| symbol | typed | shape | meaning |
|---|---|---|---|
| $x_i$ | `x` | $D$ | input |
| $a_i$ | `a` | $D$ | learned factors |
| $y_i$ | `y` | $D$ | output, the forward message |
| $\delta_i = \partial L / \partial y_i$ | `dy` | $D$ | upstream |

Indices start at 0.

(a) (2p) Find the backward message $\frac{\partial L}{\partial x_i}$ (`dx`).

(b) (2p) Find the parameter message $\frac{\partial L}{\partial a_i}$ (`da`).

---
# Solution
**Short Answer:** No output depends on another component, so there is nothing to sum.
$$ \frac{\partial L}{\partial x_i} = 2 \, \delta_i \, a_i \, x_i $$
$$ \frac{\partial L}{\partial a_i} = \delta_i \, x_i^2 $$

### Steps / Derivation
1. Output $i$ depends on $x_i$ and $a_i$ only. One summand of the chain rule is left:
   $$ \frac{\partial L}{\partial x_i} = \delta_i \, \frac{\partial y_i}{\partial x_i} $$
2. The slope of the square is $2 x_i$, so the local derivative is $2 a_i x_i$. Multiply both.
3. The output is linear in $a_i$ with the slope $x_i^2$. Multiply that by the upstream.

## Explanation
The factor appears in the message to the input, and the input in the message to the factor.

```checker
# The formula, the shapes and what is asked are read from the card.
right dx = 2 δ ⊙ a ⊙ x
wrong dx_i = 2 a_i x_i -- The upstream gradient is missing.
wrong dx_i = δ_i a_i x_i -- The derivative of the square is 2x, not x.
wrong da_i = δ_i a_i x_i^2 -- The derivative is with respect to a; it drops out.
```
"""

_REVEALED = f"""# Question
(2p) {place("the question")}

---
# Solution
**Short Answer:** {place("the answer, in one or two sentences")}

## Explanation
{place("why it is so")}
"""

_CHOICE = f"""# Question
(2p) {place("the question")}

## Options
A) {place("an option")}
B) {place("another option")}
C) {place("another option")}
D) {place("another option")}

---
# Solution
**Correct Answer:** {place("the letter, or several, such as A, C")}

## Explanation
{place("why it is right, and what is wrong with each of the others")}
"""

_NUMBER = f"""# Question
(2p) {place("what is given, and which number is asked for, with its unit and its decimals")}

---
# Solution
**Correct Answer:** {place("the number alone")}

### Steps / Derivation
1. {place("the first step")}
2. {place("the next step")}

## Explanation
{place("how to see that the number is plausible")}
"""

_IN_PARTS = f"""# Question
(4p) {place("what is given")}

(a) (2p) {place("the first thing to find")}

(b) (2p) {place("the second thing to find")}

---
# Solution
**Short Answer:** {place("both results")}

### Steps / Derivation
1. {place("the first step")}
2. {place("the next step")}

## Explanation
{place("what the results mean")}
"""

_PROOF = f"""# Question
(4p) Show that {place("the claim, with all that it assumes")}

## Hints
- {place("the idea, without the proof")}

---
# Solution
**Short Answer:** {place("the idea of the proof, in one sentence")}

### Steps / Derivation
1. {place("the first step, and why it holds")}
2. {place("the next step, and why it holds")}

## Explanation
{place("where each assumption was used")}
"""

_BODIES = {
    "derivation": _DERIVATION,
    "open": _REVEALED,
    "multiple_choice": _CHOICE,
    "calculation": _NUMBER,
    "problem-solving": _IN_PARTS,
    "proof": _PROOF,
}
