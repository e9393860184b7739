"""Proving a checker: every claim of its author is compared with its instances."""

from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import pytest

from quizzer.checker.remote import RemoteChecker
from quizzer.checker.studied import Studied
from quizzer.judge.judges import Judge
from quizzer.lint.proof import prove, prove_all

GOOD = """
import numpy as np
answers = ["dx"]
def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((n, m))}
def forward(x):
    return {"y": 3.0 * x}
"""


@pytest.fixture
def codes(judge: Judge, tmp_path: Path):  # type: ignore[no-untyped-def]
    """The codes of all flaws in a checker of this source."""

    def codes(source: str) -> list[str]:
        path = tmp_path / "card.py"
        path.write_text(source, encoding="utf-8")
        return [flaw.code for flaw in prove(judge, path, 5)]

    return codes


@pytest.mark.parametrize("name", ["linear", "softmax", "max_pooling", "mse"])
def test_a_good_checker_has_no_flaw(judge: Judge, checkers: Path, name: str) -> None:
    assert prove(judge, checkers / f"{name}.py", 5) == []


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ("right = {'dx': ['3 * dy', '2 * dy']}", "right-rejected"),
        ("right = {'dx': ['3 * unknown']}", "right-rejected"),
        ("wrong = {'dx': {'no factor': '3 * dy'}}", "wrong-accepted"),
        ("wrong = {'dx': {'no factor': lambda dy: 3 * dy}}", "wrong-accepted"),
        ("wrong = {'dx': {'nothing': lambda dy: dy / 0}}", "wrong-invalid"),
        ("wrong = {'dx': {'nothing': '1 +'}}", "wrong-invalid"),
        ("wrong = {'dx': {'first': 'dy', 'second': 'dy * 1'}}", "wrong-sentence"),
        ("wrong = {'dx': {'raises': lambda dy: dy.nothing}}", "broken-claim"),
        ("also = {'dx': {'doubled': '6 *'}}", "also-invalid"),
        ("also = {'dx': {'the same': '3 * dy'}}", "also-same"),
        ("variants = {'the same': lambda x: 3 * x + 1}", "variant-same"),
        ("variants = {'raises': lambda x: x.nothing}", "broken-claim"),
        ("variants = {'other shape': lambda x: x[0]}", "broken-claim"),
    ],
)
def test_an_untrue_claim_is_found(codes, claim: str, code: str) -> None:
    assert codes(f"{GOOD}\n{claim}\n") == [code]


@pytest.mark.parametrize(
    "claim",
    [
        "right = {'dx': ['3 * dy', 'dx = dy + 2 * dy']}",
        "wrong = {'dx': {'no factor': 'dy'}}",
        "also = {'dx': {'doubled': '6 * dy'}}",
        "variants = {'squared': lambda x: x**2}",
    ],
)
def test_a_true_claim_is_no_flaw(codes, claim: str) -> None:
    assert codes(f"{GOOD}\n{claim}\n") == []


