"""Which derivatives the lines of a derivation work out, and which a line still needs."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from quizzer.notation.grammar.derivation import IN_PART

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine
    from quizzer.notation import Context

_RIGHT = ("right", "right-again", "defines")


def given(context: "Context") -> frozenset[str]:
    """What nobody has to work out: the upstreams, `∂L/∂y`, and the names that an answer may use."""
    upstreams = {f"∂L/∂{name.removeprefix('d')}" for name in context.upstreams}
    return frozenset(upstreams | (set(context.shapes) - {context.asked}))


def worked_out(lines: "Sequence[JudgedLine]", known: Collection[str]) -> Iterator[str]:
    """The derivatives that right lines give, in order, each with nothing in it that is not known
    and that no line above gives.

    A line that says the same as the one before gives nothing. A name for a derivative, `A = ∂L/∂P`,
    is about that derivative; other names are given as they are.
    """
    found = set(known)
    own: dict[str, Sequence[str]] = {}
    before = ("", "")
    for each in lines:
        same, before = before == (each.left, each.reading), (each.left, each.reading)
        if each.mark not in _RIGHT:
            continue
        if each.mark == "defines":
            own[each.left] = each.needs
        if not same and is_closed(each.needs, found, own):
            found.add(each.gives)
            yield each.gives


def is_closed(needs: Collection[str], found: Set[str], own: Mapping[str, Collection[str]]) -> bool:
    """Whether all that is needed was found; a name of `own` is, if what it is made of was."""
    return all(
        not found.isdisjoint((name, name.removesuffix(IN_PART)))
        or (name in own and is_closed(own[name], found, own))
        for name in needs
    )


def finishes(lines: "Sequence[JudgedLine]", known: Collection[str]) -> bool:
    """Whether the last of these lines needs nothing that those above it do not work out."""
    *above, last = lines
    found = {*known, *worked_out(above, known)}
    own = {each.left: each.needs for each in above if each.mark == "defines"}
    return is_closed(last.needs, found, own)
