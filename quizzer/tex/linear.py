"""A tree → one line, with the brackets that keep its meaning."""

import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

from quizzer.tex.letters import SUBSCRIPTS, SUPERSCRIPTS, accented, scripted
from quizzer.tex.scripts import small_sub, small_sup, stays_large
from quizzer.tex.spacing import Style, gaps
from quizzer.tex.tree import (
    Accent,
    Arrow,
    Atom,
    Boxed,
    Brace,
    Classed,
    Fence,
    Fraction,
    Grid,
    Leaf,
    Node,
    Phantom,
    Root,
    Row,
    Scripts,
    Shape,
    Space,
    Stack,
    Tag,
    Tall,
    atom_of,
    items_of,
)
from quizzer.tex.width import width

_VULGAR = {
    ("1", "2"): "½",
    ("1", "3"): "⅓",
    ("2", "3"): "⅔",
    ("1", "4"): "¼",
    ("3", "4"): "¾",
    ("1", "5"): "⅕",
    ("1", "6"): "⅙",
    ("1", "8"): "⅛",
}
_ROOTS = {"3": "∛", "4": "∜"}
_SMALL = frozenset(SUBSCRIPTS.values()) | frozenset(SUPERSCRIPTS.values())
_ROUNDINGS = {("⌊", "⌋"): "floor", ("⌈", "⌉"): "ceil"}
_PARTNERS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉", "|": "|", "‖": "‖"}


def linear(node: Node, style: Style) -> str:
    """The node on one line, e.g. `(a + b)/c`, `xᵢⱼ`, `e^(−x²/2)`."""
    match node:
        case Leaf() | Tall():
            return style.glyph(node.text)
        case Row():
            return _row(node.items, style)
        case Scripts():
            return _scripts(node, style)
        case Fraction():
            return linear_fraction(node, style)
        case Fence():
            return _fence(node, style)
        case Space():
            return " " * min(node.columns, 2)
        case Classed() | Boxed():
            return linear(node.body, style)
        case Grid():
            return _grid(node, style)
        case Root():
            return _root(node, style)
        case Accent():
            return _accent(node, style)
        case Stack():
            return linear(node.base, style) + _marked(node.below, node.above, style)
        case Brace():
            label = f" [{linear(node.label, style)}]" if node.label else ""
            return (
                bracketed(linear(node.body, style)) + label if label else linear(node.body, style)
            )
        case Arrow():
            return style.glyph(node.glyph) + _marked(node.below, node.above, style)
        case Phantom():
            return ""
        case Tag():
            return f"  {linear(node.body, style)}"


def linear_fraction(node: Fraction, style: Style) -> str:
    """`(a + b)/c`, `½`, `n choose k`: the parts bracketed where that is needed to read true."""
    over, under = linear(node.over, style), linear(node.under, style)
    if not node.bar:
        return f"{over} choose {under}"
    if not style.ascii and (over, under) in _VULGAR:
        return _VULGAR[over, under]
    if not _is_product(node.over):
        over = bracketed(over)
    if not _is_unit(node.under):
        under = bracketed(under)
    return f"{over}/{under}"


def bracketed(line: str) -> str:
    """The line in parentheses, unless it already stands in a pair of its own."""
    return line if _is_enclosed(line) else f"({line})"


def _row(items: Sequence[Node], style: Style) -> str:
    parts: list[str] = []
    for place, (item, gap) in enumerate(zip(items, gaps(items, style), strict=True)):
        text = linear(item, style)
        if isinstance(item, Fraction) and item.bar and "/" in text:
            before = _nearest(items[:place][::-1])
            following = _nearest(items[place + 1 :])
            if _binds(before, after=False) or _binds(following, after=True):
                text = bracketed(text)
        if (
            not gap
            and parts
            and parts[-1]
            and text
            and _would_merge(items[place - 1], item, text, parts[-1])
        ):
            gap = 1
        parts.append(" " * gap + text)
    return "".join(parts)


def _nearest(items: Sequence[Node]) -> Node | None:
    """The first item that is not a thin space."""
    for item in items:
        if not (isinstance(item, Space) and item.columns < 2):
            return item
    return None


def _binds(neighbour: Node | None, after: bool) -> bool:
    """Whether a fraction beside this neighbour could be read as sharing its numerator or bar."""
    if neighbour is None:
        return False
    if isinstance(neighbour, Leaf) and neighbour.text in {"/", "!"}:
        return True
    if isinstance(neighbour, Leaf) and neighbour.text in {"|", "−", "+"}:
        return False
    atom = atom_of(neighbour)
    if atom is Atom.SPACE:
        return False
    apart = {Atom.BIN, Atom.REL, Atom.PUNCT}
    if after:
        return atom not in apart | {Atom.CLOSE}
    if atom is Atom.OP:
        return not _is_big(neighbour)
    return atom not in apart | {Atom.OPEN}


