"""The starter deck's checkers: the same values, names and sentences as their twins in Python."""

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from starter import DECK, declared, prepared, source_of

from quizzer.checker.branches import generator
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.derivative import Array
from quizzer.checker.instance import Value, draw_inputs, forward, work_out
from quizzer.checker.load import Checker, call, load
from quizzer.judge.case import evaluate
from quizzer.judge.judge import verdict
from quizzer.judge.judgement import Answered
from quizzer.values import Verdict

TWINS = Path(__file__).parents[2] / "python_deck"
FILES = [DECK / twin.relative_to(TWINS).with_suffix(".md") for twin in sorted(TWINS.rglob("*.py"))]
SEEDS = 5

every = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem, scope="module")


@cache
def python(file: Path) -> Checker:
    return load((TWINS / file.relative_to(DECK)).with_suffix(".py").read_text("utf-8"))


def inputs_of(file: Path, values: Mapping[str, Value]) -> dict[str, Value]:
    """The inputs that a declaration takes, its numbers as Python has them."""
    names = [given.name for given in read_declaration(source_of(file).text).inputs]
    return {
        name: value.item() if isinstance(value := values[name], np.generic) else value
        for name in names
    }


def worked_out(old: Checker, inputs: dict[str, Value], names: Collection[str]) -> dict[str, Array]:
    """The outputs of the Python checker; those that its `reference` gives are among the `names`."""
    found = forward(old, inputs)
    if found.keys() >= set(names):
        return found
    assert old.reference is not None
    closed: dict[str, Array] = call(old.reference, "reference", {**inputs, **found})
    return found | closed


@every
def test_the_forward_is_that_of_the_python_checker_on_its_samples(file: Path) -> None:
    old, new = python(file), declared(file)
    for seed in range(SEEDS):
        inputs = draw_inputs(old, generator(seed))
        found = forward(new, inputs_of(file, inputs))
        expected = worked_out(old, inputs, found)
        assert set(found) == set(expected)
        for name, values in expected.items():
            np.testing.assert_allclose(found[name], values, rtol=1e-12, atol=1e-12)


@every
def test_the_intermediates_are_those_of_the_python_checker(file: Path) -> None:
    old, new = python(file), declared(file)
    inputs = draw_inputs(old, generator(0))
    expected = work_out(old, inputs).intermediates
    found = work_out(new, dict(inputs_of(file, inputs))).intermediates
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-12, atol=1e-12)


@every
def test_the_python_forward_takes_the_samples_of_the_declared_checker(file: Path) -> None:
    old, new = python(file), declared(file)
    for seed in range(SEEDS):
        inputs = draw_inputs(new, generator(seed))
        constants = {k: v for k, v in draw_inputs(old, generator(0)).items() if k not in inputs}
        found = forward(new, inputs)
        expected = worked_out(old, {**inputs, **constants}, found)
        for name, values in expected.items():
            np.testing.assert_allclose(found[name], values, rtol=1e-12, atol=1e-12)


@every
def test_what_is_asked_and_how_it_is_named_is_the_same(file: Path) -> None:
    old, new = python(file), declared(file)
    assert list(new.answers) == list(old.answers)
    assert dict(new.symbols).items() >= dict(old.symbols).items()
    assert bool(new.assume) == bool(old.assume)
    assert len(new.hints) == len(old.hints)
    assert (new.first_index, new.ties) == (old.first_index, old.ties)
    assert set(new.symmetric) == set(old.symmetric)
    assert set(new.sizes) >= set(old.sizes)


@every
def test_no_answer_and_no_sentence_is_lost(file: Path) -> None:
    old, new = python(file), declared(file)
    assert set(new.right) == set(old.right)
    assert sentences(new.wrong) == sentences(old.wrong)
    assert sentences(new.also) == sentences(old.also)
    assert set(new.variants) == set(old.variants)


@every
def test_answers_of_the_python_checker_are_judged_as_they_were(file: Path) -> None:
    """Every right answer in any notation is correct, and every known mistake is told, if only as
    a sum that is missing."""
    old = python(file)
    problems = prepared(file, explained=True)
    for name in problems.posed().sheet.asked:
        rights = [text for text in old.right.get(name, ()) if isinstance(text, str)]
        known = {s: t for s, t in old.wrong.get(name, {}).items() if isinstance(t, str)}
        case = problems.case(name)
        found = evaluate(problems.checker, case, (*rights, *known.values()))
        answered = [verdict(problems, case, each) for each in found]
        for each in answered[: len(rights)]:
            assert each.verdict is Verdict.CORRECT
        for sentence, each in zip(known, answered[len(rights) :], strict=True):
            assert each.verdict is Verdict.WRONG
            assert each.message == sentence or told(each) in ("not-summed", "transposed")


def told(answered: Answered) -> str:
    return answered.diagnosis.code if answered.diagnosis else ""


def sentences(claims: Mapping[str, Collection[str]]) -> set[tuple[str, str]]:
    return {(name, sentence) for name, found in claims.items() for sentence in found}
