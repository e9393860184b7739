"""A card against its checker: what it says about the same problem must be the same.

What cannot be read, or can be read in two ways, is not judged. Every warning says what the card
gives, what the checker has, and for which sample.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from quizzer.card import Card
from quizzer.card.formulating import answer_lines, equations_in
from quizzer.card.formulation import Equation
from quizzer.checker.answer import Evaluated
from quizzer.checker.derivative import Array
from quizzer.checker.flaw import Flaw
from quizzer.checker.instance import Instance, shape
from quizzer.checker.left_sides import Helpers, Symbols
from quizzer.checker.posed import Posed
from quizzer.checker.remote import RemoteChecker
from quizzer.checker.source import Declared
from quizzer.judge.case import Case, evaluate
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
    yield from _question(asked_in, symbols, prepared.checker, posed)
    helpers = Helpers([*asked_in, *solved_in], symbols)
    short = answer_lines(card)
    stands = [each for each in solved_in if each.is_displayed or each.line in short]
    for asked in posed.sheet.asked:
        stated = [each for each in stands if asked in symbols.asked(each.left)]
        yield from _answers(asked, stated, short, helpers, prepared)


def _question(
    found: Sequence[Equation],
    symbols: Symbols,
    checker: RemoteChecker,
    posed: Posed,
) -> Iterator[Flaw]:
    """The question's displayed formulas of named values, each as the checker computes them."""
    helpers = Helpers(found, symbols)
    by_name: dict[str, list[tuple[Equation, str, str]]] = {}
    for each in found:
        name = symbols.value(each.left) if each.is_displayed else None
        for link in each.links if name else ():
            text, is_clear = helpers.before(each, link)
            if name and is_clear:
                by_name.setdefault(name, []).append((each, link, text))
    for name, held in by_name.items():
        case = case_of(posed, name)
        results = evaluate(checker, case, [text for _, _, text in held], own=True)
        values = [truth.value for truth in case.truths]
        for (each, link, _), result in zip(held, results, strict=True):
            difference = difference_of(name, result, values, posed)
            if difference:
                shown = one_line(f"{each.left} = {link}", _SHOWN)
                message = f"the question's formula `{shown}` is not what its checker computes: "
                yield warned(each.line, "question-formula", message + difference)


def _answers(
    asked: str,
    stated: Sequence[Equation],
    short: range,
    helpers: Helpers,
    prepared: Prepared,
) -> Iterator[Flaw]:
    """The Short Answer's and the steps' formulas for one asked name, each link of them."""
    posed = few(prepared.posed())
    case = Case(posed, asked)
    links = [(each, link, *helpers.before(each, link)) for each in stated for link in each.links]
    links = [each for each in links if each[3]]
    if not links:
        return
    truths = [truth.value for truth in case.truths]
    results = evaluate(prepared.checker, case, [text for _, _, text, _ in links], own=True)
    for (each, link, _, _), result in zip(links, results, strict=True):
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
