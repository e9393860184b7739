"""The sides of a line as text, in LaTeX or plain: their names, indices and brackets."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

_GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma "
    "tau phi varphi chi psi omega Gamma Delta Theta Lambda Sigma Phi Psi Omega ell"
)
_GRID = re.compile(
    r"\\begin\s*\{(d?cases|[bpvBV]?matrix|array)\*?\}.*?\\end\s*\{\1\*?\}", re.DOTALL
)
_WRAPPED = r"\\(?:hat|bar|tilde|mathbf|boldsymbol|mathrm|mathsf)\s*\{(?:[^{}]|\{[^{}]*\})*\}"
_LETTER = rf"{_WRAPPED}|\\(?:{'|'.join(_GREEK.split())})(?![A-Za-z])"
_BELOW = r"\s*_\s*(?:\{[^{}]*\}|\w)|\[[^\[\]<>=]*\]"
_ABOVE = r"\s*\^\s*(?:\{[^{}]*\}|\\top|\w|\*)"
_NAME = re.compile(rf"(?:{_LETTER}|(?<![A-Za-z\\])[^\W\d_])(?:{_BELOW}|{_ABOVE}|')*")
_WORD = re.compile(rf"(?<![\w\\])[^\W\d_]\w*(?![\w(])(?:\[[^\[\]<>=]*\]|{_ABOVE})*")
_BASE = re.compile(rf"{_WRAPPED}[^_^\[]*|\\[A-Za-z]+|[^_^\[]*")
"""A name without its indices and powers; it may be empty."""
_OPENED = re.compile(r"\\left\s*\(|\(")
CALLED = re.compile(
    r"(?:\\(?:exp|log|ln|tanh|sin|cos|max|min|det|sigma)|(?<![\w\\])[A-Za-z]{2,}|σ"
    r"|\\(?:mathrm|operatorname)\s*\{[a-z]+\})\s*$"
)
_APPLIED = re.compile(r"(?:\\sigma|σ)(?=\s*(?:\\left\s*)?\()")
"""A letter that is a function where a bracket follows."""
_OVER_ITSELF = re.compile(r"\\frac\s*\{((?:[^{}]|\{[^{}]*\})*)\}\s*\{\1\}")
_SPACES = re.compile(r"\\[,;!: ]|\\(?:left|right)(?![A-Za-z])|\s")
_NO_NAMES = {
    "Σ",
    "Π",
    "sum",
    "mean",
    "max",
    "min",
    "e",
    "I",
    "T",
    "diag",
    "exp",
    "log",
    "sqrt",
    "d",
    "if",
}


class Side:
    """A right side, with how deep each place is and whether it is an index."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_latex = "\\" in text or "_{" in text

    @cached_property
    def roles(self) -> str:
        """For each place `b` for base, `s` for an index, `p` for a power, `w` for no math."""
        roles: list[str] = []
        stack, at = ["b"], 0
        while at < len(self.text):
            mark = self.text[at]
            word = re.match(r"\\(?:text|begin|end|operatorname)\s*\{[^{}]*\}", self.text[at:])
            if word:
                roles += "w" * len(word[0])
                at += len(word[0])
                continue
            if mark in "_^" and at + 1 < len(self.text):
                inner = "s" if mark == "_" or stack[-1] == "s" else "p"
                roles.append(stack[-1])
                if self.text[at + 1] == "{":
                    roles.append(stack[-1])
                    stack.append(inner)
                    at += 2
                else:
                    roles.append(inner)
                    at += 2
                continue
            if mark == "{":
                stack.append(stack[-1])
            elif mark == "}" and len(stack) > 1:
                stack.pop()
            elif mark == "[":
                stack.append("s")
            elif mark == "]" and len(stack) > 1:
                stack.pop()
            roles.append(stack[-1])
            at += 1
        return "".join(roles)

    def is_base(self, place: int) -> bool:
        return self.roles[place] == "b"

    @cached_property
    def names(self) -> list[re.Match[str]]:
        """Where its names are, with their indices and powers; no functions."""
        pattern = _NAME if self.is_latex else _WORD
        return [
            match
            for match in pattern.finditer(self.text)
            if re.sub(r"[_^\[].*", "", match[0].strip()) not in _NO_NAMES
            and not _APPLIED.match(self.text, match.start())
        ]

    @cached_property
    def cancels(self) -> bool:
        """Whether it takes away what it has added, `a + b - a`, or has something over itself."""
        if _OVER_ITSELF.search(self.text):
            return True
        spans = ((0, len(self.text)), *_enclosed(self.text))
        return any(_takes_back(self.text[start:end]) for start, end in spans)

    def without(self, start: int, end: int, now: str = "") -> str:
        return f"{self.text[:start]}{now}{self.text[end:]}"

    def before(self, place: int) -> str:
        """The sign before this place; empty at the start."""
        return self.text[:place].rstrip(" \t").removesuffix(r"\,").rstrip()[-1:]


def sides(line: str) -> list[str]:
    """The text between the equals signs outside of brackets and cases, and before any condition;
    the first is empty before `= …`."""
    cuts, depth = [-1], 0
    plain = _GRID.sub(lambda grid: " " * len(grid[0]), line)
    for at, sign in enumerate(plain.partition(" if ")[0]):
        depth = max(0, depth + (sign in "([{") - (sign in ")]}"))
        around = line[max(0, at - 1) : at] + line[at + 1 : at + 2]
        if sign == "=" and not depth and not any(each in "<>=!" for each in around):
            cuts.append(at)
    return [line[a + 1 : b].strip() for a, b in pairwise((*cuts, len(line)))]


def names_in(side: str) -> list[str]:
    """The names in a side with their indices, in order."""
    found = Side(side)
    return [match[0].strip() for match in found.names if found.is_base(match.start())]


def parted(name: str) -> tuple[str, str]:
    """A name and its indices and powers."""
    cut = next(_BASE.finditer(name)).end()
    return name[:cut].strip(), name[cut:]


def bare(base: str) -> str:
    return re.sub(r"\\[a-z]+\s*\{|\}", "", base)


def depth_at(text: str, place: int) -> int:
    depth = 0
    for sign in text[:place]:
        depth += (sign in "([{") - (sign in ")]}")
    return depth


def brackets(text: str) -> Iterator[tuple[int, int]]:
    """What is between round brackets."""
    for match in _OPENED.finditer(text):
        depth, start = 1, match.end()
        for place in range(start, len(text)):
            depth += (text[place] == "(") - (text[place] == ")")
            if depth == 0:
                closing = re.search(r"\\right\s*$", text[start:place])
                yield start, start + closing.start() if closing else place
                break


def _enclosed(text: str) -> Iterator[tuple[int, int]]:
    """What is between brackets of any kind, the inner ones first."""
    opened = list[int]()
    for place, sign in enumerate(text):
        if sign in "([{":
            opened.append(place + 1)
        elif sign in ")]}" and opened:
            yield opened.pop(), place


def _takes_back(text: str) -> bool:
    cuts = [m.start() for m in re.finditer(r"[+-]", text) if depth_at(text, m.start()) == 0]
    first = "" if text[:1] in ("+", "-") else "+"
    ends = zip([0, *cuts], [*cuts, len(text)], strict=True)
    terms = [_SPACES.sub("", (first if not start else "") + text[start:end]) for start, end in ends]
    return any(f"-{term[1:]}" in terms for term in terms if len(term) > 1 and term[0] == "+")
