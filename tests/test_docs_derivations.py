"""The derivations of the documents: every line is called what the note behind it says."""

import re

import pytest

from quizzer.judge.derivation import Mark
from tests.derived import declared_text, judged
from tests.documents import DOCS, Block, blocks

_MARK = re.compile(r"# ([a-z-]+)\s*$")

SHOWN = [each for each in blocks(DOCS / "derivations.md") if each.language == "derivation"]


def test_the_page_has_ten_derivations() -> None:
    assert len(SHOWN) >= 10


@pytest.mark.parametrize("block", SHOWN, ids=lambda block: block.text[:30])
def test_every_line_is_called_what_the_note_says(block: Block) -> None:
    stem = block.words[0].removeprefix("q-").replace("-", "_")
    found = judged(declared_text(stem), block.text)
    marks = {each.line: each.mark.value for each in found.lines if each.mark is not Mark.WORDS}
    lines = enumerate(block.text.split("\n"), 1)
    wanted = {number: mark[1] for number, line in lines if (mark := _MARK.search(line))}
    assert marks == wanted, [each.message for each in found.lines]
