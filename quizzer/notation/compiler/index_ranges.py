"""How far index letters run: by the arrays they index, or by the answer's own shape."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from quizzer.notation.compiler.matrix_meaning import the_meaning
from quizzer.notation.matrix_sizes import ANY, Length, agree, axes_of, of_table
from quizzer.notation.nodes import (
    Binder,
    Compare,
    Element,
    Group,
    Letter,
    Name,
    Node,
    Number,
    Reduce,
    Sum,
    show,
    walk,
    with_parts,
    without_brackets,
)
from quizzer.notation.values import FaultError

ShapeOf = Callable[[Node], tuple[int, ...]]
"""The shape of a whole array."""
Uses = Mapping[str, Sequence[tuple[Element, int]]]
"""For each letter the axes that it alone indexes."""


def uses_under(node: Node) -> Uses:
    """Where letters stand alone as an index, in the order of the text."""
    found: dict[str, list[tuple[Element, int]]] = {}
    for part in walk(node):
        if isinstance(part, Element):
            for axis, index in enumerate(part.indices):
                letter = lone_letter(index)
                if letter is not None:
                    found.setdefault(letter, []).append((part, axis))
    return found


def sizes_along(uses: Uses, letter: str, shape_of: ShapeOf) -> list[tuple[int, Element]]:
    """Sizes of the axes that the letter alone indexes, each with the element."""
    found = []
    for part, axis in uses.get(letter, ()):
        shape = shape_of(part.base)
        if len(shape) != len(part.indices):
            raise FaultError("This has another number of axes.", part.at, "indices")
        found.append((shape[axis], part))
    return found


def one_size(uses: Uses, letter: str, shape_of: ShapeOf, at: int | None) -> int | None:
    """The range of a letter by its uses; None without any. Raises where they disagree."""
    found = sizes_along(uses, letter, shape_of)
    for size, part in found[1:]:
        first, other = found[0]
        if size != first:
            raise FaultError(
                f"Index {letter} runs over {first} in {show(other.base)} "
                f"but over {size} in {show(part.base)}.",
                at,
                "index-range",
            )
    return found[0][0] if found else None


def left_sizes(
    node: Node,
    uses: Uses,
    letters: tuple[str, ...],
    shape_of: ShapeOf,
    shape: tuple[int, ...] | None,
    at: int | None,
) -> tuple[int, ...]:
    """Ranges of the letters on the left.

    The asked shape says them; only an answer whose letters run over the right lengths in another
    order keeps that. Of a helper line the arrays tell, or else the letters that a letter is
    compared with: t runs as far as s in Σ_{s ≤ t} x_s.
    """
    if shape is not None and len(shape) == len(letters):
        found = [{size for size, _ in sizes_along(uses, letter, shape_of)} for letter in letters]
        implied = tuple(sizes.pop() for sizes in found if len(sizes) == 1)
        return implied if sorted(implied) == sorted(shape) else shape
    sizes = []
    for letter in letters:
        like = (letter, *compared_with(node, letter))
        size = next(filter(None, (one_size(uses, each, shape_of, at) for each in like)), None)
        if size is None:
            raise FaultError(
                f"How far index {letter} runs is not known: put this line into the one that uses "
                "it, so that arrays say it.",
                at,
                "range",
            )
        sizes.append(size)
    return tuple(sizes)


def compared_with(node: Node, letter: str) -> Iterator[str]:
    """The other letters in comparisons, and in bounds, of which the letter is one side."""
    for part in walk(node):
        compared: list[tuple[Node | None, ...]] = []
        if isinstance(part, Compare):
            compared = [(part.first, *(other for _, other in part.rest))]
        elif isinstance(part, Reduce):
            compared = [(Letter(each.letter), each.low, each.high) for each in part.binders]
        for sides in compared:
            found = [lone_letter(side) for side in sides if side is not None]
            if letter in found:
                yield from (other for other in found if other not in (None, letter))


def check_ranges(
    node: Node,
    known: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    first: int,
) -> None:
    """Raises where a letter of a sum runs over two lengths, or past the end of an array,
    whatever the lengths are in one instance."""
    sums = [part for part in walk(node) if isinstance(part, Reduce)]
    _check_counting([each for part in sums for each in part.binders], sums, known, values, first)
    for part in sums:
        for binder in part.binders:
            if binder.low is None or binder.high is None:
                _check_range(part, binder.letter, known, binder.at)
            else:
                _check_bounds(part, binder, known, values, first)


def _check_counting(
    binders: Sequence[Binder],
    sums: Sequence[Reduce],
    known: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    first: int,
) -> None:
    """Raises where `Σ_{n=1}^{N-1} Σ_{m=n+1}^{N}` counts from 1 and the card from 0: the first sum
    alone has a meaning in both, and the place N of the second one would be left out in silence."""
    bounds = [(each, each.low, each.high) for each in binders if each.low and each.high]
    starts = {
        each.letter
        for each, low, _ in bounds
        for start in (whole_values(low, values, 1),)
        if start is not None and start[0] == 1 - first
    }
    for binder, low, high in bounds:
        if not any(isinstance(part, Letter) and part.letter in starts for part in walk(low)):
            continue
        found = [
            length
            for part in sums
            if binder in part.binders
            for length, _ in lengths_under(part, binder.letter, known)
            if length
        ]
        stop = whole_values(high, values, len(found[0])) if found else None
        for size, last in zip(found[0] if found else (), stop or (), strict=False):
            check_bounds(binder, first, last, first + size - 1, first)


def _check_bounds(
    node: Reduce,
    binder: Binder,
    known: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    first: int,
) -> None:
    found = [length for length, _ in lengths_under(node, binder.letter, known) if length]
    if not found or binder.low is None or binder.high is None:
        return
    count = len(found[0])
    low, high = whole_values(binder.low, values, count), whole_values(binder.high, values, count)
    if low is None or high is None:
        return
    shortest = [min(axes) for axes in zip(*found, strict=False)]
    full = all(h - w + 1 == size for w, h, size in zip(low, high, shortest, strict=False))
    if full and set(low) == {1 - first} and only_an_index(node, binder.letter):
        return
    for start, stop, size in zip(low, high, shortest, strict=False):
        check_bounds(binder, start, stop, first + size - 1, first)


def on_whole_axes(
    node: Node,
    known: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    first: int,
) -> Node:
    """The node without the bounds of sums over a whole axis that count otherwise than the card,
    where their letter is only an index, or is compared with another that has no bounds."""
    inner = with_parts(node, lambda part: on_whole_axes(part, known, values, first))
    if not isinstance(inner, Reduce):
        return inner
    inner = _without_ends(inner, known, values, first)
    if len(inner.binders) != 1:
        return inner
    (binder,) = inner.binders
    if not _counts_otherwise(inner, binder, known, values, first):
        return inner
    return replace(inner, binders=(Binder(binder.letter, None, None, binder.at),))


def _without_ends(
    node: Reduce,
    known: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    first: int,
) -> Reduce:
    """The sum over `1 <= n < m <= N` as one over `n < m`, where its letters are only indices of
    axes as long as N, and the card counts otherwise."""
    match node.condition:
        case Compare(low, (("<=", _), *_) as rest, at):
            *between, (sign, high) = rest
        case _:
            return node
    letters = [lone_letter(side) for _, side in between]
    free = {each.letter for each in node.binders if each.low is None}
    found = [length for each in free for length, _ in lengths_under(node, each, known) if length]
    if not letters or not free.issuperset(letters) or not found or set(found) != {found[0]}:
        return node
    count = len(found[0])
    start, stop = whole_values(low, values, count), whole_values(high, values, count)
    if start != (1 - first,) * count or stop is None or sign not in ("<", "<="):
        return node
    ends = [each - (sign == "<") for each in stop]
    if any(end != size - first for end, size in zip(ends, found[0], strict=True)):
        return node
    body = replace(node, condition=None)
    if not all(only_an_index(body, letter) for letter in letters if letter):
        return node
    chain = tuple(between[1:])
    return replace(node, condition=Compare(between[0][1], chain, at) if chain else None)


def _counts_otherwise(
    node: Reduce,
    binder: Binder,
    known: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    first: int,
) -> bool:
    found = [length for length, _ in lengths_under(node, binder.letter, known) if length]
    if not found or binder.low is None or binder.high is None:
        return False
    count = len(found[0])
    low, high = whole_values(binder.low, values, count), whole_values(binder.high, values, count)
    if low is None or high is None or set(low) != {1 - first} or set(found) != {found[0]}:
        return False
    parts = list(walk(node))
    ends = [each for part in parts if isinstance(part, Reduce) for each in part.binders]
    bounded = {each.letter for each in ends if each.low is not None} - {binder.letter}
    compared = [
        side
        for part in parts
        if isinstance(part, Compare)
        for side in _equal_letters(part, bounded)
    ]
    indices = [index for part in parts if isinstance(part, Element) for index in part.indices]
    letters = sum(isinstance(part, Letter) and part.letter == binder.letter for part in parts)
    alone = sum(lone_letter(each) == binder.letter for each in (*compared, *indices))
    full = all(h - w + 1 == size for w, h, size in zip(low, high, found[0], strict=False))
    return full and letters == alone


def _equal_letters(node: Compare, bounded: set[str]) -> tuple[Node, ...]:
    """Both sides of `n = m`, where these are letters without bounds."""
    sides = [without_brackets(side) for side in (node.first, *(part for _, part in node.rest))]
    signs = {sign for sign, _ in node.rest}
    free = all(isinstance(side, Letter) and side.letter not in bounded for side in sides)
    return tuple(sides) if free and signs <= {"==", "!="} else ()


def check_bounds(binder: Binder, start: int, stop: int, last: int, first: int) -> None:
    """Raises where the letter leaves the places that the array has."""
    if start <= stop and (start < first or stop > last):
        raise FaultError(
            f"Index {binder.letter} goes from {start} to {stop}, but the array has the places "
            f"{first} to {last}: this card counts from {first}.",
            binder.at,
            "bounds",
        )


def whole_values(node: Node, values: Mapping[str, Length], count: int) -> Length | None:
    """What a bound is in each sample, where it is built of whole numbers only."""
    match node:
        case Number(value) if value == int(value):
            return (int(value),) * count
        case Name(name):
            return values.get(name)
        case Group(inner):
            return whole_values(inner, values, count)
        case Sum(terms):
            parts = [(sign, whole_values(term, values, count)) for sign, term in terms]
            if any(part is None for _, part in parts):
                return None
            return tuple(sum(s * (p or ())[k] for s, p in parts) for k in range(count))
        case _:
            return None


def lengths_under(
    node: Node, letter: str, known: Mapping[str, tuple[Length, ...]]
) -> list[tuple[Length, str]]:
    """The lengths of the axes that the letter alone indexes, each with the array's name."""
    found: list[tuple[Length, str]] = []
    for part in walk(node):
        if isinstance(part, Element) and isinstance(part.base, Name):
            axes = zip(part.indices, known.get(part.base.name, ()), strict=False)
            name = part.base.name
            found += [(size, name) for index, size in axes if lone_letter(index) == letter]
    return found


