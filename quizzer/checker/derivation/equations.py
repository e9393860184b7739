"""Equations: claims about the optimum, or about all values of the names.

One about the optimum is right if it holds there and fails at a random other point. A multiplier
that nothing else tells, the η of a constraint, is what the equation makes it, if one number does.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quizzer.checker.derivation.board import Board, Made, used_in
from quizzer.checker.derivation.derived import Choice, Known
from quizzer.checker.derivation.nodes import Defined
from quizzer.checker.derivation.operators import with_derivatives
from quizzer.checker.derivation.slopes import NoSlope, Scene
from quizzer.checker.derivation.taken import free_letters
from quizzer.checker.derivation.values import Unjudged
from quizzer.checker.derivative import Array, Uncertified
from quizzer.notation import Reading
from quizzer.notation.functions import WORDS
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.spellings import WORD

_TOLERANCE = 1e-6
_IDENTITY = 1e-8
_FAULTS = ("unknown-name",)
_WORD = re.compile(rf"(?<![^\W_])({WORD})(?![^\W_(])")


def difference(left: Plain, right: Plain, board: Board) -> tuple[Reading, str, str | None]:
    """`left - right` as something that computes, its text, and the multiplier in it that is not
    known. Raises FaultError or Unjudged."""
    text = f"{left.text} {right.text}"
    try:
        text = _difference(left, right, board)
        return (*_read(text, board), None)
    except Unjudged as error:
        unknown = _unknown(text, board) if error.code in _FAULTS else None
        if unknown is None:
            raise
        board_with(board, unknown, 1.0)
        try:
            return (*_read(_difference(left, right, board), board), unknown)
        finally:
            board_without(board, unknown)


def _difference(left: Plain, right: Plain, board: Board) -> str:
    sides = [with_derivatives(side, board).text.strip() for side in (left, right)]
    kept = [side for side in sides if side != "0"]
    if not kept:
        raise Unjudged("This says nothing.")
    return f"({kept[0]}) - ({kept[1]})" if len(kept) == 2 else kept[0]


def worked_out(
    reading: Reading, board: Board, choice: Choice, way: bool, unknown: str | None
) -> Known:
    """The difference on every instance, which should be zero where the equation holds."""
    if unknown is not None:
        return _with_multiplier(reading, board, choice, way, unknown)
    here = [board.value(reading, i, choice, way) for i in range(len(board.scenes))]
    uses = _all_uses(reading, board)
    as_it_is = all(_vanishes(value, board, reading, i) for i, value in enumerate(here))
    if as_it_is:
        about = uses.intersection(board.optima.values())
        if not about:
            return _known(here, [_IDENTITY * _size(board, reading, i) for i in range(len(here))])
    asked = [name for name in board.sheet.asked if name in uses and name in board.scenes[0].values]
    moving = [base for base in board.optima if _depends(reading, board, base)]
    if asked and (as_it_is or not moving):
        elsewhere = _at(board, reading, choice, way, _moved(board, asked))
        return _compared(here, elsewhere)
    if moving:
        there = _at(board, reading, choice, way, optimum(board, moving))
        if not all(_vanishes(value, board, reading, i) for i, value in enumerate(there)):
            # What an E-step found stays as it is while the M-step moves its parameters.
            kept = _at(board, reading, choice, way, _substituted(board, moving))
            if all(_vanishes(value, board, reading, i) for i, value in enumerate(kept)):
                there = kept
        return _compared(there, here)
    _check_says_something(reading, board)
    return _known(here, [_IDENTITY * _size(board, reading, i) for i in range(len(here))])


def scenes_for(reading: Reading, board: Board) -> list[Scene]:
    """Where an equation should hold: as things are, or at the optimum that it is about."""
    moving = [base for base in board.optima if _depends(reading, board, base)]
    return optimum(board, moving) if moving else board.scenes


def is_about_optimum(reading: Reading, board: Board) -> bool:
    """Whether an equation has anything in it that the optimum decides."""
    uses = _all_uses(reading, board)
    estimates = {*board.sheet.asked, *board.optima.values()} & board.scenes[0].values.keys()
    return bool(uses & estimates) or any(_depends(reading, board, base) for base in board.optima)


def is_stationary(name: str, arguments: Sequence[str], board: Board) -> bool | None:
    """Whether a function of the learner's is stationary at the optimum of what it is a function of;
    None where that is not known, or where the optimum is bound to a sum."""
    bound = [board.optima[each] for each in arguments]
    if any(_sums_to_one(scene.values[each]) for scene in board.scenes for each in bound):
        return None
    for scene, there in zip(board.scenes, optimum(board, list(arguments)), strict=True):
        for argument in arguments:
            try:
                found = _steepest(there, name, argument)
                if found and found > 1e-4 * _steepest(scene, name, argument):
                    return False
            except (NoSlope, Uncertified, ArithmeticError, ValueError):
                return None
    return True


def _steepest(scene: Scene, top: str, over: str) -> float:
    return float(np.max(np.abs(scene.slope(top, over).value), initial=0.0))


def _sums_to_one(value: Any) -> bool:
    array = np.asarray(value, float)
    return array.ndim > 0 and bool(np.allclose(array.sum(-1), 1.0))


def refuted(reading: Reading, board: Board, choice: Choice) -> Known | None:
    """What speaks against an equation in a remark: that it fails at the optimum that it is about,
    or in every entry of every instance. A remark may be meant for some entries only, and one about
    given values is a condition, unless the card's values break it by the same number everywhere."""
    uses = _all_uses(reading, board)
    if is_about_optimum(reading, board):
        known = worked_out(reading, board, choice, False, None)
    else:
        here = [board.value(reading, i, choice) for i in range(len(board.scenes))]
        sizes = [_IDENTITY * _size(board, reading, i) for i in range(len(here))]
        known = _known(here, sizes)
    pairs = zip(known.values, known.errors, strict=True)
    if not all((np.abs(value) > 1e4 * error).all() for value, error in pairs):
        return None
    every = np.concatenate([np.ravel(value) for value in known.values])
    is_law = bool(np.allclose(every, every[:1], 1e-9, 0.0))
    return known if is_law or not _is_given(uses, board) else None


