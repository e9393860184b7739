"""What is wrong with a wrong answer, found by comparing arrays over all instances.

A specific explanation is given only when every instance agrees with it. Since sizes differ between
instances, a factor 3 is not mistaken for a factor N.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations

import numpy as np

from quizzer.checker.derivative import Array
from quizzer.checker.jacobians import convention_factor
from quizzer.checker.meaning import Kind
from quizzer.judge.acceptance import Arrays, is_near
from quizzer.judge.difference import partly, unexplained
from quizzer.judge.evidence import Evidence
from quizzer.judge.factors import are_all, factors_between, shown, size_factor
from quizzer.judge.judgement import Diagnosis

_MOST_AXES = 6  # more than any card has; an answer may have 32
_MOST_TERMS = 40
_MOST_ENTRIES = 5_000  # that are looked at one by one


def diagnose(answers: Arrays, evidence: Evidence) -> Diagnosis:
    """The preferred explanation of a wrong answer; `unexplained` where there is none."""
    readings = list(_readings(answers, evidence))
    for look in _LOOKS:
        for reading in readings:
            found = look(reading, evidence)
            if found is not None:
                return found
    return partly(answers, evidence) or unexplained(answers, evidence)


def _readings(answers: Arrays, evidence: Evidence) -> Iterator[Arrays]:
    """The answer as it is; and, for a loss, as if meant in the other convention."""
    yield answers
    converted = []
    for instance, answer in zip(evidence.instances, answers, strict=True):
        factor = convention_factor(evidence.case.meaning, instance)
        if factor is None:
            return
        converted.append(np.asarray(answer / factor))
    yield converted


def _known_mistake(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    for claim in evidence.wrong:
        if evidence.are_but_for_ones(answers, claim.values):
            return Diagnosis("known-mistake", claim.sentence)
    return None


def _variant(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    for claim in evidence.variants:
        if evidence.are(answers, claim.values):
            return Diagnosis("variant", claim.sentence)
    return None


def _factor(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    """The answer is the truth times a number: -1, a constant, or a size."""
    found = factors_between(answers, evidence.truths)
    if not found:
        return None
    factors = list(found.values())
    if are_all(factors, -1.0):
        return Diagnosis("sign", "The sign is wrong: this is minus the right answer.")
    if are_all(factors, factors[0]):
        times = shown(factors[0])
        return Diagnosis("factor", f"A constant factor is off: this is {times} × the right answer.")
    size = size_factor(factors, [evidence.instances[k] for k in found], evidence.case.sheet)
    if size is None:
        return None
    return Diagnosis("size-factor", f"This is {size} × the right answer.")


def _jacobian(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    if evidence.case.meaning.kind is not Kind.MESSAGE or evidence.have_its_shape(answers):
        return None
    transposed = tuple(jacobian.T for jacobian in evidence.jacobians)
    for jacobians in (evidence.jacobians, transposed):
        if len(jacobians) == len(answers) and all(
            answer.ndim >= 2
            and answer.size == jacobian.size
            and is_near(answer.reshape(jacobian.shape), jacobian, 1e-6)
            for answer, jacobian in zip(answers, jacobians, strict=True)
        ):
            return Diagnosis(
                "jacobian",
                "This is the whole local derivative. Multiply it by the upstream and sum over the "
                "output's indices.",
            )
    return None


def _from_jacobian(
    evidence: Evidence, combine: Callable[[Array, Array], Array]
) -> tuple[Array, ...] | None:
    """What `combine` makes of each Jacobian and its flat upstream, in the variable's shape."""
    if evidence.case.meaning.kind is not Kind.MESSAGE or not evidence.jacobians:
        return None
    values = []
    for instance, jacobian, truth in zip(
        evidence.instances, evidence.jacobians, evidence.truths, strict=True
    ):
        flat = [instance.upstreams[f"d{name}"].reshape(-1) for name in instance.outputs]
        values.append(combine(jacobian, np.concatenate(flat)).reshape(truth.shape))
    says_something = any(not is_near(value, np.zeros_like(value)) for value in values)
    return tuple(values) if says_something else None


