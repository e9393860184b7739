"""The problem side: poses certified instances of a checker, with their truths.

Runs only inside a sandboxed process, for it executes the checker's code.
"""

import time
from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from quizzer.checker.branches import branches, covering, generator
from quizzer.checker.confirming import further_problem, further_problems, many_problems
from quizzer.checker.derivative import Array, Uncertified
from quizzer.checker.instance import (
    Instance,
    Value,
    draw_inputs,
    forward,
    shape,
    work_out,
)
from quizzer.checker.jacobians import derivative_shape
from quizzer.checker.known_branches import with_met
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.meaning import Kind
from quizzer.checker.opening import opened
from quizzer.checker.posed import Further, Posed
from quizzer.checker.requests import MANY, Describe, Pose
from quizzer.checker.sheet import Described, Sheet
from quizzer.checker.showing import shown_instance
from quizzer.checker.ties import tie_instances
from quizzer.checker.truth import Worked, closed_forms, truths_of
from quizzer.checker.validation import sheet_of

_TRIES = 25  # samples tried for one instance before the checker counts as broken
_TRIES_FOR_NEW_SIZES = 8
_MOST_COVERING = 24
_EXAMPLES = 12  # enough to distinguish axes that are equally long now and then


def pose(request: Pose) -> Posed:
    """Certified instances; the same request gives the same. Raises CheckerError."""
    return posed_by(opened(request.source), request, Worked())


def on_few(
    checker: Checker, request: Pose, many: Posed, worked: Worked
) -> tuple[Instance, ...] | None:
    """What posing fewer instances takes besides the first of `many`, so that they reach each
    branch as well; None where there is no time for certified ones. Raises CheckerError.

    `worked` is what posing the many kept.
    """
    met = {each.draw: each.branches for each in many.further}
    request = replace(request, branches=with_met(request.branches, met))
    first = list(many.instances[: request.count])
    end = time.process_time() + request.seconds
    covering = _covering_instances(checker, many.sheet, request, first, end, worked)
    certified = tuple(each for each in covering if isinstance(each, Instance))
    return certified if len(certified) == len(covering) else None


def posed_by(checker: Checker, request: Pose, worked: Worked) -> Posed:
    """The same of a checker that was opened; `worked` keeps what it is made of."""
    end = time.process_time() + request.seconds
    described = _described(checker) if request.of_every_seed else None
    rng = generator(request.seed)
    sheet: Sheet | None = None
    instances: list[Instance] = []
    for _ in range(request.count):
        instance = _certified_instance(checker, rng, instances, worked)
        sheet = sheet or sheet_of(checker, instance)
        instances.append(instance)
    assert sheet is not None
    covering = _covering_instances(checker, sheet, request, instances, end, worked)
    instances += [each for each in covering if isinstance(each, Instance)]
    if sheet.shown:
        instances.append(shown_instance(checker, sheet, request.seed))
    tied = tie_instances(checker, sheet, end) if described else ()
    in_time = time.process_time() <= end
    further = (
        *(each for each in covering if isinstance(each, Further)),
        *further_problems(checker, sheet, request.seed, request.confirming),
    )
    pieces = tuple(name for name in request.pieces if name in sheet.asked)
    many = many_problems(checker, pieces, request.seed, MANY, end) if pieces else ()
    return Posed(
        *(sheet, tuple(instances), tied, further),
        described=described or Described(sheet, (), (), ()),
        shown=bool(sheet.shown),
        many=many,
        is_complete=bool(described) and in_time,
    )


def describe(request: Describe) -> Described:
    """What a checker asks and the shapes in some examples. Raises CheckerError."""
    return _described(opened(request.source))


def _described(checker: Checker) -> Described:
    """The same in every call, whatever the seed of a judgement is."""
    rng = generator(0)
    shapes, asked = [], []
    sheet: Sheet | None = None
    names: dict[str, Value] = {}
    values: list[dict[str, int]] = []
    for instance in _some_instances(checker, rng, _EXAMPLES):
        sheet = sheet or sheet_of(checker, instance)
        _must_be_alike(sheet, names, instance)
        names = instance.names | sheet.sizes_of(instance)
        values.append({name: int(v) for name, v in names.items() if _is_whole(v)})
        shapes.append({name: shape(value) for name, value in names.items()})
        asked.append(_asked_shapes(checker, sheet, instance))
        if _axes(asked[0]) != _axes(asked[-1]):
            raise CheckerError("reference must give as many axes in every call")
    assert sheet is not None
    numbers = tuple(name for name, value in names.items() if not isinstance(value, np.ndarray))
    return Described(sheet, tuple(shapes), tuple(asked), numbers, tuple(values))


def _is_whole(value: Value) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _some_instances(checker: Checker, rng: "np.random.Generator", count: int) -> Iterator[Instance]:
    """Instances that are finite but not certified."""
    problem = Uncertified("")
    found = 0
    for _ in range(_TRIES):
        try:
            yield work_out(checker, draw_inputs(checker, rng), rng)
        except Uncertified as error:
            problem = error
            continue
        found += 1
        if found == count:
            return
    if not found:
        raise CheckerError(f"no usable sample in {_TRIES}: {problem}")


