"""Random problems of a declared checker: sizes, and inputs from their domains."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from quizzer.checker.declared.domains import draw
from quizzer.checker.declared.shown import readable
from quizzer.checker.declared.sizes import Size, SizeError
from quizzer.checker.declared.values import Declaration, Domain, Input, SizeRule
from quizzer.checker.derivative import Array
from quizzer.checker.load import CheckerError

_TRIES_FOR_SIZES = 30
_TRIES_FOR_SHAPES = 100
_TRIES_FOR_FEW = 12
_MOST_NUMBERS = 1_000_000
_MOST_KEPT = 1_000
_WIDER = 4.0

Inputs = dict[str, Any]


def draw_problem(declaration: Declaration, rng: np.random.Generator) -> Inputs:
    """A value for every input: arrays, and Python numbers for what is not differentiated.

    Sizes that the shapes in the card's table cannot have are drawn again.
    """
    return _problem(declaration, rng, draw_sizes, draw)


def draw_unusual(declaration: Declaration, rng: np.random.Generator) -> Inputs:
    """A problem whose letters stand for one length as far as they may; of every other one the real
    numbers are spread wider instead."""
    if rng.integers(2):
        return _problem(declaration, rng, _alike_sizes, draw)
    return _problem(declaration, rng, draw_sizes, _draw_wide)


def _draw_wide(domain: Domain, rng: np.random.Generator, *rest: Any) -> Array:
    drawn = draw(domain, rng, *rest)
    return np.asarray(_WIDER * drawn) if domain.kind == "normal" else drawn


def _shapes_are_possible(declaration: Declaration, inputs: Inputs) -> bool:
    key = tuple(
        value.shape if isinstance(value, np.ndarray) else type(value) is int and value
        for value in inputs.values()
    )
    known = declaration.are_possible
    if key not in known:
        _make_room(known)
        known[key] = _table_allows(declaration, inputs)
    return known[key]


def _table_allows(declaration: Declaration, inputs: Inputs) -> bool:
    sizes = solved(declaration, inputs)
    for node in declaration.nodes:
        for size in node.shape:
            try:
                if sizes.keys() >= {*size.letters} and size.value(sizes) < 1:
                    return False
            except SizeError:
                return False
    return True


def _problem(
    declaration: Declaration,
    rng: np.random.Generator,
    draw_lengths: Callable[[Declaration, np.random.Generator], dict[str, int]],
    draw_one: Callable[..., Array],
) -> Inputs:
    tries = _TRIES_FOR_SHAPES if any(node.shape for node in declaration.nodes) else 1
    for left in reversed(range(tries)):
        sizes = draw_lengths(declaration, rng)
        found = _inputs(declaration, sizes, draw_one, rng)
        if not left or _shapes_are_possible(declaration, found):
            break
    return found


def draw_readable(declaration: Declaration, rng: np.random.Generator) -> Inputs:
    """Inputs that one can calculate with: few, small, and with few digits."""
    drawn = [draw_sizes(declaration, rng) for _ in range(_TRIES_FOR_FEW)]
    few = min(drawn, key=lambda sizes: _cells(declaration, sizes))
    return _inputs(declaration, few, readable, rng)


def _inputs(
    declaration: Declaration,
    sizes: Mapping[str, int],
    draw_one: Callable[..., Array],
    rng: np.random.Generator,
) -> Inputs:
    """A value for every input: arrays, and Python numbers for what is not differentiated. The
    limits of others come first."""
    first = declaration.limits
    known, found = dict(sizes), Inputs()
    asked = declaration.asked_inputs
    shapes = _shapes(declaration, sizes)
    for given in declaration.in_turn:
        shape = shapes[given.name]
        try:
            value = draw_one(given.domain, rng, shape, known, declaration.first_index)
        except SizeError as error:
            raise CheckerError(f"line {given.line}: `{given.name}`: {error}") from None
        if shape or (given.name in asked and not given.domain.is_whole):
            found[given.name] = value
        else:
            found[given.name] = value.item()
            if given.name in first:
                known[given.name] = found[given.name]
    return {given.name: found[given.name] for given in declaration.inputs}


def draw_small(
    declaration: Declaration, rng: np.random.Generator, lengths: Sequence[int]
) -> Inputs:
    """Readable inputs whose free letters are these lengths in turn, whatever ranges they have.

    Raises CheckerError where a letter that is made of others cannot be.
    """
    sizes: dict[str, int] = {}
    free = [rule for rule in declaration.sizes if rule.made is None]
    for number, rule in enumerate(free):
        fixed = rule.low == rule.high
        sizes[rule.letter] = rule.low if fixed else lengths[number % len(lengths)]
    return _inputs(declaration, _with_made(declaration, sizes), readable, rng)


def _cells(declaration: Declaration, sizes: Mapping[str, int]) -> int:
    return sum(map(prod, _shapes(declaration, sizes).values()))


def draw_sizes(declaration: Declaration, rng: np.random.Generator) -> dict[str, int]:
    """A value for every letter; the axes of the inputs are of different lengths if possible."""
    sizes: dict[str, int] = {}
    for _ in range(_TRIES_FOR_SIZES):
        sizes = _drawn(declaration, rng)
        try:
            lengths = [size.value(sizes) for size in declaration.axes]
        except SizeError:
            continue
        if len(set(lengths)) == len(lengths):
            break
    return sizes


def _alike_sizes(declaration: Declaration, rng: np.random.Generator) -> dict[str, int]:
    """A value for every letter: the same one, as far as their ranges allow."""
    free = [rule for rule in declaration.sizes if rule.made is None]
    rule = free[int(rng.integers(len(free)))] if free else None
    length = int(rng.integers(rule.low, rule.high + 1)) if rule else 0
    found = {rule.letter: min(max(length, rule.low), rule.high) for rule in free}
    return _with_made(declaration, found)


def _drawn(declaration: Declaration, rng: np.random.Generator) -> dict[str, int]:
    found: dict[str, int] = {}
    for rule in declaration.free:
        every = range(rule.low, rule.high + 1)
        values = [value for value in every if value not in found.values()] or every
        found[rule.letter] = values[int(rng.integers(len(values)))]  # `choice` takes far longer
    return _with_made(declaration, found)


def _with_made(declaration: Declaration, sizes: dict[str, int]) -> dict[str, int]:
    known = declaration.sizes_made
    key = tuple(sizes.items())
    if key not in known:
        _make_room(known)
        known[key] = _made(declaration, sizes)
    return dict(known[key])


def _made(declaration: Declaration, sizes: dict[str, int]) -> dict[str, int]:
    for rule in declaration.sizes:
        if rule.made is not None:
            try:
                sizes[rule.letter] = rule.made.value(sizes)
            except SizeError as error:
                raise CheckerError(f"line {rule.line}: the size {rule.letter}: {error}") from None
    return sizes


def _shapes(declaration: Declaration, sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """The shape of every input, worked out once for each set of sizes."""
    key = tuple(sizes[rule.letter] for rule in declaration.sizes)
    known = declaration.shapes_drawn
    if key not in known:
        _make_room(known)
        known[key] = {given.name: _shape_of(given, sizes) for given in declaration.in_turn}
    return known[key]


def _make_room(known: dict[Any, Any]) -> None:
    if len(known) >= _MOST_KEPT:
        known.clear()


def _shape_of(given: Input, sizes: Mapping[str, int]) -> tuple[int, ...]:
    try:
        shape = tuple(size.value(sizes) for size in given.shape)
    except SizeError as error:
        raise CheckerError(f"line {given.line}: the shape of `{given.name}`: {error}") from None
    for size, length in zip(given.shape, shape, strict=True):
        if length < 1:
            raise CheckerError(
                f"line {given.line}: `{given.name}` has an axis {size.text} of length {length}: "
                "give its letters a range, `size K: 3..7`"
            )
    if prod(shape) > _MOST_NUMBERS:
        raise CheckerError(
            f"line {given.line}: `{given.name}` has {prod(shape):,} numbers, more than "
            f"{_MOST_NUMBERS:,}: give its letters smaller ranges"
        )
    return shape


def axis_sizes(declaration: Declaration) -> dict[str, tuple[str, int]]:
    """The letters that are the length of an axis, each with the first input that has it."""
    found: dict[str, tuple[str, int]] = {}
    for given in declaration.inputs:
        for axis, size in enumerate(given.shape):
            if size.letter is not None:
                found.setdefault(size.letter, (given.name, axis))
    return found


def solved(declaration: Declaration, inputs: Mapping[str, Any]) -> dict[str, int]:
    """The sizes that inputs of these shapes have, and the whole numbers among the inputs; letters
    that the shapes leave open are absent."""
    equations: list[tuple[Size, int]] = []
    for given in declaration.inputs:
        lengths = np.shape(inputs[given.name])
        equations += zip(given.shape, lengths, strict=False)
    found = {size.letter: length for size, length in equations if size.letter is not None}
    found |= {
        name: value
        for name, value in inputs.items()
        if isinstance(value, int) and not isinstance(value, bool)
    }
    rules = {rule.letter: rule for rule in declaration.sizes}
    for _ in rules:
        before = len(found)
        made = [(r.made, found[r.letter]) for r in rules.values() if r.made and r.letter in found]
        for rule in rules.values():
            if rule.letter not in found:
                value = _solution(rule, [*equations, *made], found)
                if value is not None:
                    found[rule.letter] = value
        if len(found) == before:
            break
    return found


def _solution(
    rule: SizeRule, equations: list[tuple[Size, int]], known: Mapping[str, int]
) -> int | None:
    """The value of a letter by the equations in which only it is unknown."""
    if rule.low == rule.high:
        return rule.low
    if rule.made is not None:
        return rule.made.value(known) if all(each in known for each in rule.made.letters) else None
    mine = [
        (size, length)
        for size, length in equations
        if rule.letter in size.letters
        and all(each in known or each == rule.letter for each in size.letters)
    ]
    for value in range(rule.low, rule.high + 1) if mine else ():
        try:
            if all(size.value({**known, rule.letter: value}) == length for size, length in mine):
                return value
        except SizeError:
            continue
    return None