def _is_big(node: Node) -> bool:
    base = node.base if isinstance(node, Scripts) else node
    return isinstance(base, Leaf) and not base.text[:1].isalpha()


def _would_merge(before: Node, item: Node, text: str, written: str) -> bool:
    """Whether a word or a script written with `_` or `^` would run into what follows."""
    if not text[0].isalnum():
        return False
    if isinstance(item, Root | Accent) and text[:2].isalpha():
        return written[-1].isalnum() or unicodedata.combining(written[-1]) > 0
    if not isinstance(before, Scripts):
        return False
    return ("_" in written or "^" in written or written[-1] == "*") and written[-1] not in ")]}"


def _scripts(node: Scripts, style: Style) -> str:
    base = linear(node.base, style)
    stands = isinstance(node.base, Fence | Tall) or atom_of(node.base) is Atom.OP
    if not (stands or node.limits or _is_unit(node.base)) or is_power_of_power(node):
        base = bracketed(base)
    return base + _marked(node.sub, node.sup, style)


def is_power_of_power(node: Scripts) -> bool:
    """`{x^y}^z`, which without brackets would look like `x^{yz}`."""
    base = node.base
    return node.sup is not None and isinstance(base, Scripts) and base.sup is not None


def _marked(sub: Node | None, sup: Node | None, style: Style) -> str:
    return _script(sub, "_", style) + _script(sup, "^", style)


def _script(script: Node | None, sign: str, style: Style) -> str:
    if script is None:
        return ""
    line = linear(script, style.script)
    if not line.strip():
        return ""
    is_written = _is_simple(line) or "," in line
    if not style.ascii and not (is_written and stays_large(script, style, sign == "^")):
        small = small_sup(line) if sign == "^" else small_sub(line)
        if small is not None:
            return small
    primes = ""
    if sign == "^" and style.ascii:
        rest = line.lstrip("'")
        primes, line = line[: len(line) - len(rest)], rest
        if not line:
            return primes
    return primes + sign + (line if _is_simple(line) else bracketed(line))


def _is_simple(line: str) -> bool:
    """Whether a script needs no brackets after its sign."""
    return width(line) == 1 or (line.isalnum() and _SMALL.isdisjoint(line))


def _root(node: Root, style: Style) -> str:
    body = linear(node.body, style)
    degree = linear(node.degree, style.script) if node.degree else ""
    if style.ascii:
        return f"sqrt[{degree}]{bracketed(body)}" if degree else f"sqrt{bracketed(body)}"
    sign = _ROOTS.get(degree)
    if sign is None:
        small = scripted(degree, SUPERSCRIPTS)
        sign = f"{small}√" if small is not None else f"[{degree}]√"
    return sign + (body if _is_unit(node.body) else bracketed(body))


def _accent(node: Accent, style: Style) -> str:
    body = linear(node.body, style)
    if not style.ascii and width(body) == 1:
        return accented(body, node.mark) or body
    if node.mark in {"cancel", "sout", "bcancel", "xcancel"} and not style.ascii:
        return "".join(accented(char, "sout") or char for char in body)
    return node.mark.removeprefix("wide") + bracketed(body)


def _fence(node: Fence, style: Style) -> str:
    if len(node.parts) == 1 and isinstance(node.parts[0], Grid):
        inner = node.parts[0]
        right = node.right or (_PARTNERS.get(node.left, "") if inner.shape is Shape.CASES else "")
        left = node.left or ("{" if inner.shape is Shape.CASES else "")
        blank = " " if inner.shape is Shape.CASES else ""
        body = _rows(inner, style)
        return style.glyph(left) + blank + body + blank + style.glyph(right)
    parts = [linear(part, style) for part in node.parts]
    if style.ascii and (node.left, node.right) in _ROUNDINGS:
        return _ROUNDINGS[node.left, node.right] + bracketed(parts[0])
    line = parts[0]
    for middle, part in zip(node.middles, parts[1:], strict=True):
        line += f" {style.glyph(middle)} {part}"
    return style.glyph(node.left) + line + style.glyph(node.right)


def _grid(node: Grid, style: Style) -> str:
    body = _rows(node, style)
    return f"[{body}]" if node.shape is Shape.MATRIX else body


def _rows(node: Grid, style: Style) -> str:
    if node.shape is Shape.ALIGNED:
        return _chained(node, style)
    lines: list[str] = []
    for cells in node.rows:
        texts = [linear(cell, style).strip() for cell in cells]
        if node.shape is Shape.CASES:
            lines.append(_case(texts, cells).removesuffix(","))
        elif node.shape is Shape.MATRIX:
            lines.append(", ".join(texts))
        else:
            lines.append(" ".join(text for text in texts if text))
    if node.shape is Shape.STACKED:
        return ", ".join(line.rstrip(",") for line in lines)
    return "; ".join(lines)


