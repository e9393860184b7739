"""In how many cards `quizzer new --checker` writes a complete checker.

It is complete where `check` passes it as it is. The cards are those of the starter deck without
their checkers, and twenty as students write them.

Run: .venv/bin/python benchmarks/drafting.py [--show]
"""

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path

from quizzer.card import parse
from quizzer.checker import SERVICE
from quizzer.checker.flaw import Flaw
from quizzer.judge.judges import Judge
from quizzer.lint.drafted import Draft, drafted
from quizzer.lint.proof import prove
from quizzer.sandbox.worker import Worker, best_worker

ROOT = Path(__file__).parents[1]
FENCE = "```checker\n"
SEED = 20_251
_INSTANCES = 8


def drafts(
    cards: Iterable[Path], worker: Worker | None = None, complete_only: bool = False
) -> dict[str, tuple[Draft, list[Flaw]]]:
    """For each card the draft of its checker, and what `check` says of it.

    With `complete_only`, drafts with places to fill in are left out: they pass no check.
    """
    found = {}
    worker = worker or best_worker(SERVICE)
    with Judge(worker) as judge, tempfile.TemporaryDirectory() as folder:
        for path in cards:
            copy = Path(folder) / path.name
            copy.write_text(path.read_text("utf-8").partition(FENCE)[0], "utf-8")
            card = parse(copy.read_bytes(), copy).card
            assert card is not None
            draft = drafted(worker, copy, card)
            if complete_only and draft.places:
                continue
            checker = copy.with_suffix(".checker")
            checker.write_text(draft.text, "utf-8")
            found[path.stem] = draft, prove(judge, checker, SEED, _INSTANCES, card=card)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="what is left to do for each card")
    shown = parser.parse_args().show
    starter = [path for path in sorted((ROOT / "cards").rglob("*.md")) if FENCE in path.read_text()]
    twenty = sorted((ROOT / "tests/corpus/authoring/twenty").glob("*.md"))
    for name, cards in (("starter deck", starter), ("twenty students' cards", twenty)):
        found = drafts(cards)
        complete = [
            stem for stem, (draft, flaws) in found.items() if not draft.places and not flaws
        ]
        runs = [stem for stem, (draft, flaws) in found.items() if not any(f.error for f in flaws)]
        places = sum(len(draft.places) for draft, _ in found.values())
        print(
            f"{name}: {len(complete)} of {len(found)} complete, {len(runs)} without an error, "
            f"{places} places to fill in"
        )
        for stem, (draft, flaws) in found.items() if shown else ():
            for line, what in draft.places:
                print(f"  {stem}:{line}: to fill in: {what}")
            for flaw in flaws:
                print(f"  {stem}:{flaw.line}: {flaw.code}: {flaw.message}")


if __name__ == "__main__":
    main()