def is_multiple(known: Known) -> bool:
    """Whether a claim gives a number times what it should, on each instance."""
    for value, truth in zip(known.values, known.truths, strict=True):
        if value.size != truth.size or not np.any(truth):
            return False
        flat, wanted = np.ravel(value), np.ravel(truth)
        factor = float(flat @ wanted) / float(wanted @ wanted)
        if not np.allclose(flat, factor * wanted, 1e-6, 1e-9 + 1e-6 * np.max(np.abs(flat))):
            return False
    return True


def is_diagonal(known: Known) -> bool:
    """Whether a claim gives the diagonal of what it should, which is 0 elsewhere."""
    for value, truth in zip(known.values, known.truths, strict=True):
        shape = tuple(n for n in value.shape if n != 1)
        if not shape or truth.shape != shape * 2:
            return False
        full = np.diag(np.ravel(value)).reshape(truth.shape)
        if not np.allclose(full, truth, 1e-6, 1e-9):
            return False
    return True


def is_met(known: Known) -> bool:
    """Whether a claim gives what it should, nearly."""
    return all(
        value.size == truth.size
        and np.allclose(value.reshape(truth.shape), truth, 1e-6, 1e-9 + 3 * np.max(error))
        for value, truth, error in zip(known.values, known.truths, known.errors, strict=True)
        if truth.size
    )


def free_in(reading: Reading, board: Board) -> list[str]:
    """The variables of an objective that a text depends on, and that only the text has."""
    return [base for base in board.free if _depends(reading, board, base)]


