"""A derivation's lines worked out on instances: what each claims, and what it gives.

Runs only inside a sandboxed process. The text is read as on paper; nothing of it is executed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from quizzer.checker.derivative import Array, Uncertified
from quizzer.checker.instance import Instance, is_variable, shape
from quizzer.checker.meaning import Kind
from quizzer.checker.nodes import Defined
from quizzer.checker.paper import read_math
from quizzer.checker.sheet import Sheet
from quizzer.checker.slopes import NoSlope, Scene
from quizzer.notation import Context, Invalid, Reading
from quizzer.notation.derivation import Unreadable, Words, Written, parts_of
from quizzer.notation.left import LOSSES
from quizzer.notation.names import Names
from quizzer.notation.partials import LOSS, Partial, Thing, thing, whole_partial, with_names
from quizzer.notation.plain import Plain
from quizzer.notation.spellings import WORD
from quizzer.notation.values import FaultError

SIDE = "lineꞏ"
"""The name of what a line claims, while its right side is read."""
_D = "Dꞏ"
_MOST_PAIRS = 6
_WAY = 7
_CHANGED = 11
_ELSEWHERE = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of its two meanings each ∂ has that has two, and whether derivatives of a 0-d output
    have the upstream."""

    direct: frozenset[tuple[str, str]] = frozenset()
    upstream: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What a claim gives and what it should, on each instance where both are known."""

    values: tuple[Array, ...]
    truths: tuple[Array, ...]
    errors: tuple[Array, ...]


Truth = tuple[Array, Array]
Of = Callable[[int, Choice, "Board"], Truth]
"""What a left side stands for on one instance, with the error of each entry."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a statement is about."""

    kind: str
    """`derivative`, `value`, `differential` or `definition`."""
    name: str
    of: Of | None
    letters: tuple[str, ...] = ()
    pair: tuple[str, str] | None = None
    """The derivative that has two meanings, if it may."""
    way: bool = False
    """Whether d-names on the right are differentials."""
    asked: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One link of a line: `left = right`."""

    line: int
    statement: int
    text: str
    target: Target | None
    reading: Reading | None = None
    unread: str | None = None
    code: str = ""
    words: bool = False
    defines: bool = False


class Unjudged(Exception):
    """Why a line cannot be judged."""

    def __init__(self, message: str, code: str = "not-judged") -> None:
        super().__init__(message)
        self.code = code


@dataclass
class Board:
    """A derivation on the instances of a card."""

    sheet: Sheet
    base: tuple[Scene, ...]
    """The scenes as they are before the learner defines anything."""
    instances: tuple[Instance, ...]
    sets: tuple[str, ...] = ()
    scenes: list[Scene] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    known: list[Known | None] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    """The derivatives with two meanings that occur."""
    arrays: dict[str, Partial] = field(default_factory=dict)
    """The names that stand in the text for derivatives."""
    steered: set[str] = field(default_factory=set)
    """The inputs whose differentials stand in the text: the others are held."""
    _ways: dict[int, dict[object, dict[str, Array]]] = field(default_factory=dict)
    cuts: set[str] = field(default_factory=set)
    """The learner's names that are nodes of the card's formulas."""

    def __post_init__(self) -> None:
        self.scenes = list(self.base)
        first = self.instances[0]
        single = len(first.outputs) == 1
        self.number = single and next(iter(first.outputs.values())).ndim == 0
        """Whether the only output is a number."""
        self.named_by_d = tuple(first.inputs) + tuple(first.intermediates) + tuple(first.outputs)

    @property
    def moving(self) -> tuple[str, ...]:
        """The names with respect to which there may be derivatives."""
        values = self.scenes[0].values
        mine = (each.name for each in self.scenes[0].defined)
        names = (*self.named_by_d, *mine, *self.cuts)
        return tuple(n for n in names if n in values and is_variable(values[n]))

    # Reading

    def read(self, text: str, choice: Choice) -> None:
        """Read every line and work it out by this choice."""
        self.scenes = list(self.base)
        names = self.names()
        parts = parts_of(text, names)
        self.steered = {
            name
            for part in parts
            if isinstance(part, Written)
            for plain in (part.left, *part.links)
            if plain is not None
            for name in self._differentials(plain, names)
        }
        statement = 0
        target: Target | None = None
        for part in parts:
            if isinstance(part, Words):
                self._note(Claim(part.line, statement, "", None, words=True))
                continue
            if isinstance(part, Unreadable):
                statement, target = statement + 1, None
                self._note(Claim(part.line, statement, "", None, unread=part.why, code=part.code))
                continue
            if part.left is not None:
                statement += 1
            target = self._part(part, statement, target, choice)

    def _part(
        self, part: Written, statement: int, target: Target | None, choice: Choice
    ) -> Target | None:
        try:
            if part.left is not None:
                target = self.target_of(part.left, part.links)
            elif target is None:
                raise Unjudged("The line that this goes on from was not read.", "follows-unread")
        except (FaultError, Unjudged, NoSlope, Uncertified) as error:
            self._unread(part, statement, error)
            return None
        for link in part.links:
            target = self._link(part, link, statement, target, choice)
        return target

    def _link(
        self, part: Written, link: Plain, statement: int, target: Target, choice: Choice
    ) -> Target:
        try:
            reading, text = self.read_side(link, target)
        except (FaultError, Unjudged, NoSlope, Uncertified) as error:
            self._unread(replace(part, links=(link,)), statement, error, target)
            return target
        defines = target.kind == "definition"
        claim = Claim(part.line, statement, text, target, reading, defines=defines)
        try:
            known = self.worked_out(claim, choice)
        except (FaultError, Unjudged, NoSlope, Uncertified) as error:
            self._unread(replace(part, links=(link,)), statement, error, target)
            return target
        self._note(claim, known)
        if defines:
            assert known is not None
            return self._defined(target, reading, known)
        return target

    def _unread(
        self, part: Written, statement: int, error: Exception, target: Target | None = None
    ) -> None:
        message = error.message if isinstance(error, FaultError) else str(error)
        code = getattr(error, "code", "not-judged")
        self._note(Claim(part.line, statement, "", target, unread=message, code=code))

    def _note(self, claim: Claim, known: Known | None = None) -> None:
        self.claims.append(claim)
        self.known.append(known)

    def again(self, choice: Choice) -> list[Known | None]:
        """All claims worked out by another choice; None where that is not possible."""
        self.scenes = list(self.base)
        found: list[Known | None] = []
        for claim in self.claims:
            known = None
            if claim.reading is not None:
                try:
                    known = self.worked_out(claim, choice)
                except (FaultError, Unjudged, NoSlope, Uncertified):
                    known = None
                if claim.defines and known is not None:
                    assert claim.target is not None
                    self._defined(claim.target, claim.reading, known)
            found.append(known)
        return found

    def read_side(self, link: Plain, target: Target) -> tuple[Reading, str]:
        """A right side, as something that computes arrays."""
        names = self.names()
        plain = with_names(link, names, self._name_of)
        below = f"_{{{','.join(target.letters)}}}" if target.letters else ""
        text = f"{SIDE}{below} = {plain.text}"
        samples = tuple(self._shapes(i) for i in range(len(self.scenes)))
        asked = None
        if target.of is not None:
            asked = self._truth(target, 0, Choice())[0].shape
            shapes = [
                {SIDE: self._truth(target, i, Choice())[0].shape} for i in range(len(self.scenes))
            ]
            samples = tuple({**one, **two} for one, two in zip(samples, shapes, strict=True))
        context = replace(self._context(), asked=SIDE, asked_shape=asked, samples=samples)
        reading = read_math(text, context, indexed=bool(target.letters))
        if isinstance(reading, Invalid):
            raise Unjudged(reading.message, reading.code)
        return reading, text

    def _name_of(self, partial: Partial) -> str:
        for name, known in self.arrays.items():
            if (known.top.name, known.over.name) == (partial.top.name, partial.over.name):
                return name
        top, over = partial.top.name, partial.over.name
        self._connect(top, over)
        number = len(self.arrays)
        name = _D + chr(ord("a") + number % 26) + "z" * (number // 26)
        self.arrays[name] = partial
        pair = (top, over)
        if not partial.total and self._is_ambiguous(pair):
            self._add_pair(pair)
        return name

    def _connect(self, top: str, over: str) -> None:
        """Cut the graph at a learner's name where nothing is known to follow from it."""
        scene = self.scenes[0]
        tops = scene.outputs if top == LOSS else (top,)
        if any(scene.follows(each, over) for each in tops):
            return
        mine = next((each for each in scene.defined if each.name == over), None)
        if mine is None or mine.value is None or not self._cut(mine):
            what = "L" if top == LOSS else top
            raise Unjudged(f"How {what} depends on {over} is not known on this card.")
        self.cuts.add(over)
        if not any(self.scenes[0].follows(each, over) for each in tops):
            raise Unjudged(f"{top} does not depend on {over} on this card.")

    def _cut(self, defined: Defined) -> bool:
        """Make a node of the learner's name, if it is a part of one of the card's formulas."""
        envs: list[Mapping[str, Any]] = []
        for scene in self.scenes:
            envs.append(scene.values)
            ways = scene.directions(_CHANGED)
            moved = {name: scene.inputs[name] * (1 + 0.01 * way) for name, way in ways.items()}
            with suppress(Exception):
                envs.append(scene.run(moved, None))
        mine = [
            next(each for each in scene.defined if each.name == defined.name)
            for scene in self.scenes
        ]
        nodes = self.scenes[0].nodes.cut_at(mine[0], envs)
        if nodes is None:
            return False
        self.scenes = [scene.with_node(defined.name, nodes) for scene in self.scenes]
        return True

    # Left sides

    def target_of(self, left: Plain, links: Sequence[Plain]) -> Target:
        """What a left side stands for. Raises FaultError or Unjudged."""
        names = self.names()
        text = left.text.strip()
        partial = whole_partial(left, names)
        if partial is not None:
            return self._derivative(partial)
        message = self._message_of(text, names)
        if message is not None:
            right = links[-1] if links else left[:0]
            if self._is_differential(message, right, names):
                return self._differential(message)
            if message.name != LOSS:
                return self._derivative(Partial(Thing(LOSS), message, True, 0, 0))
        applied = _APPLIED.fullmatch(text)
        known = thing(applied[1] if applied else text, names)
        if known is not None:
            return self._value(known)
        return self._new(applied[1] if applied else text, links)

    def _derivative(self, partial: Partial) -> Target:
        top, over = partial.top.name, partial.over.name
        self._connect(top, over)
        scene = self.scenes[0]
        pair = (top, over)
        loss = top == LOSS or (self.number and top in LOSSES)
        asked = self._asked(top, over)
        two = not (partial.total or loss or asked) and self._is_ambiguous(pair)
        if two:
            self._add_pair(pair)
        axes = (len(np.shape(scene.values.get(top, 0.0))), len(np.shape(scene.values[over])))
        take, kept = _taken(partial.top.indices, partial.over.indices, axes)
        symmetric = over in self.sheet.symmetric

        def of(i: int, choice: Choice, board: "Board") -> Truth:
            value, error = board.derivative(pair, i, choice, left=not two)
            if symmetric:
                value = (value + np.swapaxes(value, -1, -2)) / 2
            return take(value), take(error)

        name = f"∂{'L' if top == LOSS else top}/∂{over}"
        return Target("derivative", name, of, kept, pair if two else None, asked=asked)

    def _value(self, known: Thing) -> Target:
        name = known.name
        if name in self.base[0].inputs and name not in self.sheet.asked:
            raise Unjudged(f"{name} is given; what it is equal to is not judged.")
        axes = len(np.shape(self.scenes[0].values[name]))
        take, kept = _taken(known.indices, (), (axes, 0))

        def of(i: int, choice: Choice, board: "Board") -> Truth:
            value = np.asarray(board.scenes[i].values[name], float)
            return take(value), np.full_like(take(value), 1e-12)

        asked = name if name in self.sheet.asked else None
        return Target("value", name, of, kept, asked=asked)

    def _differential(self, message: Thing) -> Target:
        name = message.name
        axes = 0 if name == LOSS else np.ndim(self.scenes[0].values[name])
        take, kept = _taken(message.indices, (), (axes, 0))

        def of(i: int, choice: Choice, board: "Board") -> Truth:
            value = take(board.way(name, i, choice))
            return value, np.full_like(value, 1e-8 * (1 + np.max(np.abs(value), initial=0.0)))

        return Target("differential", "dL" if name == LOSS else f"d{name}", of, kept, way=True)

    def _new(self, text: str, links: Sequence[Plain]) -> Target:
        match = _NEW.fullmatch(text)
        if match is None or not links:
            raise Unjudged(f"{text[:40]} is no left side that is read here.", "left-side")
        word, below = match[1], (match[2] or "").strip()
        if below:
            inner = below.lstrip("_ ").strip("{}[] ")
            parts = inner.split(",") if "," in inner else list("".join(inner.split()))
            letters = tuple(part.strip() for part in parts)
            word = word.rstrip("_")
        else:
            base, _, tail = word.rpartition("_")
            letters = tuple(tail) if base and tail.isalpha() and len(tail) <= 3 else ()
            word = base if letters else word
        if any(not re.fullmatch(r"[^\W\d_]'*", letter) for letter in letters):
            raise Unjudged(f"{text[:40]} is no left side that is read here.", "left-side")
        return Target("definition", word, None, letters)

    def _defined(self, target: Target, reading: Reading, known: Known) -> Target:
        """The learner's name, which later lines may use."""
        uses = tuple(dict.fromkeys(name for step in reading.steps for name in step.used))
        has_values = all(name in self.scenes[0].values for name in uses)

        def work_out(values: Mapping[str, Any]) -> Array:
            found = reading.evaluate(values)
            if isinstance(found, Invalid):
                raise ValueError(found.message)
            return found

        defined = Defined(target.name, uses, work_out if has_values else None)
        for i, value in enumerate(known.values):
            self.scenes[i] = self.scenes[i].with_definition(defined, value)
        if target.name in self.cuts and has_values:
            self._cut(defined)
        axes = known.values[0].ndim
        letters = target.letters if len(target.letters) == axes else ()
        return self._value(Thing(target.name, letters))

    def _message_of(self, text: str, names: Names) -> Thing | None:
        """What `dP` and `δ_P` on the left are about; `dL` where the card has no L."""
        found = _MESSAGE.fullmatch(text)
        if found is None:
            return None
        word, below = found[1] or found[2] or found[3], found[4] or ""
        if word in LOSSES and names.find(word) is None and not below:
            return Thing(LOSS)
        if found[3] is None and len(word) == 1 and not below and self._is_letter(word, names):
            return None
        inner = thing(word + below, names)
        return inner if inner is not None and inner.name in self.moving else None

    def _differentials(self, plain: Plain, names: Names) -> Iterator[str]:
        """What stands behind a d in the text."""
        for match in _D_NAME.finditer(plain.text):
            inner = thing(match[1], names)
            if inner is not None and inner.name in self.moving:
                yield inner.name

    def _is_letter(self, word: str, names: Names) -> bool:
        return names.find(word) is None

    def _is_differential(self, message: Thing, right: Plain, names: Names) -> bool:
        """Whether the d-names on the right are what the left depends on, and no messages."""
        found = set(self._differentials(right, names))
        if message.name == LOSS:
            return bool(found) or "d" in right.text
        follows = [name for name in found if name != message.name]
        return bool(follows) and all(self.scenes[0].follows(message.name, n) for n in follows)

    def _asked(self, top: str, over: str) -> str | None:
        """The asked name that a derivative is."""
        for asked in self.sheet.asked:
            meaning = self.sheet.meaning(asked)
            if meaning.variable != over:
                continue
            if meaning.kind is Kind.LOCAL and meaning.output == top:
                return asked
            if meaning.kind is Kind.MESSAGE and (top == LOSS or (self.number and top in LOSSES)):
                return asked
            if meaning.kind is Kind.LOCAL and top == LOSS and self.number:
                return asked
        return None

    # Values

    def worked_out(self, claim: Claim, choice: Choice) -> Known | None:
        """What the claim gives on each instance, and what it should."""
        assert claim.reading is not None and claim.target is not None
        values, truths, errors = [], [], []
        missed: Exception | None = None
        for i in range(len(self.scenes)):
            try:
                env = self._env(claim.reading, i, choice, claim.target)
                truth = None if claim.defines else self._truth(claim.target, i, choice)
            except Uncertified as error:
                if claim.defines:
                    raise
                missed = error
                continue
            asked = None if truth is None else truth[0].shape
            value = claim.reading.evaluate(env, asked)
            if isinstance(value, Invalid):
                raise Unjudged(value.message, value.code)
            if truth is None and not np.isfinite(value).all():
                raise Unjudged("This is infinite or NaN somewhere.")
            values.append(np.asarray(value, float))
            truths.append(values[-1] if truth is None else truth[0])
            errors.append(np.zeros_like(values[-1]) if truth is None else truth[1])
        if len(values) < min(2, len(self.scenes)):
            raise Unjudged(f"It cannot be worked out surely here: {missed}.")
        return Known(tuple(values), tuple(truths), tuple(errors))

    def _truth(self, target: Target, i: int, choice: Choice) -> Truth:
        assert target.of is not None
        return target.of(i, choice, self)

    def derivative(
        self, pair: tuple[str, str], i: int, choice: Choice, left: bool = False
    ) -> Truth:
        """∂a/∂b on one instance, with the meaning that is chosen for it."""
        top, over = pair
        scene = self.scenes[i]
        if top == LOSS:
            if pair in choice.direct and not left:
                value = np.asarray(scene.upstreams[f"d{over}"], float)
                return value, np.zeros_like(value)
            slope = scene.message(over)
            factor = self._factor(i) if self.number and not choice.upstream else 1.0
            return slope.value / factor, slope.error / abs(factor)
        slope = scene.slope(top, over, direct=pair in choice.direct and not left)
        if self.number and top in LOSSES and top in scene.outputs and choice.upstream:
            factor = self._factor(i)
            return slope.value * factor, slope.error * abs(factor)
        return slope.value, slope.error

    def way(self, name: str, i: int, choice: Choice) -> Array:
        """How a name moves in a random direction of the inputs."""
        scene = self.scenes[i]
        key = ("way", *(each.name for each in scene.defined))
        if key not in self._ways.setdefault(i, {}):
            every = scene.directions(_WAY + i)
            directions = {name: every[name] for name in every if name in self.steered} or every
            self._ways[i][key] = {
                **scene.along(directions, lambda values: values),
                **{name: np.zeros_like(way) for name, way in every.items()},
                **directions,
            }
        moved = self._ways[i][key]
        if name != LOSS:
            if name not in moved:
                raise Unjudged(f"{name} has no differential here.")
            return np.asarray(moved[name], float)
        total = sum(float(np.sum(scene.upstreams[f"d{out}"] * moved[out])) for out in scene.outputs)
        factor = self._factor(i) if self.number and not choice.upstream else 1.0
        return np.asarray(total / factor, float)

    def _factor(self, i: int) -> float:
        (upstream,) = self.scenes[i].upstreams.values()
        return float(upstream)

    def _env(self, reading: Reading, i: int, choice: Choice, target: Target) -> dict[str, Any]:
        """The values that a right side uses."""
        scene = self.scenes[i]
        env = dict(scene.values)
        for name in dict.fromkeys(n for step in reading.steps for n in step.used):
            if name in self.arrays:
                partial = self.arrays[name]
                pair = partial.top.name, partial.over.name
                env[name] = self.derivative(pair, i, choice)[0]
            elif name in env:
                continue
            elif name.startswith("d") and name[1:] in self.moving:
                if target.way:
                    env[name] = self.way(name[1:], i, choice)
                elif name in scene.upstreams:
                    env[name] = scene.upstreams[name]
                else:
                    env[name] = self.derivative((LOSS, name[1:]), i, choice)[0]
        return env

    # Pairs

    def _is_ambiguous(self, pair: tuple[str, str]) -> bool:
        """Whether a derivative has two meanings that differ."""
        top, over = pair
        for scene in self.scenes:
            try:
                if top == LOSS:
                    if over not in scene.outputs or len(scene.outputs) < 2:
                        return False
                    total, direct = scene.message(over).value, scene.upstreams[f"d{over}"]
                elif not scene.contains(top, over):
                    return False
                else:
                    total = scene.slope(top, over).value
                    direct = scene.slope(top, over, direct=True).value
            except (NoSlope, Uncertified):
                continue
            if not np.allclose(total, direct, rtol=1e-6, atol=1e-8):
                return True
        return False

    def _add_pair(self, pair: tuple[str, str]) -> None:
        if pair not in self.pairs and len(self.pairs) < _MOST_PAIRS:
            self.pairs.append(pair)

    # Names

    def names(self) -> Names:
        return Names(self._context())

    def _context(self) -> Context:
        sizes = [
            {n: int(v) for n, v in scene.values.items() if isinstance(v, int | np.integer)}
            for scene in self.scenes
        ]
        shapes = self._shapes(0)
        return Context(
            shapes=shapes,
            asked=SIDE,
            symbols=self._symbols(),
            upstreams=tuple(f"d{name}" for name in self.base[0].outputs),
            numbers=frozenset(
                n for n, v in self.scenes[0].values.items() if not isinstance(v, np.ndarray)
            ),
            first_index=self.sheet.first_index,
            samples=tuple(self._shapes(i) for i in range(len(self.scenes))),
            values={n: tuple(each[n] for each in sizes) for n in sizes[0]},
            sets=self.sets,
        )

    def _symbols(self) -> dict[str, str]:
        """How the card writes its names; where it writes h_t, x_t is x too."""
        symbols = self.sheet.symbols
        labels = {m[1] for each in symbols.values() if (m := _LABEL.search(each))}
        inputs = self.base[0].inputs
        rest = (name for name, value in inputs.items() if np.ndim(value) == 1)
        more = {name: f"{name}_{label}" for label in labels for name in rest if len(name) == 1}
        return {**more, **symbols}

    def _shapes(self, i: int) -> dict[str, tuple[int, ...]]:
        values = self.scenes[i].values
        found = {name: shape(v) for name, v in values.items() if not isinstance(v, str)}
        for name in self.moving:
            found[f"d{name}"] = found[name]
        for name, partial in self.arrays.items():
            found[name] = found.get(partial.top.name, ()) + found[partial.over.name]
        return found


