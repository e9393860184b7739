"""The tree of a formula: frozen nodes, with everything already named in Unicode."""

from enum import Enum, StrEnum

from msgspec import Struct


class Atom(Enum):
    """TeX's classes of symbols, which decide the space between neighbours."""

    ORD = "ordinary"
    OP = "operator"
    BIN = "binary"
    REL = "relation"
    OPEN = "opening"
    CLOSE = "closing"
    PUNCT = "punctuation"
    FRAC = "fraction"
    SPACE = "space"


class Leaf(Struct, frozen=True):
    """A symbol, number or word on one line. `limits`: its scripts stand under and over it."""

    text: str
    atom: Atom = Atom.ORD
    limits: bool = False
    prose: bool = False
    """Text whose spaces the author set, such as `\\text{ if }`."""


class Space(Struct, frozen=True):
    columns: int


class Row(Struct, frozen=True):
    items: tuple["Node", ...]


class Classed(Struct, frozen=True):
    """A part that TeX shall treat as an operator, a relation, ..."""

    body: "Node"
    atom: Atom
    limits: bool = False


class Scripts(Struct, frozen=True):
    base: "Node"
    sub: "Node | None"
    sup: "Node | None"
    limits: bool = False


class Fraction(Struct, frozen=True):
    """`bar` False stacks without a line, as in a binomial; `small` asks for one line."""

    over: "Node"
    under: "Node"
    bar: bool = True
    small: bool = False


class Root(Struct, frozen=True):
    body: "Node"
    degree: "Node | None" = None


class Accent(Struct, frozen=True):
    """`mark` is the command without its backslash: hat, bar, overline, underline, ..."""

    mark: str
    body: "Node"


class Stack(Struct, frozen=True):
    """Something set above or below a part, as by `\\overset`."""

    base: "Node"
    above: "Node | None" = None
    below: "Node | None" = None


class Brace(Struct, frozen=True):
    """A horizontal brace under or over a part, with its label."""

    body: "Node"
    over: bool
    label: "Node | None" = None


class Arrow(Struct, frozen=True):
    """An arrow as long as what stands above or below it; `glyph` is its one-column form."""

    glyph: str
    above: "Node | None" = None
    below: "Node | None" = None


class Fence(Struct, frozen=True):
    """Parts between growing delimiters; `middles` stand between the parts."""

    left: str
    parts: tuple["Node", ...]
    right: str
    middles: tuple[str, ...] = ()


class Tall(Struct, frozen=True):
    """A delimiter without a partner that grows with its row, as `\\Big|`."""

    text: str
    atom: Atom = Atom.ORD


class Shape(StrEnum):
    """How the columns of a grid stand."""

    MATRIX = "matrix"
    CASES = "cases"
    ALIGNED = "aligned"
    GATHERED = "gathered"
    STACKED = "stacked"
    """Lines set close, as by `\\substack`."""


class Grid(Struct, frozen=True):
    """Rows of cells. `columns` holds l, c, r; `bars` and `rules` say before which column or row
    a line is drawn."""

    shape: Shape
    rows: tuple[tuple["Node", ...], ...]
    columns: str = ""
    bars: frozenset[int] = frozenset()
    rules: frozenset[int] = frozenset()


class Boxed(Struct, frozen=True):
    body: "Node"


class Phantom(Struct, frozen=True):
    body: "Node"


class Tag(Struct, frozen=True):
    body: "Node"


Node = (
    Leaf
    | Space
    | Row
    | Classed
    | Scripts
    | Fraction
    | Root
    | Accent
    | Stack
    | Brace
    | Arrow
    | Fence
    | Tall
    | Grid
    | Boxed
    | Phantom
    | Tag
)

EMPTY = Row(())


def row(items: "list[Node] | tuple[Node, ...]") -> Node:
    """The items as one node: a single item stands for itself."""
    return items[0] if len(items) == 1 else Row(tuple(items))


def items_of(node: Node) -> tuple[Node, ...]:
    """The items of a row, or the node alone."""
    return node.items if isinstance(node, Row) else (node,)


def atom_of(node: Node) -> Atom:
    """The class by which a node keeps its distance from its neighbours."""
    match node:
        case Leaf() | Classed() | Tall():
            return node.atom
        case Space() | Tag():
            return Atom.SPACE
        case Scripts() | Stack():
            return atom_of(node.base)
        case Accent() | Boxed() | Phantom() | Brace():
            return atom_of(node.body)
        case Fraction():
            return Atom.FRAC
        case Arrow():
            return Atom.REL
        case _:
            return Atom.ORD
