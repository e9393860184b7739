"""Verdicts on answers to checkers that are written in a test, on a few seeds."""

from pathlib import Path

from quizzer.judge.judgement import Judgement
from quizzer.judge.judges import Judge
from quizzer.values import Verdict


def verdicts(judge: Judge, folder: Path, source: str, text: str) -> set[Verdict]:
    """Those on an answer, `dx = …`, to a checker in Python if it imports NumPy, else in math."""
    checker = folder / ("checker.py" if "import numpy" in source else "card.checker")
    checker.write_text(source.lstrip("\n"), "utf-8")
    found = set()
    for seed in range(3):
        judged = judge.judge(checker, {text.partition(" =")[0]: text}, seed)
        assert isinstance(judged, Judgement), judged
        found.add(judged.answers[0].verdict)
    return found
