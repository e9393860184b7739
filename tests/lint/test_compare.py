"""A card and its checker compared: each code for one planted difference, and none without."""

from collections.abc import Callable
from pathlib import Path

import pytest

from quizzer.card import Card, parse
from quizzer.checker.flaw import Flaw
from quizzer.judge.judges import Judge
from quizzer.lint.links import link_problems
from quizzer.lint.points import point_flaws
from quizzer.lint.proof import prove
from tests.derived import card_of

CARD = r"""---
id: scaled
---

# Question
(5p) A layer with a gain of its own for each feature:

$$ s_{ni} = a_i \, x_{ni}, \qquad y_{nm} = \sum_{i} s_{ni} W_{mi} $$

| symbol | typed | shape | meaning |
|---|---|---|---|
| $x_{ni}$ | `x` | $N \times D$ | inputs |
| $a_i$ | `a` | $D$ | gain |
| $W_{mi}$ | `W` | $M \times D$ | weights |
| $s_{ni}$ | `s` | as $x$ | scaled inputs |
| $\delta_{nm}$ | `dy` | $N \times M$ | upstream |

(a) (2p) Find $\frac{\partial L}{\partial x_{ni}}$ (`dx`).

(b) (3p) Find $\frac{\partial L}{\partial W_{mi}}$ (`dW`).

---
# Solution
**Short Answer:** With $g_{ni} = \sum_m \delta_{nm} W_{mi}$,
$$ \frac{\partial L}{\partial x_{ni}} = a_i \, g_{ni} $$
$$ \frac{\partial L}{\partial W} = \delta^\top s $$

### Steps
1. Each weight meets every example:
   $$ \frac{\partial L}{\partial W_{mi}} = \sum_n \delta_{nm} a_i x_{ni} $$
"""

CHECKER = '''"""A gain before a linear map."""

import numpy as np

answers = {"dx": "message", "dW": "parameter message"}
sizes = {"N": ("x", 0), "D": ("x", 1)}


def sample(rng):
    N, D, M = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)
    return {
        "x": rng.standard_normal((N, D)),
        "a": rng.standard_normal(D),
        "W": rng.standard_normal((M, D)),
    }


def let(x, a):
    return {"s": a * x}


def forward(x, a, W):
    return {"y": a * x @ W.T}
'''

Compared = Callable[..., list[Flaw]]


@pytest.fixture(scope="module")
def judge() -> Judge:
    with Judge() as judge:
        yield judge


@pytest.fixture
def compared(tmp_path: Path, judge: Judge) -> Compared:
    """What is found after one place of the card or of its checker was changed."""

    def found(old: str = "", new: str = "", *, ignore: str = "") -> list[Flaw]:
        assert (CARD + CHECKER).count(old) == 1 or not old
        card, checker = CARD.replace(old, new), CHECKER.replace(old, new)
        if ignore:
            card = card.replace("id: scaled\n", f"id: scaled\nignore: {ignore}\n")
        (tmp_path / "scaled.py").write_text(checker, "utf-8")
        return prove(judge, tmp_path / "scaled.py", 5, 4, card=read(card))

    return found


def read(text: str) -> Card:
    card = parse(text.encode(), Path("scaled.md")).card
    assert card is not None
    return card


def line_of(text: str) -> int:
    return CARD[: CARD.index(text)].count("\n") + 1


