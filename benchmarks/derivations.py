"""What becomes of derivations, line by line: the corpora in `tests/corpus/derivations`.

    python benchmarks/derivations.py [--codes N] [--list WHAT] [WORD...]
    python benchmarks/derivations.py [--right N] [--speed] [--cards] [WORD...]

Right ones: how many lines are called right, wrong or not judged. Slips planted in them: whether
the exact line is named. Wrong ones: whether the labelled line is. WORDs pick cards by their ids.
`--codes 6` looks at the diagnosis of every sixth slip too; `--list unread` prints what came to it.
`--right 50000` judges right lines only, on problems of one seed after the other, until so many were
judged; `--seed` is the first. `--speed` compares derivations of about six lines with their last.
`--cards` judges the starter cards' own answers, and the formulas that their solutions display.
"""

import argparse
import json
import re
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from quizzer.card import parse
from quizzer.card.solved import solved
from quizzer.checker.derivation.derive import derive
from quizzer.checker.derivation.derived import Derive
from quizzer.checker.load import CheckerError
from quizzer.checker.problem import pose
from quizzer.checker.requests import Pose
from quizzer.judge.derivation import JudgedDerivation, Mark, judged_lines, request_of
from quizzer.judge.judgement import Broken
from quizzer.judge.judges import Judge
from quizzer.judge.several_lines import may_be_derivation
from quizzer.judge.source import UnreadableChecker, read_source, sets_in, stated_of

