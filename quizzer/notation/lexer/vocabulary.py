"""What a card's names may be written as: words, and symbols that are more than a word."""

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from quizzer.notation.lexer.spellings import WORD, phrase_for, variants
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import Context, FaultError

_KEPT = 64  # an answer is read several times, and each asked name has its own


class Vocabulary(Struct, frozen=True):
    """The spellings of names before a text defines names of its own."""

    spellings: Mapping[str, str]
    """Word → the name that it means."""
    phrases: tuple[tuple[re.Pattern[str], str], ...]
    """Symbols such as `W^{(1)}`, each with what takes its place; in the order of replacement."""


def vocabulary_of(
    context: Context, axes: Mapping[str, int | None], indices: frozenset[str]
) -> Vocabulary:
    """The vocabulary of a card's names, worked out once for the same names and symbols.

    `indices` are letters that the text uses as an index, so that they are no part of a symbol.
    """
    symbols = tuple(context.symbols.items())
    return _vocabulary(tuple(axes.items()), context.asked, symbols, context.upstreams, indices)


def find(word: str, spellings: Mapping[str, str], axes: Mapping[str, int | None]) -> str | None:
    """The name that the word spells, if it may be used."""
    name = spellings.get(word)
    if name in axes:
        return name
    return twin_of(word, spellings, axes) if name is None else None


def twin_of(word: str, spellings: Mapping[str, str], axes: Mapping[str, int | None]) -> str | None:
    """The array that is written small on the card and large here, `Y` and `\\hat{Y}`."""
    if not word[:1].isupper() or word in ("T", "I"):
        return None
    twin = spellings.get(word[0].lower() + word[1:], "")
    return twin if axes.get(twin) == 2 else None


@lru_cache(_KEPT)
def _vocabulary(
    axes: tuple[tuple[str, int | None], ...],
    asked: str,
    symbols: tuple[tuple[str, str], ...],
    upstreams: tuple[str, ...],
    indices: frozenset[str],
) -> Vocabulary:
    writer = _Writer(dict(axes), asked, indices)
    writer.write(dict(symbols), upstreams)
    return Vocabulary(writer.spellings, tuple(writer.phrases))


