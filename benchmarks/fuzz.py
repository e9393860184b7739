"""What reads strangers' bytes, given damaged ones: no traceback, and nothing that takes long.

    python benchmarks/fuzz.py [--runs N] [--seed S] [KIND...]

Each kind reads N mutations, of files and of replies that are sound before. A run fails where the
program would end with a traceback, or gives a message longer than a page. What fails is printed
with its number: `--seed` and that number make the same mutation again.
"""

import argparse
import faulthandler
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzzed import kinds

HANG = 60
"""Seconds after which a run has failed; where it hangs is printed."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", nargs="*", help="kinds whose names hold one of these")
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="this run alone, with its traceback")
    wanted = parser.parse_args()
    print(f"{'kind':<22}{'runs':>7}{'tracebacks':>12}{'slowest':>10}{'median':>10}")
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, run in kinds(Path(folder)):
            if wanted.kind and not any(word in name for word in wanted.kind):
                continue
            numbers = range(wanted.runs) if wanted.only is None else [wanted.only]
            took: list[float] = []
            seen: dict[str, int] = {}
            failed = 0
            for number in numbers:
                faulthandler.dump_traceback_later(HANG, exit=True)
                begun = time.perf_counter()
                try:
                    run(Random(f"{wanted.seed} {name} {number}"))
                except Exception as error:
                    where = traceback.extract_tb(error.__traceback__)[-1]
                    said = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
                    if seen.setdefault(said, number) == number:
                        print(f"  run {number}: {said}: {str(error)[:150]}")
                    failed += 1
                    if wanted.only is not None:
                        traceback.print_exc()
                took.append(time.perf_counter() - begun)
            faulthandler.cancel_dump_traceback_later()
            failures += failed
            slowest, median = max(took), sorted(took)[len(took) // 2]
            print(
                f"{name:<22}{len(took):>7,}{failed:>12}{slowest:>8.2f} s{1e3 * median:>7.1f} ms",
                flush=True,
            )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