_SEED = 7
ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "corpus" / "derivations"
EXPECTED = {
    "sign": {"sign", "term-factor"},
    "factor": {"factor", "term-factor", "one-edit"},
    "size-factor": {"size-factor", "term-factor", "one-edit"},
    "lost-sum": {"not-summed", "one-edit"},
    "extra-sum": {"over-summed", "size-factor", "one-edit"},
    "transposed": {"transposed", "one-edit"},
    "lost-term": {"missing-term", "one-edit"},
    "index": {"one-edit", "transposed", "flipped", "sign"},
    "power": {"one-edit"},
    "edit": {"one-edit"},
}
"""The codes that are right for a kind of slip: of a whole line, of a summand, of a sign in it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", help="cards whose ids hold one of these")
    parser.add_argument("--codes", type=int, default=0, metavar="N")
    parser.add_argument("--list", action="append", default=[], metavar="WHAT")
    parser.add_argument("--right", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--cards", action="store_true")
    wanted = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    started = time.perf_counter()
    if wanted.right or wanted.speed or wanted.cards:
        if wanted.right:
            over_seeds(wanted.words, wanted.right, wanted.seed)
        if wanted.speed:
            speed(wanted.words)
        if wanted.cards:
            own(wanted.words)
        print(f"{time.perf_counter() - started:.0f} s")
        return 0
    for title, outcomes in (
        ("right derivations, by line", right(wanted.words)),
        ("planted slips", slips(wanted.words, wanted.codes)),
        ("wrong derivations", wrong(wanted.words)),
    ):
        counts: Counter[str] = Counter()
        listed = []
        for outcome, what in outcomes:
            counts[outcome] += 1
            if outcome in wanted.list:
                listed.append(f"  {outcome}: {what}")
        total = counts.total() or 1
        print(f"{title}: {counts.total():,}")
        for outcome, count in counts.most_common():
            print(f"  {outcome:<34}{count:>7,}{count / total:>9.1%}")
        print(*listed, sep="\n", end="\n" if listed else "")
    print(f"{time.perf_counter() - started:.0f} s")
    return 0


def right(words: list[str]) -> Iterator[tuple[str, str]]:
    """What every line of a right derivation is called."""
    for entry in entries("right", words):
        found = judged(entry["card"], entry["text"])
        if found is None:
            yield "no checker", entry["id"]
            continue
        lines = entry["text"].split("\n")
        for each in found.lines:
            if each.mark is not Mark.WORDS:
                mark = "right" if each.mark is Mark.AGAIN else each.mark.value
                yield mark, f"{entry['id']} {lines[each.line - 1]} -> {each.message}"


def over_seeds(words: list[str], count: int, seed: int) -> None:
    """How many right lines are called wrong on problems of many seeds, so many lines in all."""
    marks: Counter[str] = Counter()
    while marks.total() < count:
        for entry in entries("right", words):
            found = judged(entry["card"], entry["text"], seed=seed)
            for each in found.lines if found else ():
                if each.mark is not Mark.WORDS:
                    marks[each.mark.value] += 1
                if each.mark in (Mark.WRONG, Mark.FOLLOWS, Mark.AGAIN):
                    print(f"  seed {seed}: {entry['id']} line {each.line}: {each.mark}", flush=True)
        print(f"seed {seed}: {marks.total():,} lines, {dict(marks)}", flush=True)
        _posed.cache_clear()
        seed += 1


def speed(words: list[str]) -> None:
    """How much longer a derivation of about six lines takes than its last line alone, warm: those
    with two intermediates or more, judged as a session judges them."""
    ratios = []
    with Judge() as judge:
        for entry in entries("right", words):
            alone = _last_alone(entry)
            path, name = cards()[entry["card"]], entry["name"]
            question = judge.question(path)
            if alone is None or isinstance(question, Broken):
                continue
            among = {each.name: each.context for each in question.asked if each.context}
            runs = [
                [_seconds(judge, path, text, name, among) for text in (entry["text"], alone)]
                for _ in range(6)
            ]
            whole, last = map(min, zip(*runs[1:], strict=True))
            if whole + last < float("inf"):
                ratios.append((whole / last, whole, last, entry["id"]))
    for ratio, whole, last, name in sorted(ratios, reverse=True)[:8]:
        print(f"  {ratio:5.1f} ×  {whole * 1e3:6.0f} ms  {last * 1e3:6.0f} ms  {name}")
    median = sorted(ratios)[len(ratios) // 2][0]
    over = sum(ratio > 6 for ratio, *_ in ratios)
    print(f"against the last line: median {median:.1f} ×, {over} of {len(ratios)} over 6 ×")


def _seconds(judge: Judge, path: Path, text: str, name: str, among: dict[str, Any]) -> float:
    """How long the verdict takes; infinity where the answer is not right."""
    begun = time.perf_counter()
    if may_be_derivation(text):
        found = judge.reached(path, text, _SEED, name, among)
    else:
        found = judge.judge(path, {name: text}, _SEED)
    took = time.perf_counter() - begun
    right = not isinstance(found, Broken) and found.answers[0].verdict == "correct"
    return took if right else float("inf")


def _last_alone(entry: dict[str, Any]) -> str | None:
    """The last line of a derivation of five to seven lines with two statements above."""
    lines = entry["text"].split("\n")
    heads = [number for number, line in enumerate(lines) if not line.lstrip().startswith("=")]
    if not 5 <= len(lines) <= 7 or entry["latex"] or len(heads) < 3:
        return None
    left = lines[heads[-1]].partition("=")[0]
    return f"{left}= {lines[-1].rpartition('=')[2].strip()}"


def own(words: list[str]) -> None:
    """What the lines of the cards' own answers and solutions are called."""
    marks: dict[str, Counter[str]] = {"answers": Counter(), "solutions": Counter()}
    for card, path in sorted(cards().items()):
        try:
            request = request_for(card, "")
        except UnreadableChecker:  # a card without one
            continue
        if request is None or (words and not any(word in card for word in words)):
            continue
        parsed = parse(path.read_bytes(), path).card
        texts = [("solutions", solved(parsed).text)] if parsed else []
        for name, answers in request.sheet.right.items():
            for each in answers:
                has_left = re.match(r"\s*[^=<>]{1,40}=(?!=)", each)
                if not each.lstrip().startswith("def") and "np." not in each:
                    texts.append(("answers", each if has_left else f"{name} = {each}"))
        for what, text in texts:
            found = judged(card, text)
            for line in found.lines if found else ():
                marks[what][line.mark.value] += 1
                if line.mark in (Mark.WRONG, Mark.FOLLOWS):
                    print(f"  {card}: {text.splitlines()[line.line - 1]} -> {line.message}")
    for what, counts in marks.items():
        read = counts.total() - counts[Mark.UNREAD]
        share = read / (counts.total() or 1)
        print(
            f"the cards' own {what}: {share:.1%} of {counts.total():,} lines read, {dict(counts)}"
        )


