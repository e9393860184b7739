"""Left sides: a derivative, a message, a differential, a value, a new name, or an equation."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from quizzer.checker.derivation.board import Board, used_in
from quizzer.checker.derivation.derived import Choice, Known
from quizzer.checker.derivation.operators import has_operator, with_derivatives
from quizzer.checker.derivation.slopes import NoSlope
from quizzer.checker.derivation.taken import taken
from quizzer.checker.derivation.values import Target, Truth, Unjudged
from quizzer.checker.derivative import Uncertified
from quizzer.checker.meaning import Kind
from quizzer.notation.functions import WORDS
from quizzer.notation.grammar.derivation import Part, Written
from quizzer.notation.grammar.left import LOSSES
from quizzer.notation.grammar.partials import LOSS, Partial, Thing, thing, whole_partial
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.values import FaultError

_BELOW = r"(?:\s*_\s*\{[^{}]*\}|\s*\[[^\[\]]*\])?"
_APPLIED = re.compile(rf"({WORD})\s*\(\s*\w+(?:\s*,\s*\w+)*\s*\)")
_NEW = re.compile(rf"({WORD})({_BELOW})")
_MESSAGE = re.compile(
    rf"(?:d\s*({WORD})|(?:δ|delta)_\s*\{{?\s*({WORD})\s*\}}?|(?:δ|delta)_\{{\s*({WORD})\s*,)({_BELOW})"
)
_D_NAME = re.compile(rf"(?<![^\W\d])d\s*({WORD}{_BELOW})(?![\w{{])")
_EXACT = 1e-12
_OF_WAYS = 1e-8


class Lefts:
    """What left sides stand for on a board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def target_of(self, left: Plain, links: Sequence[Plain]) -> Target:
        """What a left side stands for. Raises FaultError or Unjudged."""
        names = self.board.names()
        text = left.text.strip()
        way = any(True for plain in (left, *links) for _ in self.differentials(plain, names))
        if text == "0" or has_operator(text):
            return Target("equation", text, way=way)
        partial = whole_partial(left, names)
        if partial is not None:
            self._check_loss(partial.top.name)
            return self._derivative(partial)
        message = self._message_of(text, names)
        if message is not None:
            self._check_loss(message.name)
            right = links[-1] if links else left[:0]
            if self._is_differential(message, right, names):
                return self._differential(message)
            if message.name != LOSS:
                return self._derivative(Partial(Thing(LOSS), message, True, 0, 0))
        applied = _APPLIED.fullmatch(text)
        applied = None if applied and applied[1] in WORDS else applied
        known = thing(applied[1] if applied else text, names)
        if known is not None and (
            self._is_taken_over(known, links) or self._is_renewed(known, text, links)
        ):
            self.board.soft.add(known.name)
        if known is not None and known.name not in self.board.soft:
            return self._value(known)
        new = self._new(applied[1] if applied else text, links)
        if new is not None:
            return new
        if not links:
            raise Unjudged(f"{text[:40]} is no left side that is read here.", "left-side")
        return Target("equation", text[:40], way=way)

    def _is_taken_over(self, known: Thing, links: Sequence[Plain]) -> bool:
        """Whether the learner calls an array of their own like a size, `D = diag(y)`."""
        if known.name not in self.board.sheet.sizes or not links:
            return False
        if known.indices:
            return True
        try:
            plain = with_derivatives(links[-1], self.board)
            reading = self.board.read(plain.text, (), None)
            return self.board.value(reading, 0, Choice()).ndim > 0
        except (FaultError, Unjudged, NoSlope, Uncertified):
            return False  # the line is told for what it is

    def _is_renewed(self, known: Thing, text: str, links: Sequence[Plain]) -> bool:
        """Whether the learner gives a name of their own a new value that is made of its last one
        entry by entry, `G = o ⊙ G`: with other indices it may be a recurrence."""
        board, scene = self.board, self.board.scenes[0]
        own = any(each.name == known.name for each in scene.defined)
        if not own or known.name in board.cuts or len(links) != 1:
            return False
        others = (match[1] for match in _NEW.finditer(links[0].text.replace(text, " ")))
        if any(board.names().find(other) == known.name for other in others):
            return False
        try:
            take, letters = taken(known.indices, (), (np.ndim(scene.values[known.name]), 0))
            plain = with_derivatives(links[0], board)
            reading = board.read(plain.text, letters, None)
            value = board.value(reading, 0, Choice())
        except (FaultError, Unjudged, NoSlope, Uncertified):
            return False
        if known.name not in used_in(reading):
            return False
        last = take(np.asarray(scene.values[known.name], float))
        return value.shape != last.shape or not np.allclose(value, last, 1e-9, 1e-12)

    def value_of(self, name: str, letters: tuple[str, ...]) -> Target:
        """The value of a name that the learner has defined."""
        return self._value(Thing(name, letters))

    def uses_differentials(self, parts: Sequence[Part]) -> bool:
        """Whether a line says how L or an output moves with what it is made of."""
        names = self.board.names()
        for part in parts:
            if not isinstance(part, Written) or part.left is None or not part.links:
                continue
            message = self._message_of(part.left.text.strip(), names)
            if message is None or not set(self.differentials(part.links[-1], names)):
                continue
            if message.name == LOSS or self._is_differential(message, part.links[-1], names):
                return True
        return False

    def differentials(self, plain: Plain, names: Names) -> Iterator[str]:
        """What stands behind a d in the text."""
        for match in _D_NAME.finditer(plain.text):
            inner = thing(match[1], names)
            if inner is not None and inner.name in self.board.moving:
                yield inner.name

    def moves_with(self, target: Target, known: Known, choice: Choice) -> str | None:
        """The one value that the learner's name in a wrong derivative is a function of, if the
        derivative is right when that moves too: L has `log R` and R, and `r = log R`."""
        board = self.board
        if target.ends is None or target.take is None or target.ends[1] not in board.cuts:
            return None
        top, over = target.ends
        inner = [name for name in board.moving if board.scenes[0].contains(over, name)]
        if len(inner) != 1:
            return None
        for i, (scene, value) in enumerate(zip(board.scenes, known.values, strict=False)):
            shape = np.shape(scene.values[over])
            slopes = scene.slope(over, inner[0], direct=True).value
            if slopes.shape != shape + shape:
                return None
            flat = slopes.reshape(np.size(scene.values[over]), -1)
            each = np.diagonal(flat)
            if not each.all() or not np.allclose(flat, np.diag(each)):
                return None
            whole = board.derivative((top, inner[0]), i, choice, total=True)[0]
            if not np.allclose(target.take(whole / each.reshape(shape)), value, 1e-6, 1e-9):
                return None
        return inner[0]

    def _check_loss(self, name: str) -> None:
        """Raises Unjudged for an L on a card that is about no message."""
        if name == LOSS and not self.board.has_loss:
            raise Unjudged("This card has no L; define it in a line before.")

    def _derivative(self, partial: Partial) -> Target:
        board = self.board
        top, over = partial.top.name, partial.over.name
        board.connect(top, over)
        scene = board.scenes[0]
        pair = (top, over)
        loss = top == LOSS or (board.number and top in LOSSES)
        asked = self._asked(top, over)
        two = not (partial.total or loss or asked) and board.note_pair(pair)
        axes = (np.ndim(scene.values.get(top, 0.0)), np.ndim(scene.values[over]))
        take, kept = taken(partial.top.indices, partial.over.indices, axes)
        symmetric = over in board.sheet.symmetric

        def of(i: int, choice: Choice) -> Truth:
            value, error = board.derivative(pair, i, choice, total=not two)
            if symmetric:
                value = (value + np.swapaxes(value, -1, -2)) / 2
            return take(value), take(error)

        name = f"∂{'L' if top == LOSS else top}/∂{over}"
        both = pair if two else None
        whole = symmetric and len(kept) in (0, sum(axes)) and not _has_number(partial)
        return Target(
            "derivative", name, of, kept, both, asked=asked, base=over, take=take, ends=pair,
            is_symmetric=whole,
        )  # fmt: skip

    def _value(self, known: Thing) -> Target:
        board, name = self.board, known.name
        given = name in board.base[0].inputs or name in board.free
        if given and name not in board.sheet.asked:
            if name in board.optima:
                return Target("equation", name)
            raise Unjudged(f"{name} is given; what it is equal to is not judged.")
        take, kept = taken(known.indices, (), (np.ndim(board.scenes[0].values[name]), 0))

        def of(i: int, choice: Choice) -> Truth:
            value = take(np.asarray(board.scenes[i].values[name], float))
            return value, np.full_like(value, _EXACT)

        asked = name if name in board.sheet.asked else None
        return Target("value", name, of, kept, asked=asked, base=name, take=take)

    def _differential(self, message: Thing) -> Target:
        board, name = self.board, message.name
        axes = 0 if name == LOSS else np.ndim(board.scenes[0].values[name])
        take, kept = taken(message.indices, (), (axes, 0))

        def of(i: int, choice: Choice) -> Truth:
            value = take(board.way(name, i, choice))
            return value, np.full_like(value, _OF_WAYS * (1 + np.max(np.abs(value), initial=0.0)))

        shown = "dL" if name == LOSS else f"d{name}"
        return Target("differential", shown, of, kept, way=True, base=name)

    def _new(self, text: str, links: Sequence[Plain]) -> Target | None:
        """A name of the learner's own; None where it is none."""
        match = _NEW.fullmatch(text)
        if match is None or not links:
            return None
        word, below = match[1], (match[2] or "").strip()
        if below:
            inner = below.lstrip("_ ").strip("{}[] ")
            parts = inner.split(",") if "," in inner else list("".join(inner.split()))
            letters = tuple(part.strip() for part in parts)
            word = word.rstrip("_")
        else:
            base, _, tail = word.rpartition("_")
            letters = tuple(tail) if base and tail.isalpha() and len(tail) <= 3 else ()
            word = base if letters else word
        if any(not re.fullmatch(r"[^\W\d_]'*", letter) for letter in letters):
            return None
        names = self.board.names()
        known = names.spellings.get(word)
        if known in names.axes and known not in self.board.soft:
            return None
        return Target("definition", word, None, letters)

    def _message_of(self, text: str, names: Names) -> Thing | None:
        """What `dP` and `δ_P` on the left are about; `dL` where the card has no L."""
        found = _MESSAGE.fullmatch(text)
        if found is None:
            return None
        word, below = found[1] or found[2] or found[3], found[4] or ""
        if word in LOSSES and names.find(word) is None and not below:
            return Thing(LOSS)
        inner = thing(word + below, names)
        return inner if inner is not None and inner.name in self.board.moving else None

    def _is_differential(self, message: Thing, right: Plain, names: Names) -> bool:
        """Whether the d-names on the right are what the left depends on, and no messages."""
        found = set(self.differentials(right, names))
        if message.name == LOSS or (found and self.board.differentials):
            return True
        scene = self.board.scenes[0]
        follows = [name for name in found if name != message.name]
        return bool(follows) and all(scene.follows(message.name, name) for name in follows)

    def _asked(self, top: str, over: str) -> str | None:
        """The asked name that a derivative is."""
        sheet, number = self.board.sheet, self.board.number
        for asked in sheet.asked:
            meaning = sheet.meaning(asked)
            if meaning.variable != over:
                continue
            loss = top == LOSS or (number and top in LOSSES)
            local = meaning.kind is Kind.LOCAL
            if (local and meaning.output == top) or (loss and (not local or number)):
                return asked
        return None


def _has_number(partial: Partial) -> bool:
    return any(index.isdigit() for index in (*partial.top.indices, *partial.over.indices))
