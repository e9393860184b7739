"""Answers to forwards of other projects and of textbooks, each beside NumPy that means the same.

`outside/unseen` was written by someone who had seen neither the reader's code nor what it makes of
an answer, and is not changed any more; `outside/seen` was judged while it grew; `outside/paper` has
more right answers to both, as people write them. A table bears the stem of its checker:

    @ dx                              the asked name
    + dy * np.cos(x)                  right answers; the first, in NumPy, says what all of them mean
    dx_i = \\delta_i \\cos x_i
    - the sign                        wrong answers, and what is wrong with them
    -dy * np.cos(x)
    | ...                             the next line of the same answer

What is right is not for this file to say: `by_autograd` differentiates the forward, and the NumPy
of a table is held against that.
"""

import ast
import builtins
import inspect
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import autograd
import autograd.numpy
import numpy as np
from corpus.reading import module

OUTSIDE = Path(__file__).parent / "outside"
CHECKERS = sorted(OUTSIDE.glob("*/*.py"))

Array = np.ndarray
Names = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to one asked name; `meaning` is NumPy for what it says."""

    checker: Path
    asked: str
    text: str
    right: bool
    why: str
    meaning: str
    table: Path

    def __str__(self) -> str:
        told = "right" if self.right else f"wrong, {self.why}"
        return f"{self.checker.stem}: {self.asked}: {self.text!r} ({told})"

    @property
    def written_in(self) -> str:
        """The notation, as its writer sees it: in NumPy where Python can read it."""
        if _compiled(self.text, self.asked) is not None:
            return "numpy"
        line = self.text.splitlines()[-1].replace("\\nabla_", "")
        left, equals, right = line.partition("=")
        if equals and re.search(r"_|\[", left.replace(self.asked, "", 1)):
            return "index"
        return "index" if re.search(r"(sum|prod|Σ|mean)_", right or left) else "matrix"


def answers(checker: Path) -> Iterator[Answer]:
    """All answers to a checker: of the table beside it, and of the one in `paper`."""
    meant: dict[str, str] = {}
    for table in (checker.with_suffix(".txt"), OUTSIDE / "paper" / f"{checker.stem}.txt"):
        asked, right, why, meaning = "", True, "", ""
        for text in _entries(table):
            mark, rest = text[:2], text[2:]
            if mark == "@ ":
                asked, right, why, meaning = rest, True, "", meant.get(rest, "")
            elif mark == "- ":
                right, why, meaning = False, rest, ""
            else:
                if mark == "+ ":
                    right, why, meaning, text = True, "", "", rest
                meaning = meaning or text
                if right:
                    meant.setdefault(asked, meaning)
                yield Answer(checker, asked, text, right, why, meaning, table)


def _entries(table: Path) -> list[str]:
    entries: list[str] = []
    for line in table.read_text("utf-8").splitlines() if table.exists() else []:
        if line.startswith("| "):
            entries[-1] += "\n" + line[2:]
        elif line.strip():
            entries.append(line)
    return entries


@dataclass(frozen=True, slots=True)
class Draw:
    """One random problem: what an answer may name, and the derivatives that are asked."""

    names: Names
    truths: Mapping[str, Array]
    upstream: float | None
    """Of a single 0-d output: an answer may carry it or not."""


def draw(checker: Path, seed: int) -> Draw:
    """A problem of the checker's own sampling, differentiated by autograd."""
    loaded, traced = module(checker), module(checker)
    vars(traced)["np"] = autograd.numpy
    rng = np.random.default_rng([seed, 77])
    inputs = loaded.sample(rng)
    outputs = _of(loaded.forward, inputs)
    upstreams = {f"d{name}": rng.standard_normal(np.shape(y)) for name, y in outputs.items()}
    names = dict(inputs) | outputs | upstreams
    if hasattr(loaded, "let"):
        names |= _of(loaded.let, inputs)
    for size, (name, axis) in getattr(loaded, "sizes", {}).items():
        names[size] = np.shape(inputs[name])[axis]
    (upstream, *more) = upstreams.values()
    if not more:
        names["delta"] = names["δ"] = upstream
    for name, symbol in getattr(loaded, "symbols", {}).items():
        names[symbol] = names[name]
    truths = by_autograd(traced.forward, inputs, upstreams)
    single = not more and not np.ndim(upstream)
    return Draw(names, truths, float(upstream) if single else None)


