"""A card against its checker: what it says about the same problem must be the same.

What cannot be read, or can be read in two ways, is not judged. Every warning says what the card
gives, what the checker has, and for which sample.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from quizzer.card import Card
from quizzer.card.formulating import answer_lines, equations_in
from quizzer.card.formulation import Equation
from quizzer.checker.answer import Evaluated
from quizzer.checker.derivative import Array
from quizzer.checker.flaw import Flaw
from quizzer.checker.instance import Instance, shape
from quizzer.checker.left_sides import Helpers, Symbols
from quizzer.checker.posed import Posed
from quizzer.checker.source import Declared
from quizzer.judge.case import Case, Job, evaluate_own
from quizzer.judge.judge import verdict
from quizzer.judge.prepared import Prepared
from quizzer.lint.held import case_of, few, symbols_of
from quizzer.lint.symbols import symbol_problems
from quizzer.lint.warned import warned
from quizzer.text import one_line
from quizzer.values import Verdict

_TOLERANCE = 1e-6
_SHOWN = 70


def compare(card: Card, prepared: Prepared) -> Iterator[Flaw]:
    """A warning for each difference between the card and what its checker poses."""
    posed = prepared.posed()
    yield from symbol_problems(card, posed, isinstance(prepared.checker.source, Declared))
    symbols = symbols_of(posed)
    asked_in = equations_in(card.question, card.question_line)
    solved_in = equations_in(card.solution, card.solution_line)
    helpers = Helpers([*asked_in, *solved_in], symbols)
    short = answer_lines(card)
    stands = [each for each in solved_in if each.is_displayed or each.line in short]
    stated = [*_in_question(asked_in, symbols, posed)]
    count = len(stated)
    for asked in posed.sheet.asked:
        of_asked = [each for each in stands if asked in symbols.asked(each.left)]
        stated.append(_in_answers(asked, of_asked, helpers, posed))
    jobs = [Job(each.case, each.texts) for each in stated]
    results = evaluate_own(prepared.checker, jobs)
    for each, result in zip(stated[:count], results[:count], strict=True):
        yield from _question(each, result)
    for each, result in zip(stated[count:], results[count:], strict=True):
        yield from _answers(each, result, short, prepared)


class _Stated(Struct, frozen=True):
    """The right sides that a card gives for one name, and the case to judge them on."""

    case: Case
    links: list[tuple[Equation, str]]
    texts: list[str]
    """The same, each with the helper lines that it needs."""


def _in_question(found: Sequence[Equation], symbols: Symbols, posed: Posed) -> Iterator[_Stated]:
    """The question's displayed formulas of named values."""
    helpers = Helpers(found, symbols)
    by_name: dict[str, list[tuple[Equation, str, str]]] = {}
    for each in found:
        name = symbols.value(each.left) if each.is_displayed else None
        for link in each.links if name else ():
            text, is_clear = helpers.before(each, link)
            if name and is_clear:
                by_name.setdefault(name, []).append((each, link, text))
    for name, held in by_name.items():
        links = [(each, link) for each, link, _ in held]
        yield _Stated(case_of(posed, name), links, [text for _, _, text in held])


def _in_answers(asked: str, stated: Sequence[Equation], helpers: Helpers, posed: Posed) -> _Stated:
    """The Short Answer's and the steps' formulas for one asked name, each link of them."""
    links = [(each, link, *helpers.before(each, link)) for each in stated for link in each.links]
    links = [each for each in links if each[3]]
    return _Stated(
        Case(few(posed), asked),
        [(each, link) for each, link, _, _ in links],
        [text for _, _, text, _ in links],
    )


def _question(stated: _Stated, results: Sequence[Evaluated]) -> Iterator[Flaw]:
    """Each formula of the question that is not as the checker computes it."""
    case = stated.case
    values = [truth.value for truth in case.truths]
    for (each, link), result in zip(stated.links, results, strict=True):
        difference = difference_of(case.asked, result, values, case.posed)
        if difference:
            shown = one_line(f"{each.left} = {link}", _SHOWN)
            message = f"the question's formula `{shown}` is not what its checker computes: "
            yield warned(each.line, "question-formula", message + difference)


def _answers(
    stated: _Stated, results: Sequence[Evaluated], short: range, prepared: Prepared
) -> Iterator[Flaw]:
    """Each formula of the solution that is not what is asked."""
    case = stated.case
    asked, posed = case.asked, case.posed
    truths = [truth.value for truth in case.truths]
    for (each, link), result in zip(stated.links, results, strict=True):
        if result.invalid is None and verdict(prepared, case, result).verdict is not Verdict.WRONG:
            continue
        is_short = each.line in short
        if not is_short and result.code == "shape":  # steps drop indices
            continue
        difference = difference_of(asked, result, truths, posed)
        if difference:
            place, code = ("Short Answer", "short-answer") if is_short else ("step", "step")
            shown = one_line(f"{each.left} = {link}", _SHOWN)
            message = f"the {place}'s formula `{shown}` is not {asked}: "
            yield warned(each.line, code, message + difference)


def difference_of(
    name: str, result: Evaluated, wanted: Sequence[Array], posed: Posed
) -> str | None:
    """Where the values first differ, with both of them; None where they do not or have none."""
    if result.invalid is not None:
        conflict = result.code in ("index-range", "letter-twice") or (
            result.code == "shape" and _MATRICES.search(result.invalid)
        )
        return f"{result.invalid} {_sizes(posed, posed.instances[0])}" if conflict else None
    for value, truth, instance in zip(result.values, wanted, posed.instances, strict=False):
        if not (np.isfinite(value).all() and np.isfinite(truth).all()):
            return None
        if _ones_left_out(value) != _ones_left_out(truth):
            return (
                f"it has the shape {value.shape}, {name} has {truth.shape} "
                f"{_sizes(posed, instance)}"
            )
        off = np.abs(value.reshape(truth.shape) - truth)
        if np.any(off > _TOLERANCE * (np.max(np.abs(truth), initial=0.0) + 1e-3)):
            place = np.unravel_index(int(np.argmax(off)), truth.shape)
            index = [int(each) + posed.sheet.first_index for each in place]
            entry = f"{name}{index}" if index else name
            mine, theirs = value.reshape(truth.shape)[place], truth[place]
            where = _sizes(posed, instance)
            return f"{entry} is {mine:.6g} by the card, {theirs:.6g} by the checker {where}"
    return None


def _ones_left_out(array: Array) -> list[int]:
    return [length for length in array.shape if length != 1]


def _sizes(posed: Posed, instance: Instance) -> str:
    """Which sample is meant: its sizes by name, else the shapes of its inputs."""
    sizes = [f"{name} = {value}" for name, value in posed.sheet.sizes_of(instance).items()]
    shapes = [
        f"{name}: {' × '.join(map(str, shape(value)))}"
        for name, value in instance.inputs.items()
        if not isinstance(value, str) and shape(value)
    ]
    number = 1 + next(k for k, each in enumerate(posed.instances) if each is instance)
    return f"(sample {number}: {', '.join(sizes or shapes)})"


_MATRICES = re.compile(r"\b(?!1×)\d+×(?!1\b)\d+ times (?!1×)\d+×(?!1\b)\d+ is no matrix product")
"""Two matrices that do not fit; vectors side by side may be meant elementwise."""