def test_a_card_that_agrees_with_its_checker_gets_no_warning(compared: Compared) -> None:
    assert compared() == []


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        (r"s_{ni} W_{mi} $$", r"s_{ni} W_{im} $$", "question-formula", "Index i runs over"),
        (r"s_{ni} = a_i \, x", r"s_{ni} = a_i + x", "question-formula", "by the checker (sample 1"),
        (r"$M \times D$", r"$D \times M$", "table-shape", "gives `W` the shape D × M"),
        ("`W` | $M", "`V` | $M", "table-name", "says to type `V`"),
        ("| $a_i$ | `a` | $D$", "| $a_i$ | `a` | number", "table-shape", "the shape number"),
        ("| $a_i$ | `a` | $D$ | gain |\n", "", "table-row", "no row for `a`"),
        ('{"s": a * x}', '{"s": a * x, "q": x}', "dead-name", "a name `q`"),
        (
            "N, D, M = rng.choice([2, 3, 4, 5, 6], size=3, replace=False)",
            "N = D = M = rng.integers(2, 7)",
            "equal-sizes",
            "D = M = N in every sample",
        ),
        ("(`dW`)", "(`dw`)", "not-asked", "asks for `dw`"),
        (" (`dW`)", "", "not-asked", "`dW`, which is nowhere"),
        (r"= a_i \, g_{ni} $$", r"= - a_i \, g_{ni} $$", "short-answer", "dx[0, "),
        (r"_m \delta_{nm} W_{mi}$", r"_m \delta_{nm} W_{im}$", "short-answer", "Index m runs"),
        (r"\delta_{nm} a_i x_{ni}", r"\delta_{nm} x_{ni}", "step", "by the card, "),
    ],
)
def test_a_difference_is_named_with_both_values(
    compared: Compared, old: str, new: str, code: str, said: str
) -> None:
    of_code = [flaw for flaw in compared(old, new) if flaw.code == code]
    assert of_code
    assert said in of_code[0].message
    assert f"`ignore: {code}`" in of_code[0].message
    assert of_code[0].in_card and not of_code[0].error


def test_a_difference_has_the_line_of_the_card(compared: Compared) -> None:
    (flaw,) = compared(r"$M \times D$", r"$D \times M$")
    assert flaw.line == line_of("| `W` |")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Not read, or read in two ways: not judged.
        (r"\sum_{i} s_{ni} W_{mi} $$", r"\mathrm{mix}(s_{ni}, W) $$"),
        (r"= a_i \, g_{ni} $$", r"= a_i \, q_{ni} $$"),
        (r"= a_i \, g_{ni} $$", r"\approx a_i \, g_{ni} / 2 $$"),
        (r"\sum_n \delta_{nm} a_i x_{ni}", r"0 \quad \text{if all inputs are 0}"),
        (r"$M \times D$", "a matrix"),
        ("1. Each weight meets every example", "1. If the gain were 1, it would be"),
    ],
)
def test_what_cannot_be_read_is_not_judged(compared: Compared, old: str, new: str) -> None:
    assert compared(old, new) == []


def test_what_a_card_says_of_its_brackets_is_no_condition(compared: Compared) -> None:
    bracket = r"where $[\cdot]$ is 1 if the condition inside holds, else 0,"
    (flaw,) = compared(r" W_{mi}$,", rf" W_{{im}}$, {bracket}")
    assert flaw.code == "short-answer"
    assert compared(r" W_{mi}$,", r" W_{im}$, if the gain is 0,") == []


def test_a_name_with_two_definitions_is_not_judged(compared: Compared) -> None:
    assert compared("### Steps\n", "### Steps\n$$ g_{ni} = \\delta_{ni} $$\n") == []


DECLARED = """x: N × D
a: D
W: M × D
s[n,i] = a[i] x[n,i]
u[n,i] = s[n,i] / 2
y[n,m] = 2 sum(i) u[n,i] W[m,i]
ask dx: message
ask dW: parameter message
right dx[n,i] = a[i] sum(m) dy[n,m] W[m,i]
right dW[m,i] = sum(n) dy[n,m] a[i] x[n,i]
"""


def test_a_declared_checker_is_compared_too(tmp_path: Path, judge: Judge) -> None:
    checker = tmp_path / "scaled.checker"
    checker.write_text(DECLARED, "utf-8")
    codes = [flaw.code for flaw in prove(judge, checker, 5, 4, card=read(CARD)) if flaw.in_card]
    assert codes == []
    card = read(CARD.replace(r"s_{ni} = a_i \, x", r"s_{ni} = a_i + x"))
    (found,) = [flaw.code for flaw in prove(judge, checker, 5, 4, card=card) if flaw.in_card]
    assert found == "question-formula"


