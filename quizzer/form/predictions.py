"""What a worked solution asks before it shows a step: the shape of a result, or a sign in a line.

Only what is certain is asked. A shape is known in symbols if each axis is as long as one named
size, and no other, on every instance. A sign is certified as a slip is: with the other one, the
line is false on every instance. Whether a result is positive is never asked: that it is so on all
instances tried proves nothing of the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from quizzer.form.candidates import Candidate
from quizzer.form.changes import Change, signs
from quizzer.form.problems import Problems
from quizzer.form.sheet import Sheet
from quizzer.form.side import Side
from quizzer.form.slips import certified
from quizzer.notation.grammar.left import LOSSES

if TYPE_CHECKING:
    from quizzer.checker.derivation.derived import Said
    from quizzer.checker.instance import Instance

ONE_IN = 3
"""One step in so many is predicted, and one at least."""
CHOICES = 4
A_NUMBER = "a number"
_SIGNS = {"+": ("+", "minus"), "-": ("−", "plus")}
"""How each sign is shown, and what the other one is called."""
_step = attrgetter("step")
Axes = tuple[str, ...]
Shape = tuple[int, ...]


class Prediction(Struct, frozen=True):
    """A question about a step that is not shown yet; one of its choices is right."""

    step: int
    """Which of the solution's steps it is about, from 0."""
    place: int
    """Which line of the sheet."""
    asks: str
    """The question as Markdown."""
    choices: tuple[str, ...]
    right: str
    why: str
    """Why that is right, in a sentence."""


def predictions(sheet: Sheet, problems: Problems, rng: Random) -> tuple[Prediction, ...]:
    """A few of all that can be asked, in the order of their steps.

    Raises what `problems.derive` raises.
    """
    found: dict[int, list[list[Prediction]]] = {}
    for kind in (shapes(sheet, problems, rng), hidden_signs(sheet, problems)):
        for step, some in groupby(sorted(kind, key=_step), _step):
            found.setdefault(step, []).append([*some])
    number = min(len(found), max(1, len(sheet.steps) // ONE_IN))
    steps = sorted(rng.sample(sorted(found), number))
    return tuple(rng.choice(rng.choice(found[step])) for step in steps)


def hidden_signs(sheet: Sheet, problems: Problems) -> list[Prediction]:
    """One about each sign in a line of a step. Raises what `problems.derive` raises."""
    found: dict[Candidate, Prediction] = {}
    for place, line in enumerate(sheet.lines):
        if line.step is None or line.defines:
            continue
        side = Side(line.right)
        for at, other in signs(side):
            if not side.is_base(at):
                continue
            hidden = rf"{line.right[:at]}\pm {line.right[at + 1 :].lstrip()}"
            asks = f"Which sign does ± stand for?\n\n$$ {line.left} = {hidden} $$"
            right, wrong = _SIGNS[line.right[at]]
            choices = tuple(shown for shown, _ in _SIGNS.values())
            why = f"With {wrong}, the line would be false."
            asked = Prediction(line.step, place, asks, choices, right, why)
            found[Candidate(place, Change(other, "sign"))] = asked
    good = certified(sheet, [*found], problems) if found else []
    return [found[each] for each in good]


def shapes(sheet: Sheet, problems: Problems, rng: Random) -> Iterator[Prediction]:
    """One about each array, before the first step that has a line about it. Raises the same."""
    derived = problems.derived(sheet.text)
    instances = [each for request in problems.requests for each in request.instances]
    sizes = sizes_of(problems)
    met = set[str]()
    for at, said in enumerate(derived[0].claims):
        line = sheet.lines[said.line - 1]
        if line.step is None or said.left in met:
            continue
        met.add(said.left)
        known = [each.by[0].known[at] for each in derived]
        found = [np.shape(truth) for each in known if each for truth in each.truths]
        axes = axes_of(found, sizes) if _is_array(said, found, instances) else ()
        if not axes:
            continue
        right = shape_text(axes)
        others = dict.fromkeys(map(shape_text, _mistaken(axes, [*sizes])))
        choices = [right, *(each for each in others if each != right)][:CHOICES]
        rng.shuffle(choices)
        asks = f"Which shape does {'the array of all ' * bool(said.letters)}${line.left}$ have?"
        if said.kind != "derivative":  # the name may be new
            asks += f"\n\n$$ {line.whole} $$"
        yield Prediction(line.step, said.line - 1, asks, tuple(choices), right, _why(said))


def sizes_of(problems: Problems) -> dict[str, Shape]:
    """The named sizes, each with its values on all instances."""
    found: dict[str, Shape] = {}
    for request in problems.requests:
        for instance in request.instances:
            for name, size in request.sheet.sizes_of(instance).items():
                found[name] = (*found.get(name, ()), int(size))
    return found


def axes_of(shapes: Sequence[Shape], sizes: Mapping[str, Shape]) -> Axes:
    """The sizes that the axes of an array have on all instances; empty unless each has just one.

    A size that is always the same tells nothing: a 2 may be any other 2, and one entry a number.
    """
    names = [
        [name for name, size in sizes.items() if size == far] for far in zip(*shapes, strict=True)
    ]
    certain = all(len(each) == 1 and len({*sizes[each[0]]}) > 1 for each in names)
    return tuple(each[0] for each in names) if certain else ()


def shape_text(axes: Axes) -> str:
    """A shape as choices show it."""
    return " × ".join(axes) or A_NUMBER


def _is_array(said: "Said", shapes: Sequence[Shape], instances: "Sequence[Instance]") -> bool:
    """Whether a line is about an array whose shape no convention changes: that of a value, or of
    the derivative of a number."""
    if len(shapes) != len(instances) or len({len(shape) for shape in shapes}) != 1:
        return False
    if said.letters and len({*said.letters}) != len(shapes[0]):
        return False
    top, _, of = said.left.removeprefix("∂").partition("/∂")
    if said.kind == "derivative":
        if any(np.shape(each.names.get(top, 0.0)) for each in instances):
            return False
        is_number = top in LOSSES or all(top in each.names for each in instances)
        return is_number and all(
            of in each.names and np.shape(each.names[of]) == shape
            for each, shape in zip(instances, shapes, strict=True)
        )
    return said.kind in ("value", "definition")


def _mistaken(axes: Axes, sizes: Sequence[str]) -> Iterator[Axes]:
    """What learners may take for a shape: the transpose, a sum over an axis, another axis."""
    yield axes[::-1]
    for at in reversed(range(len(axes))):
        yield axes[:at] + axes[at + 1 :]
    for other in sizes:
        yield (*axes[:-1], other)
    if len(axes) == 1:
        yield axes * 2
    yield ()


def _why(said: "Said") -> str:
    if said.kind == "derivative":
        return "The derivative of a number has the shape of what it is taken with respect to."
    if said.letters:
        return f"It has one entry for each {', '.join(said.letters)}."
    return "Its right side has that shape."
