"""A checker module: executed, its names validated, its functions called by argument name.

Runs only inside a sandboxed process: a checker is a stranger's code.
"""

import inspect
import traceback
from collections.abc import Callable, Mapping
from functools import cache
from types import CodeType, ModuleType
from typing import Any

from msgspec import Struct, field

from quizzer.checker.numbers import Numbers
from quizzer.checker.taken import Taken

MAX_SECONDS = 30
DEFAULT_SECONDS = 2.0

_BY_POSITION = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY}

Function = Callable[..., Any]
Claim = str | Function
"""A known answer as the author writes it: a text in any notation, or a function of named values."""

FILE = "<checker>"
"""The file name of a checker's code, in its tracebacks."""


class CheckerError(Exception):
    """The checker's fault; the message tells its author what to change."""


class Checker(Struct, frozen=True):
    """What a checker module defines. Absent parts are empty, or None."""

    sample: Function
    forward: Function | None
    let: Function | None = None
    reference: Function | None = None
    accept: Function | None = None
    answers: dict[str, str] = field(default_factory=dict)
    symbols: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, tuple[str, int]] = field(default_factory=dict)
    assume: str | None = None
    first_index: int = 0
    symmetric: tuple[str, ...] = ()
    ties: bool | None = None
    hints: tuple[str, ...] = ()
    right: dict[str, tuple[str, ...]] = field(default_factory=dict)
    wrong: dict[str, dict[str, Claim]] = field(default_factory=dict)
    also: dict[str, dict[str, Claim]] = field(default_factory=dict)
    terms: Mapping[str, Mapping[str, Claim]] = field(default_factory=dict)
    variants: dict[str, Function] = field(default_factory=dict)
    one_sign: tuple[str, ...] = ()
    """Inputs that have one sign on purpose: a domain of a declared checker says so."""
    taken: Taken = field(default_factory=Taken)
    """What a declared checker takes from its card."""
    numbers: Numbers | None = None
    """What the question of a declared checker shows."""
    unusual: Function | None = None
    """Gives samples of a declared checker in which letters stand for one length as far as they may,
    or real inputs are far from zero."""
    allows: Callable[[str, Any], bool] | None = None
    """Whether an input of a declared checker may have a value, by its domain."""
    is_formulas: bool = False
    """Whether its functions are formulas: they change no input, and take real numbers only."""
    meets: Callable[[Mapping[str, Any]], bool] | None = None
    """Whether inputs of a declared checker meet every `need`."""
    draw: Function | None = None
    """Draws a sample of a declared checker that may not meet every `need`."""
    steps: tuple[Function, ...] = ()
    """The functions of a `let` that is a list: `let` and `forward` run them in order."""
    last: Function | None = None
    """The forward behind these, which takes inputs and intermediates."""


_OWN = ("taken", "numbers", "unusual", "allows", "meets", "draw", "is_formulas", "steps", "last")
NAMES = (*(name for name in Checker.__struct_fields__ if name not in _OWN), "seconds")
"""The names in a checker's module that mean something here."""


def load(source: str) -> Checker:
    """Execute a checker's source and read its names; raises CheckerError."""
    module = ModuleType("checker")
    try:
        code: CodeType = compile(source, FILE, "exec")
    except SyntaxError as error:
        raise CheckerError(f"line {error.lineno}: it is no Python: {error.msg}") from None
    except ValueError as error:
        raise CheckerError(f"it is no Python: {error}") from None
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        raise CheckerError(f"{_where(error)}it raises when loaded: {_said(error)}") from None
    return _read(vars(module))


def parameters(function: Function) -> tuple[str, ...] | None:
    """The names that a function takes; None where it takes every name."""
    taken = _taken(function)
    return None if taken.every else taken.names


def call(function: Function, what: str, names: Mapping[str, Any]) -> Any:
    """`function` with those of `names` that its parameters name; raises CheckerError."""
    arguments = _arguments(function, what, names)
    try:
        return function(**arguments)
    except CheckerError:  # of a declared checker, with its line
        raise
    except (Exception, SystemExit) as error:
        raise CheckerError(f"{_where(error)}{what} raised {_said(error)}") from None


