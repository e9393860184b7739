"""The formulas of the test corpus as text: our renderer beside TeXicode's, on one machine.

Understood is a formula whose drawing holds no mark of an unknown command: neither a command left as
it was written nor TeXicode's `?`. Failed is one that ended in an error. TeXicode is installed into
a temporary environment of its own; where that can't be done, only our half is shown.
Run: .venv/bin/python benchmarks/tex.py
"""

import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from quizzer.tex import render
from quizzer.tex.width import pad

CORPUS = Path(__file__).parents[1] / "tests" / "tex" / "corpus"
PEER = "TeXicode==1.0.5"
SAMPLES = 10
ROUNDS = 3
COLUMN = 74
_UNKNOWN = re.compile(r"\?|\\[A-Za-z]+")

# Runs in the peer's environment: a formula a line in, its drawing and seconds a line out.
PEER_SCRIPT = """
import json, sys, time
from texicode.pipeline import render_tex
for line in sys.stdin:
    times = []
    for _ in range(int(sys.argv[1])):
        began = time.perf_counter()
        try:
            drawing = render_tex(json.loads(line), False, False, "raw", {"fonts": "serif"})
        except Exception:
            drawing = None
        times.append(time.perf_counter() - began)
    print(json.dumps([drawing, min(times)]))
"""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a renderer made of one formula; `text` is None where it failed."""

    text: str | None
    seconds: float

    @property
    def understood(self) -> bool:
        return self.text is not None and not _UNKNOWN.search(self.text)


def main() -> None:
    formulas = corpus()
    ours = [draw(latex) for latex in formulas]
    print(
        f"{len(formulas)} formulas, best of {ROUNDS} runs each, without the interpreter's start\n"
    )
    print(f"{'':<10} {'understood':>16} {'failed':>7} {'median ms':>10} {'slowest ms':>11}")
    print(row("quizzer", ours))
    try:
        with tempfile.TemporaryDirectory() as folder:
            theirs = peer(formulas, Path(folder))
    except (OSError, subprocess.SubprocessError) as error:
        print(f"\nTeXicode could not be installed, so nothing stands beside it: {error}")
        return
    print(row("TeXicode", theirs))
    step = len(formulas) // SAMPLES
    for place in range(step // 2, step * SAMPLES, step):
        print(f"\n{formulas[place]}\n")
        print(side_by_side(ours[place].text, theirs[place].text))


def corpus() -> list[str]:
    lines = [
        line
        for path in sorted(CORPUS.glob("*.tex"))
        for line in path.read_text("utf-8").splitlines()
    ]
    return [line for line in lines if line and not line.startswith("%")]


def draw(latex: str) -> Drawn:
    times: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        text = render(latex)
        times.append(time.perf_counter() - began)
    return Drawn(text, min(times))


def peer(formulas: list[str], folder: Path) -> list[Drawn]:
    """TeXicode's drawings. Raises OSError or SubprocessError when it can't be had."""
    python = installed(folder)
    lines = "".join(f"{json.dumps(latex)}\n" for latex in formulas)
    command = [str(python), "-c", PEER_SCRIPT, str(ROUNDS)]
    ran = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    drawn = [Drawn(*json.loads(line)) for line in ran.stdout.splitlines()]
    return [
        Drawn(None, d.seconds) if d.text is None or d.text.startswith("TeXicode: ") else d
        for d in drawn
    ]


def installed(folder: Path) -> Path:
    """The interpreter of a new environment that holds TeXicode."""
    python = folder / "bin" / "python"
    beside = Path(sys.executable).parent / "uv"
    uv = str(beside) if beside.exists() else shutil.which("uv")
    if uv:
        run(uv, "venv", "--quiet", "--python", sys.executable, str(folder))
        run(uv, "pip", "install", "--quiet", "--python", str(python), PEER)
    else:
        run(sys.executable, "-m", "venv", str(folder))
        run(str(python), "-m", "pip", "install", "--quiet", PEER)
    return python


def run(*command: str) -> None:
    subprocess.run(command, capture_output=True, check=True, timeout=180)


def row(name: str, drawn: list[Drawn]) -> str:
    understood = sum(d.understood for d in drawn)
    failed = sum(d.text is None for d in drawn)
    times = [d.seconds * 1e3 for d in drawn]
    share = f"{understood} ({understood / len(drawn):.1%})"
    return (
        f"{name:<10} {share:>16} {failed:>7} {statistics.median(times):>10.2f} {max(times):>11.2f}"
    )


def side_by_side(ours: str | None, theirs: str | None) -> str:
    left, right = ((text or "(failed)").split("\n") for text in (ours, theirs))
    pairs = zip_longest(left, right, fillvalue="")
    return "\n".join(f"{pad(a, COLUMN, 'l')} | {b}".rstrip() for a, b in pairs)


if __name__ == "__main__":
    main()