def slips(words: list[str], codes: int) -> Iterator[tuple[str, str]]:
    """Whether the line of each planted slip is named; of some, whether its kind is."""
    number = 0
    for entry in entries("right", words):
        lines = entry["text"].split("\n")
        for slip in entry["slips"]:
            changed = [*lines]
            changed[slip["line"] - 1] = slip["text"]
            number += 1
            explain = bool(codes) and number % codes == 0
            found = judged(entry["card"], "\n".join(changed), explain)
            if found is None:
                continue
            outcome = _of_slip(found, slip)
            what = f"{entry['id']} line {slip['line']} {slip['kind']}: {slip['text']}"
            yield outcome, what
            if outcome == "named" and explain:
                code = next(each.diagnosis.code for each in found.lines if each.diagnosis)
                known = code in EXPECTED[slip["kind"]]
                yield f"code {'right' if known else 'wrong'}", f"{what} -> {code}"


def _of_slip(found: JudgedDerivation, slip: dict[str, Any]) -> str:
    kind = "definition " if slip.get("definition") else ""
    if slip.get("harmless"):
        return f"{kind}harmless, {'all right' if found.is_all_right else 'named or not judged'}"
    first = found.first_wrong
    if first == slip["line"]:
        return f"{kind}named"
    if first is not None:
        return f"{kind}named by a later line" if kind else "another line named"
    if found.is_all_right:
        return f"{kind}ALL RIGHT"
    return f"{kind}not judged"


def wrong(words: list[str]) -> Iterator[tuple[str, str]]:
    """Whether the labelled line of each wrong derivation is named."""
    for entry in entries("wrong", words):
        found = judged(entry["card"], entry["text"])
        what = f"{entry['id']} {entry['card']} {entry['why']}"
        if found is None:
            yield "no checker", what
        elif found.first_wrong in (entry["first_wrong"], entry.get("used", -1)):
            yield "named", what
        elif found.first_wrong is not None:
            later = found.first_wrong > entry["first_wrong"]
            yield f"{'a later' if later else 'an earlier'} line named", what
        else:
            yield "ALL RIGHT" if found.is_all_right else "not judged", what


def entries(name: str, words: list[str]) -> Iterator[dict[str, Any]]:
    for line in (CORPUS / f"{name}.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        if not words or any(word in entry["card"] for word in words):
            yield entry


def judged(card: str, text: str, explain: bool = False, seed: int = 0) -> JudgedDerivation | None:
    """A derivation for a card judged; None where the card's checker cannot be used."""
    request = request_for(card, text, seed)
    return None if request is None else judged_lines(request, derive, explain)


def request_for(card: str, text: str, seed: int = 0) -> Derive | None:
    posed = _posed(card, seed)
    if posed is None:
        return None
    path, source, instances = posed
    return request_of(source, instances, text, sets_in(path.read_bytes(), path), _stated(path))


@cache
def _stated(path: Path) -> tuple[str, ...]:
    return stated_of(path)


@cache
def _posed(card: str, seed: int) -> Any:
    path = cards()[card]
    source = read_source(path, lambda *_: True).source
    try:
        return path, source, pose(Pose(source, seed, 4, {}, 0))
    except CheckerError:
        return None


@cache
def cards() -> dict[str, Path]:
    """The starter cards by their ids."""
    found = {}
    for path in (ROOT / "cards").rglob("*.md"):
        named = re.search(r"^id: *(\S+)", path.read_text("utf-8"), re.M)
        if named:
            found[named[1].strip("'\"")] = path
    return found


if __name__ == "__main__":
    raise SystemExit(main())
