"""The problem side's second stage: everything that a wrong answer may be compared with.

Runs only inside a sandboxed process. It works on the instances that were judged, so the answer
need not be run again.
"""

import time
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from msgspec import Struct

from quizzer.checker.derivative import Array, Slopes, jacobian
from quizzer.checker.instance import Instance, copied
from quizzer.checker.jacobians import derivative_shape, flat_forward, weights
from quizzer.checker.load import Checker, CheckerError, Claim, Function, call
from quizzer.checker.meaning import Kind, Meaning, resolve
from quizzer.checker.opening import opened
from quizzer.checker.source import Source
from quizzer.checker.truth import Worked

Full = Callable[[int, str], Array]
"""The Jacobian of all outputs by all entries of a variable on one instance, by its place: several
derivatives are read from the same one."""


class Explain(Struct, frozen=True):
    """The request for what the asked name can be confused with on these instances."""

    source: Source
    asked: str
    instances: tuple[Instance, ...]
    others: tuple[Instance, ...] = ()
    """Ties and further problems, where a function may fail."""
    seconds: float = 30.0
    """Processor time after which no more derivatives are worked out: no verdict needs them."""


class Known(Struct, frozen=True):
    """An answer that the checker's author names: a text still to be evaluated, or its values.

    `others` are the values on the other problems, where a function may fail.
    """

    sentence: str
    text: str | None = None
    values: tuple[Array, ...] = ()
    others: tuple[Array | None, ...] = ()


class Material(Struct, frozen=True):
    """What a wrong answer may be; `problems` are for the author and touch no verdict.

    `jacobians`: all outputs by all entries of the asked variable, one an instance; empty where
    nothing is differentiated. `others`: derivatives toward other variables, by name.
    """

    wrong: tuple[Known, ...]
    also: tuple[Known, ...]
    terms: tuple[Known, ...]
    variants: tuple[Known, ...]
    jacobians: tuple[Array, ...]
    others: dict[str, tuple[Array, ...]]
    problems: tuple[str, ...]


class Accept(Struct, frozen=True):
    """The request for the checker's own opinion on an answer, one array an instance."""

    source: Source
    asked: str
    instances: tuple[Instance, ...]
    answers: tuple[Array, ...]


class Accepted(Struct, frozen=True):
    """One opinion an instance: True, False, a sentence of refusal, or None for no opinion."""

    opinions: tuple[bool | str | None, ...]


def explain(request: Explain) -> Material:
    """The material for a diagnosis. Raises CheckerError where `also` cannot be worked out."""
    checker = opened(request.source)
    return explained(checker, request, slopes_of(checker, request.instances, Worked()))


def slopes_of(checker: Checker, instances: tuple[Instance, ...], worked: Worked) -> Full:
    """The Jacobians of the forward on these instances, each worked out once, if not before."""

    @cache
    def full(place: int, variable: str) -> Array:
        assert checker.forward is not None
        instance = instances[place]
        slopes = worked.slopes(instance, variable)
        return _jacobian(checker.forward, instance, variable, "forward", slopes)

    return full


def explained(checker: Checker, request: Explain, full: Full) -> Material:
    """The same of a checker that was opened."""
    end = time.process_time() + request.seconds
    asked, instances = request.asked, request.instances
    problems: list[str] = []
    first = instances[0]
    meaning = resolve(asked, first.variables, first.outputs)
    differentiated = meaning.variable is not None and checker.forward is not None
    return Material(
        wrong=_known(checker.wrong.get(asked, {}), f"wrong[{asked!r}]", request, problems),
        also=_known(checker.also.get(asked, {}), f"also[{asked!r}]", request, None),
        terms=_known(checker.terms.get(asked, {}), f"terms[{asked!r}]", request, problems),
        variants=_variants(checker, meaning, instances, problems) if differentiated else (),
        jacobians=_jacobians(full, meaning, instances, end) if differentiated else (),
        others=_others(full, asked, meaning, instances, end) if differentiated else {},
        problems=tuple(problems),
    )


