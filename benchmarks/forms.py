"""The forms that the starter cards can have, and whether their slips are slips.

    python benchmarks/forms.py [--slips N] [--seeds N] [--show N] [--seed TEXT] [WORD...]

First: on how many cards there are lines, from the solution alone and with the right answers of the
checker, and how many forms that gives. Then: so many slips on each card, each judged on as many
seeds as `--seeds` says, none of which it was made with. A slip is good if on every seed its line is
the only false one; and its line put right again, and the right line in another notation, must be
accepted. WORDs pick cards by their ids; `--show 100` prints some slips for the eye.
"""

import argparse
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
from derivations import cards
from msgspec.structs import replace

from quizzer.card import Card, parse
from quizzer.checker.derivation.derive import derive
from quizzer.checker.load import CheckerError
from quizzer.checker.problem import pose
from quizzer.checker.requests import Pose
from quizzer.form.candidates import Candidate
from quizzer.form.changes import Change
from quizzer.form.entering import entered
from quizzer.form.following import following
from quizzer.form.forms import FindSlip, forms_of
from quizzer.form.problems import Problems, problems_of
from quizzer.form.proving import FURTHER
from quizzer.form.sheet import Sheet, sheet_of
from quizzer.form.slips import Slip, certified, slips
from quizzer.judge.derivation import Mark
from quizzer.judge.source import read_source, sets_in, stated_of
from quizzer.values import Verdict

MAKING = (0, 1, 2)
"""The seeds on which lines and slips are made."""
FALSE = 1e-5
"""How far off is false on the other seeds; the judge allows a tenth."""
TYPED_AGAIN = 2
"""Slips of each card that are typed once more, which must not mend them."""
FIRST = 1000
"""The first of the seeds on which slips are proven."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", help="cards whose ids hold one of these")
    parser.add_argument("--slips", type=int, default=22, metavar="N", help="of each card")
    parser.add_argument("--seeds", type=int, default=20, metavar="N")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    parser.add_argument("--seed", default="", metavar="TEXT", help="draw other slips")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="every Nth card from the Kth")
    wanted = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    started = time.perf_counter()
    forms, own, kinds, outcomes = Counter[int](), Counter[str](), Counter[str](), Counter[str]()
    shown: list[str] = []
    part, parts = map(int, wanted.part.split("/"))
    for path in list(checked(wanted.words))[part - 1 :: parts]:
        problems, sheet = sheet_in(path, MAKING)
        found = forms_of(card_of(path), sheet, problems)
        forms[len(found)] += 1
        solved = sum(line.is_latex for line in sheet.lines)
        own["3 lines or more" if solved >= 3 else "fewer"] += 1
        made = list(islice(slips(sheet, problems, Random(wanted.seed + path.stem)), wanted.slips))
        kinds.update(slip.kind for slip in made)
        outcomes["slips from which lines below follow"] += sum(bool(slip.after) for slip in made)
        outcomes.update(proven(path, sheet, made, range(FIRST, FIRST + wanted.seeds)))
        outcomes.update(mended(sheet, made, problems))
        shown += [
            f"{path.stem}: {sheet.lines[s.place].whole}\n    {s.right}   ({s.kind})"
            + "".join(f"\n    then {right}" for _, right in s.after)
            for s in made
        ]
    print(f"cards with so many forms: {dict(sorted(forms.items(), reverse=True))}")
    print(f"lines from the solution alone: {dict(own)}")
    print(f"slips: {kinds.total():,}")
    for what, count in (*kinds.most_common(), *sorted(outcomes.items())):
        print(f"  {what:<48}{count:>7,}")
    for text in Random(wanted.seed or 0).sample(shown, min(wanted.show, len(shown))):
        print(text)
    print(f"{time.perf_counter() - started:.0f} s")
    return 0


def checked(words: list[str]) -> Iterator[Path]:
    """The starter cards with a checker."""
    for name, path in sorted(cards().items()):
        card = parse(path.read_bytes(), path).card
        if card and card.checker and (not words or any(word in name for word in words)):
            yield path


def card_of(path: Path) -> Card:
    card = parse(path.read_bytes(), path).card
    assert card
    return card


def sheet_in(path: Path, seeds: tuple[int, ...]) -> tuple[Problems, Sheet]:
    card = parse(path.read_bytes(), path).card
    assert card
    problems, right = problems_on(path, seeds)
    problems = replace(problems, further=cache(lambda: problems_on(path, FURTHER)[0]))
    return problems, sheet_of(card, right, problems)


def problems_on(path: Path, seeds: tuple[int, ...]) -> tuple[Problems, dict[str, tuple[str, ...]]]:
    source = read_source(path, lambda *_: True).source
    posed = [pose(Pose(source, seed, 4, {}, 0)) for seed in seeds]
    problems = problems_of(source, posed, sets_in(path.read_bytes(), path), stated_of(path), derive)
    return problems, dict(posed[0].sheet.right)


def proven(path: Path, sheet: Sheet, made: list[Slip], seeds: range) -> Counter[str]:
    """What becomes of slips and of the right lines on seeds that neither was made with."""
    counts = Counter[str]()
    bad: set[int] = set()
    for seed in seeds:
        try:
            problems, _ = problems_on(path, (seed,))
        except CheckerError:
            counts["seeds without problems"] += 1
            continue
        judged = problems.judged(sheet.text).lines
        counts["right lines, judged"] += len(judged)
        kept = (Mark.RIGHT, Mark.DEFINES)
        counts["right lines that are not"] += sum(each.mark not in kept for each in judged)
        candidates = [Candidate(slip.place, Change(slip.right, slip.kind)) for slip in made]
        false = set(map(id, certified(sheet, candidates, problems, FALSE, fewest=1)))
        for slip, candidate in zip(made, candidates, strict=True):
            after = [Candidate(at, Change(right, slip.kind)) for at, right in slip.after]
            found = following(sheet, candidate, after, problems) if after else []
            counts["lines below that follow, on each seed"] += len(found)
            counts["lines below that do not"] += len(after) - len(found)
        bad |= {number for number, each in enumerate(candidates) if id(each) not in false}
    counts["slips false on every instance of every seed"] = len(made) - len(bad)
    counts["slips that are not"] = len(bad)
    for number in sorted(bad):
        slip = made[number]
        print(f"NOT PROVEN {path.stem}: {sheet.lines[slip.place].whole} -> {slip.right}")
    return counts


def mended(sheet: Sheet, made: list[Slip], problems: Problems) -> Counter[str]:
    """Whether a slip's line is put right by the solution's own, and by nothing of the slip."""
    counts = Counter[str]()
    for number, slip in enumerate(made):
        shown = FindSlip(sheet, slip)
        assert shown.lines[slip.place] != sheet.shown(slip.place)
        typed = [("the solution's line", sheet.lines[slip.place].right, Verdict.CORRECT)]
        if number < TYPED_AGAIN:
            typed.append(("the slip typed again", slip.right, Verdict.WRONG))
        for what, line, wanted in typed:
            said = entered(sheet, slip.place, line, problems, slip.rights)
            is_so = said.verdict is wanted
            counts[f"{what}, {'' if is_so else 'not '}called {wanted.value}"] += 1
            if not is_so:
                print(f"NOT {wanted.value}: {sheet.lines[slip.place].whole} -> {line}: {said}")
    return counts


if __name__ == "__main__":
    raise SystemExit(main())
