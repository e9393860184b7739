"""The formulas of a declaration, one after the other, as the lines of a function."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from quizzer.checker.declared.program import Block, Program
from quizzer.checker.declared.reading import Line
from quizzer.checker.declared.recurrence import Recurrence
from quizzer.checker.declared.samples import draw_problem
from quizzer.checker.declared.sizes import SizeError
from quizzer.checker.declared.values import Declaration, Formula
from quizzer.checker.load import CheckerError
from quizzer.checker.printed.body import Body, Extent
from quizzer.checker.printed.indexed import IndexPrinter
from quizzer.checker.printed.lettered import Axis
from quizzer.checker.printed.matrix import MatrixPrinter
from quizzer.checker.printed.places import Places
from quizzer.checker.printed.sizes import plus, size_lines, source_of
from quizzer.checker.printed.values import CannotPrint
from quizzer.notation import Reading
from quizzer.notation.compiler.index_ranges import uses_under

_EXAMPLES = 24


class Printing:
    """The formulas of a program, to be printed into several functions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.declaration = program.declaration
        self.examples = examples_of(program)
        whole = [
            {name: value for name, value in example.items() if isinstance(value, int)}
            for example in self.examples
        ]
        self.places = Places(self.declaration, tuple(whole))

    def body(self) -> Body:
        """An empty body that knows the inputs and the sizes."""
        declaration = self.declaration
        arrays: dict[str, tuple[Extent, ...]] = {}
        for given in declaration.inputs:
            arrays[given.name] = tuple(
                Extent(source_of(size), self.lengths(given.name, axis))
                for axis, size in enumerate(given.shape)
            )
        for rule in declaration.sizes:
            arrays[rule.letter] = ()
        names = {node.name for node in declaration.nodes}
        return Body(arrays, {*arrays, *names, "np", "math", "rng", "inputs", "values"})

    def lengths(self, name: str, axis: int) -> tuple[int, ...]:
        return tuple(np.shape(example[name])[axis] for example in self.examples)

    def blocks(self, body: Body, blocks: Iterable[Block]) -> None:
        """Prints formulas, each below its own text."""
        for block in blocks:
            try:
                if isinstance(block, Recurrence):
                    self.recurrence(body, block)
                else:
                    self.line(body, block)
            except CannotPrint as error:
                formula = block.steps[0].formula if isinstance(block, Recurrence) else block.formula
                raise CannotPrint(f"line {formula.line}: `{formula.text}`: {error}") from None

    def line(self, body: Body, line: Line) -> None:
        formula = line.formula
        body.begin(formula.text)
        given = self.in_table(line) | self.ranges(formula)
        source, extents = self.right(body, line.reading, given)
        body.assign(formula.name, source)
        body.arrays[formula.name] = extents

    def right(
        self, body: Body, reading: Reading, given: Mapping[str, Extent]
    ) -> tuple[str, tuple[Extent, ...]]:
        """The source of what was read, and its axes."""
        step = last_step(reading)
        if step.whole:
            return MatrixPrinter(body).formula(step.node)
        printer = IndexPrinter(body, self.declaration.first_index, self.places)
        return printer.formula(step.node, step.letters, given)

    def ranges(self, formula: Formula) -> dict[str, Extent]:
        """How far the letters run that have a range of their own."""
        first = self.declaration.first_index
        return {
            each.letter: Extent(
                plus(each.stop, -first),
                tuple(each.stop.value(example) - first for example in self.examples),
            )
            for each in formula.ranges
        }

    def in_table(self, line: Line) -> dict[str, Extent]:
        """How far the letters run that no array tells, by the shape in the card's table."""
        letters, shape = line.formula.letters, line.formula.shape
        told = uses_under(line.node)
        found = {}
        for letter, size in zip(letters, shape, strict=False) if len(letters) == len(shape) else ():
            with suppress(SizeError):
                if letter not in told:
                    found[letter] = Extent(plus(size, 0), tuple(map(size.value, self.examples)))
        return found

    # Step by step

    def recurrence(self, body: Body, block: Recurrence) -> None:
        """Formulas over a first index: their rows, by the index as the card counts."""
        shapes = self.shapes(body, block)
        for line in block.steps:
            name = line.formula.name
            body.arrays[name] = shapes[name]
        body.begin("\n".join(line.formula.text for line in (*block.starts, *block.steps)))
        steps = block.steps[0].formula.letters[0]
        places = {name: self.run(block, extents[0].source) for name, extents in shapes.items()}
        reach = block.reach
        for name, extents in shapes.items():
            rest = ", ".join(extent.source for extent in extents[1:])
            zero = "0.0" if not rest else f"np.zeros({rest if len(extents) == 2 else f'({rest})'})"
            around = self.run(block, extents[0].source, reach)
            body.assign(name, f"{{{steps}: {zero} for {steps} in {around}}}")
        body.taken.add(steps)
        for line in block.starts:
            self.start(body, line, shapes[line.formula.name])
        self.loop(body, block, shapes, places)
        for name, run in places.items():
            body.assign(name, f"np.stack([{name}[{steps}] for {steps} in {run}])")
        body.taken.discard(steps)

    def start(self, body: Body, line: Line, extents: tuple[Extent, ...]) -> None:
        formula = line.formula
        assert formula.place is not None
        given = dict(zip(formula.letters, extents[1:], strict=True))
        source, _ = self.right(body, line.reading, given)
        body.assign(f"{formula.name}[{source_of(formula.place)}]", source)

    def loop(
        self,
        body: Body,
        block: Recurrence,
        shapes: Mapping[str, tuple[Extent, ...]],
        places: Mapping[str, str],
    ) -> None:
        steps = block.steps[0].formula.letters[0]
        longest = max(shapes.values(), key=lambda extents: extents[0].lengths)
        run = self.run(block, longest[0].source)
        run = f"reversed({run})" if block.backward else run
        if len({extents[0].lengths for extents in shapes.values()}) > 1:
            raise CannotPrint("the arrays of the recurrence have different numbers of places")
        body.lines.append(f"{body.indent}for {steps} in {run}:")
        before = body.indent
        body.indent += "    "
        for line in block.steps:
            self.step(body, block, line, shapes[line.formula.name], steps)
        body.indent = before
        body.bound.clear()  # what a loop binds is another thing behind it

    def step(
        self, body: Body, block: Recurrence, line: Line, extents: tuple[Extent, ...], steps: str
    ) -> None:
        formula = line.formula
        name = formula.name
        rows = dict.fromkeys(block.names, block.reach)
        printer = IndexPrinter(body, self.declaration.first_index, self.places, rows)
        step = last_step(line.reading)
        if step.whole:
            raise CannotPrint("a recurrence in matrix notation")
        letter = formula.letters[0]
        first = str(self.declaration.first_index)
        scope = {letter: Axis(steps, first, extents[0], stepped=True)}
        given = dict(zip(formula.letters[1:], extents[1:], strict=True))
        starts = [each for each in block.starts if each.formula.name == name]
        skipped = [source_of(each.formula.place) for each in starts if each.formula.place]
        inside = [place for place, each in zip(skipped, starts, strict=True)
                  if self.is_place(each.formula, extents[0])]  # fmt: skip
        if inside:
            mark = f"!= {inside[0]}" if len(inside) == 1 else f"not in ({', '.join(inside)})"
            body.lines.append(f"{body.indent}if {steps} {mark}:")
            body.indent += "    "
        source, _ = printer.formula(step.node, formula.letters[1:], given, scope)
        body.assign(f"{name}[{steps}]", source)
        if inside:
            body.indent = body.indent[4:]

    def is_place(self, formula: Formula, extent: Extent) -> bool:
        """Whether a start is one of the array's own places; before them it is only read."""
        assert formula.place is not None
        first = self.declaration.first_index
        return any(
            0 <= formula.place.value(example) - first < length
            for example, length in zip(self.examples, extent.lengths, strict=True)
        )

    def run(self, block: Recurrence, length: str, reach: int = 0) -> str:
        """The places of an array as the card counts them, and `reach` more at both ends."""
        start = block.first - reach
        stop = block.first + reach
        end = length if not stop else f"{length} + {stop}"
        return f"range({start}, {end})" if start else f"range({end})"

    def shapes(self, body: Body, block: Recurrence) -> dict[str, tuple[Extent, ...]]:
        """The axes of the arrays: by ranges, else by the size that is as long in every example."""
        known = [e for extents in body.arrays.values() for e in extents]
        for rule in self.declaration.sizes:
            lengths = tuple(example.get(rule.letter, -1) for example in self.examples)
            known.append(Extent(rule.letter, lengths))
        found: dict[str, tuple[Extent, ...]] = {}
        for line in block.steps:
            name, ranges = line.formula.name, self.ranges(line.formula)
            extents = []
            for axis, letter in enumerate(line.formula.letters):
                lengths = self.lengths(name, axis)
                own = ranges.get(letter) or next((e for e in known if e.lengths == lengths), None)
                if own is None:
                    raise CannotPrint(f"how far {letter} runs is not known")
                extents.append(own)
            found[name] = tuple(extents)
        return found