def by_autograd(forward: FunctionType, inputs: Names, upstreams: Names) -> dict[str, Array]:
    """`d<input>` and `d<output>_d<input>` of every variable."""
    found: dict[str, Array] = {}
    for name, value in inputs.items():
        if not (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
            continue
        message: Array | float = 0.0
        for upstream, weight in upstreams.items():

            def output(x: Array, name: str = name, upstream: str = upstream) -> Array:
                return _of(forward, {**inputs, name: x})[upstream[1:]]

            local = np.asarray(autograd.jacobian(output)(value))
            found[f"{upstream}_d{name}"] = local
            message = message + np.tensordot(weight, local, axes=np.ndim(weight))
        found[f"d{name}"] = np.asarray(message)
    return found


def _of(function: FunctionType, names: Names) -> Any:
    return function(**{name: names[name] for name in inspect.signature(function).parameters})


def value(text: str, asked: str, names: Names) -> Array | None:
    """What a text means where Python with NumPy can read it."""
    code = _compiled(text, asked)
    if code is None:
        return None
    scope = {**_FUNCTIONS, **names}
    try:
        exec(code, scope)
        result = scope["answer_"]
        return np.asarray(_of(result, scope) if callable(result) else result, float)
    except (NameError, TypeError):
        return None


@cache
def _compiled(text: str, asked: str) -> CodeType | None:
    """The code that leaves the answer in `answer_`, if the text is Python's."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    last = tree.body[-1]
    if isinstance(last, ast.FunctionDef):
        last = ast.Expr(ast.Name(last.name, ast.Load()))
        tree.body.append(last)
    if not isinstance(last, ast.Expr | ast.Assign) or any(map(_of_paper, ast.walk(tree))):
        return None
    if isinstance(last, ast.Assign) and ast.unparse(last.targets[0]) != asked:
        return None  # an index is not Python's
    tree.body[-1] = ast.Assign([ast.Name("answer_", ast.Store())], last.value)
    return compile(ast.fix_missing_locations(tree), "<answer>", "exec")


def _of_paper(node: ast.AST) -> bool:
    """Whether what Python can parse is meant otherwise: a power, a product, an Iverson bracket."""
    match node:
        case (
            ast.BinOp(op=ast.BitXor()) | ast.BinOp(right=ast.List()) | ast.Assign(value=ast.List())
        ):
            return True
        case ast.Subscript(value=ast.List()) | ast.UnaryOp(operand=ast.List()):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name not in _FUNCTIONS and not hasattr(builtins, name)
        case ast.Call(func=ast.Attribute()):
            return False
        case ast.Call():
            return True
    return False


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


@np.vectorize
def _digamma(x: float) -> float:
    """Stirling's series at a large x, and ψ(x) = ψ(x + 1) - 1/x on the way there."""
    below = 0.0
    while x < 20:
        below += 1 / x
        x = x + 1
    return float(math.log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4) - below)


_FUNCTIONS = {
    "np": np,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sign": np.sign,
    "norm": np.linalg.norm,
    "inv": np.linalg.inv,
    "tr": np.trace,
    "diag": np.diag,
    "digamma": _digamma,
    "sigmoid": _sigmoid,
    "Φ": np.vectorize(lambda x: (1 + math.erf(x / math.sqrt(2))) / 2),
    "softplus": lambda x: np.logaddexp(0, x),
    "softmax": lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
}