def _arguments(function: Function, what: str, names: Mapping[str, Any]) -> dict[str, Any]:
    try:
        taken = _taken(function)
    except (TypeError, ValueError):
        raise CheckerError(f"the parameters of {what} cannot be read; write it with def") from None
    if taken.by_position:
        raise CheckerError(f"{what} must take its parameters by name")
    arguments = dict(names) if taken.every else {}
    for name in taken.names:
        if name in names:
            arguments[name] = names[name]
        elif name not in taken.optional:
            known = ", ".join(names)
            raise CheckerError(f"{what} asks for `{name}`; there is only {known}")
    return arguments


class _Taken(Struct, frozen=True):
    """What a function takes: names, those of them that it can do without, whether every other name
    too, and whether anything only by its position."""

    names: tuple[str, ...]
    optional: frozenset[str]
    every: bool
    by_position: bool


@cache
def _taken(function: Function) -> _Taken:
    """Looked up once, as a derivative calls the function a hundred times."""
    parameters = inspect.signature(function).parameters.values()
    kinds = {each.kind for each in parameters}
    named = [
        each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
    ]
    return _Taken(
        names=tuple(each.name for each in named),
        optional=frozenset(each.name for each in named if each.default is not each.empty),
        every=inspect.Parameter.VAR_KEYWORD in kinds,
        by_position=not kinds.isdisjoint(_BY_POSITION),
    )


def _where(error: BaseException) -> str:
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == FILE
    ]
    return f"line {lines[-1]}: " if lines else ""


def _said(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text[:500]}" if text else type(error).__name__


def _read(names: dict[str, Any]) -> Checker:
    sample = _function(names, "sample")
    if sample is None:
        raise CheckerError("it has no `sample(rng)`; define one that returns a random problem")
    forward = _function(names, "forward")
    reference = _function(names, "reference")
    if forward is None and reference is None:
        raise CheckerError("it has neither `forward` nor `reference`; define one of them")
    _validate_seconds(names.get("seconds", DEFAULT_SECONDS))
    steps = _steps(names)
    behind = _behind(steps) if steps else None
    return Checker(
        sample=sample,
        forward=behind(forward, "forward") if behind and forward else forward,
        let=_together(steps) if steps else _function(names, "let"),
        reference=reference,
        accept=_function(names, "accept"),
        answers=_answers(names.get("answers")),
        symbols=_texts_by_name(names, "symbols"),
        sizes=_sizes(names.get("sizes", {})),
        assume=_optional_text(names, "assume"),
        first_index=_first_index(names.get("first_index", 0)),
        symmetric=_names(names.get("symmetric", ()), "symmetric"),
        one_sign=_names(names.get("one_sign", ()), "one_sign"),
        ties=_ties(names.get("ties")),
        hints=_sentences(names.get("hints", ()), "hints"),
        right={
            name: _sentences(value, f"right[{name!r}]")
            for name, value in _dict(names.get("right", {}), "right").items()
        },
        wrong=_claims(names, "wrong"),
        also=_claims(names, "also"),
        terms=_claims(names, "terms"),
        variants={
            sentence: behind(variant, "variants") if behind else variant
            for sentence, variant in _variants(names.get("variants", {})).items()
        },
        steps=steps,
        last=forward if steps else None,
    )


def _steps(names: dict[str, Any]) -> tuple[Function, ...]:
    """The functions of a `let` that is a list."""
    value = names.get("let")
    if not isinstance(value, list | tuple):
        return ()
    if not value or not all(map(callable, value)):
        raise CheckerError("`let` must be a function, or a list of functions")
    return tuple(value)


