"""Derivatives between the nodes of one instance, and of what is written with them.

*Total*: everything between b and a moves. *Direct*: only a's own formula sees b. Each is worked out
when it is named, and certified like the derivatives that answers are judged by.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from quizzer.checker.derivation.nodes import Defined, Nodes
from quizzer.checker.derivative import Array, Uncertified, certified
from quizzer.checker.instance import is_symmetric
from quizzer.notation.grammar.partials import LOSS

_STEP = 1e-4
_AGREEMENT = 1e-5


Run = Callable[[Mapping[str, Any]], dict[str, Any]]
"""What gives the values of all names where some of them have these values."""
Key = tuple[str, str, bool]
"""What a derivative is of, empty for what all upstreams come from; with respect to what; and
whether it is a direct one."""


class Slope(Struct, frozen=True):
    """A derivative and the error of each entry."""

    value: Array
    error: Array


Slopes = dict[Key, Slope | Exception]
"""Derivatives, or why there are none."""


def toward(over: str, top: str = "", direct: bool = False) -> Key:
    """What a scene keeps a derivative under: of `top`, or of what all upstreams come from."""
    return top, over, direct


class NoSlope(Exception):
    """There is no such derivative here; the message is for the learner."""


@dataclass
class Scene:
    """One instance with all its values, and the derivatives that were asked for so far."""

    nodes: Nodes
    inputs: dict[str, Any]
    values: dict[str, Any]
    """All names: inputs, nodes, sizes, closed forms that are asked."""
    outputs: tuple[str, ...]
    upstreams: Mapping[str, Array]
    defined: tuple[Defined, ...] = ()
    free: Mapping[str, Any] = field(default_factory=dict)
    """Values that the checker does not have, and that may be moved like inputs."""
    slopes: Slopes = field(default_factory=dict)
    """What was worked out of names that the checker has; scenes with more names share it."""
    mine: Slopes = field(default_factory=dict)
    """What was worked out of the learner's names."""

    def run(
        self, moved: Mapping[str, Any], wanted: tuple[str, ...] | None, direct: bool = False
    ) -> dict[str, Any]:
        """The values with some moved: what depends on them follows, or with `direct` only what is
        wanted."""
        return self.runner(tuple(moved), wanted, direct)(moved)

    def runner(
        self, names: tuple[str, ...], wanted: tuple[str, ...] | None, direct: bool = False
    ) -> Run:
        """The same for these names, to be run on one set of values after the other."""
        given = [name for name in names if name in self.inputs]
        mine = self.inputs.keys() | self.free.keys()
        nodes = [name for name in names if name not in mine and self.nodes.can_hold(name)]
        held: dict[str, Any] = {}
        if direct:
            rest = (name for name in self.values if self.nodes.can_hold(name))
            held = {name: self.values[name] for name in rest if name not in (wanted or ())}
        needed = None if wanted is None else self._needed(wanted, names)
        follow = [
            (each.name, each.value)
            for each in self.defined
            if each.value is not None and each.name not in names
            if needed is None or each.name in needed
            if not direct or each.name in (wanted or ())
        ]

        def run(moved: Mapping[str, Any]) -> dict[str, Any]:
            inputs = {**self.inputs, **{name: moved[name] for name in given}}
            fixed = {**held, **{name: moved[name] for name in nodes}}
            found = {**self.values, **self.nodes.run(inputs, needed, fixed), **moved}
            for name, value in follow:
                found[name] = value(found)
            return found

        return run

    def _needed(self, wanted: tuple[str, ...], moved: tuple[str, ...]) -> tuple[str, ...]:
        """The wanted names, and those that the learner's among them are made of."""
        found = dict.fromkeys(wanted)
        for each in reversed(self.defined):
            if each.name in found and each.value is not None and each.name not in moved:
                found |= dict.fromkeys(each.uses)
        return tuple(found)

    def follows(self, name: str, other: str) -> bool | None:
        """Whether a name depends on another one; None where that is not known."""
        if name == other:
            return True
        for each in self.defined:
            if each.name == name and each.value is None:
                return None
            if each.name == name:
                known = [self.follows(used, other) for used in each.uses if used != name]
                return True if True in known else None if None in known else False
        if other in self.free or any(each.name == other for each in self.defined):
            return False
        return self.nodes.follows(name, other) if name in self.values else False

    def contains(self, name: str, other: str) -> bool:
        """Whether the name's own formula contains the other."""
        return other in self._uses(name)

    def has_detour(self, name: str, other: str) -> bool:
        """Whether a name may depend on another one by way of a third."""
        thirds = (used for used in self._uses(name) if used != other)
        return any(self.follows(third, other) is not False for third in thirds)

    def _uses(self, name: str) -> tuple[str, ...]:
        own = (used for each in self.defined if each.name == name for used in each.uses)
        return (*own, *self.nodes.uses(name))

    def slope(self, top: str, over: str, direct: bool = False) -> Slope:
        """∂top/∂over, axes of `top` first. Raises NoSlope or Uncertified."""
        return self._kept(toward(over, top, direct), lambda: self._slope(top, over, direct))

    def message(self, over: str) -> Slope:
        """The derivative of what all upstreams come from. Raises NoSlope or Uncertified."""
        return self._kept(toward(over), lambda: self._message(over))

    def _slope(self, top: str, over: str, direct: bool) -> Slope:
        if not self.follows(top, over):
            raise NoSlope(f"how {top} depends on {over} is not known on this card")
        size = int(np.size(self.values[top]))
        shape = np.shape(self.values[top]) + np.shape(self.values[over])
        return self._certified((top,), over, direct, np.eye(size), shape)

    def _message(self, over: str) -> Slope:
        if not any(self.follows(top, over) for top in self.outputs):
            raise NoSlope(f"how the outputs depend on {over} is not known on this card")
        flat = [np.reshape(self.upstreams[f"d{name}"], -1) for name in self.outputs]
        shape = np.shape(self.values[over])
        return self._certified(self.outputs, over, False, np.concatenate(flat)[None], shape)

    def _certified(
        self,
        tops: tuple[str, ...],
        over: str,
        direct: bool,
        weights: Array,
        shape: tuple[int, ...],
    ) -> Slope:
        own = any(each.name == over for each in self.defined)
        if not (own or over in self.inputs or over in self.free or self.nodes.can_hold(over)):
            raise NoSlope(f"{over} cannot be moved alone on this card")

        run = self.runner((over,), tops, direct)

        def flat(x: NDArray[np.generic]) -> NDArray[np.generic]:
            if self.defined and x.dtype.kind == "c":
                raise ValueError("formulas are worked out in real numbers")
            found = run({over: x})
            if len(tops) == 1:
                return np.asarray(found[tops[0]]).reshape(-1)
            return np.concatenate([np.reshape(np.asarray(found[top]), -1) for top in tops])

        at = np.asarray(self.values[over], float)
        ((value, error),) = certified(flat, at, [weights])
        return Slope(value.reshape(shape), error.reshape(shape))

    def _kept(self, key: Key, work_out: Callable[[], Slope]) -> Slope:
        own = {each.name for each in self.defined} | self.free.keys()
        slopes = self.slopes if own.isdisjoint(key[:2]) else self.mine
        if key not in slopes:
            try:
                slopes[key] = work_out()
            except (NoSlope, Uncertified) as error:
                slopes[key] = error
        found = slopes[key]
        if isinstance(found, Exception):
            raise found
        return found

    def with_definition(self, defined: Defined, value: Array) -> "Scene":
        """The scene with one more name."""
        values = {**self.values, defined.name: value}
        others = (each for each in self.defined if each.name != defined.name)
        mine = {} if defined.name in self.values else _without(self.mine, defined.name)
        return replace(self, values=values, defined=(*others, defined), mine=mine)

    def with_input(self, name: str, value: Array) -> "Scene":
        """The scene with one more value that nothing of the checker depends on."""
        values = {**self.values, name: value}
        return replace(self, free={**self.free, name: value}, values=values, mine={})

    def moved(self, values: Mapping[str, Any]) -> "Scene":
        """The scene with other values of these names, and of all that depends on them."""
        inputs = {name: values.get(name, value) for name, value in self.inputs.items()}
        free = {name: values.get(name, value) for name, value in self.free.items()}
        every = self.run(values, None)
        return replace(self, inputs=inputs, free=free, values=every, slopes={}, mine={})

    def with_node(self, name: str, nodes: Nodes) -> "Scene":
        """The scene with a learner's name as one of the checker's nodes: how others move with the
        inputs is as before."""
        others = tuple(each for each in self.defined if each.name != name)
        slopes: Slopes = {
            (top, over, direct): found
            for (top, over, direct), found in _without(self.slopes, name).items()
            if over in self.inputs and not direct
        }
        return replace(self, nodes=nodes, defined=others, slopes=slopes, mine={})

    def directions(self, seed: int, names: Sequence[str] = ()) -> dict[str, Array]:
        """A random direction of names, of all inputs unless said; of a symmetric matrix it is
        symmetric."""
        rng = np.random.default_rng(seed)
        found = {}
        for name in names or (*self.inputs, *self.free):
            value = self.values[name]
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                way = rng.standard_normal(np.shape(value))
                found[name] = (way + way.T) / 2 if is_symmetric(value) else way
        return found

    def along(
        self,
        directions: Mapping[str, Array],
        of: Callable[[Mapping[str, Any]], Mapping[str, Any]],
        wanted: tuple[str, ...] | None = None,
    ) -> dict[str, Array]:
        """How what `of` works out of the wanted values, of all unless said, moves as the names do.

        Raises Uncertified.
        """
        run = self.runner(tuple(directions), wanted)

        def at(step: float) -> Mapping[str, Any]:
            moved = {name: self.values[name] + step * way for name, way in directions.items()}
            try:
                return of(run(moved))
            except Exception as error:
                raise Uncertified(str(error)) from error

        return central(at)


