"""Matrices of known and of open size as texts: laid out, brought together, transposed."""

from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.printed.body import Body
from quizzer.checker.printed.values import (
    ADDITION,
    ATOM,
    BIT_OR,
    COMPARISON,
    MINUS,
    PRODUCT,
    CannotPrint,
    Text,
    number,
)
from quizzer.notation import matrix_sizes
from quizzer.notation.matrix_sizes import NUMBER, Length, Size
from quizzer.notation.nodes import Name, Node


class Part(Struct, frozen=True):
    """A number or a matrix as text; `identity` is what its multiple of I is, where it has one.

    Along an open axis all rows or columns are equal, and one of them is kept.
    """

    size: Size
    text: Text | None
    identity: Text | None = None

    @property
    def axes(self) -> int:
        """How many axes are kept."""
        return axes_of(self.size)


def axes_of(size: Size) -> int:
    rows, columns = size.rows, size.columns
    if size.number or (rows is None and (columns is None or is_one(columns))):
        return 0
    if rows is None or is_one(rows):
        return 0 if columns is None or is_one(columns) else 1
    return 1 if columns is not None and is_one(columns) else 2


@dataclass(slots=True)
class PartPrinter:
    """What is printed of parts."""

    body: Body

    def one(self) -> Length:
        count = next((len(e.lengths) for each in self.body.arrays.values() for e in each), 1)
        return (1,) * count

    def given(self, size: Node) -> Length:
        """The length that a size is which is written below an I or a 1."""
        for name, extents in self.body.arrays.items():
            if isinstance(size, Name) and name == size.name:
                found = [e.lengths for each in self.body.arrays.values() for e in each
                         if e.source == name]  # fmt: skip
                if found and not extents:
                    return found[0]
        raise CannotPrint("the size below I or 1 is no size of an array")

    def length(self, wanted: Length) -> str:
        """How long an axis is, in Python: a size, else the axis of an array."""
        for name, extents in self.body.arrays.items():
            for axis, each in enumerate(extents):
                if each.lengths == wanted:
                    return each.source or f"{name}.shape[{axis}]"
        raise CannotPrint("the length of an axis is that of no array")

    def closed(self, part: Part) -> Text:
        """The text of what holds no identity."""
        if part.identity is not None or part.text is None:
            if part.size.rows:
                return self.closed(self.sized(part, part.size.rows))
            raise CannotPrint("the size of I is open")
        return part.text

    def sized(self, part: Part, length: Length) -> Part:
        """An identity with as many rows."""
        assert part.identity is not None
        eye = Text(f"np.eye({self.length(length)})")
        if part.identity.source != "1.0":
            scale = part.identity.within(PRODUCT)
            eye = Text(f"{scale} * {eye.source}", PRODUCT)
        size = Size(length, length, equal=True)
        if part.text is None:
            return Part(size, eye)
        return Part(size, Text(f"{part.text.within(ADDITION)} + {eye.source}", ADDITION))

    def together(self, parts: list[Part]) -> tuple[Size, list[Text]]:
        size = parts[0].size
        for part in parts[1:]:
            size = matrix_sizes.joined(size, part.size, "combined")
        size = matrix_sizes.settled(size)
        return size, [self.laid(part, size) for part in parts]

    def laid(self, part: Part, size: Size) -> Text:
        """The text as NumPy broadcasts it to an array of this size."""
        if part.identity is not None and size.rows is not None:
            part = self.sized(part, size.rows)
        text = self.closed(part)
        if part.axes == 2 and axes_of(size) == 1:
            return Text(f"{text.within(ATOM)}[:, 0]")
        if part.axes == 1 and axes_of(size) == 2 and part.size.rows is not None:
            return Text(f"{text.within(ATOM)}[:, None]")
        return text

    def joined(self, sign: str, binds: float, a: Part, b: Part) -> Part:
        size, (left, right) = self.together([a, b])
        both = left.truth and right.truth and sign in ("&", "|")
        if not both:
            left, right = number(left), number(right)
        least = binds if sign in ("+", "*", "&", "|") and right.binds != binds else binds + 0.1
        source = f"{left.within(binds)} {sign} {right.within(least)}"
        return Part(size, Text(source, binds, truth=both))

    def function(self, name: str, parts: list[Part]) -> Part:
        size, texts = self.together(parts)
        kept = [texts[0], *map(number, texts[1:])] if name == "np.where" else map(number, texts)
        return Part(size, Text(f"{name}({', '.join(text.source for text in kept)})"))

    def truth(self, part: Part) -> Part:
        text = self.closed(part)
        if text.truth:
            return part
        return replace(part, text=Text(f"{text.within(BIT_OR)} != 0", COMPARISON, truth=True))

    def scaled(self, part: Part, factor: Part, sign: str, before: bool = False) -> Part:
        by = number(self.closed(factor))

        def times(text: Text | None) -> Text | None:
            if text is None:
                return None
            inner = number(text)
            if before:
                if inner.source == "1.0":
                    return by
                return Text(f"{by.within(PRODUCT)} {sign} {inner.within(PRODUCT + 0.1)}", PRODUCT)
            return Text(f"{inner.within(PRODUCT)} {sign} {by.within(PRODUCT + 0.1)}", PRODUCT)

        return replace(part, text=times(part.text), identity=times(part.identity))

    def summed(self, text: Text, part: Part, axis: int, length: Length | None) -> Text:
        """The sum of the rows or columns."""
        if length is None or is_one(length):
            return text
        if part.axes == 2:
            return Text(f"np.sum({text.source}, axis={axis})")
        if part.axes == 1:
            return Text(f"np.sum({text.source})")
        return Text(f"{self.length(length)} * {text.within(MINUS)}", PRODUCT)

    def negative(self, part: Part) -> Part:
        def turned(text: Text | None) -> Text | None:
            return text and Text(f"-{number(text).within(MINUS)}", MINUS)

        return replace(part, text=turned(part.text), identity=turned(part.identity))

    def identities(self, a: Part, b: Part, sign: int) -> Part:
        if a.text is not None or b.text is not None or not (a.identity and b.identity):
            raise CannotPrint("the size of I is open")
        mark = "+" if sign > 0 else "-"
        source = f"{a.identity.within(ADDITION)} {mark} {b.identity.within(PRODUCT)}"
        return replace(a, identity=Text(source, ADDITION))

    def two_axes(self, part: Part) -> Text:
        text = number(self.closed(part))
        if part.axes == 1:
            return Text(f"{text.within(ATOM)}[{':, None' if part.size.column else 'None, :'}]")
        return text

    def transpose(self, part: Part) -> Part:
        size = matrix_sizes.transposed(part.size)
        if part.text is None or part.size.number or part.axes == 0:
            return replace(part, size=size)
        if part.axes == 2 and axes_of(size) == 2:
            return replace(part, size=size, text=Text(f"{part.text.within(ATOM)}.T"))
        if part.axes == 2:
            return replace(part, size=size, text=Text(f"{part.text.within(ATOM)}[:, 0]"))
        if axes_of(size) == 2:
            return replace(part, size=size, text=Text(f"{part.text.within(ATOM)}[:, None]"))
        return replace(part, size=size)

    def inverse(self, part: Part) -> Part:
        if part.size.number:
            return Part(NUMBER, Text(f"1 / {number(self.closed(part)).within(MINUS)}", PRODUCT))
        if part.identity is not None and part.text is None:
            return replace(part, identity=Text(f"1 / {part.identity.within(MINUS)}", PRODUCT))
        return replace(
            part, text=Text(f"np.linalg.inv({number(self.closed(part)).source})"), identity=None
        )


def is_one(length: Length) -> bool:
    return bool(length) and set(length) == {1}