def _together(steps: tuple[Function, ...]) -> Function:
    """One function of the inputs for several, each of which may take what those before it give."""

    def let(**inputs: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for step in steps:
            found |= given_by(step, {**inputs, **found})
        return found

    return let


def given_by(step: Function, names: Mapping[str, Any]) -> dict[str, Any]:
    """The intermediates that a function of a list gives. Raises CheckerError."""
    given = call(step, "let", names)
    if not isinstance(given, dict):
        raise CheckerError("let must return a dict of named intermediates")
    twice = sorted(names.keys() & given.keys())
    if twice:
        raise CheckerError(f"let gives `{twice[0]}`, which there is already")
    return given


def _behind(steps: tuple[Function, ...]) -> Callable[[Function, str], Function]:
    """What makes a function of the inputs of one that takes intermediates too."""
    let = _together(steps)

    def behind(function: Function, what: str) -> Function:
        def forward(**inputs: Any) -> Any:
            return call(function, what, {**inputs, **let(**inputs)})

        return forward

    return behind


def _function(names: dict[str, Any], name: str) -> Function | None:
    value = names.get(name)
    if value is None or callable(value):
        return value
    raise CheckerError(f"`{name}` must be a function")


def _answers(value: Any) -> dict[str, str]:
    """Asked names with their labels; empty where the checker leaves it to us."""
    if value is None:
        return {}
    if isinstance(value, dict) and value:
        labels = _dict(value, "answers")
        if all(isinstance(label, str) for label in labels.values()):
            return labels
    elif isinstance(value, list | tuple) and value:
        asked = _names(value, "answers")
        if len(set(asked)) == len(asked):
            return dict.fromkeys(asked, "")
        raise CheckerError("`answers` names something twice")
    raise CheckerError("`answers` must be a list of names, or a dict of names and short labels")


def _sizes(value: Any) -> dict[str, tuple[str, int]]:
    sizes = {}
    for name, place in _dict(value, "sizes").items():
        match place:
            case [str(array), int(axis)] if name.isidentifier():
                sizes[name] = (array, axis)
            case _:
                raise CheckerError(
                    f'`sizes[{name!r}]` must name an array and one of its axes, as in ("X", 0)'
                )
    return sizes


def _claims(names: dict[str, Any], what: str) -> dict[str, dict[str, Claim]]:
    claims = {}
    for name, value in _dict(names.get(what, {}), what).items():
        claims[name] = _dict(value, f"{what}[{name!r}]")
        for sentence, claim in claims[name].items():
            if not (isinstance(claim, str) or callable(claim)):
                raise CheckerError(
                    f"`{what}[{name!r}][{sentence!r}]` must be an answer text or a function"
                )
    return claims


def _variants(value: Any) -> dict[str, Function]:
    variants = _dict(value, "variants")
    for sentence, forward in variants.items():
        if not callable(forward):
            raise CheckerError(f"`variants[{sentence!r}]` must be another forward, a function")
    return variants


def _dict(value: Any, what: str) -> dict[str, Any]:
    """A dict whose keys are non-empty texts; names in it are kept in their order."""
    if not isinstance(value, dict) or not all(isinstance(key, str) and key for key in value):
        raise CheckerError(f"`{what}` must be a dict whose keys are texts")
    return dict(value)


def _names(value: Any, what: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(
        isinstance(name, str) and name.isidentifier() for name in value
    ):
        raise CheckerError(f"`{what}` must be a list of names")
    return tuple(value)


def _sentences(value: Any, what: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
        return tuple(value)
    raise CheckerError(f"`{what}` must be a list of texts")


def _texts_by_name(names: dict[str, Any], what: str) -> dict[str, str]:
    texts = _dict(names.get(what, {}), what)
    for name, text in texts.items():
        if not isinstance(text, str) or not text.strip():
            raise CheckerError(f"`{what}[{name!r}]` must be a text")
    return texts


def _optional_text(names: dict[str, Any], what: str) -> str | None:
    value = names.get(what)
    if value is None or isinstance(value, str):
        return value
    raise CheckerError(f"`{what}` must be a sentence")


def _first_index(value: Any) -> int:
    if value in (0, 1) and not isinstance(value, bool):
        return int(value)
    raise CheckerError("`first_index` must be 0 or 1")


def _ties(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise CheckerError("`ties` must be True or False, or left out")


def _validate_seconds(value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CheckerError("`seconds` must be a plain number, as in `seconds = 5`")
    if not 0 < value <= MAX_SECONDS:
        raise CheckerError(f"`seconds` must lie between 0 and {MAX_SECONDS}")