def accept(request: Accept) -> Accepted:
    """What the checker's `accept` says of an answer. Raises CheckerError where it raises."""
    checker = opened(request.source)
    if checker.accept is None:
        raise CheckerError("`accept` is gone")
    opinions = []
    for instance, answer in zip(request.instances, request.answers, strict=True):
        truths = {name: truth.value for name, truth in instance.truths.items()}
        names = copied(truths | instance.names) | {"name": request.asked, "answer": answer}
        opinion = call(checker.accept, "accept", names)
        if isinstance(opinion, np.bool_):
            opinion = bool(opinion)
        if not (opinion is None or isinstance(opinion, bool | str)):
            raise CheckerError("accept must return True, False or a sentence")
        opinions.append(opinion)
    return Accepted(tuple(opinions))


def _known(
    claims: Mapping[str, Claim],
    what: str,
    request: Explain,
    problems: list[str] | None,
) -> tuple[Known, ...]:
    known = []
    for sentence, claim in claims.items():
        if isinstance(claim, str):
            known.append(Known(sentence, text=claim))
            continue
        place = f"{what}[{sentence!r}]"
        try:
            values = tuple(_claimed(claim, place, instance) for instance in request.instances)
        except CheckerError as error:
            if problems is None:
                raise
            problems.append(str(error))
            continue
        others = tuple(_claimed_if_possible(claim, place, each) for each in request.others)
        known.append(Known(sentence, values=values, others=others))
    return tuple(known)


def _claimed(claim: Function, what: str, instance: Instance) -> Array:
    array = np.asarray(call(claim, what, copied(instance.names)))
    if array.dtype.kind not in "biuf":
        raise CheckerError(f"{what} gives {array.dtype}, not real numbers")
    return array.astype(float)


def _claimed_if_possible(claim: Function, what: str, instance: Instance) -> Array | None:
    try:
        return _claimed(claim, what, instance)
    except CheckerError:
        return None


def _variants(
    checker: Checker, meaning: Meaning, instances: tuple[Instance, ...], problems: list[str]
) -> tuple[Known, ...]:
    known = []
    variable = str(meaning.variable)
    for sentence, variant in checker.variants.items():
        what = f"variants[{sentence!r}]"
        try:
            values = tuple(
                _weighed(_jacobian(variant, instance, variable, what), meaning, instance)
                for instance in instances
            )
        except CheckerError as error:
            problems.append(str(error))
        except ValueError:
            problems.append(f"variants[{sentence!r}] gives outputs of other shapes than forward")
        else:
            known.append(Known(sentence, values=values))
    return tuple(known)


def _jacobians(
    full: Full, meaning: Meaning, instances: tuple[Instance, ...], end: float
) -> tuple[Array, ...]:
    """One for each instance, or none where time runs out."""
    found = []
    for place in range(len(instances)):
        if time.process_time() > end:
            return ()
        found.append(full(place, str(meaning.variable)))
    return tuple(found)


def _others(
    full: Full, asked: str, meaning: Meaning, instances: tuple[Instance, ...], end: float
) -> dict[str, tuple[Array, ...]]:
    """The same derivative toward the other variables, and the other kinds toward this one, as far
    as there is time."""
    first = instances[0]
    names = [f"d{variable}" for variable in first.variables]
    if meaning.kind is Kind.LOCAL:
        names += [f"d{meaning.output}_d{variable}" for variable in first.variables]
    names += [f"d{output}_d{meaning.variable}" for output in first.outputs]
    others: dict[str, tuple[Array, ...]] = {}
    for name in dict.fromkeys(names):
        other = resolve(name, first.variables, first.outputs)
        if name == asked:
            continue
        values = []
        try:
            for place, instance in enumerate(instances):
                if time.process_time() > end:
                    return others
                values.append(_weighed(full(place, str(other.variable)), other, instance))
        except CheckerError:  # a forward need not be differentiable toward what is not asked
            continue
        others[name] = tuple(values)
    return others


def _jacobian(
    function: Function, instance: Instance, variable: str, what: str, known: Slopes | None = None
) -> Array:
    flat = flat_forward(function, instance.inputs, variable, what)
    return jacobian(flat, np.asarray(instance.inputs[variable], float), known)


def _weighed(full: Array, meaning: Meaning, instance: Instance) -> Array:
    """The derivative that is meant, from the Jacobian of all outputs."""
    return (weights(meaning, instance) @ full).reshape(derivative_shape(meaning, instance))
