"""Subscripts without braces, as TeX reads them: `\\sum_kP_{ik}` is `\\sum_k P_{ik}`.

Only a word that means nothing as it stands is cut, and only where there is one way to cut it.
"""

import re
from collections.abc import Callable, Iterator

from quizzer.notation.functions import REDUCTION_SIGNS, REDUCTIONS
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.spellings import WORD

AxesOf = Callable[[str], int | None]
"""How many axes the name has that a word spells; None of an unknown word."""

_WORD = re.compile(rf"(?<![^\W_])(?=\w*_\w)(?P<word>{WORD})")
_DEFINED = re.compile(
    rf"(?:^|[;\n,\u2003])\s*({WORD}?)(?:_\w|_?\s*\{{[^{{}}]*\}})?\s*=(?!=)", re.MULTILINE
)
_SHORTEST, _LONGEST = 4, 40
_MOST = 2
"""One way more than may be found tells that there are several."""


def apart(
    plain: Plain, axes_of: AxesOf, is_read: Callable[[str], bool], indices: frozenset[str]
) -> Plain:
    """The text with a space behind each subscript to which something else is glued.

    `is_read` tells the words that mean something as they stand. `indices` are letters that the
    text uses as an index: with one below it, such a letter is not taken for the next factor.
    """
    if "_" not in plain.text:
        return plain
    defined = {match[1].rstrip("_") for match in _DEFINED.finditer(plain.text)}
    words = list(_WORD.finditer(plain.text))
    for match in reversed(words):
        word = match["word"]
        if not _SHORTEST <= len(word) <= _LONGEST:
            continue
        if word in defined or word.rpartition("_")[0] in defined or is_read(word):
            continue
        below = _is_below(plain.text, match.start())
        cutter = _Cutter(word, axes_of, defined, indices, below)
        ways = [cuts for cuts, _ in zip(cutter.ways(0), range(_MOST), strict=False) if cuts]
        for cut in reversed(ways[0] if len(ways) == 1 else ()):
            plain = plain.replaced(match.start() + cut, match.start() + cut, " ")
    return plain


def _is_below(text: str, place: int) -> bool:
    """Whether the place is in the braces of a subscript."""
    opened = text.rfind("{", 0, place)
    return opened > text.rfind("}", 0, place) and text[:opened].rstrip().endswith("_")


class _Cutter:
    """Cuts a word into names and sums, each with what is below it."""

    def __init__(
        self,
        word: str,
        axes_of: AxesOf,
        defined: set[str],
        indices: frozenset[str],
        below: bool,
    ) -> None:
        self.word = word
        self.axes_of = axes_of
        self.defined = defined
        self.indices = indices
        self.below = below

    def ways(self, start: int) -> Iterator[tuple[int, ...]]:
        """The places where the rest of the word is cut, for every way to do so."""
        for end in self.ends(start):
            if end == len(self.word):
                yield ()
                continue
            for rest in self.ways(end):
                yield (end, *rest)

    def ends(self, start: int) -> Iterator[int]:
        """Where the part that begins at `start` may end."""
        if self.below and self.word[start + 1 : start + 2] != "_":
            yield start + 1  # an index letter
            return
        stop = self.word.find("_", start + 1)
        while stop >= 0:
            base = self.word[start:stop]
            yield from (stop + 1 + count for count in self.counts(base, start, stop))
            stop = self.word.find("_", stop + 1)
        if start and self.axes_of(self.word[start:]) is not None:
            yield len(self.word)

    def counts(self, base: str, start: int, stop: int) -> Iterator[int]:
        """How many signs may be below this base."""
        axes = self.axes_of(base)
        sums = REDUCTION_SIGNS.get(base, base) in REDUCTIONS
        if axes is None and not sums and base not in self.defined:
            return
        if start and base in self.indices:
            return
        rest = self.word[stop + 1 :]
        if not rest:
            yield 0  # what is below stands in braces
        for count in {1} if sums or not axes else {1, axes}:
            if len(rest) >= count and "_" not in rest[:count]:
                yield count