class _Writer:
    """Collects spellings and phrases; the first spelling of a word counts."""

    def __init__(self, axes: Mapping[str, int | None], asked: str, indices: frozenset[str]) -> None:
        self.axes = axes
        self.asked = asked
        self.indices = indices
        self.spellings: dict[str, str] = {}
        self.phrases: list[tuple[re.Pattern[str], str]] = []

    def write(self, symbols: Mapping[str, str], upstreams: tuple[str, ...]) -> None:
        for name in [*self.axes, self.asked]:
            for spelling in variants(name):
                self.spellings.setdefault(spelling, name)
        for name, symbol in symbols.items():
            self._add_symbol(name, symbol)
        for name in [*self.axes, self.asked]:
            self._add_numbered(name)
            self._add_indexed(name, name)
            self._add_raised(name)
        for upstream in upstreams:
            self._add_upstream(upstream)
        self.phrases.sort(key=lambda phrase: (not phrase[1].endswith("{"), -len(phrase[0].pattern)))
        for upstream in upstreams:
            for output in {upstream[1:], symbols.get(upstream[1:], upstream[1:])}:
                for variant in variants(f"{output}_bar"):
                    self.spellings.setdefault(variant, upstream)
        if len(upstreams) == 1:
            for alias in ("delta", "δ"):
                self.spellings.setdefault(alias, upstreams[0])

    def _add_upstream(self, upstream: str) -> None:
        """`dy` is also `δ_y`; its elements are `δ_{y,i}`."""
        of = re.escape(upstream[1:])
        message = rf"(?<![^\W\d])(?:δ|delta)\s*_\s*\{{\s*{of}\s*,"
        self.phrases.append((re.compile(message), upstream + "_{"))
        whole = rf"(?<![^\W\d])(?:δ|delta)\s*_\s*\{{\s*{of}\s*\}}"
        self.phrases.append((re.compile(whole + r"(?!\s*=)"), upstream))
        for delta in ("δ", "delta"):
            self.spellings.setdefault(f"{delta}_{upstream[1:]}", upstream)

    def _add_numbered(self, name: str) -> None:
        """`W1` is also `W_1` and `W_{1}`, unless these are elements of a W."""
        numbered = re.fullmatch(rf"({WORD}?)_?([0-9]+)", name)
        if not numbered or numbered[1].rstrip("_") in self.axes:
            return
        base, digits = numbered[1].rstrip("_"), numbered[2]
        for variant in variants(base):
            self.spellings.setdefault(f"{variant}{digits}", name)
            self.spellings.setdefault(f"{variant}_{digits}", name)
            pattern = rf"(?<![^\W\d]){variant}\s*_\s*\{{\s*{digits}\s*\}}"
            self.phrases.append((re.compile(pattern), name))

    def _add_indexed(self, spelling: str, name: str) -> None:
        """`h_{t-1,i}` is the element i of the name that is written `h_{t-1}`."""
        subscripted = re.fullmatch(rf"({WORD}?)_\s*\{{?([^{{}}]+)\}}?", spelling)
        if not subscripted:
            return
        if spelling == name and (base := find(subscripted[1], self.spellings, self.axes)):
            letters = [sign for sign in subscripted[2] if sign.isalnum()]
            axes = self.axes.get(base)
            # Behind a comma there may be an index of h_z, but none of an h that has one axis.
            if axes == len(letters) > 1 or (len(letters) == 1 and axes not in (0, 1)):
                return
        inner = r"\s*".join(re.escape(sign) for sign in subscripted[2].replace(" ", ""))
        for variant in variants(subscripted[1]):
            opened = rf"(?<![^\W\d]){variant}\s*_\s*\{{\s*{inner}\s*"
            self.phrases.append((re.compile(opened + ","), name + "_{"))
            if spelling != name or len(subscripted[2]) > 1:
                self.phrases.append((re.compile(opened + r"\}"), name))

    def _add_raised(self, name: str) -> None:
        """`w_k^{new}` is the element k of `w_new`."""
        raised = re.fullmatch(r"(\w+)_([^\W\d_]{2,})", name)
        if not raised:
            return
        for variant in variants(raised[1]):
            below = r"(\s*_\s*(?:\{[^{}]*\}|\w))?"
            pattern = rf"(?<![^\W\d]){variant}{below}\s*\^\s*\{{\s*{raised[2]}\s*\}}"
            self.phrases.append((re.compile(pattern), name))

    def _add_symbol(self, name: str, symbol: str) -> None:
        try:
            spelling = " ".join(translate(symbol).text.split())
        except FaultError:
            return
        spelling = self._without_index(name, spelling)
        for prefix in ("", "d"):
            known = prefix + name
            if known not in self.axes and known != self.asked:
                continue
            self._add_indexed(prefix + spelling, known)
            if re.fullmatch(WORD, spelling):
                for variant in variants(prefix + spelling):
                    if variant not in self.axes:
                        self.spellings[variant] = known
                if not prefix and self.asked.endswith(f"_d{name}"):
                    whole = self.asked.removesuffix(name) + spelling
                    self.spellings.setdefault(whole, self.asked)
            elif spelling:
                self.phrases.append((phrase_for(prefix + spelling), known))

    def _without_index(self, name: str, spelling: str) -> str:
        """`k` of the symbol `k_i` where i is an index of the text, and not part of the name."""
        indexed = re.fullmatch(
            rf"({WORD}?)_\s*\{{?\s*([^\W\d_](?:\s*,?\s*[^\W\d_])*)\}}?", spelling
        )
        if not indexed:
            return spelling
        letters = set(re.findall(r"[^\W\d_]", indexed[2]))
        if len(letters) != self.axes.get(name) or not letters <= self.indices:
            return spelling
        return indexed[1]
