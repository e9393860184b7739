"""Whether a text that is being typed must go on: seen from the text alone, without reading it."""

import re

_OPEN, _CLOSE = "([{⟨", ")]}⟩"
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{")
_FENCE = "```"
_MATH = re.compile(r"(?<!\\)\$\$?|\\[\[\]]")
_OPERATOR = re.compile(
    r"(?:[-+*/@%^_.,:;=<>&|~·×⊙⊘⊗∘±−≤≥≠≈∈∉∂∇√\\]|\\[A-Za-z]+\*?|\b(?:and|or|not|if|else|for|in|where))$"
)
"""What always has something behind it; a command in LaTeX may go on, or wants its argument."""
_BINDER = re.compile(
    r"(?:\\?(?:sum|prod|max|min|mean)|[ΣΠ∑∏])(?:_\w+|_\{[^{}]*\}|\([^()]*\))?(?:\^\w+|\^\{[^{}]*\})?$"
)
_FUNCTION = re.compile(
    r"(?<![^\W_])(?:exp|log|ln|sqrt|sin|cos|tan|tanh|sec|abs|sign|sigmoid|σ|softmax|relu|tr|Tr|det|diag|"
    r"inv|norm|np|mathbb\{1\}|mathbb\{I\}|mathbf\{1\})$"
)
_LEFT_SIDE = re.compile(
    r"\s*(?:&\s*)?(?:∂|∇|d\w*/|\\frac\s*\{\\?(?:partial|d\b|mathrm)|\\nabla|\\delta)"
)


def goes_on(text: str) -> bool:
    """Whether the text cannot end here: something is open, or its last sign wants another."""
    stripped = text.rstrip()
    return (
        _has_open(stripped)
        or bool(_OPERATOR.search(stripped) or _BINDER.search(stripped))
        or bool(_FUNCTION.search(stripped))
        or _is_left_side(stripped)
    )


def last_term(text: str) -> int:
    """Where the last term of the text begins: behind the last sum or equals sign outside brackets,
    or its last line."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        depth = max(0, depth + (sign in _OPEN) - (sign in _CLOSE))
        if not depth and sign in "+-−=\n" and text[:place].strip():
            start = place + 1
    return start


def _has_open(text: str) -> bool:
    depth = 0
    for sign in text:
        depth = max(0, depth + (sign in _OPEN) - (sign in _CLOSE))
    environments = [match[1] for match in _ENVIRONMENT.finditer(text)]
    marks = [match[0] for match in _MATH.finditer(text)]
    return (
        depth > 0
        or environments.count("begin") > environments.count("end")
        or text.count(_FENCE) % 2 == 1
        or marks.count("$") % 2 == 1
        or marks.count("$$") % 2 == 1
        or marks.count("\\[") > marks.count("\\]")
    )


def _is_left_side(text: str) -> bool:
    """Whether the last line may become one."""
    line = text.rpartition("\n")[2].strip()
    return "=" not in line and bool(_LEFT_SIDE.match(line) or _is_one_factor(line))


def _is_one_factor(line: str) -> bool:
    if line[0] in _OPEN:
        return False
    depth = 0
    for sign in line:
        depth = max(0, depth + (sign in _OPEN) - (sign in _CLOSE))
        if not depth and (sign.isspace() or sign in "+-−*/@⊙·"):
            return False
    return True