def estimated_in(reading: Reading, board: Board, but: Sequence[str] | None) -> list[str]:
    """The variables whose optimum a text has, `μ` of `μ_hat`: it is about that point, unless it is
    about derivatives with respect to them."""
    uses = _all_uses(reading, board)
    bases = (base for base, asked in board.optima.items() if asked in uses)
    return [base for base in bases if base not in (but or ())]


def _check_says_something(reading: Reading, board: Board) -> None:
    """Raises Unjudged for an equation about given values only: a condition, which may be met."""
    if _is_given(_all_uses(reading, board), board):
        raise Unjudged("This is about given values only.")


def _is_given(uses: set[str], board: Board) -> bool:
    scene = board.scenes[0]
    given = scene.inputs.keys() | board.free.keys() | board.sheet.sizes.keys()
    given |= {"delta", *scene.upstreams}
    return given.issuperset(uses - {each.name for each in board.scenes[0].defined})


def board_with(board: Board, name: str, value: float) -> None:
    """A number under this name, for a while."""
    board.scenes = [
        replace(scene, values={**scene.values, name: np.asarray(value)}) for scene in board.scenes
    ]


def board_without(board: Board, name: str) -> None:
    board.scenes = [
        replace(scene, values={n: v for n, v in scene.values.items() if n != name})
        for scene in board.scenes
    ]


def _read(text: str, board: Board) -> tuple[Reading, str]:
    letters = free_letters(text, board.names())
    try:
        return board.read(text, letters, None), text
    except Unjudged:
        if not letters:
            raise
        try:
            return board.read(text, (), None), text
        except Unjudged:
            pass
        raise


def _unknown(text: str, board: Board) -> str | None:
    """The only word of a text that is not known and may be a number."""
    names = board.names()
    words = {
        match[1]
        for match in _WORD.finditer(text)
        if not (names.find(match[1]) or match[1] in WORDS or match[1].endswith("_"))
    }
    words = {word for word in words if not re.search(rf"[_{{,\[]\s*{word}\s*[,}}\]]", text)}
    words = {word for word in words if "_" not in word and len(word) < 7}
    return words.pop() if len(words) == 1 else None


def _with_multiplier(
    reading: Reading, board: Board, choice: Choice, way: bool, unknown: str
) -> Known:
    def at(value: float, there: dict[int, Scene]) -> list[Array]:
        kept = board.scenes
        board.scenes = [there.get(i, scene) for i, scene in enumerate(kept)]
        board_with(board, unknown, value)
        try:
            return [board.value(reading, i, choice, way) for i in range(len(kept))]
        finally:
            board.scenes = kept

    scenes: dict[int, Scene] = {}
    zero, one, two = (at(value, scenes) for value in (0.0, 1.0, 2.0))
    if all(
        _vanishes(each, board, reading, i)
        for values in (zero, one, two)
        for i, each in enumerate(values)
    ):
        return _known(zero, [_IDENTITY * _size(board, reading, i) for i in range(len(zero))])
    if _is_within(unknown, reading, board):
        return _known(one, [_IDENTITY * _size(board, reading, i) for i in range(len(one))])
    asked = [name for name in board.sheet.asked if name in _all_uses(reading, board)]
    moving = [base for base in board.optima if _depends(reading, board, base)]
    if not asked and moving:
        scenes = dict(enumerate(_substituted(board, moving)))
        zero, one, two = (at(value, scenes) for value in (0.0, 1.0, 2.0))
    values, errors, multipliers = [], [], []
    for a, b, c in zip(zero, one, two, strict=True):
        slope = b - a
        size = float(np.max(np.abs(a), initial=0.0)) + float(np.max(np.abs(slope), initial=0.0))
        if not np.allclose(c - b, slope, atol=1e-9 * (1 + size)) or not np.any(slope):
            raise Unjudged(f"{unknown} is not known.", "unknown-name")
        multiplier = -float(np.sum(slope * a) / np.sum(slope * slope))
        values.append(a + multiplier * slope)
        errors.append(_TOLERANCE * size)
        multipliers.append(np.asarray(multiplier))
    if not (asked or moving):
        raise Unjudged(f"{unknown} is not known.", "unknown-name")
    board.define(Defined(unknown, (), None), multipliers)
    return _known(values, errors)