def _case(texts: list[str], cells: Sequence[Node]) -> str:
    """A value and its condition, with a comma unless the author wrote one or put words there."""
    line = texts[0] if texts else ""
    for text, cell in zip(texts[1:], cells[1:], strict=True):
        first = next(iter(items_of(cell)), None)
        is_prose = isinstance(first, Leaf) and first.prose
        line += text and (" " if is_prose or line.endswith(",") else ", ") + text
    return line


def _chained(node: Grid, style: Style) -> str:
    """Aligned lines after each other: one without a left side goes on with the line before."""
    chains: list[list[Node]] = []
    for cells in node.rows:
        if not (chains and len(cells) > 1 and not items_of(cells[0])):
            chains.append([])
        for place, cell in enumerate(cells):
            if place and place % 2 == 0:
                chains[-1].append(Space(2))
            chains[-1] += [item for item in items_of(cell) if not isinstance(item, Tag)]
    return "; ".join(linear(Row(tuple(chain)), style).strip() for chain in chains)


def _is_enclosed(line: str) -> bool:
    if len(line) < 2 or _PARTNERS.get(line[0]) != line[-1] or line[0] in "|‖":
        return False
    depth = 0
    for place, char in enumerate(line):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return line[0] in "([{" and place == len(line) - 1
    return False


def _is_product(node: Node) -> bool:
    """Whether a node can stand before `/` without brackets: factors and calls in a row."""
    if _is_between_bars(node):
        return True
    depth = 0
    items = items_of(node)
    for item, following in zip_longest(items, items[1:]):
        atom = atom_of(item)
        if atom is Atom.CLOSE:
            depth -= 1
        if depth <= 0 and not (_is_factor(item) or _is_call(item, following)):
            return False
        if atom is Atom.OPEN:
            depth += 1
    return True


def _is_factor(node: Node) -> bool:
    if isinstance(node, Leaf) and node.text in {"/", "|", "‖"}:
        return False
    if isinstance(node, Fraction | Grid | Stack | Brace):
        return False
    return atom_of(node) in {Atom.ORD, Atom.OPEN, Atom.CLOSE, Atom.SPACE}


def _is_call(node: Node, following: Node | None) -> bool:
    """Whether it is a function whose argument stands in brackets: `exp(...)`."""
    if not isinstance(node, Leaf) or node.atom is not Atom.OP or not node.text[:1].isalpha():
        return False
    return isinstance(following, Fence) or (
        isinstance(following, Leaf) and following.atom is Atom.OPEN
    )


def _is_between_bars(node: Node) -> bool:
    """`|x|` and `‖x‖²`: one pair of bars round everything."""
    items = items_of(node)
    if len(items) < 3:
        return False
    ends = [item.base if isinstance(item, Scripts) else item for item in (items[0], items[-1])]
    bars = [isinstance(item, Leaf) and item.text in {"|", "‖"} for item in (*ends, *items[1:-1])]
    return all(bars[:2]) and not any(bars[2:])


def _is_unit(node: Node) -> bool:
    """Whether a node can stand after `/`, under a root or before `^` without brackets."""
    match node:
        case Leaf(text=text, atom=atom, prose=is_prose):
            return (
                atom in {Atom.ORD, Atom.CLOSE}
                and " " not in text
                and not (is_prose and not text.isalpha())
            )
        case Scripts(base=base):
            return _is_unit(base)
        case Classed(body=body) | Boxed(body=body):
            return _is_unit(body)
        case Fence(left=left, right=right):
            return bool(left and right)
        case Accent() | Root():
            return True
        case Row(items=(first, *rest)) if rest:
            return _is_between_bars(node) or _is_call_or_differential(first, rest)
        case Row(items=()):
            return True
    return False


def _is_call_or_differential(first: Node, rest: Sequence[Node]) -> bool:
    """`∂x`, `dx`, `∂f(x)`, `f(x)`, `(a + b)`."""
    if isinstance(first, Leaf) and first.text in {"∂", "d", "∇"}:
        return _is_unit(rest[0]) if len(rest) == 1 else _is_call_or_differential(rest[0], rest[1:])
    head = [] if atom_of(first) is Atom.OPEN else [first]
    if head and not _is_unit(first):
        return False
    tail = [first, *rest] if not head else rest
    if len(tail) == 1 and isinstance(tail[0], Fence):
        return True
    return _is_one_bracket(tail)


def _is_one_bracket(items: Sequence[Node]) -> bool:
    depth = 0
    for place, item in enumerate(items):
        atom = atom_of(item)
        depth += (atom is Atom.OPEN) - (atom is Atom.CLOSE)
        if depth <= 0:
            return depth == 0 and place == len(items) - 1 and atom is Atom.CLOSE
    return False