def _check_range(
    node: Node, letter: str, known: Mapping[str, tuple[Length, ...]], at: int | None
) -> None:
    found = lengths_under(node, letter, known)
    for length, name in found[1:]:
        first, first_name = found[0]
        if not agree(length, first):
            raise FaultError(
                f"Index {letter} runs over {first[0]} in {first_name} but over {length[0]} in "
                f"{name}.",
                at,
                "index-range",
            )


def only_an_index(node: Node, letter: str) -> bool:
    """Whether the letter stands nowhere but alone as an index of arrays."""
    values = sum(isinstance(part, Letter) and part.letter == letter for part in walk(node))
    plain = sum(
        lone_letter(index) == letter
        for part in walk(node)
        if isinstance(part, Element)
        for index in part.indices
    )
    return values == plain


def lengths_of(
    node: Node, letters: tuple[str, ...], known: Mapping[str, tuple[Length, ...]]
) -> tuple[Length, ...]:
    """How long the axes are that the letters name, by the arrays that they index alone."""
    found: dict[str, Length] = {}
    for part in walk(node):
        if isinstance(part, Element):
            axes = _axes_of(part.base, known)
            for index, length in zip(part.indices, axes, strict=False):
                if isinstance(index, Letter):
                    found.setdefault(index.letter, length)
    return tuple(found.get(letter, ANY) for letter in letters)


def _axes_of(base: Node, known: Mapping[str, tuple[Length, ...]]) -> tuple[Length, ...]:
    """How long the axes of a whole array are, also of one in brackets such as `(X W)`."""
    if isinstance(base, Name):
        return known.get(base.name, ())
    try:
        size = the_meaning(base, of_table(known), {})[1]
    except FaultError:
        return ()
    return axes_of(size) or ()


def lone_letter(index: Node) -> str | None:
    """The letter that an index is, if it is nothing else."""
    inner = without_brackets(index)
    return inner.letter if isinstance(inner, Letter) else None