@pytest.mark.parametrize(
    ("sizes", "found"),
    [
        ("n, m = 3, 4", ["same-sizes"]),
        ("n, m = 1, rng.integers(2, 6)", ["size-one"]),
        ("n = m = rng.integers(2, 6)", ["square"]),
        ("n, m = rng.integers(2, 6), 1", []),
    ],
)
def test_a_poor_sample_is_found(codes, sizes: str, found: list[str]) -> None:
    source = GOOD.replace("n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)", sizes)
    assert codes(source) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("np.ones((n, m))", ["constant"]),
        ("rng.choice([-1.5, 0.5], size=(n, m))", ["tied"]),
        ("np.arange(6.0).reshape(2, 3)", ["same-sizes", "constant"]),
        ("(lambda a: a + a.T)(rng.standard_normal((n, n)))", ["square", "tied", "symmetric"]),
    ],
)
def test_poor_values_are_found(codes, value: str, found: list[str]) -> None:
    assert codes(GOOD.replace("rng.standard_normal((n, m))", value)) == found


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        (1.0, set()),
        (2.7, {"Only 3 of 300 samples reach"}),
        (9.0, {"None of 300 samples reaches"}),
    ],
)
def test_a_branch_that_samples_reach_rarely_or_never_is_found(
    judge: Judge, tmp_path: Path, bound: float, said: set[str]
) -> None:
    path = tmp_path / "card.py"
    path.write_text(
        "import numpy as np\n"
        "def sample(rng):\n    return {'x': rng.standard_normal(int(rng.integers(2, 4)))}\n"
        f"def forward(x):\n    return {{'y': np.where(x > {bound}, x**2, x)}}\n"
    )
    found = [flaw for flaw in prove(judge, path, 5) if flaw.code == "rare-branch"]
    assert {flaw.message.partition(" a branch: ")[0] for flaw in found} == said
    assert all("in line 5 (true)" in flaw.message and not flaw.error for flaw in found)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("rng.uniform(1e-7, 1e-6)", ["tiny"]),
        ("1.0", ["constant"]),
        ("rng.uniform(0.1, 0.5)", []),
        ("3", []),
        ("np.array(1e-9)", ["tiny"]),
    ],
)
def test_a_number_that_makes_no_difference_is_found(codes, value: str, found: list[str]) -> None:
    source = GOOD.replace('{"x":', f'{{"c": {value}, "x":').replace(
        '(x):\n    return {"y": 3.0 * x', '(x, c):\n    return {"y": 3.0 * x + c'
    )
    assert codes(source) == found


POSITIVE = GOOD.replace("rng.standard_normal((n, m))", "rng.uniform(0.5, 2, (n, m))")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (POSITIVE, ["one-sign"]),
        (POSITIVE.replace("rng.uniform", "-rng.uniform"), ["one-sign"]),
        (POSITIVE.replace("(n, m))", "(n, m)) * rng.choice([-1, 1])"), []),
        (GOOD.replace("rng.standard_normal", "rng.integers(0, 9, (n, m)) / 9 + 0 * rng.random"),
         ["one-sign"]),
        (POSITIVE.replace('{"x"', '{"k": rng.integers(1, 9), "x"').replace("(x)", "(x, k)"),
         ["one-sign"]),
        (GOOD.replace('{"x"', '{"c": np.array(rng.uniform(1, 2)), "x"')
         .replace("(x)", "(x, c)").replace("3.0 *", "c *"), ["one-sign"]),
    ],
)  # fmt: skip
def test_a_variable_of_one_sign_is_found(codes, source: str, found: list[str]) -> None:
    assert codes(source) == found


@pytest.mark.parametrize(
    ("assume", "is_declared"),
    [
        ("x > 0", True),
        ("every x_ij >= 0", True),
        ("0 < x < 2, and N > 1", True),
        ("x, y ≥ 0", True),
        ("y and x_{ij} are positive", True),
        ("every χ_ij is at least 0.5", True),
        ("χ lies between 0 and 3", True),
        ("x is not negative", True),
        ("1 ≤ x_ij ≤ 10", True),
        ("N > 0", False),
        ("x > y", False),
        ("x is invertible; y is positive", False),
        ("max > 0", False),
    ],
)
def test_what_a_card_declares_of_a_variable_may_have_one_sign(
    codes, assume: str, is_declared: bool
) -> None:
    declared = f"assume = {assume!r}\nsymbols = {{'x': 'χ'}}\n"
    assert codes(POSITIVE + declared) == ([] if is_declared else ["one-sign"])


def test_two_inputs_that_are_always_equal_are_found(codes) -> None:
    source = GOOD.replace(
        'return {"x": rng.standard_normal((n, m))}',
        'x = rng.standard_normal((n, m))\n    return {"x": x, "w": x}',
    ).replace('(x):\n    return {"y": 3.0 * x', '(x, w):\n    return {"y": 3.0 * x + w')
    assert codes(source) == ["equal-inputs"]


