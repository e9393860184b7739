"""The Python twins of the starter deck's checkers: their mathematics against autograd."""

import ast
import inspect
import warnings
from pathlib import Path
from types import ModuleType

import autograd.numpy
import numpy as np
import pytest
from autograd import jacobian

TWINS = sorted(Path(__file__).parents[2].joinpath("python_deck").rglob("*.py"))
TOLERANCE = 1e-7

NUMPY_NOTATION = {
    "np": np,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sum": np.sum,
    "mean": np.mean,
    "inv": np.linalg.inv,
    "tr": np.trace,
    "det": np.linalg.det,
    "diag": np.diag,
}

each_twin = pytest.mark.parametrize("path", TWINS, ids=lambda path: path.stem)


@each_twin
def test_a_written_solution_equals_the_gradient_of_autograd(path):
    checker = load(path)
    for seed in range(3):
        names, truth = problem(checker, seed)
        for asked in differentiated(checker, truth):
            values = [numpy_value(text, names) for text in checker.right[asked]]
            values = [value for value in values if value is not None]
            assert values, f"{asked} has no right answer in NumPy"
            for value in values:
                assert same(value, truth[asked]), (asked, seed)


def load(path: Path) -> ModuleType:
    """The checker as a module, without byte code left in the deck."""
    module = ModuleType(path.stem)
    exec(compile(path.read_text("utf-8"), path, "exec"), vars(module))
    return module


def problem(checker: ModuleType, seed: int, forward=None):
    """Names of a random problem with their values, and the true answers by autograd."""
    rng = np.random.default_rng(seed)
    inputs = checker.sample(rng)
    forward = forward or getattr(checker, "forward", lambda: {})
    outputs = called(forward, inputs)
    upstreams = {
        f"d{name}": rng.standard_normal(np.shape(value)) if np.ndim(value) else 1.7
        for name, value in outputs.items()
    }
    names = {
        **inputs,
        **outputs,
        **upstreams,
        **called(getattr(checker, "let", lambda: {}), inputs),
        **{
            name: np.shape(inputs[of])[axis]
            for name, (of, axis) in getattr(checker, "sizes", {}).items()
        },
        **NUMPY_NOTATION,
    }
    return names, gradients(checker, forward, inputs, outputs, upstreams)


def gradients(checker, forward, inputs, outputs, upstreams):
    """`d<input>` and `d<output>_d<input>` for every input that is a variable."""
    numpy = vars(checker).get("np")
    checker.np = autograd.numpy
    truth = {}
    for name, value in inputs.items():
        if not (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
            continue
        message = 0
        for output in outputs:
            with warnings.catch_warnings():
                # An output may well not depend on an input: its local derivative is 0.
                warnings.filterwarnings("ignore", "Output seems independent")
                local = jacobian(
                    lambda v, name=name, output=output: called(forward, {**inputs, name: v})[output]
                )(value)
            upstream = upstreams[f"d{output}"]
            truth[f"d{output}_d{name}"] = local
            message = message + np.tensordot(upstream, local, axes=np.ndim(upstream))
        truth[f"d{name}"] = message
    checker.np = numpy
    return truth


def differentiated(checker, truth):
    """The asked names that are gradients; closed forms are proven by the judge against `right`."""
    return [asked for asked in checker.answers if asked in truth]


def called(function, names):
    """The function with those names that its parameters ask for."""
    return function(**{name: names[name] for name in inspect.signature(function).parameters})


def numpy_value(text, names: dict):
    """The value of an answer in NumPy notation or a function; None in another notation."""
    if not isinstance(text, str):
        return called(text, names)
    try:
        *lines, last = ast.parse(text.strip()).body
    except SyntaxError:
        return None
    if any(isinstance(line, ast.Assign) and not plain(line) for line in (*lines, last)):
        return None
    scope = dict(names)
    if isinstance(last, ast.FunctionDef):
        exec(text, scope)
        return called(scope[last.name], names)
    exec("\n".join(map(ast.unparse, lines)), scope)
    return eval(ast.unparse(last.value), scope)


def plain(assignment: ast.Assign) -> bool:
    return all(isinstance(target, ast.Name) for target in assignment.targets)


def same(value, truth) -> bool:
    if np.shape(value) != np.shape(truth):
        return False
    return bool(np.max(np.abs(value - truth)) <= TOLERANCE * np.max(np.abs(truth)))