def _without(slopes: Slopes, name: str) -> Slopes:
    """The derivatives that were found between other names."""
    return {
        key: found
        for key, found in slopes.items()
        if isinstance(found, Slope) and name not in key[:2]
    }


def has_two_meanings(pair: tuple[str, str], scenes: Sequence[Scene]) -> bool:
    """Whether a derivative is another one where all between its two ends is held."""
    (top, over), outputs = pair, scenes[0].outputs
    if top == LOSS:
        if over not in outputs or len(outputs) < 2:
            return False
    elif not (scenes[0].contains(top, over) and scenes[0].has_detour(top, over)):
        return False
    for scene in scenes:
        try:
            if top == LOSS:
                total, direct = scene.message(over).value, scene.upstreams[f"d{over}"]
            else:
                total = scene.slope(top, over).value
                direct = scene.slope(top, over, direct=True).value
        except (NoSlope, Uncertified):
            continue
        if not np.allclose(total, direct, 1e-6, 1e-8):
            return True
    return False


def central(at: Callable[[float], Mapping[str, Any]]) -> dict[str, Array]:
    """The derivatives at 0, extrapolated from two steps that must agree. Raises Uncertified."""
    far, near = ((at(step), at(-step)) for step in (_STEP, _STEP / 2))
    found = {}
    for name, ahead in far[0].items():
        if isinstance(ahead, str) or np.asarray(ahead).dtype.kind != "f":
            continue
        coarse = (np.asarray(ahead) - np.asarray(far[1][name])) / (2 * _STEP)
        fine = (np.asarray(near[0][name]) - np.asarray(near[1][name])) / _STEP
        scale = 1.0 + float(np.abs(fine).max(initial=0.0))
        apart = float(np.abs(fine - coarse).max(initial=0.0))
        if not np.isfinite(fine).all() or apart > _AGREEMENT * scale:
            raise Uncertified(f"{name} is not smooth here")
        found[name] = np.asarray((4 * fine - coarse) / 3, float)
    return found