def test_a_matrix_of_which_one_size_is_named_may_be_square(codes) -> None:
    source = GOOD.replace("n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)",
                          "n = m = rng.integers(2, 6)")  # fmt: skip
    assert codes(source + "sizes = {'n': ('x', 0)}") == []


TWO = """
import numpy as np
answers = ["dx", "dw"]
def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((n, m)), "w": rng.standard_normal(m)}
def forward(x, w):
    return {"y": 3.0 * x * w}
right = {"dx": ["3 * dy * w"], "dw": ["(3 * dy * x).sum(axis=0)"]}
wrong = {"dx": {"no factor": "dy * w"}, "dw": {"no factor": "(dy * x).sum(axis=0)"}}
"""


def test_all_names_are_worked_out_at_once(judge: Judge, tmp_path: Path) -> None:
    path = tmp_path / "card.py"
    path.write_text(TWO, encoding="utf-8")
    names = ("pose", "explain", "inspect", "vary")
    with ExitStack() as stack:
        for name in names:
            stack.enter_context(patch.object(RemoteChecker, name, side_effect=AssertionError))
        assert prove(judge, path, 5, mutants=True) == []


def test_what_was_not_worked_out_at_once_is_worked_out_alone(judge: Judge, tmp_path: Path) -> None:
    path = tmp_path / "card.py"
    path.write_text(TWO.replace('"no factor": "dy * w"', '"none": "3 * dy * w"'), "utf-8")
    found = prove(judge, path, 5, mutants=True)
    assert [flaw.code for flaw in found] == ["wrong-accepted"]
    with patch.object(RemoteChecker, "study", return_value=Studied()):
        assert prove(judge, path, 5, mutants=True) == found


def test_a_claim_that_fails_leaves_the_names_before_it_as_they_are(codes) -> None:
    fails = TWO.replace('{"no factor": "dy * w"}', '{"the same": "3 * dy * w"}')
    fails += "also = {'dw': {'raises': lambda dy: dy.nothing}}\n"
    assert codes(fails) == ["wrong-accepted", "broken"]


def test_a_flaw_knows_its_line(judge: Judge, tmp_path: Path) -> None:
    path = tmp_path / "card.py"
    path.write_text(GOOD + "right = {\n    'dx': [\n        '2 * dy',\n    ]\n}\n", "utf-8")
    (flaw,) = prove(judge, path, 5)
    assert flaw.line == 1 + (GOOD + "right = {\n    'dx': [\n").count("\n")
    path.write_text(GOOD.replace("3.0 * x", "[][1]"), "utf-8")
    (flaw,) = prove(judge, path, 5)
    assert flaw.line == 8


