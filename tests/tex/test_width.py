import unicodedata

import pytest
from wcwidth import wcwidth

from quizzer.tex.letters import ACCENTS, SUBSCRIPTS, SUPERSCRIPTS, accented
from quizzer.tex.symbols import symbols
from quizzer.tex.width import NARROW, columns, pad, width


@pytest.mark.parametrize(
    ("text", "count"), [("abc", 3), ("損失", 4), ("x\u0302y", 2), ("각", 2), ("", 0), ("é", 1)]
)
def test_columns_are_counted_as_a_terminal_does(text: str, count: int) -> None:
    assert width(text) == count


def test_the_glyphs_of_all_symbols_are_as_wide_as_wcwidth_says() -> None:
    glyphs = {char for leaf in symbols().values() for char in leaf.text}
    glyphs |= {*SUBSCRIPTS.values(), *SUPERSCRIPTS.values()}
    assert [char for char in glyphs if columns(char) != wcwidth(char)] == []


def test_an_accent_adds_no_column() -> None:
    for mark in ACCENTS:
        marked = accented("x", mark)
        assert marked is not None
        assert width(marked) == 1
        assert unicodedata.is_normalized("NFC", marked)


def test_padding_counts_columns_not_characters() -> None:
    assert pad("損", 4, "c") == " 損 "
    assert pad("損", 4, "r") == "  損"
    assert pad("long", 2) == "long"


def test_a_narrow_text_has_as_many_columns_as_characters() -> None:
    narrow = [char for char in map(chr, range(0x3000)) if NARROW.fullmatch(char)]
    assert {"a", "δ", "∂", "ᵢ", "…"} <= {*narrow}
    assert all(columns(char) == 1 and char.isprintable() for char in narrow)
