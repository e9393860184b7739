"""What the sandbox serves for us: the stages of a checker, after a warm-up.

Whatever NumPy, Python or this program import or build on first use is there after the warm-up; once
it is confined, a process can import nothing. A first stage need not wait for all of it.
"""

import contextlib
import importlib
import warnings
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer.card.formulation import Equation, Formulation, Requested, Typed
from quizzer.checker import stages
from quizzer.checker.requests import Describe, Pose, Scout
from quizzer.checker.source import Declared, Source
from quizzer.sandbox.wire import pack, unpack

if TYPE_CHECKING:
    from quizzer.checker.answer import Evaluate
    from quizzer.checker.posed import Posed

_QUIET = 0.1

_MODULES = (
    "array base64 bisect cmath collections copy dataclasses datetime decimal enum fractions "
    "functools graphlib hashlib heapq importlib itertools json linecache math numbers operator "
    "pprint random re secrets statistics string struct textwrap time tokenize traceback typing "
    "unicodedata warnings weakref zlib "
    "numpy.char numpy.dtypes numpy.emath numpy.exceptions numpy.fft numpy.lib.array_utils "
    "numpy.lib.introspect numpy.lib.mixins numpy.lib.scimath numpy.lib.stride_tricks "
    "numpy.linalg numpy.ma numpy.ma.extras numpy.polynomial numpy.random "
    "numpy.rec numpy.strings numpy.typing numpy.version numpy._core._dtype_ctypes "
    "numpy._core._methods numpy._core.strings"
)
_ALL_OF_NUMPY = "numpy.matlib"
"""Imports every part, with those that test and compile: an eighth of all that is imported here."""
_METHODS = ("sum", "prod", "mean", "var", "std", "max", "min", "any", "all", "argmax", "argmin")
_MISTAKES = (
    "array.sum(axis=9)",
    "array @ np.ones(3)",
    "array + np.ones(3)",
    "np.ones(2) + 'a'",
    "np.add(array, None)",
    "np.int64(1) + [None]",
    "array.astype(complex).astype(float)",
    "np.add(array, 1j, out=array)",
    "np.linalg.inv(np.zeros((2, 2)))",
    "array.reshape(5)",
    "array[9, 9, 9]",
    "bool(array)",
)
_CHECKER = """
import numpy as np
answers = ["dx", "dy_dx", "y"]
sizes = {"N": ("x", 0)}
wrong = {"dx": {"forgets y": "dy"}}
def sample(rng):
    n, m = rng.choice([2, 3, 4], size=2, replace=False)
    return {"x": rng.standard_normal((n, m)), "k": 2.0}
def forward(x, k):
    return {"y": k * np.maximum(x, 0.0) @ np.ones((x.shape[1], 2))}
"""
_DECLARED_CHECKERS = "quizzer.checker.declared.build"
_DECLARED = """
x: N × M
size N: 2..3
z[n,m] = tanh(x[n,m])
y = z^T z
h[0] = 1
h[n] = h[n-1] + sum_m z[n,m]
out y, h
need sum(n,m) x[n,m]^2 > 0
ask dx: message
right dx[n,m] = x[n,m]
variant z[n,m] = x[n,m] -- no bend
"""
_TEXTS = (
    "dx = 2 * (x > 0) * np.sum(dy, axis=1, keepdims=True) / N",
    "dx[i,j] = sum(k) dy[i,k] [x[i,j] > 0]",
    "\\frac{1}{N} dy \\mathbf{1} \\odot x^T",
    "def dx(x, dy):\n    return x.nothing",
)

_CARD = Formulation(
    typed=(
        Typed("x", ("N", "M"), 2, "x_{nm}", meaning="what the layer is given"),
        Typed("w", ("M",), 3, "w_m"),
        Typed("dy", ("N",), 4, "\\delta_n", meaning="the upstream"),
    ),
    question=(
        Equation("u_n", ("\\sum_m x_{nm} w_m",), 5, True),
        Equation("y_n", ("\\frac{1}{1 + e^{-u_n}}",), 6, True),
    ),
    requested=(Requested("dx", "backward message", 7),),
)
_STATED = "variant y_n = u_n -- a line only\nright dx_{nm} = dy_n w_m y_n (1 - y_n)"

_DERIVATION = """
u_{nm} = max(x_{nm}, 0)
∂L/∂x_{nm} = Σ_k δ_{km} ∂y_{km}/∂u_{nm} [x_{nm} > 0]
\\frac{\\partial y_{ij}}{\\partial x_{nm}} = 2 u_{ni} [m = j]
dy = dxᵀ x
"""
_OF_CARD = """
∂y_n/∂u_n = e^{-u_n} / (1 + e^{-u_n})² = y_n (1 - y_n)
dL = Σ_n δ_n y_n (1 - y_n) du_n, since du = dx w
⇒ ∂L/∂x_{nm} = δ_n y_n (1 - y_n) w_m
"""