class TestMutants:
    @pytest.fixture
    def survivors(self, judge: Judge, tmp_path: Path):  # type: ignore[no-untyped-def]
        def survivors(source: str) -> list[str]:
            path = tmp_path / "card.py"
            path.write_text(source, encoding="utf-8")
            flaws = prove(judge, path, 5, mutants=True)
            return [flaw.message for flaw in flaws if flaw.code == "mutant-survives"]

        return survivors

    @pytest.mark.parametrize("text", ["3 * dy", "dy + 2 * dy", "dx[i,j] = 3 dy[i,j]", "3 dy"])
    def test_a_good_checker_tells_them_all_apart(self, survivors, text: str) -> None:
        assert survivors(f"{GOOD}\nright = {{'dx': [{text!r}]}}\n") == []

    def test_a_transpose_that_makes_no_difference_is_named(self, survivors) -> None:
        (said,) = survivors("""
import numpy as np
answers = ["du"]
def sample(rng):
    n = int(rng.integers(2, 6))
    a = rng.standard_normal((n, n))
    return {"A": a + a.T, "u": rng.standard_normal(n)}
def forward(A, u):
    return {"v": A @ u}
right = {"du": ["A.T @ dv"]}
""")
        assert "with “A” for “A.T”" in said

    def test_a_magnitude_that_makes_no_difference_is_named(self, survivors) -> None:
        (said,) = survivors("""
import numpy as np
answers = ["dx"]
def sample(rng):
    n = int(rng.integers(3, 8))
    x, y = rng.standard_normal((2, n))
    return {"x": x, "y": -np.sign(x @ y) * y}
def let(x, y):
    return {"c": x @ y}
def forward(x, y):
    return {"v": (x @ y) * x}
right = {"dx": ["c * dv + (x @ dv) * y"]}
""")
        assert "with “(-np.abs(c))” for “c”" in said

    def test_a_magnitude_that_differs_only_where_nothing_is_drawn_is_none(self, survivors) -> None:
        assert survivors("""
answers = ["dx"]
def sample(rng):
    return {"x": rng.uniform(1.5, 9.5, int(rng.integers(3, 8)))}
def let(x):
    return {"a": 11 - x}
def forward(x):
    return {"y": 1 / (11 - x)}
assume = "x > 0"
right = {"dx": ["dy / a ** 2 * a / a"]}
""") == []  # fmt: skip

    def test_a_condition_on_the_wrong_side_is_rejected_where_both_sides_occur(
        self, survivors
    ) -> None:
        relu = GOOD.replace("3.0 * x", "np.maximum(x, 0)")
        for right in ("dy * (x > 0)", "dy * np.where(x > 0, 1, 0)", "dx[i,j] = dy[i,j] [x[i,j]>0]"):
            assert survivors(f"{relu}\nright = {{'dx': [{right!r}]}}\n") == []

    @pytest.mark.slow
    def test_those_that_run_out_of_time_are_counted_apart(self, tmp_path: Path) -> None:
        """One mutant loops for ever; the others are told apart all the same."""
        right = "def dx(dy):\\n    while 0:\\n        pass\\n    return 3 * dy"
        path = tmp_path / "card.py"
        path.write_text(f"seconds = 0.4\n{GOOD}\nright = {{'dx': ['{right}']}}\n", "utf-8")
        with Judge() as judge:
            flaws = prove(judge, path, 5, count=4, mutants=True)
        assert [flaw.code for flaw in flaws] == ["mutants-late"]
        assert not flaws[0].error

    def test_what_is_equal_by_algebra_is_no_survivor(self, survivors) -> None:
        assert survivors(f"{GOOD}\nright = {{'dx': ['3 * dy + 0 * x']}}\n") == []

    def test_without_being_asked_for_none_is_made(self, judge: Judge, tmp_path: Path) -> None:
        path = tmp_path / "card.py"
        path.write_text(f"{GOOD}\nright = {{'dx': ['3 * dy']}}\n", "utf-8")
        assert prove(judge, path, 5) == []


def test_many_checkers_are_proved_in_their_order(tmp_path: Path) -> None:
    paths, told = [], []
    for number in range(5):
        paths.append(tmp_path / f"{number}.py")
        claim = "" if number % 2 else "right = {'dx': ['2 * dy']}"
        paths[-1].write_text(f"{GOOD}\n{claim}\n", "utf-8")
    found = prove_all(paths, 5, progress=lambda done, total: told.append((done, total)))
    assert [[flaw.code for flaw in proof.flaws] for proof in found] == [
        ["right-rejected"], [], ["right-rejected"], [], ["right-rejected"]
    ]  # fmt: skip
    assert told == [(done, 5) for done in range(5)]


def test_a_broken_checker_is_an_error(codes) -> None:
    assert codes(GOOD.replace("3.0 * x", "x / 0")) == ["broken"]


