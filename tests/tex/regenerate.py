"""Draw the corpus again: `python tests/tex/regenerate.py [topic ...]`, then read the diff.

Each `corpus/<topic>.tex` holds a formula a line (`%` starts a comment); its drawings stand in
`golden/<topic>.txt`. A new formula or topic needs no other change.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from quizzer.tex import inline, render

HERE = Path(__file__).parent


def formulas(topic: str) -> list[str]:
    """The formulas of a topic, in order."""
    lines = (HERE / "corpus" / f"{topic}.tex").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("%")]


def topics() -> list[str]:
    return sorted(path.stem for path in (HERE / "corpus").glob("*.tex"))


def golden(topic: str) -> Path:
    return HERE / "golden" / f"{topic}.txt"


def drawn(topic: str) -> str:
    """All drawings of a topic: two-dimensional and on one line, in Unicode and in ASCII."""
    return "\n".join(line for formula in formulas(topic) for line in _entry(formula))


def _entry(formula: str) -> Iterator[str]:
    yield f"% {formula}\n"
    for ascii in (False, True):
        yield from (render(formula, ascii=ascii), "", f"» {inline(formula, ascii=ascii)}", "")
    yield ""


if __name__ == "__main__":
    for topic in sys.argv[1:] or topics():
        golden(topic).write_text(drawn(topic), encoding="utf-8")