def last_step(reading: Reading) -> Any:
    if len(reading.steps) != 1:
        raise CannotPrint("it has helper lines")
    return reading.steps[-1]


def examples_of(program: Program) -> tuple[dict[str, Any], ...]:
    """Every name in some problems."""
    found = []
    for seed in range(_EXAMPLES):
        inputs = draw_problem(program.declaration, np.random.default_rng(seed))
        try:
            found.append({**program.sizes(inputs), **program.run(inputs)})
        except CheckerError:
            continue
    if not found:
        raise CannotPrint("no sample can be worked out")
    return tuple(found)


def function(
    declaration: Declaration, name: str, parameters: Iterable[str], body: Body, result: str
) -> str:
    """A function with a body that was printed, and the sizes that it uses before it."""
    lines = [*body.lines, f"    {result}"]
    given = [each for each in parameters if re.search(rf"(?<!\w){each}(?!\w)", "\n".join(lines))]
    sizes = [f"    {line}" for line in size_lines(declaration, lines, dict.fromkeys(given, ""))]
    needed = [
        each.name
        for each in declaration.inputs
        if each.name not in given
        and re.search(rf"(?<!\w){each.name}\.shape|= {each.name}$", "\n".join(sizes), re.M)
    ]
    order = [each for each in parameters if each in {*given, *needed}]
    return "\n".join([f"def {name}({', '.join(order)}):", *sizes, *lines])
