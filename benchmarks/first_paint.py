"""How long a session takes until the learner reads, and until he can type.

`quizzer review` on the starter deck starts on a pseudo-terminal in an empty home that has been
used once, as on any morning but the first; the clock runs from the start of the process until the
question's header stands on the screen, and until the prompt does. Beside it the bare interpreter
and the import of the two libraries that the face is made with, in turns within this one run, so
that the ratios hold on a busy machine too. Run: .venv/bin/python benchmarks/first_paint.py
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect

ROUNDS = 15
DECK = Path(__file__).parent.parent / "cards"
IMPORTS = "import rich.markdown, prompt_toolkit"
HEADER = "1 of "
PROMPT = r"d\w+ ="


def main() -> None:
    rows: dict[str, list[float]] = {
        name: [] for name in ("python -c pass", f"python -c '{IMPORTS}'", "first paint", "prompt")
    }
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        with _session(environment) as (child, _):
            child.expect(PROMPT)
        for _ in range(ROUNDS):
            bare, libraries, painted, asked = rows.values()
            bare.append(_run("pass"))
            libraries.append(_run(IMPORTS))
            with _session(environment) as (child, began):
                child.expect(HEADER)
                painted.append(time.perf_counter() - began)
                child.expect(PROMPT)
                asked.append(time.perf_counter() - began)
    unit = statistics.median(rows[f"python -c '{IMPORTS}'"])
    print(f"{'':<52} {'median ms':>9} {'least ms':>9} {'/ imports':>9}")
    for name, taken in rows.items():
        median = statistics.median(taken)
        print(f"{name:<52} {median * 1e3:9.0f} {min(taken) * 1e3:9.0f} {median / unit:9.2f}")


def _run(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began


@contextmanager
def _session(environment: dict[str, str]) -> Iterator[tuple["pexpect.spawn[str]", float]]:
    """A session on a terminal of 80 columns, and when it was started; killed in the end."""
    arguments = ["-m", "quizzer", "review", "--deck", str(DECK)]
    began = time.perf_counter()
    child = pexpect.spawn(
        sys.executable, arguments, env=environment, dimensions=(50, 80), encoding="utf-8"
    )
    try:
        yield child, began
    finally:
        child.close(force=True)


if __name__ == "__main__":
    main()