def test_a_wrong_line_between_is_told_with_both_values(tmp_path: Path, judge: Judge) -> None:
    path = tmp_path / "softplus.md"
    text = card_of("softplus").read_text("utf-8")
    path.write_text(text, "utf-8")
    assert [flaw.code for flaw in prove(judge, path, 5, 4, card=read(text))] == []
    slip = text.replace(
        r"\frac{e^{\beta x_i}}{1 + e^{\beta x_i}} $$", r"\frac{e^{\beta x_i}}{1 - e^{\beta x_i}} $$"
    )
    assert slip != text
    path.write_text(slip, "utf-8")
    (flaw,) = prove(judge, path, 5, 4, card=read(slip))
    assert flaw.code == "wrong-step"
    assert "is not ∂y/∂x: ∂y/∂x[" in flaw.message
    assert " by the card, " in flaw.message
    assert slip.split("\n")[flaw.line - 1].lstrip().startswith(r"$$ \frac{\partial y_i}")


WITHOUT_TABLE = r"""---
id: slope
---
# Question
Loss $$ L = \sum_n (w x_n - y_n)^2 + \lambda w^2 $$ What is its slope in w, and in λ?

---
# Solution
**Short Answer:** $\frac{\partial L}{\partial w} = 2 \sum_n (w x_n - y_n) x_n + 2 \lambda w$
"""


@pytest.mark.parametrize("asked", ["dL_dw", "dL_dlam"])
def test_without_a_table_the_variable_of_what_is_asked_is_somewhere_in_the_card(
    tmp_path: Path, judge: Judge, asked: str
) -> None:
    checker = tmp_path / "slope.checker"
    text = f"x, y: N\nw, lam: number\nL = sum_n (w x_n - y_n)^2 + lam w^2\nask {asked}\n"
    checker.write_text(text, "utf-8")
    card = read(WITHOUT_TABLE)
    assert [flaw.code for flaw in prove(judge, checker, 5, 4, card=card) if flaw.in_card] == []
    checker.write_text(text.replace("w", "v").replace("lam", "mu"), "utf-8")
    (flaw,) = (flaw for flaw in prove(judge, checker, 5, 4, card=card) if flaw.in_card)
    assert flaw.code == "not-asked"
    assert f"asks for `{asked.replace('w', 'v').replace('lam', 'mu')}`, and `" in flaw.message


def test_points_of_parts_must_add_up() -> None:
    (flaw,) = point_flaws(read(CARD.replace("(5p)", "(6p)")))
    assert (flaw.code, flaw.line) == ("points", line_of("(5p)"))
    assert "worth 6 points, but its parts add up to 5: (a) 2 + (b) 3." in flaw.message
    assert not list(point_flaws(read(CARD)))
    assert not list(point_flaws(read(CARD.replace("(5p)", ""))))


def linked(*targets: str) -> Card:
    return read(CARD + "\n## Related Concepts\n" + "".join(f"- [[{each}]]\n" for each in targets))


KNOWN = {"scaled", "relu", "softmax_cross_entropy", "gelu", "tanh"}


def test_a_dead_link_is_named_with_the_nearest_card() -> None:
    card = linked("relu", "Tanh.md#Steps", "softmax_crossentropy|loss", "gelu", "scaled")
    ((path, flaw),) = link_problems({Path("a.md"): card}, KNOWN, {Path(): card.header.related})
    assert path == Path("a.md")
    assert flaw.code == "link"
    assert "did you mean [[softmax_cross_entropy]]?" in flaw.message
    assert flaw.line == CARD.count("\n") + 5


def test_a_link_like_no_card_is_dead_only_where_nearly_all_links_lead_to_cards() -> None:
    card, related = linked("relu", "momentum"), ["relu", "gelu", "tanh", "scaled"]
    assert not list(link_problems({Path("a.md"): card}, KNOWN, {Path(): [*related, "momentum"]}))
    ((_, flaw),) = link_problems({Path("a.md"): card}, KNOWN, {Path(): [*related * 5, "momentum"]})
    assert "mend its name" in flaw.message


def test_links_to_topics_are_no_dead_links() -> None:
    card = linked("relu", "chain rule", "Exam 2023")
    assert not list(link_problems({Path("a.md"): card}, KNOWN, {Path(): card.header.related}))
