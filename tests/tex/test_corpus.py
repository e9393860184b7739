import importlib.util
from pathlib import Path

import pytest

from quizzer.tex import faults, render, unknown
from quizzer.tex.width import width

_SPEC = importlib.util.spec_from_file_location(
    "regenerate", Path(__file__).parent / "regenerate.py"
)
assert _SPEC and _SPEC.loader
corpus = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(corpus)

TOPICS = corpus.topics()
FORMULAS = [formula for topic in TOPICS for formula in corpus.formulas(topic)]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_drawings_are_those_that_were_reviewed(topic: str) -> None:
    expected = corpus.golden(topic).read_text(encoding="utf-8")
    assert corpus.drawn(topic) == expected, "python tests/tex/regenerate.py, then read the diff"


def test_every_formula_is_understood_without_fault() -> None:
    assert [(f, unknown(f), faults(f)) for f in FORMULAS if unknown(f) or faults(f)] == []


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("columns", [80, 50, 30])
def test_no_line_is_wider_than_asked_unless_it_is_one_word(columns: int, ascii: bool) -> None:
    wide = [
        (formula, line)
        for formula in FORMULAS
        for line in render(formula, columns, ascii).split("\n")
        if width(line) > columns and " " in line.strip()
    ]
    assert wide == []


def test_ascii_drawings_hold_nothing_but_ascii() -> None:
    assert [f for f in FORMULAS if not render(f, ascii=True).isascii()] == []


def test_no_symbol_falls_back_to_a_question_mark_in_ascii() -> None:
    assert [f for f in FORMULAS if "?" in render(f, ascii=True)] == []


def test_no_line_ends_in_a_blank() -> None:
    lines = [line for formula in FORMULAS for line in render(formula).split("\n")]
    assert [line for line in lines if line != line.rstrip()] == []
