"""What a checker asks and which names it gives, validated against one of its instances."""

import re
import unicodedata
from itertools import product

import numpy as np

from quizzer.checker.instance import Instance
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.meaning import UPSTREAM_ALIASES, Kind, resolve
from quizzer.checker.sheet import Sheet

_INDEX = re.compile("[i-n]")
_INDEXED = re.compile(r"(\w+?)_\{?([i-n](?:,? ?[i-n])*)\}?")


def sheet_of(checker: Checker, instance: Instance) -> Sheet:
    """The sheet of a checker; raises CheckerError where its names collide or lead nowhere."""
    _must_be_distinct(checker, instance)
    asked = checker.answers or dict.fromkeys(_asked_by_default(instance), "")
    _must_be_answerable(checker, instance, asked)
    _must_name_sizes(checker, instance)
    for name in checker.symmetric:
        axes = np.shape(instance.inputs.get(name, 0.0))
        if name not in instance.variables or len(axes) < 2 or axes[-1] != axes[-2]:
            raise CheckerError(f"`symmetric` names `{name}`, which is no square matrix of floats")
    for what in ("right", "wrong", "also", "terms"):
        for name in getattr(checker, what):
            if name not in asked:
                raise CheckerError(f"`{what}` speaks of `{name}`, which is not asked")
    known = instance.names.keys() | checker.sizes.keys() | asked.keys()
    for name in checker.symbols:
        if name not in known:
            raise CheckerError(f"`symbols` speaks of `{name}`, which names nothing here")
    return Sheet(
        asked=asked,
        variables=instance.variables,
        outputs=tuple(instance.outputs),
        symbols=checker.symbols,
        sizes=checker.sizes,
        symmetric=checker.symmetric,
        ties=checker.ties,
        decides=checker.accept is not None,
        first_index=checker.first_index,
        assume=checker.assume,
        hints=checker.hints,
        right=checker.right,
        one_sign=checker.one_sign,
        taken=checker.taken,
        inner=tuple(
            name for name in asked if not isinstance(instance.intermediates.get(name, ""), str)
        ),
        shown=checker.numbers.shown if checker.numbers else (),
        within=checker.numbers.within if checker.numbers else {},
        units=checker.numbers.units if checker.numbers else {},
        choices=checker.numbers.choices if checker.numbers else (),
    )


def _asked_by_default(instance: Instance) -> list[str]:
    if not instance.outputs:
        raise CheckerError("without `forward`, `answers` must say what is asked")
    if not instance.variables:
        raise CheckerError("sample gives no array of floats to differentiate; set `answers`")
    if all(output.ndim == 0 for output in instance.outputs.values()):
        pairs = product(instance.outputs, instance.variables)
        return [f"d{output}_d{variable}" for output, variable in pairs]
    return [f"d{variable}" for variable in instance.variables]


def _must_be_distinct(checker: Checker, instance: Instance) -> None:
    """No name may mean two things, or an answer could be read in two ways."""
    groups: list[tuple[str, list[str]]] = [
        ("an input", list(instance.inputs)),
        ("an output", list(instance.outputs)),
        ("the upstream of an output", list(instance.upstreams)),
        ("an intermediate", list(instance.intermediates)),
        ("a size", list(checker.sizes)),
    ]
    taken = dict.fromkeys(UPSTREAM_ALIASES, "an upstream's other name")
    for what, names in groups:
        for name in names:
            if name in taken:
                raise CheckerError(f"`{name}` is both {taken[name]} and {what}; rename one")
            taken[name] = what
    for name, symbol in checker.symbols.items():
        plain = unicodedata.normalize("NFKC", symbol)
        if plain in taken and plain != name:
            raise CheckerError(
                f"the symbol {symbol} of `{name}` is also {taken[plain]}; choose another"
            )
        _must_be_no_index(instance, name, symbol)
        taken[plain] = f"the symbol of `{name}`"


def _must_be_no_index(instance: Instance, name: str, symbol: str) -> None:
    """An index letter that is a symbol, or looks like an array with one, would be read as that."""
    if _INDEX.fullmatch(symbol):
        raise CheckerError(
            f"the symbol {symbol} of `{name}` is an index letter; choose another, or x_{symbol} "
            "would be read with that value as its index"
        )
    below = _INDEXED.fullmatch(symbol)
    if below and below[1] != name and np.ndim(instance.names.get(below[1], 0)):
        raise CheckerError(
            f"the symbol {symbol} of `{name}` reads as `{below[1]}` with the index {below[2]}; "
            "choose another"
        )


def _must_be_answerable(checker: Checker, instance: Instance, asked: dict[str, str]) -> None:
    taken = {**dict.fromkeys(instance.inputs, "an input"), **dict.fromkeys(checker.sizes, "a size")}
    taken |= dict.fromkeys(instance.upstreams, "an upstream, which is given")
    for name in asked:
        if not name.isidentifier():
            raise CheckerError(f"`answers` asks for {name!r}, which is no name")
        if name in taken:
            raise CheckerError(f"`answers` asks for `{name}`, which is {taken[name]}")
        meaning = resolve(name, instance.variables, instance.outputs)
        is_inner = not isinstance(instance.intermediates.get(name, ""), str)
        if meaning.kind is Kind.REFERENCE and not is_inner and checker.reference is None:
            raise CheckerError(
                f"`answers` asks for `{name}`, which is neither an output nor an intermediate nor "
                "d<input> nor d<output>_d<input>; return it from `reference`"
            )


def _must_name_sizes(checker: Checker, instance: Instance) -> None:
    names = instance.names
    for size, (array, axis) in checker.sizes.items():
        axes = np.shape(names[array]) if array in names else None
        if axes is None or not 0 <= axis < len(axes):
            raise CheckerError(f"`sizes[{size!r}]` speaks of axis {axis} of `{array}`, not there")
