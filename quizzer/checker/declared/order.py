"""The order of formulas: each behind what it needs, and which are worked out step by step."""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from quizzer.checker.declared.values import Fault, Formula
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import Context, FaultError

_WORD = re.compile(r"[^\W\d_]\w*")
_ROW = re.compile(r"(?<![^\W\d])([a-z])_")
"""A small letter with an index may be a row of the matrix with the capital one: `x_n` of X."""


def with_uses(formula: Formula, names: Iterable[str], symbols: Mapping[str, str]) -> Formula:
    """The formula with the names among these that are on its right side."""
    bodies = [line.partition("=")[2] for line in formula.before]
    others = tuple(with_uses(each, names, symbols) for each in formula.others)
    uses = used("\n".join([formula.right, *bodies]), names, symbols)
    return replace(formula, uses=uses, others=others)


def used(text: str, names: Iterable[str], symbols: Mapping[str, str]) -> tuple[str, ...]:
    """The names among these that a text mentions."""
    known = Names(Context(dict.fromkeys(names, ()), "", symbols=symbols))
    found: dict[str, None] = {}
    try:
        plain = known.with_phrases(translate(text)).text
    except FaultError:
        return ()
    for word in _WORD.findall(plain):
        try:
            pieces = known.split(word)
        except FaultError:
            continue
        found |= {piece.text: None for piece in pieces if piece.kind == "name"}
    rows = _ROW.findall(plain)
    found |= {
        row.upper(): None for row in rows if row not in known.axes and row.upper() in known.axes
    }
    return tuple(found)


def ordered(
    formulas: Sequence[Formula],
) -> tuple[tuple[Formula, ...], tuple[tuple[str, ...], ...], list[Fault]]:
    """The formulas in an order in which they can be worked out; the groups of names that need
    each other; and a fault for each group that no index tells apart."""
    by_name: dict[str, list[Formula]] = {}
    for formula in formulas:
        by_name.setdefault(formula.name, []).append(formula)
    needs = {
        name: [use for each in group for use in each.uses if use in by_name]
        for name, group in by_name.items()
    }
    nodes: list[Formula] = []
    recurrences: list[tuple[str, ...]] = []
    faults: list[Fault] = []
    for names in _components(needs):
        mine = sorted((f for name in names for f in by_name[name]), key=lambda f: f.line)
        nodes += mine
        starts = any(formula.place is not None for formula in mine)
        if len(names) == 1 and names[0] not in needs[names[0]] and not starts:
            continue
        whole = [f for f in mine if f.place is None and not f.letters]
        if whole and not (len(names) == 1 and starts):
            faults.append(_cycle(mine, whole[0]))
        else:
            recurrences.append(tuple(dict.fromkeys(f.name for f in mine)))
    return tuple(nodes), tuple(recurrences), faults


def _cycle(formulas: Sequence[Formula], first: Formula) -> Fault:
    if len({f.name for f in formulas}) == 1:
        return Fault(
            first.line,
            f"`{first.name}` is defined by itself: use another name on the left, or write a "
            f"recurrence with its index, {first.name}[t] = … {first.name}[t-1] …",
        )
    chain = ", ".join(f"`{f.name}` (line {f.line})" for f in formulas)
    euler = any(f.name == "e" for f in formulas)
    remedy = "for Euler's number write exp(x)" if euler else "break the circle"
    return Fault(first.line, f"{chain} need each other: none can be worked out first; {remedy}")


def _components(needs: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Strongly connected components, each behind those that it needs (Tarjan, without recursion:
    a long chain of formulas is no fault)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for root in needs:
        pending = [(root, iter(needs[root]))] if root not in index else []
        while pending:
            name, rest = pending[-1]
            if name not in index:
                index[name] = low[name] = len(index)
                stack.append(name)
            for other in rest:
                if other not in index:
                    pending.append((other, iter(needs[other])))
                    break
                if other in stack:
                    low[name] = min(low[name], low[other])
            else:
                pending.pop()
                if pending:
                    above = pending[-1][0]
                    low[above] = min(low[above], low[name])
                if low[name] == index[name]:
                    place = stack.index(name)
                    found.append(stack[place:])
                    del stack[place:]
    return found
