import pytest

from quizzer.tex import inline


@pytest.mark.parametrize(
    ("latex", "line"),
    [
        (r"\frac{a + b}{c}", "(a + b)/c"),
        (r"\frac{a}{bc}", "a/(bc)"),
        (r"\frac{ab}{c_i}", "ab/cᵢ"),
        (r"\frac{a}{b} c", "(a/b) c"),
        (r"\frac{a}{b}\,c", "(a/b) c"),
        (r"c + \frac{a}{b}", "c + a/b"),
        (r"\frac{1}{f(x)}", "1/f(x)"),
        (r"\frac{1}{(a)(b)}", "1/((a)(b))"),
        (r"\frac{(a)(b)}{c}", "(a)(b)/c"),
        (r"\frac{\log x}{y}", "(log x)/y"),
        (r"\log \frac{a}{b}", "log (a/b)"),
        (r"\frac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"\frac{1}{2}x", "½ x"),
        (r"-\frac{a}{b}", "−a/b"),
        (r"\left(\frac{a}{b}\right)^2", "(a/b)²"),
        (r"\frac{\partial^2 f}{\partial x \partial y}", "∂²f/(∂x∂y)"),
    ],
)
def test_a_fraction_is_bracketed_where_it_would_be_misread(latex: str, line: str) -> None:
    assert inline(latex) == line


@pytest.mark.parametrize(
    ("latex", "line"),
    [
        ("x_{ij}", "xᵢⱼ"),
        ("x_d", "x_d"),
        ("x_{dk}", "x_dk"),
        ("x_d y", "x_d y"),
        ("W_b + W_i", "W_b + W_i"),
        ("W_b + W_{i,j}", "W_b + W_(i,j)"),
        ("W_b + h_{t-1}", "W_b + hₜ₋₁"),
        (r"\nabla_\theta L + x_i", "∇_θ L + xᵢ"),
        (r"L_{\text{CE}} + x_i", "L_CE + xᵢ"),
        ("W^Q + W^K + x^2", "W^Q + W^K + x²"),
        (r"\mathrm{Bias}^2", "Bias²"),
        ("x_{i,j}", "xᵢ,ⱼ"),
        (r"x_{i+1,\,j}", "xᵢ₊₁,ⱼ"),
        ("x_{i,}", "x_(i,)"),
        (r"x_{\theta,j}", "x_(θ,j)"),
        ("e^{-x^2/2}", "e^(−x²/2)"),
        ("e^{z_i}", "e^(zᵢ)"),
        (r"A^\top B^{-1}", "AᵀB⁻¹"),
        ("{ab}^2", "(ab)²"),
        ("{x^y}^z", "(xʸ)ᶻ"),
        (r"\sum_{i=1}^n x_i", "∑ᵢ₌₁ⁿ xᵢ"),
        ("f''(x)", "f″(x)"),
        (r"\left.f\right|_{x=0}", "f|ₓ₌₀"),
    ],
)
def test_scripts_are_small_where_unicode_allows(latex: str, line: str) -> None:
    assert inline(latex) == line


@pytest.mark.parametrize(
    ("latex", "line"),
    [
        (r"\sqrt{x}", "√x"),
        (r"\sqrt{x + 1}", "√(x + 1)"),
        (r"\sqrt[3]{xy}", "∛(xy)"),
        (r"\binom{n}{k} p", "(n choose k) p"),
        (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "(a, b; c, d)"),
        (r"\begin{cases} 1, & x > 0 \\ 0, & x \le 0 \end{cases}", "{ 1, x > 0; 0, x ≤ 0 }"),
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "a = b = c"),
        (r"\hat{x}\hat{AB}", "x̂ hat(AB)"),
        (r"\boxed{x}\phantom{y}", "x"),
        (r"\begin{eqnarray} a &=& b \\ &=& c \end{eqnarray}", "a = b = c"),
        (r"\begin{array}{rcl} a &=& b \\ &\le& c \end{array}", "a = b ≤ c"),
        (r"\begin{array}{ccc} a & b & c \end{array}", "[a, b, c]"),
    ],
)
def test_structures_have_a_form_on_one_line(latex: str, line: str) -> None:
    assert inline(latex) == line


@pytest.mark.parametrize(
    ("latex", "line"),
    [
        ("x_{ij}^{n+1}", "x_ij^(n+1)"),
        (r"m\sqrt{x}", "m sqrt(x)"),
        (r"\left\lceil x \right\rceil", "ceil(x)"),
        (r"y'^2", "y'^2"),
        (r"\mathbf{x} \in \mathbb{R}^d", "x in R^d"),
        (r"a \not= b", "a != b"),
        (r"X \perp\!\!\!\perp Y, u \perp v", "X _||_ Y, u _|_ v"),
        (r"a \lhd \aleph", "a lhd aleph"),
        (r"A \not\subset B \not\equiv C", "A !subset B !== C"),
    ],
)
def test_ascii_has_a_form_of_its_own(latex: str, line: str) -> None:
    assert inline(latex, ascii=True) == line
