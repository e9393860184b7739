"""Arrays among indices made definite: every array gets letters of its own for what it leaves open.

`Σ_n a_n x_n` is `Σ_n a_n X[n,i]`, `(X w)_n` is `Σ_i X[n,i] w[i]`. Sizes are told by the card's
shapes alone. A formula without letters stays a matrix formula.
"""

from collections.abc import Mapping
from itertools import product

from quizzer.notation import matrix_sizes
from quizzer.notation.compiler.entries import ZERO, Open
from quizzer.notation.compiler.index_ranges import check_ranges, lengths_under
from quizzer.notation.compiler.matrix_meaning import TWO_DOTS
from quizzer.notation.compiler.opener import Opener
from quizzer.notation.matrix_sizes import ANY, OPEN, Length, Size
from quizzer.notation.nodes import (
    Element,
    Letter,
    Name,
    Node,
    walk,
)
from quizzer.notation.values import FaultError

Found = tuple[tuple[str, ...], Node, Size]
"""The letters of the answer's axes, its entry, its size."""


def opened(
    node: Node,
    letters: tuple[str, ...] | None,
    names: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    asked: tuple[Length, ...] | None,
    bound: set[str],
    first: int,
) -> list[Found]:
    """Every reading whose sizes fit; several where `x_n` may be a row or a column.

    `letters` are those of the left side, fewer than the answer has axes where it says a row.
    Raises FaultError where none fits.
    """
    partial = sorted(_partial(node, names))
    count = len(asked) if asked is not None else None
    sides = (False, True) if letters and count == 2 and len(letters) == 1 else (False,)

    def readings(dots: str) -> tuple[list[Found], FaultError | None]:
        found: list[Found] = []
        fault: FaultError | None = None
        for flags in product((False, True), repeat=min(len(partial), 3)):
            columns = frozenset(name for name, flag in zip(partial, flags, strict=False) if flag)
            for side in sides:
                opener = Opener(names, values, columns, {*bound, *names, *(letters or ())}, dots)
                try:
                    read = _closed(opener, opener.open(node), letters or (), asked, side)
                    _check_letters(read[0], read[1], names, values, asked, first)
                    found.append(read)
                except FaultError as error:
                    fault = fault or error
        return found, fault

    found, fault = readings("")
    if not found and fault is not None and fault.message == TWO_DOTS:
        fitting = [each for each in (readings("⊙")[0], readings("inner")[0]) if each]
        found = fitting[0] if len(fitting) == 1 else []
    if not found:
        assert fault is not None
        raise fault
    return found


def _check_letters(
    letters: tuple[str, ...],
    node: Node,
    names: Mapping[str, tuple[Length, ...]],
    values: Mapping[str, Length],
    asked: tuple[Length, ...] | None,
    first: int,
) -> None:
    """Raises where a letter runs over axes of different lengths."""
    check_ranges(node, names, values, first)
    for letter, length in zip(letters, asked or (), strict=False):
        for other, name in lengths_under(node, letter, names):
            if not matrix_sizes.agree(length, other):
                raise FaultError(
                    f"Index {letter} runs over {length[0]} on the left but over {other[0]} in "
                    f"{name}.",
                    node.at,
                    "index-range",
                )


def _closed(
    opener: Opener,
    found: Open,
    letters: tuple[str, ...],
    asked: tuple[Length, ...] | None,
    column: bool,
) -> tuple[tuple[str, ...], Node, Size]:
    size = found.size
    if size.identity or size.open:
        if asked is None or len(asked) != 2 - (size.columns is not None and not size.identity):
            raise FaultError(OPEN, None, "open-size")
        size = matrix_sizes.of_shape(asked)
    own: list[str] = []
    places: list[Node] = [ZERO, ZERO]
    lengths: list[Length] = []
    if not size.number:
        for k, length in enumerate((size.rows, size.columns)):
            if not (length and set(length) == {1}):
                own.append(opener.fresh())
                places[k] = Letter(own[-1])
                lengths.append(length or ANY)
    every = (*own, *letters) if column else (*letters, *own)
    if asked is not None:
        if len(every) != len(asked):
            raise FaultError("The answer has another number of axes.", None, "axes")
        start = 0 if column else len(letters)
        for k, length in enumerate(lengths):
            if not matrix_sizes.agree(length, asked[start + k]):
                raise FaultError("The answer has another shape.", None, "shape")
    return every, found.entry(*places), size


def _partial(node: Node, names: Mapping[str, tuple[Length, ...]]) -> set[str]:
    """Names of matrices that have one index somewhere."""
    return {
        part.base.name
        for part in walk(node)
        if isinstance(part, Element)
        and isinstance(part.base, Name)
        and len(names.get(part.base.name, ())) == 2 > len(part.indices)
    }
