"""Whether a checker's samples can tell right from wrong answers."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from quizzer.checker.derivative import Array
from quizzer.checker.flaw import Flaw
from quizzer.checker.instance import Instance, is_symmetric, is_variable, shape
from quizzer.checker.posed import Posed
from quizzer.checker.requests import BRANCH_JOIN, OF_CODE, Scouted
from quizzer.checker.sheet import Sheet

_SMALL = 1e-4
"""A number this small is lost among the others: a term with it could be left out."""

_RARE = 0.02
"""A branch with a smaller share of the samples is rare."""

_ONE_SIDED = ("equal ", "not_equal ", "where ")
"""What a sample need not decide both ways: comparisons of whole numbers, as a rule; and a choice,
whose condition is told by itself."""

Axis = tuple[str, int]


def poor_samples(posed: Posed) -> Iterator[Flaw]:
    """A warning for everything about the samples through which a wrong answer may slip."""
    arrays = _arrays(posed.instances)
    lengths = {
        (name, axis): [values.shape[axis] for values in found]
        for name, found in arrays.items()
        for axis in range(found[0].ndim)
    }
    yield from _poor_sizes(posed, lengths)
    for name, found in arrays.items():
        yield from _poor_values(posed, name, found)
    yield from _same_arrays(arrays)
    yield from _small_numbers(posed.instances)
    yield from _one_sign(posed)


def rare_branches(scouted: Scouted) -> Iterator[Flaw]:
    """A warning for each branch that fewer than one draw in fifty reaches, and an error for a draw
    that fails."""
    if scouted.fault is not None:
        yield Flaw("draw-fails", f"Of {scouted.drawn} samples one fails, {scouted.fault}")
    for name, reached in scouted.branches.items():
        if BRANCH_JOIN not in name and 0 < reached.count < _RARE * scouted.drawn:
            branch = name.partition(OF_CODE)[0]
            yield _poor(
                "rare-branch",
                f"Only {reached.count} of {scouted.drawn} samples reach a branch: {branch}. Draw "
                "it more often.",
            )
    for branch in _unreached(scouted):
        yield _poor(
            "rare-branch",
            f"None of {scouted.drawn} samples reaches a branch: {branch}. Draw it too, or leave it "
            "out.",
        )


def _unreached(scouted: Scouted) -> Iterator[str]:
    """The side of each condition on which no draw was."""
    reached = {name.partition(OF_CODE)[0] for name in scouted.branches if BRANCH_JOIN not in name}
    for branch in sorted(reached):
        for side, other in (("(true)", "(false)"), ("(false)", "(true)")):
            missing = branch.removesuffix(side) + other
            if (
                branch.endswith(side)
                and missing not in reached
                and not branch.startswith(_ONE_SIDED)
            ):
                yield missing


def _arrays(instances: Sequence[Instance]) -> dict[str, list[Array]]:
    """The variables that are no numbers, on every instance."""
    first = instances[0]
    return {
        name: [np.asarray(instance.inputs[name], float) for instance in instances]
        for name in first.variables
        if shape(first.inputs[name])
    }


def _poor_sizes(posed: Posed, lengths: dict[Axis, list[int]]) -> Iterator[Flaw]:
    for (name, axis), found in lengths.items():
        if set(found) == {1} and not _is_column(name, axis, lengths):
            yield _poor(
                "size-one",
                f"Axis {axis} of `{name}` has length 1 in every sample; an answer that forgets "
                "its sum would pass.",
            )
    varied = {axis for axis, found in lengths.items() if len(set(found)) > 1}
    if lengths and not varied:
        yield _poor("same-sizes", "Every sample has the same sizes; draw them from rng.")
    for a, b in combinations(lengths, 2):
        if lengths[a] != lengths[b] or set(lengths[a]) == {1}:
            continue
        shared = any(found == lengths[a] for axis, found in lengths.items() if axis[0] != a[0])
        if a[0] == b[0] and not shared and not _must_be_square(posed, a[0]):
            yield _poor(
                "square", f"`{a[0]}` is square in every sample; a transposed answer may pass."
            )


def _must_be_square(posed: Posed, name: str) -> bool:
    """Whether the author says so: it is symmetric, or the card names the size of one axis only."""
    axes = [axis for array, axis in posed.sheet.sizes.values() if array == name]
    return name in posed.sheet.symmetric or len(axes) == 1


def _is_column(name: str, axis: int, lengths: dict[Axis, list[int]]) -> bool:
    """Whether the axis is the second of a column, which has length 1 by nature."""
    axes = [other for array, other in lengths if array == name]
    return axis == 1 and len(axes) == 2 and len(set(lengths[name, 0])) > 1


def _poor_values(posed: Posed, name: str, found: list[Array]) -> Iterator[Flaw]:
    several = [values for values in found if values.size > 1]
    if several and all(np.ptp(values) == 0 for values in several):
        yield _poor("constant", f"`{name}` holds one number only in every sample.")
        return
    if several and len(found) > 1 and _are_the_same(found):
        yield _poor("constant", f"`{name}` is the same in every sample; draw it from rng.")
        return
    symmetric = name in posed.sheet.symmetric
    if _is_asked(posed, name) and not symmetric and several and all(map(_has_ties, several)):
        yield _poor(
            "tied", f"Values of `{name}` are equal in every sample; draw them from a continuum."
        )
    if several and not symmetric and all(map(is_symmetric, several)):
        yield _poor(
            "symmetric",
            f"`{name}` is symmetric in every sample, so a transpose makes no difference; name it "
            "in `symmetric`, or draw it without symmetry.",
        )


def _is_asked(posed: Posed, name: str) -> bool:
    """Whether it is differentiated with respect to: labels may be equal, weights may not."""
    sheet = posed.sheet
    return any(sheet.meaning(asked).variable == name for asked in sheet.asked)


def _has_ties(values: Array) -> bool:
    """Whether a quarter of the values or more are met by others; a few may be there on purpose."""
    return 4 * len(np.unique(values)) <= 3 * values.size


def _are_the_same(found: list[Array]) -> bool:
    first = found[0]
    return all(values.shape == first.shape and np.array_equal(values, first) for values in found)


def _same_arrays(arrays: dict[str, list[Array]]) -> Iterator[Flaw]:
    for (name, found), (other, others) in combinations(arrays.items(), 2):
        pairs = list(zip(found, others, strict=True))
        if all(a.shape == b.shape and np.array_equal(a, b) for a, b in pairs):
            yield _poor("equal-inputs", f"`{name}` and `{other}` are equal in every sample.")


def _small_numbers(instances: Sequence[Instance]) -> Iterator[Flaw]:
    """Hyper-parameters that make no difference: tiny, zero, or one in every sample."""
    for name, value in instances[0].inputs.items():
        if is_variable(value) and shape(value) == ():
            numbers = [float(np.asarray(each.inputs[name])) for each in instances]
        elif type(value) is float:
            numbers = [float(each.inputs[name]) for each in instances]
        else:
            continue
        if all(abs(number) < _SMALL for number in numbers):
            yield _poor(
                "tiny",
                f"`{name}` is {max(map(abs, numbers)):.2g} at most: an answer without it would "
                "pass. Draw it large enough to matter, 0.05 to 0.5 say.",
            )
        elif len(set(numbers)) == 1 and numbers[0] in (-1.0, 1.0):
            yield _poor(
                "constant",
                f"`{name}` is {numbers[0]:g} in every sample: an answer without it would pass.",
            )


def _one_sign(posed: Posed) -> Iterator[Flaw]:
    """Variables that are never negative, or never positive: an `abs` too many makes no difference
    then, nor does a condition on one where it belongs on another."""
    for name in posed.instances[0].variables:
        found = [np.asarray(instance.inputs[name], float) for instance in posed.instances]
        low, high = min(map(np.min, found)), max(map(np.max, found))
        if low < 0 < high:
            continue
        reported = max(-low, high) < _SMALL or _are_the_same(found) or low == high
        if reported or _has_declared_sign(posed.sheet, name):
            continue
        sign = "negative" if low >= 0 else "positive"
        yield _poor(
            "one-sign",
            f"`{name}` is never {sign} in a sample, so an answer with abs({name}) would pass. Draw "
            f"both signs, or say so in `assume`, as in “{posed.sheet.symbols.get(name, name)} "
            f"{'>' if low >= 0 else '<'} 0”.",
        )


def _has_declared_sign(sheet: Sheet, name: str) -> bool:
    """Whether `assume` bounds a variable, called by its name or its symbol, with indices too; or
    its domain does."""
    if name in sheet.one_sign:
        return True
    spelled = "|".join(map(re.escape, {name, sheet.symbols.get(name, name)}))
    named = rf"(?<![\w'\\])(?:{spelled})(?:_\{{?\w+\}}?)?(?![\w^])"
    others = r"(?:(?:\s*,|\s+and)\s+[\w\\{}]+)*"
    bounded = rf"{named}{others}\s*{_BOUND}\s*-?\d|\d\s*{_BOUND}\s*{named}"
    return any(
        re.search(bounded, clause) or (re.search(named, clause) and _SIGNED.search(clause))
        for clause in (sheet.assume or "").split(";")
    )


_BOUND = r"(?:[<>]=?|[≤≥]|\\[lg]e[q]?\b)"
_SIGNED = re.compile(r"positive|negative|at least|at most|above|below|between", re.IGNORECASE)


def _poor(code: str, message: str) -> Flaw:
    return Flaw(code, message, error=False)
