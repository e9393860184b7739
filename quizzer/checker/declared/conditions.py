"""The conditions that samples must meet, `need …`, read and worked out."""

from collections.abc import Callable, Mapping
from typing import Any

from quizzer.checker.declared.order import used
from quizzer.checker.declared.program import Program
from quizzer.checker.declared.reading import context_of
from quizzer.checker.declared.values import Condition
from quizzer.checker.load import CheckerError
from quizzer.checker.paper import read_math
from quizzer.notation import Invalid

Holds = Callable[[Mapping[str, Any]], bool]


def condition_of(program: Program, need: Condition) -> Holds:
    """What tells whether inputs meet a condition. Raises CheckerError."""
    declaration = program.declaration
    context = context_of(declaration, list(program.examples), "needed")
    reading = read_math(f"needed = [{need.text}]", context)
    if isinstance(reading, Invalid):
        raise CheckerError(f"line {need.line}: in `need {need.text}`: {reading.message}")
    uses = used(need.text, list(program.examples[0].env), declaration.symbols)

    def holds(inputs: Mapping[str, Any]) -> bool:
        value = reading.evaluate(program.run(inputs, uses))
        if isinstance(value, Invalid):
            raise CheckerError(f"line {need.line}: in `need {need.text}`: {value.message}")
        return bool(value.all())

    return holds
