"""What is wrong with a line `optimum`, before any formula is read."""

from collections.abc import Iterable, Mapping

from quizzer.checker.declared.feasible import KINDS
from quizzer.checker.declared.values import Ask, Fault, Formula, Input, Sought


def asks_with(optimum: Sought, asks: Mapping[str, Ask]) -> dict[str, Ask]:
    """What is asked: the optimum's names too, where no line `ask` has them."""
    label = "maximises" if optimum.maximum else "minimises"
    own = {
        name: Ask(name, f"what {label} {optimum.of}", optimum.line)
        for name in optimum.names
        if name not in asks
    }
    return {**asks, **own}


def faults_of(
    optimum: Sought,
    inputs: Mapping[str, Input],
    nodes: Iterable[Formula],
    asks: Mapping[str, Ask],
    right: Iterable[str],
    shows: bool,
) -> list[Fault]:
    """What cannot be, with what to write."""
    line = optimum.line
    nodes = list(nodes)
    names = [node.name for node in nodes]
    if optimum.of not in names:
        return [Fault(line, f"{optimum.of} is no formula here: write one, `{optimum.of} = …`")]
    found = []
    for name in optimum.names:
        given = inputs.get(name)
        if given is None:
            there = ", ".join(inputs)
            found.append(Fault(line, f"{name} is no input, so nothing can minimise by it: {there}"))
        elif given.domain.kind not in KINDS:
            found.append(
                Fault(
                    given.line,
                    f"`{name}` is {given.domain.kind}; an optimum is looked for among "
                    f"{', '.join(KINDS[:1] + KINDS[2:])} only: `accept` in Python takes others",
                )
            )
        elif name not in right:
            found.append(
                Fault(line, f"write what is right too, it is certified: `right {name} = …`")
            )
    hidden = _dependent(nodes, optimum.names)
    if not found and optimum.of not in hidden:
        found.append(Fault(line, f"{optimum.of} does not depend on {', '.join(optimum.names)}"))
    if set(inputs) <= set(optimum.names):
        found.append(Fault(line, "nothing else is given: declare the inputs that the answer uses"))
    for ask in asks.values():
        if ask.name not in optimum.names and (ask.name not in names or ask.name in hidden):
            found.append(
                Fault(
                    ask.line,
                    f"`{ask.name}` cannot be asked beside an optimum, whose "
                    f"{', '.join(optimum.names)} is not given: ask it on another card",
                )
            )
    if shows and not optimum.unique:
        found.append(
            Fault(line, "numbers are shown, so one value must be right: add `unique` where it is")
        )
    return found


def _dependent(nodes: list[Formula], names: Iterable[str]) -> set[str]:
    found = set(names)
    while True:
        more = {node.name for node in nodes if found.intersection(node.uses)} - found
        if not more:
            return found
        found |= more
