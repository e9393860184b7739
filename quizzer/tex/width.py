"""How many terminal columns a text takes."""

import re
import unicodedata
from functools import lru_cache

NARROW = re.compile(r"[ -~¡-¬®-˿Ͱ-ͷΑ-Ρα-ωᴀ-ᶿ‐-‧⁰ⁱ⁴-₎ₐ-ₜ℀-↋←-⋿]*")
"""Texts in which each character takes one column: nearly all that are written of mathematics."""


def width(text: str) -> int:
    """Columns of a text on one line: wide East-Asian characters take two, marks none."""
    return len(text) if text.isascii() else sum(map(columns, text))


@lru_cache(4096)
def columns(char: str) -> int:
    """Columns of one character, as terminals and wcwidth count them."""
    code = ord(char)
    if unicodedata.category(char) in {"Mn", "Me", "Cf"} and code != 0xAD:
        return 0
    if 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FB:
        return 0  # vowels and finals of Hangul join the syllable before them
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def pad(text: str, columns: int, align: str = "c") -> str:
    """The text filled with blanks to that many columns, set `l`eft, `c`entred or `r`ight."""
    gap = columns - width(text)
    if gap <= 0:
        return text
    left = {"l": 0, "c": gap // 2, "r": gap}[align]
    return " " * left + text + " " * (gap - left)
