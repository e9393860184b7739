"""What `quizzer new` writes: a card and a checker that pass `quizzer check` as they are."""

CARD = """---
id: {id}
course: {course}
tags: []
difficulty: 2
type: derivation
status: to_learn
---

# Question
A layer scales each input by a learned factor. Its forward message is
$$ y_i = a_i \\, x_i^2 $$

All of them are vectors of length $n$; the upstream is $\\delta_i = \\partial L / \\partial y_i$.
Derive the backward message $\\partial L / \\partial x_i$.
Derive the parameter message $\\partial L / \\partial a_i$.

---
# Solution
**Short Answer:** $\\frac{{\\partial L}}{{\\partial x_i}} = 2 \\delta_i a_i x_i$.
For the factor, $\\frac{{\\partial L}}{{\\partial a_i}} = \\delta_i x_i^2$.

### Steps / Derivation
1. Output $i$ depends on $x_i$ and $a_i$ only, so no sum is needed.
2. The local derivatives are $2 a_i x_i$ with respect to $x_i$ and $x_i^2$ with respect to $a_i$.
3. Multiply both by the upstream $\\delta_i$.

## Related Concepts
- [[chain-rule]]
"""

CHECKER = '''"""Elementwise y = a x^2: replace this with the layer of your card."""

answers = {"dx": "backward message", "da": "parameter message"}
sizes = {"n": ("x", 0)}


def sample(rng):
    """A random problem: every argument of `forward`, with sizes that vary from call to call."""
    n = rng.integers(3, 8)
    return {"x": rng.standard_normal(n), "a": rng.standard_normal(n)}


def forward(x, a):
    """The forward message; its gradient is what answers are verified against."""
    return {"y": a * x**2}


right = {
    "dx": ["2 * delta * a * x", "dx_i = 2 delta_i a_i x_i"],
    "da": ["delta * x**2"],
}
wrong = {
    "dx": {
        "The upstream gradient is missing.": "2 * a * x",
        "The derivative of the square is 2x, not x.": "delta * a * x",
    },
    "da": {"The derivative is with respect to a; it drops out.": "delta * a * x**2"},
}
'''
