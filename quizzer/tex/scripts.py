r"""Which scripts are set in Unicode's small letters, so that those of one formula stand alike.

Unicode has a small low `i` but no small low `b`. A formula with `W_b` beside `W_i` sets both below
the line; small ones beside lowered ones would look like two kinds of index.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from quizzer.tex.letters import SUBSCRIPTS, SUPERSCRIPTS, scripted
from quizzer.tex.spacing import Style
from quizzer.tex.tree import (
    Accent,
    Arrow,
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
    Space,
    Stack,
    Tag,
    items_of,
)

_INDEX = re.compile(r"[a-z0-9+−=,()]+")
_NAME = re.compile(r"[A-Za-z]")


def levelled(tree: Node, style: Style) -> Style:
    """The style with indices lowered, or names raised, where one of the tree's can't be small."""
    lowered = raised = False
    for node in _scripts(tree):
        lowered = lowered or (_is_index(node.sub) and small_sub(_text(node.sub)) is None)
        raised = raised or (_is_name(node.sup) and small_sup(_text(node.sup)) is None)
    return replace(style, lowered=lowered, raised=raised) if lowered or raised else style


def stays_large(script: Node, style: Style, raised: bool) -> bool:
    """Whether a script is set in letters of full size because others in its formula must be."""
    if raised:
        return style.raised and _is_name(script)
    return style.lowered and _is_index(script)


def small_sub(line: str) -> str | None:
    """A subscript in small characters, or None. Its commas are those of the line."""
    parts = line.replace(", ", ",").split(",")
    small = [scripted(part, SUBSCRIPTS) for part in parts]
    return ",".join(part for part in small if part) if all(small) or not line else None


def small_sup(line: str) -> str | None:
    """A superscript in small characters, or None."""
    return scripted(line, SUPERSCRIPTS)


def _is_index(script: Node | None) -> bool:
    return script is not None and _INDEX.fullmatch(_text(script)) is not None


def _is_name(script: Node | None) -> bool:
    return script is not None and _NAME.fullmatch(_text(script)) is not None


def _text(script: Node | None) -> str:
    """The single symbols of a script in a row; empty where it holds words or anything else."""
    text = ""
    for item in items_of(script) if script else ():
        if isinstance(item, Leaf) and (len(item.text) == 1 or item.text.isdigit()):
            text += item.text
        elif not isinstance(item, Space):
            return ""
    return text


def _scripts(tree: Node) -> Iterator[Scripts]:
    """The scripts of a tree that stand beside their base."""
    waiting: list[Node | None] = [tree]
    while waiting:
        match waiting.pop():
            case Row(items=parts) | Fence(parts=parts):
                waiting += parts
            case Scripts(base=base, sub=sub, sup=sup, limits=limits) as node:
                waiting += (base, sub, sup)
                if not limits:
                    yield node
            case Fraction(over=first, under=second) | Root(body=first, degree=second):
                waiting += (first, second)
            case Accent(body=body) | Classed(body=body) | Boxed(body=body) | Phantom(body=body):
                waiting.append(body)
            case Stack(base=base, above=above, below=below):
                waiting += (base, above, below)
            case Brace(body=body, label=label):
                waiting += (body, label)
            case Arrow(above=above, below=below):
                waiting += (above, below)
            case Grid(rows=rows):
                waiting += [cell for cells in rows for cell in cells]
            case Tag(body=body):
                waiting.append(body)
