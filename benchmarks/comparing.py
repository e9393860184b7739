"""What `check` makes of faults planted in cards, and of sound cards in a loose style.

`tests/corpus/authoring/` holds thirty faults to plant in copies of cards of the starter deck, a
generator of loose decks, and twenty cards as students write them. A fault is named when `check`
finds something in the copy with it, as it finds nothing without.

Run: .venv/bin/python benchmarks/comparing.py [--seeds 1] [--count 300]
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from corpus.authoring import loose  # noqa: E402

from quizzer.card import parse  # noqa: E402
from quizzer.checker.flaw import Flaw  # noqa: E402
from quizzer.deck import load  # noqa: E402
from quizzer.judge.judges import Judge  # noqa: E402
from quizzer.lint.links import link_problems  # noqa: E402
from quizzer.lint.points import point_flaws  # noqa: E402
from quizzer.lint.proof import prove  # noqa: E402
from quizzer.text import folded  # noqa: E402

AUTHORING = ROOT / "tests" / "corpus" / "authoring"
SEED = 20_251
_INSTANCES = 8


def planted(judge: Judge) -> Iterator[tuple[dict[str, str], list[Flaw]]]:
    """Each fault with what is found in a copy of its card that has it."""
    deck = load((ROOT / "cards",), cache=None)
    entries = {entry.id: entry for entry in deck.entries}
    names = {folded(name) for e in deck.entries for name in (e.id, e.path.stem)}
    with tempfile.TemporaryDirectory() as folder:
        for line in (AUTHORING / "faults.jsonl").read_text("utf-8").splitlines():
            fault = json.loads(line)
            entry = entries[fault["card"]]
            assert entry.checker is not None
            copy = Path(folder) / entry.path.name
            checker = Path(folder) / entry.checker.name
            shutil.copy(entry.checker, checker)
            shutil.copy(entry.path, copy)
            changed = copy if fault["file"] == "md" else checker
            text = changed.read_text("utf-8")
            assert text.count(fault["find"]) == 1, fault["id"]
            changed.write_text(text.replace(fault["find"], fault["replace"]), "utf-8")
            card = parse(copy.read_bytes(), copy).card
            assert card is not None
            beside = [e for e in deck.entries if e.path.parent == entry.path.parent]
            related = {copy.parent: [link for e in beside for link in e.header.related]}
            linked = [flaw for _, flaw in link_problems({copy: card}, names, related)]
            found = prove(judge, checker, SEED, _INSTANCES, card=card)
            yield fault, [*point_flaws(card), *linked, *found]


def checked(deck: Path) -> str:
    """What `check --json` prints about a deck."""
    command = [sys.executable, "-m", "quizzer", "check", "--json", str(deck)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def warnings(printed: str) -> list[dict[str, object]]:
    """What `check --json` printed, but for images that are not there."""
    problems: list[dict[str, object]] = json.loads(printed)["problems"]
    return [each for each in problems if each["code"] != "image"]


def write_loose(folder: Path, seed: int, count: int) -> Path:
    """A loose deck in this folder."""
    for name, data in loose.deck(seed, count).files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return folder


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    total = named = 0
    with Judge() as judge:
        for fault, found in planted(judge):
            total, named = total + 1, named + bool(found)
            print(f"{'named ' if found else 'MISSED'}  {fault['id']}")
            for flaw in found:
                print(f"        {flaw.code}, line {flaw.line}: {flaw.message}")
    print(f"{named} of {total} faults named")
    with tempfile.TemporaryDirectory() as folder:
        decks = [
            write_loose(Path(folder) / str(seed), seed, options.count)
            for seed in range(options.seeds)
        ]
        for deck in (*decks, AUTHORING / "twenty"):
            found_here = warnings(checked(deck))
            print(f"{deck.name}: {len(found_here)} warnings on sound cards")
            for each in found_here:
                print(f"        {each}")


if __name__ == "__main__":
    main()
