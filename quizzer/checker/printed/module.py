"""The NumPy module that a declared checker means, put together."""

import keyword
import unicodedata
from collections.abc import Mapping
from typing import Any

from quizzer.checker.declared.build import checker_of, read_source
from quizzer.checker.declared.order import used
from quizzer.checker.declared.program import Program, program_of, varied
from quizzer.checker.declared.reading import context_of
from quizzer.checker.declared.values import Declaration
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.paper import read_math
from quizzer.checker.printed import sampling
from quizzer.checker.printed.body import closes_last, helpers_in
from quizzer.checker.printed.formulas import Printing, function
from quizzer.checker.printed.functions import HELPERS
from quizzer.checker.printed.values import CannotPrint
from quizzer.checker.requests import Print, Printed
from quizzer.checker.source import Declared
from quizzer.notation import Invalid

_TRIES = 500
_RESERVED = frozenset(
    {"np", "math", "rng", "int", "float", "len", "max", "range", "reversed", "next", "sum", "zip"}
    | {"tuple", "all", "enumerate", "dict", *HELPERS, *sampling.HELPERS}
)


def print_module(request: Print) -> Printed:
    """The module of a declared checker, for the process that asks. Raises CheckerError."""
    assert isinstance(request.source, Declared)
    declaration = read_source(request.source)
    if declaration.faults:
        fault = declaration.faults[0]
        raise CheckerError(f"line {fault.line}: {fault.message}")
    try:
        return Printed(printed(declaration, request.title))
    except CannotPrint as error:
        return Printed("", str(error))


def printed(declaration: Declaration, title: str) -> str:
    """The source of a module that means the same. Raises CannotPrint, or CheckerError where the
    declaration itself cannot be used."""
    _look_at_names(declaration)
    if declaration.optimum:
        raise CannotPrint("what minimises a formula is certified by it, which has no Python form")
    if declaration.shown:
        raise CannotPrint("numbers that the question shows, and tolerances, have no Python form")
    checker = checker_of(declaration)
    program = program_of(declaration)
    parts = [*_functions(program), *_variants(declaration), *_sample(program)]
    code = "\n\n\n".join(parts)
    samples = [source for name, source in sampling.HELPERS.items() if f"{name}(" in code]
    helpers = [*helpers_in(code), *samples]
    imports = ["import numpy as np"]
    if any("math." in each for each in helpers):
        imports = ["import math", "", *imports]
    head = "\n".join([_docstring(title), "", *imports])
    values = "\n".join(_values(declaration, checker))
    return "\n\n\n".join([f"{head}\n\n{values}" if values else head, *helpers, code,
                          *_claims(checker)]).rstrip() + "\n"  # fmt: skip


def _look_at_names(declaration: Declaration) -> None:
    names = [(given.name, given.line) for given in declaration.inputs]
    names += [(node.name, node.line) for node in declaration.nodes]
    for name, line in names:
        if keyword.iskeyword(name) or name in _RESERVED:
            raise CannotPrint(f"line {line}: `{name}` is a word of Python: rename it")
        if unicodedata.normalize("NFKC", name) != name:
            raise CannotPrint(f"line {line}: Python would spell `{name}` in another way: rename it")


def _docstring(title: str) -> str:
    safe = title.replace("\\", "\\\\").replace('"', "'")
    return f'"""{safe}"""'


def _values(declaration: Declaration, checker: Checker) -> list[str]:
    """The names that hold no function."""
    found: list[tuple[str, Any]] = []
    labelled = any(checker.answers.values())
    found.append(("answers", checker.answers if labelled else list(checker.answers)))
    found.append(("symbols", checker.symbols))
    found.append(("sizes", checker.sizes))
    found.append(("assume", checker.assume))
    found.append(("first_index", checker.first_index))
    found.append(("symmetric", list(checker.symmetric)))
    found.append(("one_sign", list(checker.one_sign)))
    found.append(("hints", list(checker.hints)))
    found.append(("seconds", declaration.seconds))
    lines = [f"{name} = {shown(value)}" for name, value in found if value]
    if checker.ties is not None:
        lines.append(f"ties = {checker.ties}")
    return lines


def _functions(program: Program) -> list[str]:
    """`let` and `forward`; where there are both, of one function that has all formulas."""
    declaration = program.declaration
    inputs = [given.name for given in declaration.inputs]
    names = list(dict.fromkeys(node.name for node in declaration.nodes))
    inner = [name for name in names if name not in declaration.outputs]
    printing = Printing(program)
    body = printing.body()
    printing.blocks(body, program.blocks)
    if not inner:
        return [function(declaration, "forward", inputs, body, _dict(declaration.outputs))]
    all_of = function(declaration, "_formulas", inputs, body, _dict(names))
    parameters = all_of.partition("(")[2].partition(")")[0]
    passed = ", ".join(f"{each}={each}" for each in parameters.split(", "))
    return [
        all_of,
        *(
            f"def {name}({parameters}):\n"
            f"    values = _formulas({passed})\n"
            f"    return {_picked(list(given))}"
            for name, given in (("let", inner), ("forward", declaration.outputs))
        ),
    ]


