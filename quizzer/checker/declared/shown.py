"""`show x, W`, and what `ask` says of numbers: a tolerance, a unit, a choice among values."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from quizzer.checker.declared.domains import draw
from quizzer.checker.declared.statements import LineError
from quizzer.checker.declared.values import Domain, Fault, Formula, Input
from quizzer.checker.numbers import Tolerance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]

LARGEST_SHARE = 0.2
"""Of the truth: a tolerance beyond it is a mistake, for it would accept wrong answers."""
HIDDEN = ("orthogonal", "unit")
"""Domains whose numbers cannot be made short."""

_TOLERANCE = re.compile(r"\bwithin\s+(?P<number>[^\s%,]+)\s*(?P<percent>%|percent\b)?\s*,?")
_UNIT = re.compile(r"\bin\s+(?P<unit>(?!within\b)\S+)\s*,?")
_CHOOSE = re.compile(r"(?<=[\w,])\s+choose\b\s*,?")
_UNIT_TEXT = re.compile(r"[^\W\d_]+(?:[/·*^][\w^-]+)*|[%‰°]|°[CF]")


def asked_options(text: str) -> tuple[str, Tolerance | None, str, bool]:
    """The names in what `ask` has before its colon, the tolerance, the unit and whether to choose.

    Raises LineError.
    """
    within, unit = None, ""
    text, choices = _CHOOSE.subn(" ", text)
    if match := _TOLERANCE.search(text):
        within = read_tolerance(match["number"], bool(match["percent"]))
        text = f"{text[: match.start()]} {text[match.end() :]}"
    elif re.search(r"\bwithin\b", text):
        raise LineError("say how near a number must be: `within 1 %` or `within 0.01`")
    if match := _UNIT.search(text):
        unit = match["unit"].rstrip(",")
        if not _UNIT_TEXT.fullmatch(unit):
            raise LineError(f"{unit!r} is no unit: write it in one word, `in Hz`, `in m/s`")
        text = f"{text[: match.start()]} {text[match.end() :]}"
    return text.strip().rstrip(",").strip(), within, unit, choices > 0


def read_tolerance(number: str, percent: bool) -> Tolerance:
    """What follows `within`. Raises LineError where it accepts nothing, or far too much."""
    try:
        size = float(number)
    except ValueError:
        size = -1.0
    if not 0 < size < float("inf"):
        raise LineError(
            f"`within {number}{' %' if percent else ''}` is no tolerance: write a number above 0, "
            "`within 1 %` or `within 0.01`"
        )
    if percent and size / 100 > LARGEST_SHARE:
        raise LineError(
            f"`within {number} %` would accept wrong answers: {LARGEST_SHARE:.0%} is the most"
        )
    return Tolerance(size / 100 if percent else size, percent)


def faults_of(
    shown: tuple[str, ...],
    line: int,
    inputs: Mapping[str, Input],
    nodes: Iterable[Formula],
    outputs: tuple[str, ...],
    asked: Mapping[str, int],
) -> list[Fault]:
    """What is wrong with a line `show`; `asked` are the asked names with their lines."""
    upstreams = [f"d{output}" for output in outputs]
    found = []
    for name in shown:
        if name not in inputs and name not in upstreams:
            there = ", ".join([*inputs, *upstreams])
            found.append(Fault(line, f"`show` names {name}, which is no input: there are {there}"))
        elif name in inputs and inputs[name].domain.kind in HIDDEN:
            kind = inputs[name].domain.kind
            found.append(
                Fault(line, f"`{name}` is {kind}, whose numbers are long: let the card show others")
            )
    nodes = list(nodes)
    for ask, where in asked.items():
        missing = [n for n in _needed(ask, inputs, nodes, outputs) if n not in shown]
        if missing and not found:
            every = ", ".join([*shown, *missing])
            found.append(
                Fault(
                    where,
                    f"`{ask}` depends on {', '.join(missing)}, which `show` in line {line} leaves "
                    f"out, so nobody could calculate it: write `show {every}`",
                )
            )
    return found


def _needed(
    ask: str, inputs: Mapping[str, Input], nodes: list[Formula], outputs: tuple[str, ...]
) -> list[str]:
    """The inputs and upstreams that an asked name depends on."""
    names = {node.name for node in nodes}
    wanted, upstreams = {ask} & names, []
    for output in outputs:
        if ask in {f"d{output}_d{name}" for name in inputs}:
            wanted = {output}
    if not wanted:
        wanted, upstreams = set(outputs), [f"d{output}" for output in outputs]
    while True:
        more = {use for node in nodes if node.name in wanted for use in node.uses} - wanted
        if not more:
            return [*(name for name in inputs if name in wanted), *upstreams]
        wanted |= more


def readable(
    domain: Domain,
    rng: "np.random.Generator",
    shape: tuple[int, ...],
    sizes: Mapping[str, int],
    first_index: int,
) -> "Array":
    """Numbers of a domain that one can calculate with on paper."""
    import numpy as np

    def chosen(values: Any) -> "Array":
        return np.asarray(rng.choice(np.asarray(values, float), shape))

    match domain.kind:
        case "normal" | "fixed":
            return chosen([-3, -2, -1, 1, 2, 3])
        case "positive":
            return chosen([0.5, 1, 1.5, 2])
        case "between":
            return chosen(_short(domain.low, domain.high))
        case "simplex" if shape[-1] <= 10:
            tenths = rng.multinomial(10 - shape[-1], [1 / shape[-1]] * shape[-1], shape[:-1])
            return np.asarray((1 + tenths) / 10)
        case "symmetric":
            upper = np.triu(chosen([-2, -1, 0, 1, 2]))
            return upper + np.swapaxes(np.triu(upper, 1), -1, -2)
        case "spd":
            a = chosen([-1, 0, 1])
            return a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])
        case "lower":
            below = np.tril(chosen([-2, -1, 1, 2]), -1)
            return below + np.eye(shape[-1]) * chosen([1, 2])
        case "sorted" if shape[-1] <= 9:
            rows = [np.sort(rng.choice(np.arange(-4.0, 5.0), shape[-1], replace=False))
                    for _ in range(int(np.prod(shape[:-1])))]  # fmt: skip
            return np.asarray(rows).reshape(shape)
        case _:
            return draw(domain, rng, shape, sizes, first_index)


def _short(low: float, high: float) -> list[float]:
    """Numbers with few digits between two others."""
    from math import ceil, floor, log10

    step = 10.0 ** floor(log10((high - low) / 4))
    first, last = ceil(low / step), floor(high / step)
    values = [round(k * step, 12) for k in range(first, last + 1)]
    return [value for value in values if low < value < high and value] or [(low + high) / 2]
