"""What a declared checker leaves out, taken from its card; what it states itself wins."""

import re
from collections.abc import Callable, Collection, Iterable

from quizzer.checker.declared.card_lines import CardLines, Offered
from quizzer.checker.declared.domains import DomainError
from quizzer.checker.declared.formula import FormulaError, letters_below
from quizzer.checker.declared.order import used
from quizzer.checker.declared.sizes import SizeError
from quizzer.checker.declared.statements import LineError, Statement
from quizzer.checker.declared.whole import UPSTREAM, Said, formula_of
from quizzer.text import one_line

Read = Callable[[Said, Statement], None]

_GLUED = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{2,3}(?![A-Za-z])")


def complete(said: Said, first: int, read: Read) -> None:
    """Add what the card says and the lines do not: formulas, the inputs that they use, what is
    asked. `first` is the checker's first line, `read` reads a statement."""
    card = said.card
    if card is None:
        return
    _look_at_shapes(said, card)
    own = _own_names(said)
    formulas = _formulas(said, card, own, first)
    said.formulas = [*(Statement(each.text, each.line) for each in formulas), *said.formulas]
    said.taken = {each.text: each for each in formulas}
    if formulas and "index" not in said.once:
        said.first_index = card.first_index or 0
    _add_inputs(said, card, read)
    _add_asked(said, card, {*own, *(each.name for each in formulas)}, read)
    names = {*said.inputs, *own, *(each.name for each in formulas)}
    symbols = {*said.symbols.values(), *names}
    for name, symbol in card.symbols.items():
        is_known = name in names or (
            name[1:] in names.intersection(said.outputs or card.outputs) and symbol not in UPSTREAM
        )
        if is_known and name not in said.symbols and symbol not in symbols:
            said.symbols[name] = symbol


def _own_names(said: Said) -> list[str]:
    """The names that the checker's own formulas give."""
    found = []
    for statement in said.formulas:
        try:
            found.append(formula_of(said, statement.joined, statement.line, ()).name)
        except FormulaError:
            continue
    return found


def _formulas(said: Said, card: CardLines, own: list[str], first: int) -> list[Offered]:
    """The card's formulas that the checker relies on: all where it has none of its own, or only
    other ones for some of them; else those of names that its own use."""
    offered = {
        name: each
        for name, each in card.formulas.items()
        if name not in own and name not in said.inputs
    }
    replaces = bool(own) and card.formulas.keys() >= {*own} and own[-1] not in card.outputs
    if own and not replaces:
        texts = [each.joined for each in [*said.formulas, *_conditions(said)]]
        bound = {letter for text in texts for letter in letters_below(text, said.inputs)}
        names = {*offered, *said.inputs, *own} - bound
        return _needed(offered, names_used(texts, names, card), card)
    if not card.formulas:
        return []
    unread = [line for line, _ in card.unread]
    if unread and not own:
        shown = one_line(card.unread[0][1], 60)
        said.fault(
            first,
            f"the forward is not taken from the question, where the formula of line {unread[0]}, "
            f"`{shown}`, is not read: write the formulas here",
        )
        return []
    if "out" not in said.once:
        said.outputs = card.outputs
        said.once["out"] = first
    wanted = {*said.outputs, *(name for name in offered if name in card.axes)}
    texts = [each.joined for each in said.formulas]
    return _needed(offered, wanted | names_used(texts, offered, card), card)


def _conditions(said: Said) -> Iterable[Statement]:
    return (Statement(need.text, need.line) for need in said.needs)


def names_used(texts: Iterable[str], names: Collection[str], card: CardLines) -> set[str]:
    """The names among these that the right sides of formulas use."""
    found: set[str] = set()
    for text in texts:
        right = text.partition("=")[2] or text
        found.update(used(right, names, card.symbols))
        # A number beside an index, as in x_{st+u}.
        glued = {letter for word in _GLUED.findall(right) for letter in word}
        found |= {name for name in glued.intersection(names) if card.axes.get(name) == ()}
    return found


def _needed(offered: dict[str, Offered], wanted: set[str], card: CardLines) -> list[Offered]:
    """The offered formulas that give the wanted names, and those that these use, in their order."""
    needed: set[str] = set()
    pending = [name for name in wanted if name in offered]
    while pending:
        name = pending.pop()
        if name not in needed:
            needed.add(name)
            pending += names_used([offered[name].text], offered, card)
    return [each for name, each in offered.items() if name in needed]


def _add_inputs(said: Said, card: CardLines, read: Read) -> None:
    """The rows of the table that formulas use."""
    given = {*said.inputs, *(name for name in _own_names(said))}
    offered = {name: each for name, each in card.inputs.items() if name not in given}
    taken = [each.joined for each in said.formulas if each.joined in said.taken]
    own = [each.joined for each in said.formulas if each.joined not in said.taken]
    bound = {letter for text in own for letter in letters_below(text, offered)}
    letters = said.letters()
    free = {name for name in offered if name not in bound and name not in letters}
    wanted = names_used(taken, offered, card) | names_used(own, free, card)
    for name, each in offered.items():
        if name in wanted:
            try:
                read(said, Statement(each.text, each.line))
            except (LineError, FormulaError, SizeError, DomainError) as error:
                said.fault(each.line, str(error))


def _add_asked(said: Said, card: CardLines, nodes: Collection[str], read: Read) -> None:
    """What the parts of the question ask for in brackets."""
    if said.asks:
        return
    for each in card.asks:
        derived = any(each.name.endswith(f"d{name}") for name in said.inputs)
        if each.name in nodes or (derived and each.name.startswith("d")):
            read(said, Statement(f"ask {each.text.rstrip(' :')}", each.line))
        elif each.name.startswith("d") and each.name not in card.axes:
            said.fault(
                each.line,
                f"the question asks for `{each.name}`, which is the message to no input and no "
                "name of a formula: say what is asked in lines `ask`",
            )


def _look_at_shapes(said: Said, card: CardLines) -> None:
    """No input may have another shape here than in the table."""
    for given in said.inputs.values():
        axes = card.axes.get(given.name)
        if axes is None or given.name in card.formulas:
            continue
        here = [size.text for size in given.shape if size.text != "1"]
        there = [axis for axis in axes if axis != "1"]
        mixed = sorted(here) == sorted(there) and here != there
        if len(here) != len(there) or mixed:
            said.fault(
                given.line,
                f"`{given.name}` is {_shape(here)} here and {_shape(there)} in the table (line "
                f"{card.lines[given.name]}): one of them is wrong",
            )


def _shape(axes: list[str]) -> str:
    return " × ".join(axes) or "a number"


def shape_in_table(said: Said, name: str) -> str | None:
    """The shape that the card's table gives a name, for an input that says only its domain."""
    axes = said.card.axes.get(name) if said.card else None
    return None if axes is None else " × ".join(axes) or "number"