_BELOW = r"(?:\s*_\s*\{[^{}]*\}|\s*\[[^\[\]]*\])?"
_APPLIED = re.compile(rf"({WORD})\s*\(\s*\w+(?:\s*,\s*\w+)*\s*\)")
_NEW = re.compile(rf"({WORD})({_BELOW})")
_MESSAGE = re.compile(
    rf"(?:d\s*({WORD})|(?:δ|delta)_\s*\{{?\s*({WORD})\s*\}}?|(?:δ|delta)_\{{\s*({WORD})\s*,)({_BELOW})"
)
_LABEL = re.compile(r"_\{?([a-z])\s*(?:[-+]\s*1)?\}?$")
_D_NAME = re.compile(rf"(?<![^\W\d])d\s*({WORD}{_BELOW})")


def _taken(
    above: tuple[str, ...], below: tuple[str, ...], axes: tuple[int, int]
) -> tuple[Callable[[Array], Array], tuple[str, ...]]:
    """What takes the entries that indices name out of an array, and the letters that stay.

    Letters that stand twice take the diagonal; axes without a letter go behind the others.
    """
    for indices, count in ((above, axes[0]), (below, axes[1])):
        if len(indices) > count:
            raise Unjudged("There are more indices on the left than axes.", "indices")
    if not above and not below:
        return lambda value: value, ()
    every: list[str | int] = []
    for indices, count in ((above, axes[0]), (below, axes[1])):
        every += [int(index) if index.isdigit() else index for index in indices]
        every += [f"({len(every)})" for _ in range(count - len(indices))]
    letters = [each for each in every if isinstance(each, str)]
    if any(not re.fullmatch(r"[^\W\d_]'*|\(\d+\)", letter) for letter in letters):
        raise Unjudged("The left side takes index letters only.", "indices")
    once = list(dict.fromkeys(letters))
    kept = [letter for letter in once if letter[0] != "("]
    order = [*kept, *(letter for letter in once if letter[0] == "(")]
    sign = {letter: chr(ord("a") + k) for k, letter in enumerate(once)}
    pattern = "".join(sign[letter] for letter in letters)
    pattern += "->" + "".join(sign[letter] for letter in order)
    places = tuple(each if isinstance(each, int) else slice(None) for each in every)

    def take(value: Array) -> Array:
        return np.einsum(pattern, value[places])

    return take, tuple(kept)
