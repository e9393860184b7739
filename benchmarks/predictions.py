"""What the worked solutions of the starter cards ask to predict, and whether its answers are right.

    python benchmarks/predictions.py [--seeds N] [--part K/N] [--show N] [WORD...]

Every question that can be asked of a card is tried on as many seeds as `--seeds` says, none of
which it was made with: the shape called right must be that of the arrays on every instance, and
each of the others must not; a line must be right with its own sign and wrong with the other one.
WORDs pick cards by their ids; `--show 20` prints some questions for the eye.
"""

import argparse
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
from forms import FIRST, MAKING, card_of, checked, problems_on, sheet_in

from quizzer.checker.load import CheckerError
from quizzer.form.forms import has_steps
from quizzer.form.predictions import Prediction, hidden_signs, predictions, shapes, sizes_of
from quizzer.form.problems import Problems
from quizzer.form.sheet import Sheet
from quizzer.judge.derivation import Mark


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", help="cards whose ids hold one of these")
    parser.add_argument("--seeds", type=int, default=5, metavar="N")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="every Nth card from the Kth")
    wanted = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    started = time.perf_counter()
    counts, shown = Counter[str](), list[str]()
    part, parts = map(int, wanted.part.split("/"))
    for path in list(checked(wanted.words))[part - 1 :: parts]:
        if not has_steps(card_of(path)):
            continue
        problems, sheet = sheet_in(path, MAKING)
        rng = Random(path.stem)
        found = [*shapes(sheet, problems, rng), *hidden_signs(sheet, problems)]
        drawn = predictions(sheet, problems, rng)
        counts["cards with a worked solution"] += 1
        counts["cards with a question"] += bool(drawn)
        counts["steps"] += len(sheet.steps)
        counts["questions asked at a time"] += len(drawn)
        for each in found:
            counts[f"questions about {'a sign' if is_sign(each) else 'a shape'}"] += 1
            counts["where minus is right"] += each.right == "−"
        shown += [
            f"{path.stem} {each.step}: {each.asks} {each.choices}: {each.right}" for each in found
        ]
        for seed in range(FIRST, FIRST + wanted.seeds):
            for each in wrong_on(path, sheet, found, seed):
                counts["answers that are wrong on another seed"] += 1
                print(f"WRONG {path.stem}, seed {seed}: {each}")
    for what, count in counts.items():
        print(f"  {what:<48}{count:>7,}")
    for text in Random(0).sample(shown, min(wanted.show, len(shown))):
        print(text)
    print(f"{time.perf_counter() - started:.0f} s")
    return 0


def is_sign(asked: Prediction) -> bool:
    return r"\pm" in asked.asks


def wrong_on(path: Path, sheet: Sheet, found: list[Prediction], seed: int) -> Iterator[Prediction]:
    """The questions whose answers are not right on the problems of this seed."""
    try:
        problems, _ = problems_on(path, (seed,))
    except CheckerError:
        return
    (derived,) = problems.derived(sheet.text)
    known = {
        said.line - 1: at for said, at in zip(derived.claims, derived.by[0].known, strict=True)
    }
    for each in found:
        if is_sign(each):
            good = [sign for sign in each.choices if is_right(sign, each, sheet, problems)]
        else:
            at = known[each.place]
            actual = [np.shape(truth) for truth in at.truths] if at else []
            good = [choice for choice in each.choices if of_sizes(choice, problems) == actual]
        if good != [each.right]:
            yield each


def is_right(sign: str, asked: Prediction, sheet: Sheet, problems: Problems) -> bool:
    """Whether the line of a question is right with this sign."""
    line = asked.asks.partition("$$")[2].strip("$ ").replace(r"\pm", sign.replace("−", "-"))
    lines = problems.judged(sheet.with_line(asked.place, line)).lines
    return {each.mark for each in lines if each.line == asked.place + 1} <= {Mark.RIGHT, Mark.AGAIN}


def of_sizes(choice: str, problems: Problems) -> list[tuple[int, ...]]:
    """The shape that a choice is on each instance."""
    sizes = sizes_of(problems)
    names = [] if choice == "a number" else choice.split(" × ")
    count = len(problems.requests[0].instances)
    return [tuple(sizes[name][at] for name in names) for at in range(count)]


if __name__ == "__main__":
    raise SystemExit(main())
