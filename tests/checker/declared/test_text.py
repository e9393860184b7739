"""What the lines of a declared checker say, and what is said of those that say nothing."""

import pytest

from quizzer.checker.declared.text import read_declaration
from quizzer.checker.declared.values import Declaration

BATCH_NORM = """
x: N × D
gamma as γ, beta as β: D
eps as ε: number in (0.05, 0.5)   # large enough to matter
size N: 3..7
mu_i = mean_n x_{ni}
s_i = sqrt(mean_n (x_{ni} - mu_i)^2 + eps)
x_hat_{ni} = (x_{ni} - mu_i) / s_i
y_{ni} = gamma_i x_hat_{ni} + beta_i
ask dx: backward message
ask dgamma
right dx
    A_{ni} = gamma_i dy_{ni}
    dx_{ni} = (A_{ni} - mean_m A_{mi} - x_hat_{ni} mean_m A_{mi} x_hat_{mi}) / s_i
wrong dx_{ni} = gamma_i dy_{ni} / s_i -- Mean and deviation were held fixed,
    -- as in test mode.
wrong dgamma -- The gain multiplies the normalised input.
    dgamma_i = sum_n dy_{ni} x_{ni}
variant x_hat_{ni} = x_{ni} / s_i -- This is the gradient without centring.
need sum(n,i) [x_{ni} < 0] > 0
assume ε > 0
hint In how many ways does one example act?
ties no
"""


def read(text: str) -> Declaration:
    return read_declaration(text.strip("\n"), 10)


def faults(text: str) -> dict[int, str]:
    return {fault.line: fault.message for fault in read(text).faults}


def test_a_name_with_a_part_below_is_one_beside_another_with_the_same_part() -> None:
    read_names = read("v, w, g: number\nv_new = v + g^2\nw_new = w - g / sqrt(v_new)")
    assert not read_names.faults
    assert [(node.name, node.letters) for node in read_names.nodes] == [
        ("v_new", ()),
        ("w_new", ()),
    ]


def test_all_kinds_of_lines_are_read() -> None:
    declared = read(BATCH_NORM)
    assert declared.faults == ()
    assert [(i.name, [s.text for s in i.shape], i.domain.kind) for i in declared.inputs] == [
        ("x", ["N", "D"], "normal"),
        ("gamma", ["D"], "normal"),
        ("beta", ["D"], "normal"),
        ("eps", [], "between"),
    ]
    assert declared.symbols == {"gamma": "γ", "beta": "β", "eps": "ε", "x_hat": "x̂"}
    assert [(rule.letter, rule.low, rule.high) for rule in declared.sizes] == [
        ("N", 3, 7),
        ("D", 2, 6),
    ]
    assert [(n.name, n.letters, n.uses, n.line) for n in declared.nodes] == [
        ("mu", ("i",), ("x",), 14),
        ("s", ("i",), ("x", "mu", "eps"), 15),
        ("x_hat", ("n", "i"), ("x", "mu", "s"), 16),
        ("y", ("n", "i"), ("gamma", "x_hat", "beta"), 17),
    ]
    assert declared.outputs == ("y",)
    assert [(ask.name, ask.label) for ask in declared.asks] == [
        ("dx", "backward message"),
        ("dgamma", ""),
    ]
    assert (declared.assume, declared.ties) == (("ε > 0",), False)


def test_a_block_holds_helper_lines_and_a_sentence_goes_on_in_it() -> None:
    right, held, gain = read(BATCH_NORM).claims
    assert (right.kind, right.name, right.line) == ("right", "dx", 20)
    assert right.text.splitlines()[0] == "A_{ni} = gamma_i dy_{ni}"
    assert held.text == "dx_{ni} = gamma_i dy_{ni} / s_i"
    assert held.sentence == "Mean and deviation were held fixed, as in test mode."
    assert (gain.name, gain.text) == ("dgamma", "dgamma_i = sum_n dy_{ni} x_{ni}")


@pytest.mark.parametrize(
    "line",
    ["x: N × D", "x: (N, D)", "x: N x D", r"x: N \times D", r"x \in \mathbb{R}^{N \times D}"],
)
def test_a_shape_is_written_in_any_of_these_ways(line: str) -> None:
    (given,) = read(f"{line}\ny = x").inputs
    assert [size.text for size in given.shape] == ["N", "D"]


@pytest.mark.parametrize(
    ("left", "right", "name", "letters"),
    [
        ("p_k", "exp(z_k)", "p", ("k",)),
        ("a_f", "W_f x", "a_f", ()),
        ("w_{new}", "w - g", "w_new", ()),
        (r"\hat{x}_{ni}", "x_{ni}", "x_hat", ("n", "i")),
        ("μ_i", "mean_n x_{ni}", "mu", ("i",)),
        ("f[k,l]", "max_{i} x[i,k,l]", "f", ("k", "l")),
        ("L(w)", "w^T w", "L", ()),
        ("q_{ab}", "A_{ac} B_{cb}", "q", ("a", "b")),
    ],
)
def test_what_is_below_the_left_side_is_an_index_or_a_part_of_the_name(
    left: str, right: str, name: str, letters: tuple[str, ...]
) -> None:
    declared = read(f"x, z, W_f, w, g, A, B: N\n{left} = {right}")
    (node,) = declared.nodes
    assert (node.name, node.letters) == (name, letters)


