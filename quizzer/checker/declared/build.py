"""A declaration → a `Checker`, the same value that a Python module gives."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from quizzer.checker.declared.conditions import Holds, condition_of
from quizzer.checker.declared.domains import has_one_sign
from quizzer.checker.declared.feasible import is_feasible
from quizzer.checker.declared.optimum import Optimum, optimum_of
from quizzer.checker.declared.partial import partial_program
from quizzer.checker.declared.program import Program, program_of, varied
from quizzer.checker.declared.samples import (
    axis_sizes,
    draw_problem,
    draw_readable,
    draw_unusual,
)
from quizzer.checker.declared.stated_answer import stated_answers
from quizzer.checker.declared.terms import Mistakes, Terms
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.declared.values import Condition, Declaration, Variant
from quizzer.checker.load import Checker, CheckerError, Function
from quizzer.checker.numbers import Numbers
from quizzer.checker.source import Declared
from quizzer.checker.taken import Taken

_FLOAT = np.dtype(float)
_TRIES = 500
"""Samples that are drawn until every `need` holds."""


def build(source: Declared) -> Checker:
    """The checker that a text declares. Raises CheckerError with a line and what to write."""
    declaration = read_source(source)
    if source.is_partial:
        program = partial_program(declaration)
        return _checker(program, program)
    if declaration.faults:
        fault = declaration.faults[0]
        raise CheckerError(f"line {fault.line}: {fault.message}")
    return checker_of(declaration)


def read_source(source: Declared) -> Declaration:
    """What a declared checker says, with what it takes from its card."""
    return read_declaration(source.text, source.line, source.card, source.is_apart)


def checker_of(declaration: Declaration) -> Checker:
    """The checker of a declaration without faults. Raises CheckerError."""
    if declaration.optimum:
        optimum = optimum_of(declaration)
        return _checker(optimum.data, optimum.full, optimum)
    program = program_of(declaration)
    return _checker(program, program)


def _checker(program: Program, full: Program, optimum: Optimum | None = None) -> Checker:
    conditions = [(need, condition_of(full, need)) for need in full.declaration.needs]
    declaration = program.declaration
    outputs = declaration.outputs
    inner = [node.name for node in declaration.nodes if node.name not in outputs]
    claims = {
        kind: {ask: [c for c in declaration.claims if (c.kind, c.name) == (kind, ask)]
               for ask in dict.fromkeys(c.name for c in declaration.claims if c.kind == kind)}
        for kind in ("right", "wrong", "also")
    }  # fmt: skip
    answers = _answers(program)
    stated = stated_answers(program, [name for name in answers if name not in claims["right"]])
    claims["right"] |= stated
    forward = tuple(dict.fromkeys(int(n.line) for n in declaration.nodes if n.is_stated))
    return Checker(
        sample=_sample(full.declaration, conditions, declaration),
        forward=_forward(program) if outputs else None,
        reference=optimum.reference if optimum else None,
        accept=optimum.accept if optimum and not optimum.sought.unique else None,
        let=_let(program, tuple(dict.fromkeys(inner))) if inner else None,
        answers=answers,
        symbols=_symbols(declaration),
        sizes=axis_sizes(declaration),
        assume="; ".join(declaration.assume) or None,
        first_index=declaration.first_index,
        symmetric=tuple(
            given.name for given in declaration.inputs if given.domain.kind in ("spd", "symmetric")
        ),
        ties=declaration.ties,
        hints=declaration.hints,
        right={name: tuple(c.text for c in found) for name, found in claims["right"].items()},
        wrong={n: {c.sentence: c.text for c in found} for n, found in claims["wrong"].items()},
        also={n: {c.sentence: c.text for c in found} for n, found in claims["also"].items()},
        terms=Terms(program, claims["right"]),
        variants={each.sentence: _variant(declaration, each) for each in declaration.variants},
        taken=Taken(forward, {name: int(found[0].line) for name, found in stated.items()}),
        numbers=_numbers(full, declaration, conditions),
        unusual=None if optimum else _unusual(declaration, conditions),
        allows=_allows(declaration),
        is_formulas=True,
        meets=None if optimum else _meets(conditions),
        draw=None if optimum else partial(draw_problem, declaration),
        one_sign=tuple(g.name for g in declaration.inputs if has_one_sign(g.domain)),
    )


Conditions = list[tuple[Condition, Holds]]
"""Every `need`, with what tells whether inputs meet it."""


def _forward(program: Program) -> Function:
    outputs = program.declaration.outputs

    def forward(**inputs: Any) -> dict[str, Any]:
        if any(getattr(value, "dtype", _FLOAT).kind == "c" for value in inputs.values()):
            raise CheckerError("formulas are worked out in real numbers")
        env = program.run(inputs, outputs)
        return {name: np.array(env[name], subok=True) for name in outputs}

    return forward


def _let(program: Program, names: tuple[str, ...]) -> Function:
    def let(**inputs: Any) -> dict[str, Any]:
        env = program.run(inputs)
        return {name: np.array(env[name], subok=True) for name in names}

    return let


def _variant(declaration: Declaration, variant: Variant) -> Function:
    """Another forward, read when it is first wanted."""
    found: Callable[[], Function] = cache(
        lambda: _forward(program_of(varied(declaration, variant)))
    )

    def forward(**inputs: Any) -> dict[str, Any]:
        values: dict[str, Any] = found()(**inputs)
        return values

    return forward


def _sample(full: Declaration, conditions: Conditions, given: Declaration) -> Function:
    return _until(lambda rng: draw_problem(full, rng), conditions, given)


def _until(draw: Function, conditions: Conditions, given: Declaration) -> Function:
    """A draw that is repeated until it meets every `need`; of it, the inputs that are given."""
    names = [each.name for each in given.inputs]

    def sample(rng: np.random.Generator) -> dict[str, Any]:
        missed = None
        for _ in range(_TRIES):
            inputs: dict[str, Any] = draw(rng)
            missed = next((each for each, holds in conditions if not holds(inputs)), None)
            if missed is None:
                return {name: inputs[name] for name in names}
        assert missed is not None
        raise CheckerError(
            f"line {missed.line}: no sample of {_TRIES} meets `need {missed.text}`: ask for less, "
            "or give the inputs domains in which it is more common"
        )

    return sample


def _unusual(declaration: Declaration, conditions: Conditions) -> Function:
    return _until(partial(draw_unusual, declaration), conditions, declaration)


def _allows(declaration: Declaration) -> Callable[[str, Any], bool]:
    domains = {given.name: given.domain for given in declaration.inputs}
    return lambda name, value: is_feasible(domains[name], value)


def _meets(conditions: Conditions) -> Callable[[Mapping[str, Any]], bool]:
    return lambda inputs: all(holds(inputs) for _, holds in conditions)


def _numbers(full: Program, declaration: Declaration, conditions: Conditions) -> Numbers | None:
    """What the question shows, if it does."""
    if not declaration.shown:
        return None
    return Numbers(
        declaration.shown,
        _until(lambda rng: draw_readable(full.declaration, rng), conditions, declaration),
        Mistakes(full),
        {ask.name: ask.within for ask in declaration.asks if ask.within},
        {ask.name: ask.unit for ask in declaration.asks if ask.unit},
        tuple(ask.name for ask in declaration.asks if ask.choose),
    )


def _answers(program: Program) -> dict[str, str]:
    """What is asked; left out, the derivative with respect to each array of floats."""
    declaration = program.declaration
    if declaration.asks:
        return {ask.name: ask.label for ask in declaration.asks}
    env = program.examples[0].env
    variables = [
        given.name
        for given in declaration.inputs
        if given.shape and not given.domain.is_whole and given.domain.kind != "fixed"
    ]
    if all(np.ndim(env[output]) == 0 for output in declaration.outputs):
        names = [f"d{output}_d{name}" for output in declaration.outputs for name in variables]
    else:
        names = [f"d{name}" for name in variables]
    return dict.fromkeys(names, "")


def _symbols(declaration: Declaration) -> dict[str, str]:
    """The symbols of names that there are."""
    names = {given.name for given in declaration.inputs}
    names |= {node.name for node in declaration.nodes} | {ask.name for ask in declaration.asks}
    names |= {f"d{output}" for output in declaration.outputs}
    return {name: symbol for name, symbol in declaration.symbols.items() if name in names}
