"""The formulas of a card's Short Answer, as right answers where the checker gives none."""

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from quizzer.card.formulation import Equation
from quizzer.checker.declared.program import Program
from quizzer.checker.declared.terms import context_of_answer
from quizzer.checker.declared.values import Claim
from quizzer.checker.left_sides import Helpers, Symbols, derivative_named
from quizzer.checker.paper import read_math
from quizzer.notation import Reading

_APPLIED = re.compile(r"(\\?[^\W\d_]+)(\([^()=]*\))(?=\s*=)")
_MOST = 4
"""Formulas for one name."""


def stated_answers(program: Program, asked: Iterable[str]) -> dict[str, list[Claim]]:
    """For each of these asked names the formulas of the Short Answer that can be read, those first
    that hold in every case."""
    equations = sorted(_bare(program), key=lambda each: each.is_supposed)
    if not equations:
        return {}
    contexts = {name: context_of_answer(program, name) for name in asked}
    declaration = program.declaration
    symbols = Symbols(contexts, {node.name for node in declaration.nodes})
    helpers = Helpers(equations, symbols)
    found: dict[str, list[Claim]] = {}
    for each in equations:
        of = next(iter(declaration.outputs), "")  # an optimum's data have none
        other = derivative_named(each.left, declaration.outputs, declaration.symbols, of)
        names = symbols.asked(each.left) or [other or ""]
        for name in [name for name in names if name in contexts]:
            for link in each.links[: _MOST - len(found.get(name, ()))]:
                text, is_clear = helpers.before(each, link)
                if is_clear and isinstance(read_math(text, contexts[name]), Reading):
                    found.setdefault(name, []).append(Claim("right", name, text, each.line))
    return found


def _bare(program: Program) -> Iterator[Equation]:
    """The Short Answer's equations, with `J` for `J(w)` where the question writes it so."""
    applied = {
        found[0]: found[1]
        for node in program.declaration.nodes
        if (found := _APPLIED.match(node.text)) and found[2]
    }
    for each in program.declaration.answer:
        links = each.links
        for whole, name in applied.items():
            links = tuple(link.replace(whole, name) for link in links)
        yield replace(each, links=links)
