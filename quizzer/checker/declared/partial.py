"""All lines of a declared checker that cannot be read, and the checker without them."""

import re
from contextlib import suppress

from msgspec.structs import replace

from quizzer.checker.declared.conditions import condition_of
from quizzer.checker.declared.program import Program, read_program
from quizzer.checker.declared.values import Ask, CardLine, Condition, Declaration, Fault
from quizzer.checker.flaw import line_said, without_line
from quizzer.checker.load import CheckerError
from quizzer.checker.meaning import Kind, resolve

_WORD = re.compile(r"[^\W\d_]+")


def faults_of(declaration: Declaration, first: int) -> list[Fault]:
    """Every line that cannot be read: all at once, but for those that need another one of them.
    The checker's first line has the number `first`."""
    found = list(declaration.faults)
    if declaration.inputs and declaration.nodes:
        with suppress(CheckerError):  # there are no samples; the proof says why
            program, unread = read_program(declaration)
            lost = {node.name for node in declaration.nodes} - {
                node.name for node in program.declaration.nodes
            }
            unread += [
                error
                for need, error in _unread_needs(program)
                if not lost.intersection(_WORD.findall(need.text))
            ]
            found += [_fault(each, first) for each in unread]
    return sorted(found, key=lambda fault: fault.line)


def partial_program(declaration: Declaration) -> Program:
    """The program of what can be read. Raises CheckerError where that gives no output."""
    program, unread = read_program(declaration)
    kept = program.declaration
    names = {node.name for node in kept.nodes}
    if not kept.outputs or not names.issuperset(kept.outputs):
        why = unread[0] if unread else CheckerError("what is left gives no output")
        raise why
    asks = tuple(ask for ask in kept.asks if _is_possible(ask, kept))
    asked = {ask.name for ask in asks}
    broken = [need for need, _ in _unread_needs(program)]
    return replace(
        program,
        declaration=replace(
            kept,
            asks=asks,
            claims=tuple(each for each in kept.claims if each.name in asked or not kept.asks),
            variants=tuple(
                each for each in kept.variants if names.issuperset(f.name for f in each.formulas)
            ),
            needs=tuple(need for need in kept.needs if need not in broken),
            faults=(),
        ),
    )


def _is_possible(ask: Ask, declaration: Declaration) -> bool:
    inputs = tuple(given.name for given in declaration.inputs)
    return resolve(ask.name, inputs, dict.fromkeys(declaration.outputs)).kind is not Kind.REFERENCE


def _unread_needs(program: Program) -> list[tuple[Condition, CheckerError]]:
    found = []
    for need in program.declaration.needs:
        try:
            condition_of(program, need)
        except CheckerError as error:
            found.append((need, error))
    return found


def _fault(error: CheckerError, first: int) -> Fault:
    line, in_card = line_said(str(error))
    place = CardLine(line) if line and in_card else (line or first)
    return Fault(place, without_line(str(error)))