def _diagonal_only(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    if any(jacobian.shape[0] != jacobian.shape[1] for jacobian in evidence.jacobians):
        return None
    diagonal = _from_jacobian(evidence, lambda jacobian, upstream: np.diag(jacobian) * upstream)
    if diagonal is None or not evidence.are(answers, diagonal):
        return None
    return Diagnosis(
        "diagonal-only",
        "This uses only the diagonal of the Jacobian, but every output depends on other inputs, "
        "too.",
    )


def _diagonal_given(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    """The diagonal of a local derivative in place of the whole."""
    if evidence.case.meaning.kind is not Kind.LOCAL or evidence.have_its_shape(answers):
        return None
    rest_is_zero = True
    for answer, truth in zip(answers, evidence.truths, strict=True):
        if truth.shape != answer.shape * 2:
            return None
        matrix = truth.reshape(answer.size, answer.size)
        diagonal = np.diag(matrix)
        if not is_near(answer.reshape(-1), diagonal):
            return None
        rest_is_zero &= is_near(np.diag(diagonal), matrix)
    if rest_is_zero:
        message = (
            "These are the right slopes, but the local derivative has them on a diagonal: it has "
        )
        return Diagnosis(
            "diagonal-only", message + f"{evidence.truths[0].ndim} axes, zero elsewhere."
        )
    return Diagnosis(
        "diagonal-only",
        "This is only the diagonal of the local derivative; its other entries are not all zero.",
    )


def _upstream_ignored(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    ignored = _from_jacobian(evidence, lambda jacobian, upstream: jacobian.sum(axis=0))
    if ignored is None or not evidence.are(answers, ignored):
        return None
    return Diagnosis("upstream-ignored", "The upstream gradient is missing: multiply by it.")


def _turned(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    """The right entries in another order: axes exchanged, or read backwards."""
    axes = answers[0].ndim
    if axes == 0 or axes > 4 or any(answer.ndim != axes for answer in answers):
        return None
    for count in range(axes + 1):
        for backwards in combinations(range(axes), count):
            for order in permutations(range(axes)):
                turned = [np.flip(a.transpose(order), backwards) for a in answers]
                if evidence.are(turned):
                    if backwards:
                        message = "The entries are right, but an axis runs backwards."
                        return Diagnosis("flipped", message)
                    return Diagnosis("transposed", "The axes are exchanged: transpose your answer.")
    return None


def _sums(arrays: Arrays) -> Iterator[tuple[tuple[int, ...], list[Array]]]:
    """The arrays summed over each choice of axes; those of length 1 are no choice."""
    axes = arrays[0].ndim
    if any(array.ndim != axes for array in arrays):
        return
    longer = [axis for axis in range(axes) if any(array.shape[axis] != 1 for array in arrays)]
    if len(longer) > _MOST_AXES:  # each one more doubles the choices
        return
    for count in range(1, len(longer) + 1):
        for chosen in combinations(longer, count):
            yield chosen, [np.asarray(array.sum(axis=chosen)) for array in arrays]


def _not_summed(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    if evidence.have_its_shape(answers):
        return None
    for axes, summed in _sums(answers):
        if evidence.are_but_for_ones(summed):
            where = _axes(axes, evidence)
            return Diagnosis("not-summed", f"A sum is missing: sum your answer over {where}.")
    return None


def _over_summed(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    if evidence.have_its_shape(answers):
        return None
    for axes, summed in _sums(evidence.truths):
        if evidence.are_but_for_ones(answers, summed):
            where = _axes(axes, evidence)
            return Diagnosis("over-summed", f"This is summed too much: keep {where}.")
    return None


def _axes(axes: tuple[int, ...], evidence: Evidence) -> str:
    numbers = [str(axis + evidence.case.sheet.first_index) for axis in axes]
    return f"axis {numbers[0]}" if len(numbers) == 1 else f"axes {' and '.join(numbers)}"


def _other_gradient(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    for claim in evidence.others:
        if evidence.are_but_for_ones(answers, claim.values):
            return Diagnosis(
                "other-gradient", f"This is {claim.sentence}, not {evidence.case.asked}."
            )
    return None


def _terms(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    """The answer as a combination of the card's terms, by least squares over all instances."""
    if not 0 < len(evidence.terms) <= _MOST_TERMS or not evidence.have_its_shape(answers):
        return None
    try:
        columns = [
            np.concatenate(
                [
                    np.broadcast_to(value, truth.shape).reshape(-1)
                    for value, truth in zip(term.values, evidence.truths, strict=True)
                ]
            )
            for term in evidence.terms
        ]
    except ValueError:
        return None
    matrix = np.stack(columns, axis=1)
    answer = np.concatenate([array.reshape(-1) for array in answers])
    factors, _, rank, _ = np.linalg.lstsq(matrix, answer, rcond=None)
    if rank < len(columns) or not is_near(matrix @ factors, answer):
        return None
    pairs = list(zip([term.sentence for term in evidence.terms], factors, strict=True))
    missing = [name for name, factor in pairs if abs(factor) < 1e-6]
    if len(missing) == len(pairs):
        return None
    if missing:
        return Diagnosis("missing-term", f"A term is missing: {', '.join(missing)}.")
    changed = [(name, factor) for name, factor in pairs if abs(factor - 1) > 1e-6]
    if not changed:
        return None
    message = ", ".join(f"{name} is there {shown(float(factor))} times" for name, factor in changed)
    return Diagnosis("term-factor", f"A term has another factor: {message}.")


def _input_for_output(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    for claim in evidence.exchanged:
        if evidence.are(claim.values):
            return Diagnosis("input-for-output", claim.sentence)
    return None


def _not_accumulated(answers: Arrays, evidence: Evidence) -> Diagnosis | None:
    """Every wrong entry holds one contribution where several outputs contribute."""
    if evidence.case.meaning.kind is not Kind.MESSAGE or not evidence.have_its_shape(answers):
        return None
    if not evidence.jacobians:
        return None
    for instance, jacobian, answer, truth in zip(
        evidence.instances, evidence.jacobians, answers, evidence.truths, strict=True
    ):
        flat = [instance.upstreams[f"d{name}"].reshape(-1) for name in instance.outputs]
        contributions = jacobian * np.concatenate(flat)[:, np.newaxis]
        scale = 1e-5 * float(np.max(np.abs(truth)))
        wrong = np.flatnonzero(np.abs(answer - truth).reshape(-1) > scale)
        if not 0 < wrong.size <= _MOST_ENTRIES:
            return None
        for index in wrong:
            column = contributions[np.abs(jacobian[:, index]) > 1e-7, index]
            near = np.abs(column - answer.reshape(-1)[index]) <= scale
            if column.size < 2 or not near.any():
                return None
    return Diagnosis(
        "not-accumulated",
        "Where several outputs use one input, their contributions must be added.",
    )


_LOOKS: tuple[Callable[[Arrays, Evidence], Diagnosis | None], ...] = (
    _known_mistake,
    _variant,
    _factor,
    _jacobian,
    _diagonal_only,
    _diagonal_given,
    _upstream_ignored,
    _turned,
    _not_summed,
    _over_summed,
    _other_gradient,
    _terms,
    _input_for_output,
    _not_accumulated,
)