def _is_within(unknown: str, reading: Reading, board: Board) -> bool:
    """Whether a multiplier is in what an operator acts on: then any number must do."""
    made = (board.arrays.get(name) for name in used_in(reading))
    return any(isinstance(each, Made) and unknown in used_in(each.reading) for each in made)


def _compared(there: list[Array], elsewhere: list[Array]) -> Known:
    """Zero at the optimum, measured by what it is elsewhere."""
    errors = []
    for value, other in zip(there, elsewhere, strict=True):
        finite = other[np.isfinite(other)]
        size = float(np.max(np.abs(finite), initial=0.0)) if finite.size else 1.0
        if size <= 1e-9 * (1 + float(np.max(np.abs(value), initial=0.0))):
            raise Unjudged("This holds everywhere: it says nothing about the optimum.")
        errors.append(_TOLERANCE * size)
    return _known(there, errors)


def _known(values: list[Array], errors: list[float]) -> Known:
    return Known(
        tuple(values),
        tuple(np.zeros_like(value) for value in values),
        tuple(np.full_like(v, error) for v, error in zip(values, errors, strict=True)),
    )


def _vanishes(value: Array, board: Board, reading: Reading, i: int) -> bool:
    return bool(np.max(np.abs(value), initial=0.0) <= 3 * _IDENTITY * _size(board, reading, i))


def _size(board: Board, reading: Reading, i: int) -> float:
    """How large the values are that an equation is about."""
    values = board.scenes[i].values
    used = [np.max(np.abs(values[n]), initial=0.0) for n in used_in(reading) if n in values]
    return 1.0 + float(max(used, default=0.0)) ** 2


def _all_uses(reading: Reading, board: Board) -> set[str]:
    """The names that a text uses, and those that the learner's names in it are made of."""
    found: set[str] = set()
    waiting = list(used_in(reading))
    defined = {each.name: each for each in board.scenes[0].defined}
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += defined[name].uses if name in defined else ()
    return found


def _depends(reading: Reading, board: Board, base: str) -> bool:
    scene = board.scenes[0]
    uses = used_in(reading)
    return any(name in board.arrays or scene.follows(name, base) for name in uses)


def _at(
    board: Board, reading: Reading, choice: Choice, way: bool, scenes: list[Scene]
) -> list[Array]:
    kept = board.scenes
    board.scenes = scenes
    try:
        return [board.value(reading, i, choice, way) for i in range(len(scenes))]
    finally:
        board.scenes = kept


def _moved(board: Board, names: list[str]) -> list[Scene]:
    """The scenes with other values for asked names."""
    found = []
    for i, scene in enumerate(board.scenes):
        rng = np.random.default_rng(i)
        moved = {
            name: np.asarray(scene.values[name])
            * (1 + rng.uniform(0.2, 0.9, np.shape(scene.values[name])))
            for name in names
        }
        found.append(scene.moved(moved))
    return found


def optimum(board: Board, bases: list[str]) -> list[Scene]:
    """The scenes with the optimum in the place of these inputs."""
    return [
        scene.moved({base: scene.values[board.optima[base]] for base in bases})
        for scene in board.scenes
    ]


def _substituted(board: Board, bases: list[str]) -> list[Scene]:
    """The scenes with the optimum in the place of these names, and all others as they are."""
    return [
        replace(
            scene,
            values=scene.values | {base: scene.values[board.optima[base]] for base in bases},
            slopes={},
            mine={},
        )
        for scene in board.scenes
    ]
