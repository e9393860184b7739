"""The reader under load: fuzzed texts, time by length, and evaluation beside hand-written NumPy.

    python benchmarks/notation.py [--texts N] [--seed S]

Texts are right answers of the corpus, mutated: pieces cut out, doubled, exchanged with those of
others. None may raise.

Evaluation is that of the starter deck's forwards, written in `forwards.txt` as the cards state
them: one row a card, in microseconds, beside the card's own forward in NumPy. Both are warm and
must give the same values. Only this: `--texts 0`.
"""

import argparse
import json
import re
import statistics
import sys
import time
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from quizzer.checker.instance import Instance, draw_inputs, work_out
from quizzer.checker.load import Checker, load
from quizzer.notation import Context, Invalid, Reading, read

ROOT = Path(__file__).parents[1]
PAPER = ROOT / "tests" / "corpus" / "paper"
TWINS = ROOT / "tests/python_deck"
FORWARDS = Path(__file__).with_name("forwards.txt")
SAMPLES, REPEATS, RUNS = 12, 5, 100
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    raised = 0
    if wanted.texts:
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
    """Each forward of the deck by hand and as read, both warm, on one instance."""
    ratios = []
    for card, texts in _forwards().items():
        checker = load((TWINS / f"{card}.py").read_text("utf-8"))
        drawn = [_drawn(checker, seed) for seed in range(SAMPLES)]
        readings = _readings(checker, drawn, texts)
        if not readings:
            continue
        inputs, outputs = drawn[0].inputs, drawn[0].outputs
        env = {**inputs, **_sizes(checker, drawn[0])}
        arguments = signature(checker.forward).parameters if checker.forward else ()
        by_hand = {name: inputs[name] for name in arguments}

        def ours(readings=readings, env=env, outputs=outputs) -> dict[str, Any]:
            known = dict(env)
            for name, reading in readings.items():
                known[name] = reading.evaluate(known, outputs[name].shape)
            return known

        found = ours()
        for name, output in outputs.items():
            assert not isinstance(found[name], Invalid), f"{card}: {found[name].message}"
            np.testing.assert_allclose(found[name], output, rtol=1e-9, atol=1e-9, err_msg=card)
        took = _fastest(ours)
        plain = _fastest(lambda by_hand=by_hand, run=checker.forward: run(**by_hand))
        ratios.append(took / plain)
        print(f"{card:<48}{took:>8.1f} µs{plain:>8.1f} µs{took / plain:>8.1f} x")
    print(
        f"{len(ratios)} forwards: median {statistics.median(ratios):.1f} x, "
        f"worst {max(ratios):.1f} x hand-written NumPy"
    )


def _forwards() -> dict[str, list[str]]:
    """For each card the text of each output."""
    found: dict[str, list[str]] = {}
    texts: list[str] = []
    for paragraph in FORWARDS.read_text("utf-8").strip().split("\n\n"):
        heading, _, text = paragraph.partition("\n")
        if heading.startswith("["):
            texts = found[heading[1:-1]] = [text]
        else:
            texts.append(paragraph)
    return found


def _drawn(checker: Checker, seed: int) -> Instance:
    return work_out(checker, draw_inputs(checker, np.random.default_rng(seed)))


def _sizes(checker: Checker, drawn: Instance) -> dict[str, int]:
    names = drawn.names
    return {size: np.shape(names[array])[axis] for size, (array, axis) in checker.sizes.items()}


def _readings(checker: Checker, drawn: list[Instance], texts: list[str]) -> dict[str, Reading]:
    """What computes each output, which may use the outputs before it."""
    found = {}
    outputs: list[str] = []
    for name, text in zip(drawn[0].outputs, texts, strict=True):
        samples, values = [], []
        for each in drawn:
            known = {**each.inputs, **{output: each.outputs[output] for output in outputs}}
            known |= _sizes(checker, each)
            whole = {k: int(v) for k, v in known.items() if isinstance(v, int | np.integer)}
            samples.append({k: np.shape(v) for k, v in known.items()})
            values.append(whole)
        context = Context(
            shapes=samples[0],
            asked=name,
            asked_shape=drawn[0].outputs[name].shape,
            symbols=checker.symbols,
            numbers=frozenset(k for k, v in known.items() if not isinstance(v, np.ndarray)),
            first_index=checker.first_index,
            samples=tuple(
                {**sample, name: each.outputs[name].shape}
                for sample, each in zip(samples, drawn, strict=True)
            ),
            values={k: tuple(each[k] for each in values) for k in values[0]},
        )
        reading = read(text, context)
        if isinstance(reading, Invalid):
            print(f"{text}: {reading.message}")
            return {}
        assert reading.program is None, f"{text} was read as NumPy"
        found[name] = reading
        outputs.append(name)
    return found


def _fastest(run: Callable[[], Any]) -> float:
    """The fastest of some repeats, each the median of many runs."""
    return min(_median(run) for _ in range(REPEATS))


def _median(run: Callable[[], Any]) -> float:
    took = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        run()
        took.append(1e6 * (time.perf_counter() - begun))
    return statistics.median(took)


if __name__ == "__main__":
    sys.exit(main())