@pytest.mark.parametrize(
    ("left", "name", "symbol"),
    [("w_hat", "w_hat", "ŵ"), ("μ_hat_i", "mu_hat", "μ̂"), (r"\bar{x}", "x_bar", "x̄")],
)
def test_an_accent_on_the_left_is_shown_on_its_letter(left: str, name: str, symbol: str) -> None:
    assert read(f"x: N\n{left} = x_i").symbols == {name: symbol}


def test_formulas_may_come_in_any_order() -> None:
    declared = read("x: N\ny = z + x\nz = 2 x\nout y")
    assert [node.name for node in declared.nodes] == ["z", "y"]


def test_a_recurrence_has_a_start_and_a_line_that_goes_on() -> None:
    declared = read("x: T × D\nh[-1,i] = 0\nh[t,i] = tanh(h[t-1,i] + x[t,i])")
    start, step = declared.nodes
    assert start.place is not None
    assert (start.place.text, start.letters) == ("-1", ("i",))
    assert declared.recurrences == (("h",),)
    assert step.letters == ("t", "i")


def test_a_number_below_is_a_part_of_the_name_where_nothing_steps() -> None:
    declared = read("v_0, p: D\nv_1 = 2 v_0 + p\nv_2 = v_1 + p")
    assert [node.name for node in declared.nodes] == ["v_1", "v_2"]
    stepped = read("x: T\nh_0 = 1\nh_t = h_{t-1} + x_t")
    assert stepped.recurrences == (("h",),)


def test_a_letter_with_a_range_is_an_index() -> None:
    (node,) = read("a: K\nC_{tk} = cos(t a_k)  for t < T\nsize T: 3..4").nodes
    assert (node.name, node.letters) == ("C", ("t", "k"))


def test_ranges_are_set_apart_from_the_formula() -> None:
    (node,) = read("x: H\nf[k] = x[2k]  for 0 <= k < H/2").nodes
    assert node.right == "x[2k]"
    assert [(r.letter, r.stop.text) for r in node.ranges] == [("k", "H/2")]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x: N\ny = 2 x\nrigth dx = 2 dy", 12, "did you mean `right`"),
        ("x: N\ny = 2 x\nax dx", 12, "begins no line"),
        ("x: N × e\ny = e^{x}", 10, "e is a size here, and line 11 has e^…"),
        ("x: N\ny as υ = 2 x", 11, "a formula has one name: `y = …`"),
        ("x: N\nx: M\ny = x", 11, "here and in line 10"),
        ("x: N\ny = x\ny = 2 x", 12, "here and in line 11"),
        ("x: N\nx = 2 x", 11, "an input (line 10)"),
        ("N: N\ny = N", 10, "a size here and an input"),
        ("x: N\nN = 2 x", 11, "a size"),
        ("x: N\na = b + x\nb = 2 a", 11, "`a` (line 11), `b` (line 12) need each other"),
        ("x: N\na = a + x", 11, "defined by itself"),
        ("x: N × D spd\ny = x", 10, "square"),
        ("x: N positve\ny = x", 10, "did you mean `positive`"),
        ("x: N in (2, 1)\ny = x", 10, "empty"),
        ("x: ?\ny = x", 10, "no shape"),
        ("t: N below K\nz: N × K\nL = sum_n z[n,t[n]]\nask dL_dt", 13, "whole numbers (line 10)"),
        ("x: H\nsize H = 2h; h = H/2\ny = x", 11, "made of itself"),
        ("x: N\nsize N: 3..100\ny = x", 11, "range of sizes"),
        ("x: N\nsize N: 3..4\nsize N: 5..6\ny = x", 12, "line 11"),
        ("x: N\ny = x\nwrong dx = dy", 12, "say behind"),
        ("x: N\ny = x\nask dx\nright dz = dy", 13, "which answer") ,
        ("x: N\ny = x\nvariant z = x -- Other.", 12, "no formula of the forward"),
        ("x: N\ny = x\nask dx\nask dx", 13, "asked twice"),
        ("x: N\ny = x\nask dx, ds: both", 12, "a line `ask` for each"),
        ("x: N\ny = x\nout z", 12, "which no formula gives"),
        ("x: N\ny[k] = x[2k] for j < 3", 11, "no index on the left"),
        ("x: N\nh[0] = 1", 11, "no line that goes on"),
        ("x: N\ny = x\nseconds 90", 12, "at most 30"),
        ("x: N\ny = x\nindex from 2", 12, "index from 1"),
        ("x: n × n\ny_n = sum_j x_{nj}", 11, "n is a size"),
        ("x: n × k\ny[i,n] = x[n,i]", 11, "n is a size and an index"),
        ("delta: N\ny = delta", 10, "upstream"),
        ("x: N\ny = x\nties maybe", 12, "ties yes"),
        ("ask dx", 10, "no input"),
        ("x: N", 10, "no formula"),
        (
            "x: N\ny = x\nask dx\nask ds\ns: N\nwrong dx = 1 -- Same.\nwrong dx = 2 -- Same.",
            16,
            "in line 15 already",
        ),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_used_is_told_with_its_number_and_a_remedy(
    text: str, line: int, said: str
) -> None:
    assert said in faults(text).get(line, "")


def test_every_line_that_cannot_be_used_is_told() -> None:
    assert list(faults("x: ?\ny =\nask 7\nz: N wild")) == [10, 11, 12, 13]
