"""Which words are names: spellings of what the card knows, and words split into names."""

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from quizzer.notation.functions import WORDS
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.signs import TWINS
from quizzer.notation.lexer.spellings import WORD, variants
from quizzer.notation.lexer.subscripts import apart
from quizzer.notation.lexer.vocabulary import find, twin_of, vocabulary_of
from quizzer.notation.matrix_sizes import ANY, Length
from quizzer.notation.nodes import Node
from quizzer.notation.values import Context, FaultError

_SUBSCRIPT = re.compile(r"(?:[^\W\d_]|[0-9]+)+")
_NO_NUMBERS = frozenset({"nan", "inf", "infty", "infinity"})
_CHOICE = frozenset({"if", "else", "and", "or"})
ENGLISH = frozenset(
    [
        *("also", "an", "any", "are", "as", "at", "be", "because", "by", "do", "each", "else"),
        *("for", "from", "has", "hence", "here", "holds", "if", "in", "is", "it", "its", "let"),
        *("like", "no", "not", "note", "of", "on", "one", "or", "over", "qed", "see", "since"),
        *("so", "such", "than", "that", "the", "then", "there", "this", "thus", "to", "use"),
        *("using", "via", "was", "we", "when", "where", "which", "while", "with"),
    ]
)
"""Words of a remark: letters that are names of the card are not multiplied for them."""
_ACCENTED = re.compile(r"[^\W\d]\w*?_(?:hat|bar|tilde|dot)(?=_|$)")
_LABELLED = re.compile(rf"({WORD}?)_([A-Za-z]+|[0-9]+)_\{{")
_DERIVATIVE = re.compile(r"d\w+?_d(\w+)")
_ATOM = re.compile(r"[^\W\d_]|[0-9]+")


class Piece(NamedTuple):
    """A part of a typed word: a `name` that is known, another `word`, a `number` or a `sign`."""

    kind: str
    text: str
    offset: int
    typed: str = ""


class Doubt(NamedTuple):
    """A place that can be read in several ways: how many, and what to say where they differ."""

    ways: int
    message: str
    at: int | None