def _certified_instance(
    checker: Checker, rng: "np.random.Generator", before: list[Instance], worked: Worked
) -> Instance:
    """An instance whose every asked derivative is certified, of other sizes than those before."""
    problem = Uncertified("")
    for _ in range(_TRIES):
        try:
            inputs = _inputs_of_new_sizes(checker, rng, before)
            return _certified(checker, inputs, rng, before, worked)
        except Uncertified as error:
            problem = error
    raise CheckerError(
        f"no instance could be certified in {_TRIES} samples; at the last one, {problem}"
    )


def _covering_instances(
    checker: Checker,
    sheet: Sheet,
    request: Pose,
    before: list[Instance],
    end: float,
    worked: Worked,
) -> list[Instance | Further]:
    """What it takes to reach each known branch twice: instances while there is time, then problems
    with a cheap truth."""
    seen = [branches(checker, each.inputs) for each in before]
    found: list[Instance | Further] = []
    for draw in covering(request.branches, seen, request.seed):
        if len(found) == _MOST_COVERING:
            break
        rng = generator(draw)
        try:
            if time.process_time() > end:
                further = further_problem(checker, sheet, draw)
                found.append(further)
                seen.append(frozenset(further.branches))
                continue
            if draw not in worked.draws:
                worked.draws[draw] = None
                inputs = draw_inputs(checker, rng)
                worked.draws[draw] = _certified(checker, inputs, rng, before, worked)
        except Uncertified:
            continue
        instance = worked.draws[draw]
        if instance is None:
            continue
        found.append(instance)
        seen.append(branches(checker, instance.inputs))
    return found


def _certified(
    checker: Checker,
    inputs: dict[str, Value],
    rng: "np.random.Generator",
    before: list[Instance],
    worked: Worked,
) -> Instance:
    """The instance of these inputs with its truths. Raises Uncertified."""
    if before and _form(inputs) != _form(before[0].inputs):
        raise CheckerError("sample must give the same names with as many axes in every call")
    instance = work_out(checker, inputs, rng)
    sheet = sheet_of(checker, instance)
    _must_repeat(checker, instance)
    return replace(instance, truths=truths_of(checker, sheet, instance, worked))


def _inputs_of_new_sizes(
    checker: Checker, rng: "np.random.Generator", before: list[Instance]
) -> dict[str, Value]:
    """A sample whose sizes differ from those before, in every axis if possible: if a size is the
    same in all instances, an answer may pass that is right for that size only."""
    seen = [_lengths(instance.inputs) for instance in before]
    best: dict[str, Value] = {}
    most = -1
    for _ in range(_TRIES_FOR_NEW_SIZES if before else 1):
        inputs = draw_inputs(checker, rng)
        lengths = _lengths(inputs)
        varied = sum(len(set(axis)) > 1 for axis in zip(*seen, lengths, strict=False))
        if varied + (lengths not in seen) > most:
            best, most = inputs, varied + (lengths not in seen)
        if most > len(lengths):
            break
    return best


def _lengths(inputs: dict[str, Value]) -> list[int]:
    return [length for value in inputs.values() for length in shape(value)]


def _form(inputs: dict[str, Value]) -> dict[str, int]:
    return {name: len(shape(value)) for name, value in inputs.items()}


def _axes(shapes: dict[str, tuple[int, ...]]) -> dict[str, int]:
    return {name: len(lengths) for name, lengths in shapes.items()}


def _must_be_alike(sheet: Sheet, before: dict[str, Value], instance: Instance) -> None:
    """Raise CheckerError where an instance has other names, axes or variables than one before."""
    now = _form(instance.names)
    changed = {name for name in before if name not in sheet.sizes} ^ now.keys() if before else set()
    changed |= {
        name for name in before.keys() & now.keys() if len(shape(before[name])) != now[name]
    }
    changed |= set(sheet.variables) ^ set(instance.variables)
    if changed:
        raise CheckerError(
            f"sample, forward and let must give the same names with as many axes in every call; "
            f"`{min(changed)}` changes"
        )


def _must_repeat(checker: Checker, instance: Instance) -> None:
    again = forward(checker, instance.inputs)
    for name, output in instance.outputs.items():
        if name not in again or not np.array_equal(again[name], output):
            raise CheckerError(
                f"forward gives another `{name}` when called again with the same inputs; "
                "draw random numbers in sample"
            )


def _asked_shapes(checker: Checker, sheet: Sheet, instance: Instance) -> dict[str, tuple[int, ...]]:
    closed: dict[str, Array] | None = None
    shapes = {}
    for name in sheet.asked:
        meaning = sheet.meaning(name)
        if meaning.kind is Kind.FORWARD:
            shapes[name] = instance.value(name).shape
        elif meaning.kind is Kind.REFERENCE:
            closed = closed_forms(checker, instance) if closed is None else closed
            if name not in closed:
                raise CheckerError(f"`{name}` is asked, but reference does not return it")
            shapes[name] = closed[name].shape
        else:
            shapes[name] = derivative_shape(meaning, instance)
    return shapes
