"""Where a wrong answer differs, if nothing more specific is known."""

from typing import TYPE_CHECKING, Any

import numpy as np

from quizzer.checker.meaning import Kind
from quizzer.judge.judgement import Diagnosis

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from quizzer.checker.derivative import Array
    from quizzer.checker.instance import Instance
    from quizzer.judge.acceptance import Arrays
    from quizzer.judge.evidence import Evidence

_MOST_MEETING = 2  # upstreams that are shown with a differing entry


def partly(answers: "Arrays", evidence: "Evidence") -> Diagnosis | None:
    """A share of the entries is right, in every instance."""
    if not evidence.have_its_shape(answers):
        return None
    right = wrong = 0
    for answer, truth in zip(answers, evidence.truths, strict=True):
        off = _off(answer, truth)
        if not (~off & (truth != 0)).any():
            return None
        right += int((~off).sum())
        wrong += int(off.sum())
    if right <= wrong / 3:
        return None
    return Diagnosis(
        "partly",
        f"{right} of {right + wrong} entries are right, over all samples. "
        f"{_first_difference(answers, evidence)}",
    )


def unexplained(answers: "Arrays", evidence: "Evidence") -> Diagnosis:
    if not evidence.have_its_shape(answers):
        answer, truth = answers[0], evidence.truths[0]
        return Diagnosis(
            "unexplained",
            f"The shape is {answer.shape}, but {evidence.case.asked} has {truth.shape} here."
            + _use_of_upstream(answers, evidence),
        )
    difference = _first_difference(answers, evidence)
    return Diagnosis("unexplained", difference + _use_of_upstream(answers, evidence))


def _use_of_upstream(answers: "Arrays", evidence: "Evidence") -> str:
    """What doubling the upstream shows: a message must grow with it, once."""
    if evidence.case.meaning.kind is not Kind.MESSAGE or not evidence.doubled:
        return ""
    upstream = " and ".join(evidence.instances[0].upstreams)
    if not any(map(np.any, answers)):
        return " Your answer is zero everywhere."
    if evidence.are(evidence.doubled, answers):
        return f" The upstream {upstream} does not come into your answer: is it missing?"
    if evidence.are(evidence.doubled, [2 * answer for answer in answers]):
        return ""
    if evidence.are(evidence.doubled, [4 * answer for answer in answers]):
        return f" The upstream {upstream} comes in twice, but belongs there once."
    return f" A message is proportional to the upstream {upstream}; your answer is not."


def _first_difference(answers: "Arrays", evidence: "Evidence") -> str:
    """Where the answer first differs, by how much, and which numbers meet there."""
    first_index = evidence.case.sheet.first_index
    for place, (answer, truth) in enumerate(zip(answers, evidence.truths, strict=True)):
        off = _off(answer, truth)
        if off.any():
            index = first_of(off)
            name = entry_name(evidence.case.asked, index, first_index)
            message = (
                f"{name} is {answer[index] + 0.0:.6g}, but it should be {truth[index] + 0.0:.6g}."
            )
            return message + _meeting(evidence, place, index)
    return "It differs from the right answer by a little more than rounding."


def _off(answer: "Array", truth: "Array") -> "NDArray[np.bool_]":
    """Which entries differ, as far as a learner would care."""
    return np.asarray(~(np.abs(answer - truth) <= 1e-6 * np.max(np.abs(truth), initial=0.0)))


def _meeting(evidence: "Evidence", place: int, index: tuple[int, ...]) -> str:
    """The variable's entry there and the upstreams of the outputs that depend on it."""
    if evidence.case.meaning.kind is not Kind.MESSAGE or not evidence.jacobians:
        return ""
    instance, first_index = evidence.instances[place], evidence.case.sheet.first_index
    variable = str(evidence.case.meaning.variable)
    values = np.asarray(instance.inputs[variable], float)
    column = evidence.jacobians[place][:, int(np.ravel_multi_index(index, values.shape))]
    meeting = np.flatnonzero(np.abs(column) > 1e-9)
    if not 0 < len(meeting) <= _MOST_MEETING:
        return ""
    used = [_upstream(instance, int(place), first_index) for place in meeting]
    entry = f"{entry_name(variable, index, first_index)} = {values[index]:.3g}"
    return f" There {entry} meets {' and '.join(used)}."


def _upstream(instance: "Instance", place: int, first_index: int) -> str:
    """The entry at a place in all upstreams, one after the other: `dy[2] = 0.31`."""
    for name, upstream in instance.upstreams.items():
        if place < upstream.size:
            index = tuple(int(i) for i in np.unravel_index(place, upstream.shape))
            return f"{entry_name(name, index, first_index)} = {upstream[index]:.3g}"
        place -= upstream.size
    raise IndexError(place)


def first_of(marked: "NDArray[Any]") -> tuple[int, ...]:
    """The index of the first marked entry, without an array of all of them."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(marked)), marked.shape))


def entry_name(name: str, index: tuple[int, ...], first_index: int) -> str:
    """`dx[0, 2]`, counted as the card counts; a number has no index."""
    shown = ", ".join(str(i + first_index) for i in index)
    return f"{name}[{shown}]" if index else name