def _dict(names: Any) -> str:
    return "return {" + ", ".join(f'"{name}": {name}' for name in names) + "}"


def _picked(names: list[str]) -> str:
    if len(names) < 4:
        return "{" + ", ".join(f'"{name}": values["{name}"]' for name in names) + "}"
    return f"{{name: values[name] for name in {shown(names, '    ')}}}"


def _variants(declaration: Declaration) -> list[str]:
    """The other forwards, and the dict of them."""
    functions, entries = [], []
    for number, variant in enumerate(declaration.variants, 1):
        program = program_of(varied(declaration, variant))
        printing = Printing(program)
        body = printing.body()
        printing.blocks(body, program.plan(program.declaration.outputs))
        name = f"_variant_{number}"
        inputs = [given.name for given in declaration.inputs]
        outputs = _dict(program.declaration.outputs)
        functions.append(function(declaration, name, inputs, body, outputs))
        entries.append(f"    {shown(variant.sentence)}: {name},")
    if not entries:
        return []
    return [*functions, "\n".join(["variants = {", *entries, "}"])]


def _sample(program: Program) -> list[str]:
    """`sample`; with a `need`, one that draws until it holds."""
    declaration = program.declaration
    if not declaration.needs:
        return ["\n".join(sampling.sample_lines(declaration, "sample"))]
    printing = Printing(program)
    body = printing.body()
    env = printing.examples[0]
    names = [node.name for node in declaration.nodes]
    wanted = []
    readings = []
    for need in declaration.needs:
        context = context_of(declaration, list(program.examples), "needed")
        reading = read_math(f"needed = [{need.text}]", context)
        if isinstance(reading, Invalid):
            raise CannotPrint(f"line {need.line}: {reading.message}")
        wanted += [
            name for name in used(need.text, list(env), declaration.symbols) if name in names
        ]
        readings.append((need, reading))
    if wanted:
        printing.blocks(body, program.plan(tuple(dict.fromkeys(wanted))))
    for number, (need, reading) in enumerate(readings, 1):
        body.begin(f"need {need.text}")
        try:
            source, _ = printing.right(body, reading, {})
        except CannotPrint as error:
            raise CannotPrint(f"line {need.line}: `need {need.text}`: {error}") from None
        body.assign(f"need_{number}", _truth(source))
    every = " and ".join(f"np.all(need_{k})" for k in range(1, len(readings) + 1))
    inputs = [given.name for given in declaration.inputs]
    meets = function(declaration, "_meets_needs", [*inputs], body, f"return {every}")
    head = meets.partition("(")[2].partition(")")[0]
    passed = ", ".join(f'{each}=inputs["{each}"]' for each in head.split(", "))
    drawing = "\n".join(sampling.sample_lines(declaration, "_draw"))
    sample = (
        "def sample(rng):\n"
        f"    for _ in range({_TRIES}):\n"
        "        inputs = _draw(rng)\n"
        f"        if _meets_needs({passed}):\n"
        "            return inputs\n"
        '    raise ValueError("no sample meets what is needed")'
    )
    return [drawing, meets, sample]


def _truth(source: str) -> str:
    """A condition without what makes a number of it."""
    inner = source.removeprefix("1.0 * ")
    return inner[1:-1] if inner != source and inner[:1] == "(" and closes_last(inner, 0) else inner


def _claims(checker: Checker) -> list[str]:
    found: list[tuple[str, Mapping[str, Any]]] = [
        ("right", {name: list(texts) for name, texts in checker.right.items()}),
        ("wrong", checker.wrong),
        ("also", checker.also),
        ("terms", {name: dict(terms) for name, terms in checker.terms.items() if terms}),
    ]
    lines = [f"{name} = {shown(value)}" for name, value in found if value]
    return ["\n".join(lines)] if lines else []


def shown(value: Any, indent: str = "") -> str:
    """A value as Python writes it, its parts on lines of their own where they are long."""
    plain = _text(value) if isinstance(value, str) else repr(value)
    if isinstance(value, dict):
        inner = [f"{shown(key)}: {shown(part, indent + '    ')}" for key, part in value.items()]
    elif isinstance(value, list | tuple):
        inner = [shown(part, indent + "    ") for part in value]
    else:
        return plain
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    if isinstance(value, tuple):
        opening, closing = ("(", ")")
    line = (
        f"{opening}{', '.join(inner)}{',' if len(value) == 1 and closing == ')' else ''}{closing}"
    )
    if len(indent) + len(line) <= 72 and "\n" not in line:
        return line
    body = "".join(f"{indent}    {part},\n" for part in inner)
    return f"{opening}\n{body}{indent}{closing}"


def _text(text: str) -> str:
    """A text in double quotes; one with backslashes as a raw one where that can be."""
    if "\\" in text and '"' not in text and "\n" not in text and not text.endswith("\\"):
        return f'r"{text}"' if text.isprintable() else repr(text)
    lined = "\n" in text and '"""' not in text and not text.endswith(("\\", '"'))
    if lined and all(part.isprintable() for part in text.split("\n")):
        return f'{"r" if chr(92) in text else ""}"""{text}"""'
    if '"' in text or not text.isprintable():
        return repr(text)
    return f'"{text}"'
