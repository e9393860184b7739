"""A declaration → a `Checker`, the same value that a Python module gives."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from quizzer.checker.declared.domains import has_one_sign
from quizzer.checker.declared.order import used
from quizzer.checker.declared.program import Program, program_of, varied
from quizzer.checker.declared.reading import context_of
from quizzer.checker.declared.samples import axis_sizes, draw_problem
from quizzer.checker.declared.terms import Terms
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.declared.values import Condition, Declaration, Variant
from quizzer.checker.load import Checker, CheckerError, Function
from quizzer.checker.paper import read_math
from quizzer.checker.source import Declared
from quizzer.notation import Invalid, Reading

_FLOAT = np.dtype(float)
_TRIES = 500
"""Samples that are drawn until every `need` holds."""


def build(source: Declared) -> Checker:
    """The checker that a text declares. Raises CheckerError with a line and what to write."""
    declaration = read_declaration(source.text, source.line)
    if declaration.faults:
        fault = declaration.faults[0]
        raise CheckerError(f"line {fault.line}: {fault.message}")
    return checker_of(declaration)


def checker_of(declaration: Declaration) -> Checker:
    """The checker of a declaration without faults. Raises CheckerError."""
    program = program_of(declaration)
    outputs = declaration.outputs
    inner = [node.name for node in declaration.nodes if node.name not in outputs]
    claims = {
        kind: {ask: [c for c in declaration.claims if (c.kind, c.name) == (kind, ask)]
               for ask in dict.fromkeys(c.name for c in declaration.claims if c.kind == kind)}
        for kind in ("right", "wrong", "also")
    }  # fmt: skip
    return Checker(
        sample=_sample(declaration, _conditions(program)),
        forward=_forward(program),
        let=_let(program, tuple(dict.fromkeys(inner))) if inner else None,
        answers=_answers(program),
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
        one_sign=tuple(g.name for g in declaration.inputs if has_one_sign(g.domain)),
    )


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


def _sample(declaration: Declaration, conditions: list[tuple[Condition, Function]]) -> Function:
    def sample(rng: np.random.Generator) -> dict[str, Any]:
        missed = None
        for _ in range(_TRIES):
            inputs = draw_problem(declaration, rng)
            missed = next((each for each, holds in conditions if not holds(inputs)), None)
            if missed is None:
                return inputs
        assert missed is not None
        raise CheckerError(
            f"line {missed.line}: no sample of {_TRIES} meets `need {missed.text}`: ask for less, "
            "or give the inputs domains in which it is more common"
        )

    return sample


def _conditions(program: Program) -> list[tuple[Condition, Function]]:
    """Every `need`, with what tells whether inputs meet it. Raises CheckerError."""
    declaration = program.declaration
    names = list(program.examples[0].env)
    found = []
    for need in declaration.needs:
        text = f"needed = [{need.text}]"
        context = context_of(declaration, list(program.examples), "needed")
        reading = read_math(text, context)
        if isinstance(reading, Invalid):
            raise CheckerError(f"line {need.line}: in `need {need.text}`: {reading.message}")
        uses = used(need.text, names, declaration.symbols)
        found.append((need, _holds(program, need, reading, uses)))
    return found


def _holds(
    program: Program, need: Condition, reading: Reading, uses: tuple[str, ...]
) -> Callable[[Mapping[str, Any]], bool]:
    def holds(inputs: Mapping[str, Any]) -> bool:
        value = reading.evaluate(program.run(inputs, uses))
        if isinstance(value, Invalid):
            raise CheckerError(f"line {need.line}: in `need {need.text}`: {value.message}")
        return bool(np.all(value))

    return holds


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
    return {name: symbol for name, symbol in declaration.symbols.items() if name in names}