class TestNames:
    @pytest.mark.parametrize(
        ("line", "meant"),
        [
            ("wrong_ = {'dx': {'no factor': 'dy'}}", "`wrong`"),
            ("varaints = {}", "`variants`"),
            ("hint = 'Use the chain rule.'", "`hints`"),
            ("hint: str = 'Use the chain rule.'", "`hints`"),
            ("WRONG = {'dx': {'no factor': 'dy'}}", "`wrong`"),
            ("rigth = {}\nrigth['dx'] = ['3 * dy']", "`right`"),
            ("tie = []\ntie.append(True)", "`ties`"),
            ("def refrence(x):\n    return {'z': x}", "`reference`"),
            ("page, sizes = 41, {}", "sample, forward, let"),
        ],
    )
    def test_a_name_that_nothing_reads_is_an_error_that_names_the_nearest(
        self, judge: Judge, tmp_path: Path, line: str, meant: str
    ) -> None:
        path = tmp_path / "card.py"
        path.write_text(f"{GOOD}{line}\n", "utf-8")
        (flaw,) = prove(judge, path, 5)
        assert (flaw.code, flaw.error, flaw.line) == ("unknown-name", True, GOOD.count("\n") + 1)
        assert meant in flaw.message

    @pytest.mark.parametrize(
        "lines",
        [
            "import math\nfrom math import pi as hint",
            "rate = 0.5\nvariants = {'squared': lambda x: rate * x**2}",
            "def helper(x):\n    return x\nclass Helper:\n    pass",
            "SPREAD = 'dy + 2 * dy'\nLEFT_OVER = 3",
            "_wrong = {}\n__all__ = ['forward']",
            "right_ = ['3 * dy']\nright = {'dx': right_}",
            "right = {'dx': []}\nfor text in ('3 * dy', '3 dy'):\n    right['dx'].append(text)",
            "wrong = {'dx': {'first': 'dy'}}\nwrong['dx']['second'] = '2 * dy'",
        ],
    )
    def test_names_of_his_own_are_the_authors_affair(self, codes, lines: str) -> None:
        assert codes(f"{GOOD}\n{lines}\n") == []

    def test_a_sentence_that_stands_twice_is_an_error(self, judge: Judge, tmp_path: Path) -> None:
        path = tmp_path / "card.py"
        path.write_text(GOOD + "wrong = {\n 'dx': {\n  'no': 'dy',\n  'no': '2 * dy'\n }\n}\n")
        (flaw,) = prove(judge, path, 5)
        assert (flaw.code, flaw.error) == ("repeated-key", True)
        assert flaw.line == GOOD.count("\n") + 4
        assert f"line {GOOD.count(chr(10)) + 3}" in flaw.message

    @pytest.mark.parametrize("name", ["delta", "δ"])
    @pytest.mark.parametrize("forward", [True, False])
    def test_an_input_called_like_the_upstream_is_an_error(
        self, judge: Judge, tmp_path: Path, name: str, forward: bool
    ) -> None:
        path = tmp_path / "card.py"
        source = GOOD.replace('"x":', f'"{name}":').replace("(x)", f"({name})")
        source = source.replace("3.0 * x", f"3.0 * {name}").replace('"dx"', f'"d{name}"')
        if not forward:
            source = source.replace("forward", "reference").replace(f'["d{name}"]', '["y"]')
        path.write_text(source, "utf-8")
        (flaw,) = prove(judge, path, 5)
        assert (flaw.code, flaw.error) == ("broken", True)
        assert f"`{name}`" in flaw.message and "rename" in flaw.message

    @pytest.mark.parametrize("symbol", ["i", "k", "x_i", "x_{ij}", "x_{i, j}"])
    def test_a_symbol_that_would_be_read_as_an_index_is_an_error(
        self, judge: Judge, tmp_path: Path, symbol: str
    ) -> None:
        path = tmp_path / "card.py"
        source = GOOD.replace('return {"x":', 'return {"c": 3, "x":').replace("(x)", "(x, c)")
        path.write_text(f"{source}symbols = {{'c': {symbol!r}}}\n", "utf-8")
        (flaw,) = prove(judge, path, 5)
        assert (flaw.code, flaw.error) == ("broken", True)
        assert f"he symbol {symbol} of `c`" in flaw.message

    @pytest.mark.parametrize("symbol", ["ρ", "c_i", "ℓ", "x_new", "x_0", "y_{t-1}"])
    def test_other_symbols_are_fine(self, codes, symbol: str) -> None:
        source = GOOD.replace('return {"x":', 'return {"c": 3, "x":').replace("(x)", "(x, c)")
        assert codes(f"{source}symbols = {{'c': {symbol!r}}}\n") == []