def begin() -> None:
    """Import the least that a first stage needs; OpenBLAS takes its buffers here."""
    import numpy as np

    np.ones((64, 64)) @ np.ones((64, 64))
    np.random.default_rng(0).standard_normal(2)
    stages.POSE.function()
    _be_quiet()


def rest() -> Iterator[float]:
    """Import what stages need, piece by piece: each time after so many idle seconds.

    What judges comes first, as it is needed first.
    """
    yield 0.0
    stages.EVALUATE.function()
    for stage in stages.STAGES.values():
        yield _QUIET
        stage.function()
    yield 0.0
    importlib.import_module(_DECLARED_CHECKERS)
    yield _QUIET
    for name in _MODULES.split():
        with contextlib.suppress(ImportError):  # a part that this version of NumPy does not have
            importlib.import_module(name)
        yield 0.0
    _use_numpy()
    for message in _messages():
        yield 0.0
        stages.serve(message)
        yield 0.0
    _be_quiet()


def everything() -> None:
    """Import what hardly a checker names, too."""
    with warnings.catch_warnings(), contextlib.suppress(ImportError):
        warnings.simplefilter("ignore")
        importlib.import_module(_ALL_OF_NUMPY)


def get_ready(kind: str) -> None:
    """Import what a stage needs."""
    stages.STAGES[kind.removesuffix(stages.OF_DECLARED)].function()
    if kind.endswith(stages.OF_DECLARED):
        importlib.import_module(_DECLARED_CHECKERS)


def warm_up() -> bytes:
    """A short answer to the checker below."""
    return b"evaluate\n" + pack(replace(_request(), texts=_TEXTS[:1]))


def serve(message: bytes) -> bytes:
    """Run the stage that a message asks for."""
    return stages.serve(message)


def _use_numpy() -> None:
    import numpy as np

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array = np.ones((64, 64))
        for function in (np.linalg.svd, np.linalg.inv, np.linalg.eigh, np.linalg.norm, repr, str):
            function(np.eye(8))
        for method in _METHODS:  # NumPy imports what each needs when it is first used
            getattr(array / 64.0, method)(axis=0)
            getattr(np, method)(array)
        array.clip(0.0, 1.0)
        array.round(2)
        for mistake in _MISTAKES:
            with contextlib.suppress(Exception):
                eval(mistake, {"np": np, "array": array})


def _be_quiet() -> None:
    import numpy as np

    np.seterr(all="ignore")
    warnings.simplefilter("ignore")


def _messages() -> Iterator[bytes]:
    """Requests for stages of the checkers above, each made only when it is its turn: it poses its
    problems by a request, too."""
    from quizzer.checker.derivation.derived import Derive
    from quizzer.checker.explain import Explain

    declared, of_card = Declared(_DECLARED), Declared(_STATED, card=_CARD)
    yield b"describe\n" + pack(Describe(_CHECKER))
    yield b"describe\n" + pack(Describe(declared))
    yield b"scout\n" + pack(Scout(_CHECKER, 1.0, 4))
    posed = _posed(_CHECKER)
    others = (
        *(each.instance for each in posed.tied),
        *(each.instance for each in posed.further),
    )
    yield b"explain\n" + pack(Explain(_CHECKER, "dx", posed.instances, others))
    for source, text in ((declared, _DERIVATION), (of_card, _OF_CARD)):
        posed = _posed(source)
        derivation = Derive(source, text, posed.sheet, posed.instances, upstream=True)
        yield b"derive\n" + pack(derivation)
    yield b"evaluate\n" + pack(_request())


@cache
def _request() -> "Evaluate":
    """Answers in every notation to that checker, on two of its instances."""
    from quizzer.checker.answer import Evaluate, Scope

    posed = _posed(_CHECKER)
    scopes = tuple(
        Scope(posed.sheet.answer_names(instance, "dx"), instance.truths["dx"].value.shape)
        for instance in posed.instances
    )
    return Evaluate("dx", _TEXTS, scopes, upstreams=("dy",), others=("dy_dx", "y"))


@cache
def _posed(source: Source) -> "Posed":
    reply = stages.serve(b"pose\n" + pack(Pose(source, 0, 1, confirming=1)))
    return unpack(stages.POSE.result(), reply[1:])
