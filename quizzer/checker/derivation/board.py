"""The names of a derivation on all instances: the card's, the learner's, and derivatives."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.declared.values import Domain
from quizzer.checker.derivation.derived import Choice
from quizzer.checker.derivation.nodes import Defined
from quizzer.checker.derivation.slopes import Scene, has_two_meanings
from quizzer.checker.derivation.taken import implied_values
from quizzer.checker.derivation.values import Truth, Unjudged
from quizzer.checker.derivative import Array, Uncertified
from quizzer.checker.instance import is_variable, shape
from quizzer.checker.meaning import Kind
from quizzer.checker.paper import read_math
from quizzer.checker.sheet import Sheet
from quizzer.notation import Context, Invalid, Reading
from quizzer.notation.grammar.derivation import Part, parts_of
from quizzer.notation.grammar.left import LOSSES
from quizzer.notation.grammar.partials import LOSS, Partial
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.signs import ONES

SIDE = "lineꞏ"
"""The name of what a line claims, while its right side is read."""
_D = "Dꞏ"
_MOST_PAIRS = 6
_LABELS = ("hat", "new", "next", "star", "opt", "ML", "MAP")
_WAY = 7
_CHANGED = 11
_LABEL = re.compile(r"_\{?([a-z])\s*(?:[-+]\s*1)?\}?$")
_ONE = re.compile(r"(?<![\w.^{/(\[])1(?=\s+[^\W\d_])|(?<=⊤ )1(?![\w.])|(?<=\) )1(?![\w.])")


class Made(Struct, frozen=True):
    """What an operator gives of an expression: `∂/∂x_i ( … )`, or `d( … )` where `over` is None.

    Its axes are the expression's, then those of `over`.
    """

    reading: Reading
    over: str | None


@dataclass
class Board:
    """The scenes of a derivation, and what its lines have added to them."""

    sheet: Sheet
    base: tuple[Scene, ...]
    """The scenes as they are before the learner defines anything."""
    sets: tuple[str, ...] = ()
    sought: Mapping[str, Domain] = field(default_factory=dict)
    """The names that minimise or maximise an objective of the card, with their domains."""
    scenes: list[Scene] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    """The derivatives with two meanings that occur."""
    arrays: dict[str, Partial | Made] = field(default_factory=dict)
    """The names that are written for derivatives while a line is read."""
    cuts: set[str] = field(default_factory=set)
    """The learner's names that are nodes of the card's formulas."""
    steered: frozenset[str] = frozenset()
    """The names that move in the line that is looked at: other inputs are held."""
    differentials: bool = False
    """Whether d-names are differentials wherever they can be."""
    free: dict[str, str] = field(default_factory=dict)
    """Names that only the objective has, with the asked name that is their optimum."""
    soft: set[str] = field(default_factory=set)
    """Names that the question defines: the learner may define them otherwise."""
    messages: bool = False
    """Whether the d-names of outputs are upstreams among differentials too."""
    _ways: dict[object, dict[str, Array]] = field(default_factory=dict)
    _known: tuple[object, Names] | None = None
    _parts: dict[str, tuple[Names, tuple[Part, ...]]] = field(default_factory=dict)
    _moving: tuple[object, tuple[str, ...]] | None = None
    _made_shapes: dict[str, list[tuple[int, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scenes = list(self.base)
        outputs = self.base[0].outputs
        values = self.base[0].values
        self.number = len(outputs) == 1 and np.ndim(values[outputs[0]]) == 0
        """Whether the only output is a number."""
        kinds = {self.sheet.meaning(asked).kind for asked in self.sheet.asked}
        self.has_loss = Kind.MESSAGE in kinds or (self.number and Kind.LOCAL in kinds)
        """Whether the card is about the messages that an L sends."""

    @property
    def moving(self) -> tuple[str, ...]:
        """The names with respect to which there may be derivatives."""
        scene = self.scenes[0]
        if self._moving is None or self._moving[0] is not scene.values:
            given = scene.inputs.keys() | scene.free.keys()
            asked = {name for name in self.sheet.asked if name not in given}
            others = {*(asked - {*scene.outputs}), *self.sheet.sizes, "delta"}
            names = (n for n, value in scene.values.items() if is_variable(value))
            self._moving = scene.values, tuple(name for name in names if name not in others)
        return self._moving[1]

    @property
    def optima(self) -> dict[str, str]:
        """The names that have an optimum, with the asked name that it is: w and w_hat."""
        values, found = self.base[0].values, dict(self.free)
        for asked in self.sheet.asked:
            base, _, label = asked.rpartition("_")
            known = base in self.base[0].inputs and label in _LABELS and asked in values
            if known and np.shape(values[base]) == np.shape(values[asked]):
                found[base] = asked
        return found

    def set_free(self, name: str, asked: str) -> None:
        """A name that the card's formulas do not have, as if it were an input: the variable of an
        objective, at a random point near its optimum."""
        scenes = []
        for i, scene in enumerate(self.base):
            value = np.asarray(scene.values[asked], float)
            rng = np.random.default_rng(100 + i)
            if value.ndim > 1 and value.shape[-1] == value.shape[-2]:
                eye = np.eye(value.shape[-1])
                point = value + rng.uniform(0.3, 0.9) * eye * (1 + np.max(np.abs(value)))
            else:
                point = value * (1 + rng.uniform(0.1, 0.6, value.shape))
            scenes.append(scene.with_input(name, point))
        self.base = tuple(scenes)
        self.scenes = list(self.base)
        self.free[name] = asked

    # Texts

    def names(self) -> Names:
        """What is known now, to look up names; it is made anew only when something is added."""
        key = tuple((name, len(shape)) for name, shape in self._shapes(0).items())
        if self._known is None or self._known[0] != key:
            self._known = key, Names(self._context())
        return self._known[1]

    def parts(self, text: str) -> tuple[Part, ...]:
        """The parts of a text, told by what is known now."""
        names = self.names()
        if text not in self._parts or self._parts[text][0] is not names:
            self._parts[text] = names, parts_of(text, names)
        return self._parts[text][1]

    def read(
        self,
        text: str,
        letters: tuple[str, ...],
        shapes: Sequence[tuple[int, ...]] | None,
    ) -> Reading:
        """A right side as something that computes arrays. Raises Unjudged."""
        below = f"_{{{','.join(letters)}}}" if letters else ""
        samples = [self._shapes(i) for i in range(len(self.scenes))]
        if shapes is not None:
            samples = [{**one, SIDE: two} for one, two in zip(samples, shapes, strict=True)]
        context = replace(
            self._context(),
            asked_shape=None if shapes is None else shapes[0],
            samples=tuple(samples),
        )
        reading = read_math(f"{SIDE}{below} = {text}", context, indexed=bool(letters))
        if isinstance(reading, Invalid) and reading.code == "shape" and _ONE.search(text):
            ones = _ONE.sub(ONES, text)
            reading = read_math(f"{SIDE}{below} = {ones}", context, indexed=bool(letters))
        if isinstance(reading, Invalid):
            raise Unjudged(reading.message, reading.code)
        for letter in () if letters else implied_values(reading):
            raise Unjudged(f"{letter} is not a known name.", "unknown-name")
        return reading

    def name_for(self, derivative: Partial | Made) -> str:
        """The name that is written for a derivative."""
        for name, known in self.arrays.items():
            if _same(known, derivative):
                return name
        number = len(self.arrays)
        name = _D + chr(ord("a") + number % 26) + "z" * (number // 26)
        self.arrays[name] = derivative
        if isinstance(derivative, Made):
            shapes = []
            for i, scene in enumerate(self.scenes):
                value = derivative.reading.evaluate(self.env(derivative.reading, i, Choice()))
                if isinstance(value, Invalid):
                    del self.arrays[name]
                    raise Unjudged(value.message, value.code)
                over = derivative.over
                shapes.append(value.shape + (np.shape(scene.values[over]) if over else ()))
            self._made_shapes[name] = shapes
        return name

    def value(self, reading: Reading, i: int, choice: Choice, way: bool = False) -> Array:
        """What a text gives on one instance. Raises Unjudged, NoSlope or Uncertified."""
        value = reading.evaluate(self.env(reading, i, choice, way))
        if isinstance(value, Invalid):
            raise Unjudged(value.message, value.code)
        return np.asarray(value, float)

    def env(self, reading: Reading, i: int, choice: Choice, way: bool = False) -> dict[str, Any]:
        """The values that a text uses; `way`: d-names are differentials and no messages."""
        scene, moving = self.scenes[i], self.moving
        env = dict(scene.values)
        for name in used_in(reading):
            derivative = self.arrays.get(name)
            if isinstance(derivative, Made):
                env[name] = self._made(derivative, i, choice)
            elif derivative is not None:
                pair = derivative.top.name, derivative.over.name
                env[name] = self.derivative(pair, i, choice)[0]
            elif name not in env and name[:1] == "d" and name[1:] in moving:
                if way and not (self.messages and name in scene.upstreams):
                    env[name] = self.way(name[1:], i, choice)
                elif name in scene.upstreams:
                    env[name] = scene.upstreams[name]
                else:
                    env[name] = self.derivative((LOSS, name[1:]), i, choice)[0]
        return env

    # Derivatives

    def derivative(
        self, pair: tuple[str, str], i: int, choice: Choice, total: bool = False
    ) -> Truth:
        """∂a/∂b on one instance, with the meaning that is chosen for it, or the total one."""
        top, over = pair
        scene = self.scenes[i]
        direct = pair in choice.direct and not total
        if top == LOSS:
            if direct:
                value = np.asarray(scene.upstreams[f"d{over}"], float)
                return value, np.zeros_like(value)
            slope = scene.message(over)
            factor = 1 / self._upstream(i) if self.number and not choice.upstream else 1.0
        else:
            slope = scene.slope(top, over, direct=direct)
            loss = self.number and top in LOSSES and top in scene.outputs
            factor = self._upstream(i) if loss and choice.upstream else 1.0
        return slope.value * factor, slope.error * abs(factor)

    def way(self, name: str, i: int, choice: Choice) -> Array:
        """How a name moves in a random direction of the inputs."""
        scene = self.scenes[i]
        key = (i, tuple(each.name for each in scene.defined), frozenset(self.cuts), self.steered)
        if key not in self._ways:
            some = self._directions(i)
            held = {name: np.zeros(np.shape(scene.values[name])) for name in self.moving}
            moved = scene.along(some, lambda values: values)
            self._ways[key] = {**held, **moved, **some}
        moved = self._ways[key]
        if name != LOSS:
            if name not in moved:
                raise Unjudged(f"{name} has no differential here.")
            return np.asarray(moved[name], float)
        if not scene.outputs:
            raise Unjudged("This card has no L.")
        total = sum(np.sum(scene.upstreams[f"d{out}"] * moved[out]) for out in scene.outputs)
        factor = 1 / self._upstream(i) if self.number and not choice.upstream else 1.0
        return np.asarray(total * factor, float)

    def _directions(self, i: int) -> dict[str, Array]:
        """A random direction of what the text has differentials of, and nothing in it moves."""
        scene = self.scenes[i]
        roots = [
            name
            for name in sorted(self.steered)
            if name in scene.values
            and not any(scene.follows(name, other) for other in self.steered - {name})
        ]
        return scene.directions(_WAY + i, roots)

    def _made(self, made: Made, i: int, choice: Choice) -> Array:
        scene, wanted = self.scenes[i], used_in(made.reading)

        def of(values: Mapping[str, Any]) -> Mapping[str, Any]:
            found = made.reading.evaluate(values)
            if isinstance(found, Invalid):
                raise Uncertified(found.message)
            return {"": found}

        if made.over is None:
            return scene.along(self._directions(i), of, wanted)[""]
        value = np.asarray(scene.values[made.over], float)
        columns = []
        for index in range(value.size):
            unit = np.zeros(value.size)
            unit[index] = 1.0
            way = {made.over: unit.reshape(value.shape)}
            columns.append(scene.along(way, of, wanted)[""])
        return np.stack(columns, -1).reshape(columns[0].shape + value.shape)

    def _upstream(self, i: int) -> float:
        return float(next(iter(self.scenes[i].upstreams.values())))

    def note_pair(self, pair: tuple[str, str]) -> bool:
        """Whether a derivative has two meanings; then it is one of the pairs."""
        room = pair not in self.pairs and len(self.pairs) < _MOST_PAIRS
        if room and has_two_meanings(pair, self.scenes):
            self.pairs.append(pair)
        return pair in self.pairs

    # The learner's names

    def define(self, defined: Defined, values: Sequence[Array]) -> None:
        """One more name, on every instance."""
        for i, value in enumerate(values):
            self.scenes[i] = self.scenes[i].with_definition(defined, value)
        if defined.name in self.cuts and defined.value is not None:
            self._cut(defined)

    def connect(self, top: str, over: str) -> None:
        """Cut the graph at a learner's name where nothing is known to follow from it.

        Raises Unjudged where how the one depends on the other is not known.
        """
        scene = self.scenes[0]
        tops = scene.outputs if top == LOSS else (top,)
        if any(scene.follows(each, over) for each in tops):
            return
        mine = next((each for each in scene.defined if each.name == over), None)
        what = "L" if top == LOSS else top
        if mine is None or mine.value is None or not self._cut(mine):
            raise Unjudged(f"How {what} depends on {over} is not known on this card.")
        self.cuts.add(over)
        if not any(self.scenes[0].follows(each, over) for each in tops):
            raise Unjudged(f"How {what} depends on {over} is not known on this card.")

    def _cut(self, defined: Defined) -> bool:
        """Make a node of the learner's name, if it is a part of one of the card's formulas."""
        envs: list[Mapping[str, Any]] = []
        for scene in self.scenes:
            envs.append(scene.values)
            ways = scene.directions(_CHANGED)
            moved = {name: scene.inputs[name] * (1 + 0.01 * way) for name, way in ways.items()}
            with suppress(Exception):
                envs.append(scene.run(moved, None))
        nodes = self.scenes[0].nodes.cut_at(defined, envs)
        if nodes is None:
            return False
        self.scenes = [scene.with_node(defined.name, nodes) for scene in self.scenes]
        return True

    # Names

    def _context(self) -> Context:
        sizes = [
            {n: int(v) for n, v in scene.values.items() if isinstance(v, int | np.integer)}
            for scene in self.scenes
        ]
        values = self.scenes[0].values
        return Context(
            shapes=self._shapes(0),
            asked=SIDE,
            symbols=self._symbols(),
            upstreams=tuple(f"d{name}" for name in self.base[0].outputs),
            numbers=frozenset(n for n, v in values.items() if not isinstance(v, np.ndarray)),
            first_index=self.sheet.first_index,
            samples=tuple(self._shapes(i) for i in range(len(self.scenes))),
            values={n: tuple(each[n] for each in sizes) for n in sizes[0]},
            sets=self.sets,
            shadows=True,
        )

    def _symbols(self) -> dict[str, str]:
        """How the card writes its names; where it writes h_t, x_t is x too."""
        symbols = self.sheet.symbols
        labels = {m[1] for each in symbols.values() if (m := _LABEL.search(each))}
        inputs = self.base[0].inputs
        rest = [name for name, value in inputs.items() if np.ndim(value) == 1 and len(name) == 1]
        return {**{name: f"{name}_{label}" for label in labels for name in rest}, **symbols}

    def _shapes(self, i: int) -> dict[str, tuple[int, ...]]:
        values = self.scenes[i].values
        found = {name: shape(v) for name, v in values.items() if not isinstance(v, str)}
        for name in self.moving:
            found[f"d{name}"] = found[name]
        for name, derivative in self.arrays.items():
            if isinstance(derivative, Made):
                found[name] = self._made_shapes[name][i]
            elif derivative.over.name in found:
                found[name] = found.get(derivative.top.name, ()) + found[derivative.over.name]
        return found


def used_in(reading: Reading) -> tuple[str, ...]:
    """The names that a text uses."""
    return tuple(dict.fromkeys(name for step in reading.steps for name in step.used))


def _same(a: Partial | Made, b: Partial | Made) -> bool:
    if isinstance(a, Made) or isinstance(b, Made):
        return a == b
    return (a.top.name, a.over.name) == (b.top.name, b.over.name)
