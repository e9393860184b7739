"""One line of an answer, read in matrix or index notation into what it defines and how."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from msgspec.structs import replace

from quizzer.notation.compiler import mixed
from quizzer.notation.compiler.full_ranges import counted_as_the_card_does
from quizzer.notation.compiler.index_ranges import (
    check_ranges,
    lengths_of,
    on_whole_axes,
    uses_under,
)
from quizzer.notation.compiler.matrix_meaning import meant
from quizzer.notation.grammar.index import IndexParser
from quizzer.notation.grammar.left import Left, is_asked, with_derivatives
from quizzer.notation.grammar.lines import Line
from quizzer.notation.grammar.matrix import MatrixParser
from quizzer.notation.grammar.mixed_parser import MixedParser
from quizzer.notation.latex import latex, name_of
from quizzer.notation.lexer.deltas import kroneckers
from quizzer.notation.lexer.names import Doubt, Names
from quizzer.notation.lexer.tokens import tokenize
from quizzer.notation.matrix_sizes import ANY, Length, agree, axes_of, of_table
from quizzer.notation.nodes import (
    Binder,
    Call,
    Group,
    Letter,
    Name,
    Node,
    Number,
    Product,
    Sum,
    bare,
    substituted,
    walk,
)
from quizzer.notation.values import FaultError

MAX_READINGS = 8
_MAX_FREE = 6
ROWS = "Does x_n mean a row or a column? Write the array with all its indices, X[n,i]."
_WITH_ARRAYS = frozenset({"indices", "missing-sum", "left-side", "unknown-name"})
"""Faults of index notation that an array without indices may have made."""

LineReader = Callable[[Line, Left | None, Names], "Step"]


@dataclass(frozen=True)
class Step:
    """One line that was read: what it defines, over which letters, and how it is computed."""

    name: str
    letters: tuple[str, ...]
    node: Node
    helper: bool
    axes: int | None = None
    """How many axes the value has, where that is known without computing."""
    whole: bool = False
    """Whether the line is in matrix notation."""
    lengths: tuple[Length, ...] | None = None
    """How long the axes of its value are, where that is known."""
    source: Node | None = None
    """The line as it was written, where arrays in it got letters of their own."""
    left: tuple[str, ...] | None = None
    """The letters of its left side as it was written, where these are fewer."""

    @cached_property
    def used(self) -> tuple[str, ...]:
        """The names it needs."""
        return tuple({part.name: None for part in walk(self.node) if isinstance(part, Name)})

    def latex(self) -> str:
        """The line as LaTeX."""
        left = self.letters if self.left is None else self.left
        return f"{name_of(self.name, ', '.join(left))} = {latex(self.source or self.node)}"

    def shown(self) -> str:
        left = self.letters if self.left is None else self.left
        letters = f"[{', '.join(left)}]" if left else ""
        return f"{self.name}{letters} = {bare(self.source or self.node)}"


def matrix_line(line: Line, left: Left | None, names: Names) -> Step:
    context = names.context
    if context.asked_shape is not None and len(context.asked_shape) > 2:
        raise FaultError(
            f"{context.asked} has {len(context.asked_shape)} axes: matrix notation has two at "
            "most. Use index notation or NumPy.",
            None,
            "axes",
        )
    parser = MatrixParser(tokenize(with_derivatives(line.right, names), names), names)
    answers = left is None or is_asked(left, names)
    asked = names.lengths.get(context.asked) if answers else None
    found, question = meant(parser.whole(), of_table(names.lengths), context.values, asked)
    place = line.right.at(0)
    several = len(found) > 1
    chosen = names.decide(("signs", place), Doubt(len(found), question, place)) if several else 0
    node, size = found[chosen]
    axes = 0 if size.number else None
    return Step(left.name if left else context.asked, (), node, False, axes, True, axes_of(size))


def index_line(line: Line, left: Left | None, names: Names) -> Step:
    """A line in index notation; one of whole arrays only is read in matrix notation. Without a
    left side, its letter is the one with which it can be read: t in `Σ_{s < t} x_s`."""
    try:
        return _index_line(line, left, names)
    except FaultError as fault:
        asked = names.context.asked_shape
        bare = left is None or (is_asked(left, names) and not left.letters)
        if not bare or fault.code not in _WITH_ARRAYS or asked is None or len(asked) != 1:
            raise
        found = [*_with_each_letter(line, left or Left(names.context.asked), names)]
        if len(found) != 1:
            raise
        return found[0]


def _with_each_letter(line: Line, left: Left, names: Names) -> Iterator[Step]:
    """The readings with each of the line's letters on the left in which what a sum runs over is an
    index: t is free in `Σ_{s < t} x_s`."""
    tokens = tokenize(with_derivatives(line.right, names), names, letters=True)
    words = dict.fromkeys(token.text for token in tokens if token.kind == "word")
    for letter in words:
        if len(letter) == 1:
            with suppress(FaultError):
                step = _index_line(line, replace(left, letters=(letter,)), names)
                parts = walk(step.node)
                summed = {part.letter for part in parts if isinstance(part, Binder)}
                if summed <= uses_under(step.node).keys():
                    yield step


def _index_line(line: Line, left: Left | None, names: Names) -> Step:
    try:
        return _indexed_line(line, left, names)
    except FaultError as fault:
        readers: list[LineReader] = [] if left and left.letters else [matrix_line]
        readers += [_mixed_line] if fault.code in _WITH_ARRAYS else []
        for reader in readers:
            try:
                return reader(line, left, names)
            except FaultError as other:
                if other.code == "ambiguous":
                    fault = other
        raise fault


def _mixed_line(line: Line, left: Left | None, names: Names) -> Step:
    """A line in which whole arrays stand among indices."""
    context = names.context
    tokens = tokenize(with_derivatives(line.right, names), names, letters=True)
    answers = left is None or is_asked(left, names)
    axes = len(context.asked_shape or ())
    bare = answers and not (left and left.letters) and axes > 0
    letters = left.letters if left else ()
    parser = MixedParser(list(tokens), names, None if bare else letters)
    source = parser.whole()
    deltas = kroneckers(source, parser.deltas, letters, names)
    if deltas:
        parser = MixedParser(tokens, names, None if bare else letters)
        parser.kroneckers = deltas
        source = parser.whole()
    asked = names.lengths.get(context.asked) if answers else None
    bound = {part.letter for part in walk(source) if isinstance(part, Letter | Binder)}
    place = line.right.at(0)

    def opened(letters: tuple[str, ...]) -> list[mixed.Found]:
        return mixed.opened(
            source, letters, names.every_length(), context.values, asked, bound, context.first_index
        )

    if parser.free:
        letters = _order_of(parser.free, axes, opened, names, place)
    found = opened(letters)
    several = len(found) > 1
    chosen = names.decide(("rows", place), Doubt(len(found), ROWS, place)) if several else 0
    every, node, _ = found[chosen]
    name = left.name if left else context.asked
    lengths = lengths_of(node, every, names.lengths) if not answers else None
    if several:
        return Step(name, every, node, False, len(every), False, lengths)
    return Step(name, every, node, False, len(every), False, lengths, source, letters)


def _order_of(
    free: list[str],
    axes: int,
    opened: Callable[[tuple[str, ...]], list[mixed.Found]],
    names: Names,
    place: int | None,
) -> tuple[str, ...]:
    """The letters of an answer without a left side in the order that fits; where several do, the
    one that is decided for."""
    asked = names.context.asked
    wanted = names.lengths.get(asked, (ANY,) * axes)

    def fits(order: tuple[str, ...]) -> bool:
        try:
            nodes = [node for _, node, _ in opened(order)]
        except FaultError:
            return False
        found = [lengths_of(node, order, names.lengths) for node in nodes]
        return any(all(map(agree, lengths, wanted)) for lengths in found)

    few = len(free) == axes <= _MAX_FREE
    orders = [order for order in permutations(free) if fits(order)] if few else []
    told = _left_wanted(free, axes, asked)
    if not orders or len(orders) > MAX_READINGS:
        raise FaultError(told, place, "left-side")
    if len(orders) == 1:
        return orders[0]
    return orders[names.decide("letters", Doubt(len(orders), told, place))]


def _indexed_line(line: Line, left: Left | None, names: Names) -> Step:
    context = names.context
    asked = left is not None and is_asked(left, names)
    axes = None if context.asked_shape is None else len(context.asked_shape)
    tokens = tokenize(with_derivatives(line.right, names), names, letters=True)
    bare = left is None or (asked and not left.letters and bool(axes))
    letters = None if left is None or bare else left.letters
    if left is not None and not bare and asked and left.name == context.asked and axes is not None:
        _check_left_letters(left, axes)
    parser = IndexParser(list(tokens), names, letters)
    defined = _letters_for(letters, names)
    parser.scope += defined
    node = parser.whole()
    deltas = kroneckers(node, parser.deltas, letters or (), names)
    if deltas:
        parser = IndexParser(tokens, names, letters)
        parser.scope += defined
        parser.kroneckers = deltas
        node = parser.whole()
    node = substituted(node, defined)
    if bare:
        letters = _implied_letters(node, parser.free, axes, names, line)
    letters = letters or ()
    known = (names.lengths, context.values, context.first_index)
    own = (
        dict(zip(letters, names.lengths.get(context.asked, ()), strict=False))
        if bare or asked
        else {}
    )
    node = counted_as_the_card_does(on_whole_axes(node, *known), *known, own)
    check_ranges(node, *known)
    lengths = lengths_of(node, letters, names.lengths) if not asked else None
    name = left.name if left else context.asked
    return Step(name, letters, node, False, len(letters), lengths=lengths)


def _letters_for(letters: tuple[str, ...] | None, names: Names) -> dict[str, Node]:
    """The letters that the text defines by some of these."""
    return {
        letter: Group(node, node.at)
        for letter, node in names.letters.items()
        if letters and letter not in letters
        if all(part.letter in letters for part in walk(node) if isinstance(part, Letter))
    }


def index_of(line: Line, letters: tuple[str, ...], names: Names) -> Node | None:
    """What the line computes of these letters, `⌊i/2⌋`; None where it is no index."""
    parser = IndexParser(tokenize(line.right, names, letters=True), names, letters)
    try:
        node = parser.whole()
    except FaultError:
        return None
    parts = list(walk(node))
    numbers = all(
        isinstance(part, Number | Letter | Group | Sum | Product)
        or (isinstance(part, Name) and names.axes.get(part.name) == 0)
        or (isinstance(part, Call) and part.function in ("floor", "ceil"))
        for part in parts
    )
    return node if numbers and any(isinstance(part, Letter) for part in parts) else None


def _check_left_letters(left: Left, axes: int) -> None:
    if len(left.letters) != axes:
        wanted = f"one letter for each, {left.name}[…]," if axes else f"{left.name} alone"
        raise FaultError(
            f"{left.name} has {axes} {'axis' if axes == 1 else 'axes'}: write {wanted} on the "
            "left.",
            left.at,
            "indices",
        )


def _implied_letters(
    node: Node, free: list[str], axes: int | None, names: Names, line: Line
) -> tuple[str, ...]:
    """The letters of an answer without a left side, where only one order fits the shapes."""
    asked = names.context.asked
    if axes == 0 and free:
        raise names.missing_sum(free[0], line.right.at(0))
    if axes is None or len(free) == axes:
        orders = [tuple(free)] if len(free) < 2 else list(_orders(node, free, names))
        if len(orders) == 1:
            return orders[0]
        if 1 < len(orders) <= MAX_READINGS:
            doubt = Doubt(len(orders), _left_wanted(free, axes, asked), line.right.at(0))
            return orders[names.decide("letters", doubt)]
    raise FaultError(_left_wanted(free, axes, asked), line.right.at(0), "left-side")


def _left_wanted(free: list[str], axes: int | None, asked: str) -> str:
    letters = "" if len(free) != axes else f", with {', '.join(free)} in the order of its axes"
    return f"Write the left side with its indices: {asked}[…] = …{letters}."


def _orders(node: Node, free: list[str], names: Names) -> Iterator[tuple[str, ...]]:
    """The orders of the letters in which their lengths, as far as known, are the asked ones."""
    asked = names.lengths.get(names.context.asked)
    found = lengths_of(node, tuple(free), names.lengths)
    if asked is None or len(asked) != len(free) or len(free) > _MAX_FREE:
        return
    by_letter = dict(zip(free, found, strict=True))
    for order in permutations(free):
        pairs = [(by_letter[letter], axis) for letter, axis in zip(order, asked, strict=True)]
        if all(length in (ANY, axis) for length, axis in pairs):
            yield order
