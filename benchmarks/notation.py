"""The reader under load: fuzzed texts, time by length, and evaluation beside hand-written NumPy.

    python benchmarks/notation.py [--texts N] [--seed S]

Texts are right answers of the corpus, mutated: pieces cut out, doubled, exchanged with those of
others. None may raise. Evaluation is that of formulas that `tests/corpus/paper` does not hold: one
row a formula, in microseconds, with its ratio to NumPy.
"""

import argparse
import json
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from quizzer.notation import Context, Reading, read

PAPER = Path(__file__).parents[1] / "tests" / "corpus" / "paper"
SHAPES = {
    "X": (8, 5),
    "W": (5, 3),
    "Y": (8, 3),
    "w": (5,),
    "x": (5,),
    "y": (8,),
    "p": (5,),
    "k": (3,),
    "dy": (8, 3),
    "A": (5, 5),
    "s": (),
}
PIECE = re.compile(r"\\[A-Za-z]+|[A-Za-z]+|[0-9.]+|\s+|.", re.DOTALL)
FORMULAS: list[tuple[str, str, Callable[..., Any]]] = [
    ("dx", "dx = X^T y", lambda X, y, **_: X.T @ y),
    ("dx", "dx_i = Σ_n X_ni y_n", lambda X, y, **_: X.T @ y),
    ("dx", "dx_i = (X^T y)_i", lambda X, y, **_: X.T @ y),
    ("dx", "dx = p ⊙ (x - p^T x)", lambda p, x, **_: p * (x - p @ x)),
    ("dx", "dx_j = p_j (x_j - Σ_k p_k x_k)", lambda p, x, **_: p * (x - p @ x)),
    ("dx", "dx_j = Σ_u k_u x_{j-u}", lambda k, x, **_: np.convolve(x, k)[:5]),
    ("dx", "dx_i = σ(x_i) (1 - σ(x_i)) p_i", lambda x, p, **_: p * _s(x) * (1 - _s(x))),
    ("dx", "dx = A^{-1} (x - w)", lambda A, x, w, **_: np.linalg.inv(A) @ (x - w)),
    ("dx", "dx_i = [x_i > 0] p_i", lambda x, p, **_: (x > 0) * p),
]


def _s(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    raised = _fuzz(wanted.texts, Random(wanted.seed))
    _lengths()
    _speed()
    return 1 if raised else 0


def _context() -> Context:
    return Context(SHAPES, "dx", (5,), {}, ("dy",), frozenset({"s"}))


def _env() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    return {name: rng.uniform(1, 2, shape) for name, shape in SHAPES.items()}


def _fuzz(count: int, rng: Random) -> int:
    texts = [
        json.loads(line)["answer"]
        for path in sorted(PAPER.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    context, env, read_ones, raised, slowest = _context(), _env(), 0, 0, 0.0
    for _ in range(count):
        text = _mutated(rng.choice(texts), rng.choice(texts), rng)
        begun = time.perf_counter()
        try:
            reading = read(text, context)
            if isinstance(reading, Reading):
                read_ones += 1
                reading.shown()
                reading.latex()
                if reading.program is None:
                    reading.evaluate(env, (5,))
        except Exception as error:
            raised += 1
            print(f"{type(error).__name__}: {error}: {text!r}")
        slowest = max(slowest, time.perf_counter() - begun)
    print(f"{count:,} texts, {read_ones:,} read, {raised} raised, slowest {1e3 * slowest:.0f} ms")
    return raised


def _mutated(text: str, other: str, rng: Random) -> str:
    pieces, others = PIECE.findall(text), PIECE.findall(other)
    for _ in range(rng.randint(0, 3)):
        at = rng.randrange(len(pieces)) if pieces else 0
        kind = rng.randrange(4)
        if kind == 0:
            del pieces[at : at + rng.randint(1, 3)]
        elif kind == 1:
            pieces[at:at] = pieces[at : at + rng.randint(1, 4)]
        elif kind == 2:
            pieces[at : at + 1] = [rng.choice(others)] if others else []
        else:
            names = [k for k, piece in enumerate(pieces) if piece.isalpha()]
            if names:
                pieces[rng.choice(names)] = rng.choice(list(SHAPES))
    return "".join(pieces)


def _lengths() -> None:
    for terms in (25, 50, 100, 200):
        text = "dx_i = " + " + ".join(["p_i (x_i - Σ_k p_k x_k)"] * terms)
        begun = time.perf_counter()
        read(text[:4_000], _context())
        print(
            f"{min(len(text), 4_000):>6} signs read in {1e3 * (time.perf_counter() - begun):.1f} ms"
        )


def _speed() -> None:
    env, ratios = _env(), []
    for asked, text, by_hand in FORMULAS:
        reading = read(text, Context(SHAPES, asked, (5,), {}, (), frozenset({"s"})))
        if not isinstance(reading, Reading):
            print(f"{text}: {reading.message}")
            continue
        np.testing.assert_allclose(reading.evaluate(env, (5,)), by_hand(**env))
        ours = _median(lambda reading=reading: reading.evaluate(env, (5,)))
        plain = _median(lambda by_hand=by_hand: by_hand(**env))
        ratios.append(ours / plain)
        print(f"{text:<34}{ours:>8.1f} µs{plain:>8.1f} µs{ours / plain:>8.1f} x")
    print(f"median {statistics.median(ratios):.1f} x, worst {max(ratios):.1f} x")


def _median(run: Callable[[], Any]) -> float:
    took = []
    for _ in range(300):
        begun = time.perf_counter()
        run()
        took.append(1e6 * (time.perf_counter() - begun))
    return statistics.median(took)


if __name__ == "__main__":
    sys.exit(main())