class Names:
    """The names known at one place of an answer. Helper lines add to them."""

    def __init__(self, context: Context, indices: frozenset[str] = frozenset()) -> None:
        """`indices` are letters that the text uses as an index, on the left or below a sum."""
        self.context = context
        self.doubts: dict[object, Doubt] = {}
        """What could be read otherwise, by its place."""
        self.decided: Mapping[object, int] = {}
        """Which reading of each such place is taken; the first unless said."""
        self.indices = indices
        self.axes: dict[str, int | None] = {
            name: len(shape) for name, shape in context.shapes.items()
        }
        for name in context.numbers:
            self.axes.setdefault(name, 0)
        self.lengths = dict(context.lengths)
        """How long the axes of each name are, wherever that is known."""
        self.said: list[Plain] = []
        """Lines that define nothing the answer needs, and are set aside."""
        self.letters: dict[str, Node] = {}
        """Letters that the text defines, `k = ⌊i/2⌋`, with what they are."""
        self.places: dict[str, str] = {}
        """Letters of which the text says something else, `t = argmax_j y_j`, with that."""
        self.entries: dict[str, tuple[tuple[str, ...], Node]] = {}
        """Helper arrays that have a letter whose range only their use tells, by their entries."""
        known = vocabulary_of(context, self.axes, indices)
        self.spellings = dict(known.spellings)
        self.phrases = known.phrases

    def spellings_of(self, name: str) -> set[str]:
        """Every word that may mean the name, or a row of it."""
        found = {word for word, known in self.spellings.items() if known == name} | {name}
        return found | {word.swapcase() for word in found if len(word) == 1}

    def is_renewed(self, word: str) -> bool:
        """Whether the asked name is the word with something behind it: `w_hat` of w."""
        _, mark, tail = self.context.asked.partition("_")
        return bool(mark) and self.spelled(f"{word}_{tail}") == self.context.asked

    def decide(self, key: object, doubt: Doubt) -> int:
        """Which reading is taken at a place that has several."""
        self.doubts[key] = doubt
        return self.decided.get(key, 0)

    def asks_for_two(self) -> bool:
        """Whether the answer is a vector of two numbers, whatever the instance is."""
        axes = self.lengths.get(self.context.asked, ())
        return len(axes) == 1 and set(axes[0]) == {2}

    def define(
        self, name: str, axes: int | None, lengths: tuple[Length, ...] | None = None
    ) -> None:
        """A helper line has given the name a value; `None` where the axes are not known."""
        self.axes[name] = axes
        self.lengths.pop(name, None)
        if lengths is not None:
            self.lengths[name] = lengths
        for spelling in variants(name):
            self.spellings[spelling] = name

    def find(self, word: str) -> str | None:
        """The name that the word spells, if it may be used."""
        return find(word, self.spellings, self.axes)

    def twin_of(self, word: str) -> str | None:
        """The array that is written small on the card and large here, `Y` and `\\hat{Y}`."""
        return twin_of(word, self.spellings, self.axes)

    def every_length(self) -> dict[str, tuple[Length, ...]]:
        """How long the axes are of every name whose number of axes is known."""
        found = {name: (ANY,) * axes for name, axes in self.axes.items() if axes is not None}
        return found | self.lengths

    def rows_of(self, word: str) -> str | None:
        """The matrix whose rows are written with the word: `x_n` is row n of X."""
        twin = self.find(word.swapcase()) if len(word) == 1 and word.islower() else None
        if twin is None or self.find(word) or self.axes.get(twin) != 2:
            return None
        return twin

    def spelled(self, word: str) -> str:
        """The name, the asked one included, that the word spells; else the word."""
        return self.spellings.get(word, word)

    def with_phrases(self, plain: Plain) -> Plain:
        """Symbols that are more than a word, such as `W^{(1)}`, replaced by their names."""
        for pattern, name in self.phrases:
            for match in reversed(list(pattern.finditer(plain.text))):
                below = match[1] or "" if pattern.groups else ""
                plain = plain.replaced(match.start(), match.end(), f"{name}{below} ")
        for match in reversed(list(_LABELLED.finditer(plain.text))):
            # No name has this label: it is an index that was written upright.
            if self._has_indices(*match.groups()):
                plain = plain.replaced(match.start(2), match.end(), f"{{{match[2]},")
        return apart(plain, self._axes_of, self._is_read, self.indices)

    def _has_indices(self, word: str, label: str) -> bool:
        """Whether a label and what stands behind it are indices of the name that the word is."""
        if not self._is_name(word) or self._is_name(f"{word}_{label}"):
            return False
        axes = self.axes.get(self.find(word) or "") or 0
        return len(label) == 1 or label.isdecimal() or len(label) < axes

    def _is_name(self, word: str) -> bool:
        return self.find(word) is not None or self._is_asked(word)

    def _is_asked(self, word: str) -> bool:
        return self.spelled(word) in (self.context.asked, *self.context.others)

    def _axes_of(self, word: str) -> int | None:
        name = self.find(word)
        if name is None:
            return 1 if self.rows_of(word) else None
        return self.axes.get(name)

    def _is_read(self, word: str) -> bool:
        """Whether the word means something as it stands: a name, a sum, what is below it."""
        cuts = [cut for cut in range(1, len(word) + 1) if cut == len(word) or word[cut] == "_"]
        if any(self._is_asked(word[:cut]) for cut in cuts):
            return True
        if (derivative := _DERIVATIVE.fullmatch(word)) and self.find(derivative[1]):
            return True
        try:
            first, *below = self.split(word)
        except FaultError:
            return True
        if first.kind == "name":
            letters = sum(piece.kind != "sign" for piece in below)
            return letters <= (self.axes.get(first.text) or letters)
        return first.text in WORDS or first.text in ("I", "δ", "delta")

    def nearest(self, word: str, defined: Iterable[str] = ()) -> str:
        """A sentence that proposes the nearest known name, or lists the known ones."""
        usable = sorted({*self.axes, *defined})
        if word in WORDS:
            return f"Put brackets round what it acts on: {word}(…)."
        if word.lower() in ENGLISH and word.islower():
            return "Leave a remark out."
        near = [name for name in usable if name.lower() == word.lower()]
        words = WORDS if len(word) > 1 else ()
        near = near or difflib.get_close_matches(word[:40], [*usable, *words], 1, 0.5)
        if not near:
            near = [name for name in usable if len(word) > 1 and word in name]
        if near:
            return f"Did you mean {near[0]}?"
        return f"Known names: {', '.join(usable[:12])}." if usable else "No names are known."

    def missing_sum(self, letter: str, at: int | None) -> FaultError:
        """The fault of a letter that only the right side has, with the sum that it needs."""
        place = self.places.get(letter)
        wanted = f"sum({letter})" + (f" [{letter} = {place}]" if place else "")
        new = self.context.asked_shape is None  # a name of the writer's own
        advice = f"put it on the left, too, or {wanted}" if new else f"put {wanted}"
        why = f"Index {letter} is on the right but not on the left: {advice} before it."
        return FaultError(why, at, "missing-sum")

    def unknown(self, word: str, at: int | None, defined: Iterable[str] = ()) -> FaultError:
        if self.spelled(word) == self.context.asked:
            return FaultError(
                f"{word} is what is asked for: it is on the left alone, {word} = ….",
                at,
                "unknown-name",
            )
        if word in self.context.others:
            return FaultError(
                f"{word} is asked on this card, too: write out what it is.", at, "unknown-name"
            )
        if word in _CHOICE:
            return FaultError(
                f"The word {word} cannot stand here: a choice is a if condition else b.", at
            )
        if word.lower() in _NO_NUMBERS:
            return FaultError("NaN and infinity are no part of an answer.", at, "unknown-name")
        twin = "".join(TWINS.get(sign, sign) for sign in word)
        if twin != word and self.find(twin):
            return FaultError(
                f"This {word} is another alphabet's letter: type the Latin {twin}.",
                at,
                "unknown-name",
            )
        near = self.nearest(word, defined)
        return FaultError(f"{word} is not a known name. {near}", at, "unknown-name")

    def split(self, word: str) -> list[Piece]:
        """The word as known names and subscripts, the longest name first: `XW` is X W.

        Raises FaultError when it can be split into names in two ways.
        """
        if self.find(word):
            return [self._piece(word, 0)]
        if word in WORDS or word in self.context.others or self._is_message(word):
            return [Piece("word", word, 0)]
        accented = _ACCENTED.match(word)
        if accented and not self._begins_with_name(word, accented.end()):
            name = accented[0].rstrip("_")
            raise FaultError(
                f"{name} is not a known name: define it in a line before, {name} = ….",
                None,
                "unknown-name",
            )
        if "_" not in word:
            return self._names_in(word)
        cuts = [index for index in range(len(word) - 1, 0, -1) if word[index] == "_"]
        for cut in cuts:
            base, rest = word[:cut], word[cut + 1 :]
            pieces = self._base(base)
            if pieces and (not rest or _SUBSCRIPT.fullmatch(rest)):
                return [*pieces, *self._subscript(rest, cut)]
        whole = self._names_in(word)
        if len(whole) > 1:
            return whole
        cut = cuts[0]
        if cut == len(word) - 1 or (len(word) - cut <= 4 and _SUBSCRIPT.fullmatch(word[cut + 1 :])):
            return [Piece("word", word[:cut], 0), *self._subscript(word[cut + 1 :], cut)]
        return [Piece("word", word, 0)]

    def _begins_with_name(self, word: str, least: int) -> bool:
        """Whether so many signs of the word, or more up to an underscore, are a known name."""
        ends = (end for end in range(least, len(word) + 1) if word[end : end + 1] in ("", "_"))
        return any(self.find(word[:end]) for end in ends)

    def _is_message(self, word: str) -> bool:
        """Whether the word looks like a gradient's name, such as `dx`; it is no product d x."""
        return word[:1] == "d" and (
            self.spelled(word) == self.context.asked or self.find(word[1:]) is not None
        )

    def _piece(self, word: str, offset: int) -> Piece:
        name = self.find(word)
        return Piece("name" if name else "word", name or word, offset, word)

    def _subscript(self, rest: str, cut: int) -> list[Piece]:
        if not rest:
            return [Piece("sign", "_", cut)]
        inner = []
        for atom in _ATOM.finditer(rest):
            kind = "number" if atom[0].isdigit() else "name" if self.find(atom[0]) else "word"
            text = self.find(atom[0]) or atom[0]
            inner.append(Piece(kind, text, cut + 1 + atom.start(), atom[0]))
        brackets = Piece("sign", "{", cut), Piece("sign", "}", cut + len(rest))
        return [Piece("sign", "_", cut), brackets[0], *inner, brackets[1]]

    def _base(self, base: str) -> list[Piece] | None:
        if self.find(base):
            return [self._piece(base, 0)]
        if base in WORDS or base in ("I", "δ", "delta"):
            return [Piece("word", base, 0)]
        pieces = self._names_in(base)
        return pieces if len(pieces) > 1 else None

    def _names_in(self, word: str) -> list[Piece]:
        found = self._splits(word)
        if found and word.lower() in ENGLISH:
            product = " ".join(word[a:b] for a, b in found[0])
            raise FaultError(
                f"Is {word} a word or a product? Leave a remark out; write the product {product}.",
                None,
                "ambiguous",
            )
        if len(found) > 1:
            shown = [" ".join(word[a:b] for a, b in parts) for parts in found]
            raise FaultError(
                f"{word} can be read as {shown[0]} or {shown[1]}: put spaces between the names.",
                None,
                "ambiguous",
            )
        if not found:
            return [Piece("word", word, 0)]
        return [self._piece(word[a:b], a) for a, b in found[0]]

    def _splits(self, word: str) -> list[list[tuple[int, int]]]:
        """Up to two ways to cut the word into known names."""
        if len(word) > 24:
            return []
        ways: list[list[list[tuple[int, int]]]] = [[] for _ in word] + [[[]]]
        for start in range(len(word) - 1, -1, -1):
            for end in range(len(word), start, -1):
                identity = word[start:end] == "I" and start > 0 and end == len(word)
                if ways[end] and (identity or self.find(word[start:end])):
                    ways[start] += [[(start, end), *rest] for rest in ways[end]]
            del ways[start][2:]
        return ways[0]
