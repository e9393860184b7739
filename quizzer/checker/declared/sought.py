"""What is wrong with a line `optimum`, before any formula is read."""

from collections.abc import Collection, Iterable, Mapping, Sequence

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


def outputs_beside(
    optimum: Sought, outputs: Sequence[str], nodes: Sequence[Formula], asks: Iterable[str]
) -> tuple[str, ...]:
    """The outputs whose derivatives are asked for beside an optimum: none that depends on it, the
    last other formula where `outputs` are not stated."""
    values = {*optimum.names, *(node.name for node in nodes)}
    if values.issuperset(asks):
        return ()
    hidden = dependent(nodes, optimum.names)
    given = [name for name in outputs or [node.name for node in nodes] if name not in hidden]
    return tuple(given if outputs else given[-1:])


def faults_of(
    optimum: Sought,
    inputs: Mapping[str, Input],
    nodes: Sequence[Formula],
    outputs: Collection[str],
    asks: Mapping[str, Ask],
    right: Iterable[str],
    shows: bool,
) -> list[Fault]:
    """What cannot be, with what to write."""
    line = optimum.line
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
    hidden = dependent(nodes, optimum.names)
    if not found and optimum.of not in hidden:
        found.append(Fault(line, f"{optimum.of} does not depend on {', '.join(optimum.names)}"))
    if set(inputs) <= set(optimum.names):
        found.append(Fault(line, "nothing else is given: declare the inputs that the answer uses"))
    others = [name for name in inputs if name not in optimum.names]
    shown = {name for name in names if name not in hidden}
    shown |= {f"d{name}" for name in others if outputs}
    shown |= {f"d{output}_d{name}" for output in outputs for name in others}
    for ask in asks.values():
        if ask.name not in shown.union(optimum.names):
            found.append(
                Fault(
                    ask.line,
                    f"`{ask.name}` depends on {', '.join(optimum.names)}, which is asked for and "
                    "so not given: look for the optimum of a second input, "
                    f"`{optimum.names[0]}_star`, in a formula of its own",
                )
            )
    if shows and not optimum.unique:
        found.append(
            Fault(line, "numbers are shown, so one value must be right: add `unique` where it is")
        )
    return found


def dependent(nodes: Iterable[Formula], names: Iterable[str]) -> set[str]:
    """The names, and every formula that is worked out from one of them."""
    every, found = list(nodes), set(names)
    while more := {node.name for node in every if found.intersection(node.uses)} - found:
        found |= more
    return found
