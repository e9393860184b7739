import pytest

from quizzer.form.changes import changes


def made(right: str, kind: str, left: str = "") -> list[str]:
    return [each.right for each in changes(right, left) if each.kind == kind]


@pytest.mark.parametrize(
    ("right", "kind", "changed"),
    [
        (r"p_j (\delta_j - s)", "sign", r"p_j (\delta_j + s)"),
        (r"e^{-x}", "sign", r"e^{x}"),
        (r"\delta x", "sign", r"-\delta x"),
        (r"\frac{1}{N} X^\top y", "size-factor", r"X^\top y"),
        (r"\frac{1}{2} (a - b)", "factor", "(a - b)"),
        (r"2 X w", "factor", "X w"),
        (r"X^\top y", "transposed", "X y"),
        (r"\sum_m W_{mi} \delta_m", "transposed", r"\sum_m W_{im} \delta_m"),
        ("p (1 - p) + q", "missing-term", "p (1 - p)"),
        ("p (q - r)", "missing-term", "p q"),
        (r"\frac{a}{s^2}", "one-edit", r"\frac{a}{s}"),
        (r"\delta \odot (1 - h)", "one-edit", r"\delta"),
        ("dx[i] a", "one-edit", "a"),
    ],
)
def test_a_line_may_slip_by(right: str, kind: str, changed: str) -> None:
    assert changed in made(right, kind)


def test_no_change_touches_the_sign_of_an_index_or_of_a_power() -> None:
    assert made(r"h_{t-1} C^{-1}", "sign") == [r"-h_{t-1} C^{-1}"]


def test_no_change_leaves_a_sign_without_a_term() -> None:
    assert not [each for each in changes("p ([k = j] - q)") if "( -" in each.right]


def test_an_index_never_comes_twice_to_one_name() -> None:
    assert not [each for each in changes("W_{mi} x_i") if "W_{ii}" in each.right]


@pytest.mark.parametrize("right", [r"1 - \sigma(-b)", r"\sigma \left( a \right) v_i"])
def test_no_change_takes_a_function_for_a_number(right: str) -> None:
    edited = [each.right for each in changes(right, names=["a", "b", "v_i"])]
    assert edited
    assert all(r"\sigma" in each for each in edited if "(" in each)


@pytest.mark.parametrize(
    ("right", "odd"),
    [
        (r"\frac{n + 2p - w}{s}", r"\frac{w + 2p - w}{s}"),
        ("[a > b] - [a < b]", "[a > b] - [a > b]"),
        ("x (y - z)", "x (y - y)"),
        (r"\frac{n_{kl}}{p_{kl}}", r"\frac{n_{kl}}{n_{kl}}"),
    ],
)
def test_no_change_leaves_what_cancels(right: str, odd: str) -> None:
    edited = [each.right for each in changes(right, names=["n", "w", "p", "x", "y", "z", "n_{kl}"])]
    assert edited
    assert odd not in edited


@pytest.mark.parametrize(
    ("right", "changed"),
    [
        (r"\sin(x) y", r"\cos(x) y"),
        ("max(x, 0)", "min(x, 0)"),
        (r"\delta_i [x_i > 0]", r"\delta_i [x_i < 0]"),
    ],
)
def test_one_function_or_comparison_is_taken_for_another(right: str, changed: str) -> None:
    assert changed in made(right, "one-edit")
