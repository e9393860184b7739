"""How far verdicts and diagnoses can be trusted: the corpus of the tests over many seeds.

The same answers on the same instances are then put to the acceptance rules of other projects,
written down anew from their published defaults, in double precision:

- torch.autograd.gradcheck: every entry within 1e-5 + 1e-3 |numeric|, step 1e-6;
- its fast mode: one projection on positive unit vectors, the absolute part scaled by their sums;
- jax.test_util.check_grads: one Gaussian projection within 1e-5 + 1e-5 |numeric|, step 1e-4;
- autograd.test_util.check_grads: one Gaussian projection within 1e-6 or 1e-6 relative, step 5e-7;
- numpy.allclose against the exact derivative, which broadcasts.

Each of them looks at one instance. Run: .venv/bin/python benchmarks/checking.py [--seeds 60]

At last the answers of outside sources, labelled by autograd, over so many seeds that there are
100,000 judgements, in two processes; only these: --only outside. Fewer: --judgements 10000.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from corpus import outside_answers
from corpus.nonsense import in_index_notation, in_numpy
from corpus.outside_judging import Tally, tally
from corpus.reading import CHECKERS, UNSPECIFIC, Case, cases, outcome

from quizzer.checker import SERVICE
from quizzer.checker.instance import Instance
from quizzer.checker.jacobians import derivative_shape, flat_forward, weights
from quizzer.checker.load import Checker, load
from quizzer.checker.meaning import Kind, resolve
from quizzer.checker.posed import Posed
from quizzer.checker.problem import Pose, pose
from quizzer.checker.remote import RemoteChecker
from quizzer.judge.case import evaluate
from quizzer.judge.judge import verdict
from quizzer.judge.judges import Judge
from quizzer.judge.prepared import Prepared
from quizzer.sandbox.worker import best_worker
from quizzer.values import Verdict

SEEDS_WITH_REPAIR = 3
SEEDS_AT_ONCE = 20
Array = np.ndarray


def main() -> None:
    parser = argparse.ArgumentParser(description="Verdicts and diagnoses over the corpus.")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--judgements", type=int, default=100_000, help="of the outside answers")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", choices=["own", "outside"])
    options = parser.parse_args()
    if options.only != "outside":
        _print_own(options.seeds)
    if options.only != "own":
        _print_outside(options.judgements, options.processes)


def _print_own(seeds: int) -> None:
    began = time.perf_counter()
    found = [case for path in CHECKERS for case in cases(path)]
    right = sum(case.right for case in found)
    print(
        f"{len(CHECKERS)} forwards, {right} right answers, {len(found) - right} wrong ones, "
        f"{seeds} seeds"
    )
    _print_acceptance(seeds)
    with Judge() as judge:
        _print_codes(judge, found, min(seeds, SEEDS_WITH_REPAIR))
        _print_nonsense(judge, seeds)
    print(f"{time.perf_counter() - began:.0f} s")


@dataclass(slots=True)
class Score:
    """How often a rule failed, of how many answers."""

    right: int = 0
    wrong: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)

    def add(self, case: Case, accepts: bool) -> None:
        if case.right:
            self.right += 1
            self.rejected[str(case)] += not accepts
        else:
            self.wrong += 1
            self.accepted[str(case)] += accepts


@dataclass(frozen=True, slots=True)
class Derivative:
    """What is asked on one instance: its exact value, and central differences by step."""

    exact: Array
    by_step: Callable[[float], Array]
    outer_sum: float
    """The sum over the magnitudes of the vector that the Jacobian is multiplied with."""


def torch_gradcheck(answer: Array, truth: Derivative, rng: np.random.Generator) -> bool:
    numeric = truth.by_step(1e-6)
    return bool((np.abs(answer - numeric) <= 1e-5 + 1e-3 * np.abs(numeric)).all())


def torch_fast_mode(answer: Array, truth: Derivative, rng: np.random.Generator) -> bool:
    direction = rng.random(answer.shape)
    direction /= np.linalg.norm(direction)
    numeric = np.sum(direction * truth.by_step(1e-6))
    bound = 1e-5 * direction.sum() * truth.outer_sum + 1e-3 * abs(numeric)
    return bool(abs(np.sum(direction * answer) - numeric) <= bound)


def jax_check_grads(answer: Array, truth: Derivative, rng: np.random.Generator) -> bool:
    direction = rng.standard_normal(answer.shape)
    numeric = np.sum(direction * truth.by_step(1e-4))
    return bool(abs(np.sum(direction * answer) - numeric) <= 1e-5 + 1e-5 * abs(numeric))


def autograd_check_grads(answer: Array, truth: Derivative, rng: np.random.Generator) -> bool:
    direction = rng.standard_normal(answer.shape)
    numeric = np.sum(direction * truth.by_step(5e-7))
    given = np.sum(direction * answer)
    off = abs(given - numeric)
    return bool(off < 1e-6 or off < 1e-6 * abs(given + numeric))


def allclose(answer: Array, truth: Derivative, rng: np.random.Generator) -> bool:
    try:
        return bool(np.allclose(answer, truth.exact))
    except ValueError:
        return False


OTHERS = {
    "torch gradcheck": torch_gradcheck,
    "torch gradcheck, fast mode": torch_fast_mode,
    "jax check_grads": jax_check_grads,
    "autograd check_grads": autograd_check_grads,
    "numpy allclose (one instance)": allclose,
}


def _print_acceptance(seeds: int) -> None:
    scores = {name: Score() for name in ("quizzer", *OTHERS)}
    worker = best_worker(SERVICE)
    for path in CHECKERS:
        source = path.read_text("utf-8")
        remote = RemoteChecker(worker, path.name, source, 10.0)
        checker = load(source)
        for seed in range(seeds):
            for case, verdict_, answer, truth in _answers(remote, checker, path, seed):
                scores["quizzer"].add(case, verdict_ is Verdict.CORRECT)
                if truth is None or (case.right and case.code):
                    continue
                rng = np.random.default_rng([seed, 1])
                for name, rule in OTHERS.items():
                    same = name.startswith("numpy") or answer.shape == truth.exact.shape
                    accepts = same and bool(np.isfinite(answer).all()) and rule(answer, truth, rng)
                    scores[name].add(case, accepts)
    worker.close()
    print(f"\n{'rule':<32} {'right rejected':>18} {'wrong accepted':>18}  different ones")
    for name, score in scores.items():
        rejected = f"{score.rejected.total()} of {score.right}"
        accepted = f"{score.accepted.total()} of {score.wrong}"
        print(f"{name:<32} {rejected:>18} {accepted:>18} {len(+score.accepted):>9}")
    for name, count in (+scores["quizzer"].rejected + scores["quizzer"].accepted).items():
        print(f"  quizzer fails {count} times: {name}")


def _answers(
    remote: RemoteChecker, checker: Checker, path: Path, seed: int
) -> Iterator[tuple[Case, Verdict, Array, Derivative | None]]:
    """Each answer, its verdict and first array, and the truth where that is a derivative."""
    prepared = Prepared(remote, seed)
    posed = prepared.posed()
    for asked in posed.sheet.asked:
        mine = [case for case in cases(path) if case.asked == asked]
        posed_case = prepared.case(asked)
        truth = _derivative(checker, posed, asked)
        texts = [case.text for case in mine]
        for case, found in zip(mine, evaluate(remote, posed_case, texts), strict=True):
            answered = verdict(prepared, posed_case, found)
            answer = found.values[0] if found.values else np.asarray(np.nan)
            yield case, answered.verdict, answer, truth


def _derivative(checker: Checker, posed: Posed, asked: str) -> Derivative | None:
    instance = posed.instances[0]
    exact = instance.truths[asked].value
    meaning = resolve(asked, instance.variables, instance.outputs)
    if meaning.variable is None or checker.forward is None:
        return None
    weighting = weights(meaning, instance)
    differences: dict[float, Array] = {}

    def by_step(step: float) -> Array:
        if step not in differences:
            full = weighting @ _jacobian(checker, instance, str(meaning.variable), step)
            differences[step] = full.reshape(derivative_shape(meaning, instance))
        return differences[step]

    outer = weighting.sum() / np.linalg.norm(weighting) if meaning.kind is Kind.LOCAL else 0.0
    return Derivative(exact, by_step, float(outer or np.abs(weighting).sum()))


def _jacobian(checker: Checker, instance: Instance, variable: str, step: float) -> Array:
    assert checker.forward is not None
    flat = flat_forward(checker.forward, instance.inputs, variable)
    x = np.asarray(instance.inputs[variable], float)
    columns = []
    for index in range(x.size):
        moved = np.zeros(x.size)
        moved[index] = step
        moved = moved.reshape(x.shape)
        columns.append((flat(x + moved) - flat(x - moved)).astype(float) / (2 * step))
    return np.stack(columns, axis=-1)


def _print_codes(judge: Judge, found: list[Case], seeds: int) -> None:
    expected: Counter[str] = Counter()
    got: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for case in found:
        for seed in range(seeds):
            code = outcome(judge, case, seed).code
            if not case.right:
                expected[str(case.code)] += 1
                got[str(case.code)] += code == case.code
                if code != case.code:
                    others[f"{case}: {case.code}, not {code}"] += 1
    print(f"\ncode expected, over {seeds} seeds, one change to repair included")
    for code, count in expected.most_common():
        print(f"{code:<20} {got[code]:>6} of {count:<6} {got[code] / count:6.1%}")
    total = expected.total()
    print(f"{'all':<20} {got.total():>6} of {total:<6} {got.total() / total:6.1%}")
    for line, count in others.items():
        print(f"  {count} of {seeds}: {line}")


def _print_nonsense(judge: Judge, seeds: int) -> None:
    codes: Counter[str] = Counter()
    for path in CHECKERS:
        for seed in range(max(1, seeds // 10)):
            rng = np.random.default_rng([seed, 2])
            posed = pose(Pose(path.read_text("utf-8"), seed))
            first = posed.instances[0]
            for asked in posed.sheet.asked:
                shape = first.truths[asked].value.shape
                given = posed.sheet.answer_names(first, asked)
                shapes = {name: np.shape(value) for name, value in given.items()}
                texts = (
                    in_numpy(shapes, shape, rng),
                    in_index_notation(shapes, asked, shape, rng),
                )
                for text in filter(None, texts):
                    told = outcome(judge, Case(path, asked, text, False, None), seed, repair=False)
                    if told.verdict is Verdict.WRONG:
                        codes[str(told.code)] += 1
                        if told.code not in UNSPECIFIC:
                            print(f"  nonsense: {path.stem} {asked}: {text}: {told.message}")
    specific = codes.total() - sum(codes[code] for code in UNSPECIFIC)
    share = specific / codes.total()
    print(f"\nnonsense with a specific reason: {specific} of {codes.total()} ({share:.2%})")


def _print_outside(judgements: int, processes: int) -> None:
    began = time.perf_counter()
    paths = outside_answers.CHECKERS
    answers = sum(len(list(outside_answers.answers(path))) for path in paths)
    seeds = range(-(-judgements // answers))
    every = [
        (path, seeds[at : at + SEEDS_AT_ONCE]) for at in seeds[::SEEDS_AT_ONCE] for path in paths
    ]
    found = Tally()
    with ProcessPoolExecutor(processes) as pool:
        for part in pool.map(_outside, *zip(*every, strict=True)):
            found.update(part)
    print(f"\noutside sources: {len(paths)} forwards, {answers} answers, {len(seeds)} seeds")
    print(f"{'written in':<12} {'right':>8} {'rejected':>9} {'not read':>9}", end=" ")
    print(f"{'wrong':>8} {'accepted':>9} {'not read':>9}")
    for notation in ("numpy", "index", "matrix"):
        print(f"{notation:<12}", end=" ")
        for right, failure in ((True, Verdict.WRONG), (False, Verdict.CORRECT)):
            of = {verdict: found.verdicts[right, notation, verdict] for verdict in Verdict}
            print(f"{sum(of.values()):>8} {of[failure]:>9} {of[Verdict.INVALID]:>9}", end=" ")
        print()
    for failure_, count in found.failures.most_common():
        print(f"  {count} of {len(seeds)}: {failure_}")
    for answer, message in found.not_read.items():
        print(f"  not read: {answer}: {message}")
    print(f"{found.verdicts.total()} judgements, {time.perf_counter() - began:.0f} s")


def _outside(path: Path, seeds: range) -> Tally:
    """In a process of its own, with a sandbox of its own."""
    worker = best_worker(SERVICE)
    try:
        return tally(worker, path, seeds)
    finally:
        worker.close()


if __name__ == "__main__":
    main()
