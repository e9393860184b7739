"""Checkers in math, printed as NumPy: the same values, names, samples and sentences."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from starter import CHECKED, FENCE, source_of

from quizzer.checker.branches import generator
from quizzer.checker.declared.build import build, read_source
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.instance import draw_inputs, raw_outputs, work_out
from quizzer.checker.load import Checker, load
from quizzer.checker.printed.module import printed
from quizzer.checker.printed.values import CannotPrint
from quizzer.checker.source import Declared
from quizzer.judge.judges import Judge
from quizzer.lint.proof import prove

ROOT = Path(__file__).parents[3]
SEEDS = 3


def printable() -> Iterator[Path]:
    """Files of the declared checkers that can be printed; none is read as a card yet."""
    for path in (*CHECKED, *sorted((ROOT / "tests/decks/declared").glob("*.*"))):
        text = path.read_text("utf-8")
        if path.suffix == ".checker" or FENCE in text:
            text = text if path.suffix == ".checker" else text.partition(FENCE)[2]
            if not re.search(r"^(show|optimum) ", text, re.MULTILINE):
                yield path


EVERY = {path.stem if path in CHECKED else path.name: path for path in printable()}
FORMULAS = {
    "matrices": (
        "A: N × D\nB: D × D spd\nx: D\nc: N\nq = x^T B x\nr = B^{-1} x\ns = A^T 1\n"
        "t = (I + B) x\nu = c 1^T A\nv = 1^T c\nP = c x^T\nG = A^T A + 2 I\nH = A ⊙ (c 1^T)\n"
        "k = 1/2 A x\nL = tr(B) + log(det(B)) + v + q"
    ),
    "square matrices": (
        "A: N × N\nx: N\nz = \\|x\\| x\nw = softmax(A)\nm = A^{-1}\nn = expm(A)\nd = diag(x) A\n"
        "e = diag(A)\nK = x ⊗ x^T\ni = \\langle x, x \\rangle\ny = A^2 x - x"
    ),
    "a diagonal": "A: N × N\nL = sum_n A_{nn} + mean_n A[n,n]^2",
    "rows among letters": "X: N × D\nw: D\nr_n = (X w)_n\nL = 1/N sum_n log(1 + exp(-(X w)_n))",
    "counting from one": (
        "x: N × D\nt: N below D\nindex from 1\nz_n = sum_{i=2}^{D} x_{ni}\n"
        "w_n = sum_{i=1}^{t_n} x_{ni}\nm_n = max_{i=1}^{D} x[n,i-1]\n"
        "q_n = n x_{n1}\ny_n = x[n, t_n]"
    ),
    "masks and places": (
        "x: N\na_n = sum_{m<=n} x_m  for n < N\nz = prod_n x_n\nu = sum(n,m) |x_n - x_m|\n"
        "w_n = prod_{m: m != n} x_m  for n < N\nk = argmax_n x_n\nc = sum_{n=0}^{3} 2\n"
        "p = x[k]\nb_{nm} = [n = m]  for n < N, m < N\nd_n = x_n^{-1} (-1)^n\n"
        "h_n = [x_n > 0] + [x_n > 1]\ng = mean_n [x_n > 0]\ny = d + h"
    ),
    "a padded window": (
        "x: H × W\nw: 3 × 3\nsize H: 4..6; W: 4..6\n"
        "z[i,j] = sum(a,b) w[a,b] x[i+a-1,j+b-1]  for i < H, j < W\n"
        "y[i,j] = max_{a=0}^{2} x[i+a-1,j]  for i < H, j < W"
    ),
    "every domain": (
        "p, q: K simplex\nM: K × K orthogonal\nU: N × K unit\ns: K sorted\nl: K × K lower\n"
        "S: K × K symmetric\no: N × K onehot\nm: N mask\ng: N sign\nk: number 2..4\nz: number\n"
        "pos: number positive\nb: number\nL = sum_k p_k log(p_k / q_k) + z + pos k + b^2\n"
        "ask dL_db\nask dL_dp"
    ),
    "functions": (
        "x: N positive\na = lgamma(x)\nb = digamma(x)\nc_n = erf(x_n)\nd_n = Φ(x_n)\n"
        "q_n = Φ'(x_n) + ⌈x_n⌉\ne = relu(x - 1)\nf_n = softplus(x_n)\ng_n = σ'(x_n)\n"
        "h = clip(x, 0.5, 1)\nl = logsumexp(x)\ny = a + e"
    ),
    "a state": (
        "x: T × D\nW: D × D\nh0: D\nindex from 1\nh[0,i] = h0_i\n"
        "h[t,i] = tanh(x[t,i] + sum_j W[i,j] h[t-1,j])"
    ),
    "a state that begins at a place": "x: T\nh[0] = 3\nh[t] = h[t-1] + x[t]",
    "two places before": "x: T\nsize T: 4..6\nf[0] = 1\nf[1] = 1\nf[t] = f[t-1] + f[t-2] + x[t]",
    "backward": "r: T\nG[T] = 5\nG[t] = r[t] + 0.5 G[t+1]",
    "two states": (
        "g: T × D\nm[t,i] = 0.9 m[t-1,i] + g[t,i] + 0.1 w[t-1,i]\nw[-1,i] = 1\n"
        "w[t,i] = w[t-1,i] - 0.1 m[t,i]\nout w"
    ),
    "sizes of others": (
        "x: H × W\nsize h: 2..3; w: 2..4; H = 2h + 1; W = 2w\ny_k = x[2k,k]  for k < h"
    ),
}


@cache
def both(name: str) -> tuple[Checker, Checker]:
    return both_of(source_of(EVERY[name]) if name in EVERY else Declared(FORMULAS[name]))


def both_of(source: Declared) -> tuple[Checker, Checker]:
    """The checker as it is declared, and as it is printed."""
    return build(source), load(printed(read_source(source), "A title."))


def same(found: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> None:
    assert list(found) == list(expected)
    for name, values in expected.items():
        np.testing.assert_allclose(
            np.asarray(found[name], float), values, rtol=1e-12, atol=1e-12, err_msg=name
        )


@pytest.mark.parametrize("name", [*EVERY, *FORMULAS], scope="module")
def test_the_printed_module_computes_the_same(name: str) -> None:
    old, new = both(name)
    for seed in range(SEEDS):
        for drawing in (old, new):
            inputs = draw_inputs(drawing, generator(seed))
            expected, found = work_out(old, inputs), work_out(new, inputs)
            same(found.outputs, expected.outputs)  # type: ignore[arg-type]
            same(found.intermediates, expected.intermediates)  # type: ignore[arg-type]
        for sentence, variant in old.variants.items():
            same(raw_outputs(new.variants[sentence], inputs), raw_outputs(variant, inputs))


@pytest.mark.parametrize("name", EVERY, scope="module")
def test_the_printed_module_says_the_same(name: str) -> None:
    old, new = both(name)
    for part in ("answers", "symbols", "sizes", "assume", "first_index", "symmetric", "one_sign"):
        assert getattr(new, part) == getattr(old, part)
    for part in ("ties", "hints", "right", "wrong", "also"):
        assert getattr(new, part) == getattr(old, part)
    assert {n: dict(t) for n, t in new.terms.items()} == {n: t for n, t in old.terms.items() if t}
    inputs = [draw_inputs(each, generator(0)) for each in (old, new)]
    kinds = [[(k, type(v), np.ndim(v)) for k, v in each.items()] for each in inputs]
    assert kinds[0] == kinds[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["softmax_jacobian", "embedding", "batch_norm", "multiclass_hinge"]
)
def test_the_printed_module_has_no_flaw_and_rejects_mutants(
    judge_here: Judge, name: str, tmp_path: Path
) -> None:
    path = tmp_path / "card.py"
    path.write_text(printed(read_source(source_of(EVERY[name])), "A title."), encoding="utf-8")
    assert prove(judge_here, path, 5, mutants=True) == []


def test_each_formula_is_quoted_above_its_lines() -> None:
    source = printed(read_declaration("X: N × D\nw: D\ny_n = sum_i X_{ni} w_i"), "A title.")
    assert source.startswith('"""A title."""\n')
    assert '    # y_n = sum_i X_{ni} w_i\n    y = np.einsum("ni,i->n", X, w)\n' in source


def test_sizes_are_found_in_the_arrays() -> None:
    source = printed(read_declaration(FORMULAS["sizes of others"]), "A title.")
    assert "h = (x.shape[0] - 1) // 2" in source or "h = (H - 1) // 2" in source


@pytest.mark.parametrize("sentence", ['a "quote"', 'three """ quotes', "a \\ backslash", "§ … ∂"])
def test_what_the_author_says_stays_a_text(sentence: str) -> None:
    text = f"x: N\ny = 2 x\nassume {sentence}\nask dx: {sentence}\nwrong dx = dy -- {sentence}"
    old, new = both_of(Declared(text))
    assert (new.assume, new.answers, new.wrong) == (old.assume, old.answers, old.wrong)


def test_nothing_of_a_formula_is_code_but_names_and_numbers() -> None:
    source = printed(read_declaration("x: N\ny = 2 x  # __import__('os')"), 'A "title" \\')
    calls = {ast.unparse(n.func) for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call)}
    assert calls == {"int", "rng.integers", "rng.standard_normal"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lambda: N\ny = 2 lambda", "line 1: `lambda` is a word of Python: rename it"),
        ("x: N\ny = 2 x\nshow x\nask y", "numbers that the question shows"),
        ("x: N\nnp = 2 x\ny = np", "line 2: `np` is a word of Python: rename it"),
    ],
)
def test_what_cannot_be_printed_is_told_with_its_line(text: str, said: str) -> None:
    with pytest.raises(CannotPrint) as raised:
        printed(read_declaration(text), "A title.")
    assert str(raised.value).startswith(said)
