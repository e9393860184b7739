"""TeX's rules for the space between neighbours, in whole columns."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from quizzer.tex.letters import to_ascii
from quizzer.tex.tree import (
    Accent,
    Atom,
    Classed,
    Fence,
    Fraction,
    Grid,
    Leaf,
    Node,
    Root,
    Row,
    Scripts,
    Space,
    Stack,
    atom_of,
)


class Style(Struct, frozen=True):
    """`tight` is the style of scripts: no space round relations and sums. `flat`: on one line.

    `lowered` and `raised`: indices and names of the formula are never set in small letters.
    """

    ascii: bool = False
    tight: bool = False
    flat: bool = False
    lowered: bool = False
    raised: bool = False

    def glyph(self, text: str) -> str:
        return to_ascii(text) if self.ascii else text

    @property
    def script(self) -> "Style":
        return self if self.tight else replace(self, tight=True)


_LOOSE = frozenset({Atom.BIN, Atom.REL})
_AFTER_THESE_UNARY = frozenset({None, Atom.BIN, Atom.REL, Atom.OPEN, Atom.PUNCT, Atom.OP})
_BARS = frozenset("|‖")
_BEFORE_THESE_UNARY = frozenset({None, Atom.REL, Atom.CLOSE, Atom.PUNCT})


def gaps(items: Sequence[Node], style: Style, after: Atom | None = None) -> list[int]:
    """Blank columns before each item. `after`: the class of what stands before the first."""
    atoms = resolved(items, after)
    result: list[int] = []
    before = after
    for place, (item, atom) in enumerate(zip(items, atoms, strict=True)):
        neighbour = items[place - 1] if place else None
        gap = 0 if before is None else _gap(before, atom, neighbour, item, style)
        result.append(gap)
        before = atom
    return result


def resolved(items: Sequence[Node], after: Atom | None = None) -> list[Atom]:
    """The classes of the items, where a sign that is no binary operation counts as ordinary."""
    atoms = [atom_of(item) for item in items]
    solid = [atom for atom in atoms if atom is not Atom.SPACE]
    place = 0
    before = after
    result: list[Atom] = []
    for item, atom in zip(items, atoms, strict=True):
        if atom is Atom.SPACE:
            result.append(atom)
            continue
        following = solid[place + 1] if place + 1 < len(solid) else None
        if atom is Atom.BIN and (before in _AFTER_THESE_UNARY or following in _BEFORE_THESE_UNARY):
            atom = Atom.ORD
        result.append(atom)
        opens = before in _AFTER_THESE_UNARY and isinstance(item, Leaf) and item.text in _BARS
        before = Atom.OPEN if opens else atom  # a bar that can't close opens: |−x|
        place += 1
    return result


def _gap(before: Atom, atom: Atom, neighbour: Node | None, item: Node, style: Style) -> int:
    if Atom.SPACE in (before, atom) or _has_blank(neighbour, -1) or _has_blank(item, 0):
        return 0
    if before is Atom.OPEN or atom in {Atom.CLOSE, Atom.PUNCT}:
        return 0
    if before is atom is Atom.REL:
        return _words_meet(neighbour, item, style)
    if before in _LOOSE or atom in _LOOSE or before is Atom.PUNCT:
        return int(not style.tight) or _words_meet(neighbour, item, style)
    if Atom.FRAC in (before, atom):
        is_flat = style.tight or style.flat or (isinstance(item, Fraction) and item.small)
        return 0 if _is_sign(neighbour) and is_flat else 1
    if atom is Atom.OP and _is_sign(neighbour):
        return 0
    if before is Atom.OP:
        opens = atom is Atom.OPEN or isinstance(item, Fence)
        return 0 if opens and not _is_large(neighbour) else 1
    if atom is Atom.OP or (_is_block(neighbour) and atom is not Atom.OPEN):
        return 1
    return _words_meet(neighbour, item, style)


def _has_blank(node: Node | None, side: int) -> bool:
    """Whether it is text with a space of its author's at that end."""
    return isinstance(node, Leaf) and node.prose and node.text[side:][:1] == " "


def _is_sign(node: Node | None) -> bool:
    return isinstance(node, Leaf) and node.atom is Atom.BIN


def _is_block(node: Node | None) -> bool:
    """Whether it is a matrix or a binomial, which what follows must not touch."""
    match node:
        case Scripts(base=base):
            return _is_block(base)
        case Fence(parts=(part,)):
            return isinstance(part, Grid) or (isinstance(part, Fraction) and not part.bar)
    return isinstance(node, Grid)


def _is_large(node: Node | None) -> bool:
    """Whether it is an operator with limits, which an open bracket must not touch."""
    match node:
        case Scripts(limits=True):
            return True
        case Leaf(text=text, atom=Atom.OP):
            return not text[:1].isalpha()
        case Scripts(base=base):
            return _is_large(base)
    return False


def _words_meet(neighbour: Node | None, item: Node, style: Style) -> int:
    """1 where a word would run into a letter or another word."""
    if neighbour is None:
        return 0
    left, right = _edge(neighbour, -1, style), _edge(item, 0, style)
    if not (left[-1:].isalnum() and (right[:1].isalnum() or right[:1] == "\\")):
        return 0
    return int(_is_word(left) or _is_word(right))


def _is_word(text: str) -> bool:
    return len(text) > 1 and any(char.isalpha() for char in text)


def _edge(node: Node, side: int, style: Style) -> str:
    """The text at the left (0) or right (-1) end of a node, empty when it can't be told."""
    match node:
        case Leaf(prose=True):
            return ""
        case Leaf(text=text):
            return style.glyph(text)
        case Scripts(base=base, sub=sub, sup=sup):
            if side == 0 or sub is sup is None:
                return _edge(base, side, style)
            return _edge(base, side, style) if style.ascii else ""
        case Row(items=items) if items:
            return _edge(items[side], side, style)
        case Accent(body=body) | Classed(body=body) | Stack(base=body):
            return _edge(body, side, style)
        case Root(body=body) if side == -1:
            return _edge(body, side, style)
        case Space():
            return " "
    return ""
