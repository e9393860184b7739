"""The lines of a declared checker fitted together: names, order, sizes, what is asked."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from difflib import get_close_matches

from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.declared import sought
from quizzer.checker.declared.card_lines import CardLines, Offered
from quizzer.checker.declared.claims import read_claim
from quizzer.checker.declared.formula import (
    FormulaError,
    exponential_in,
    left_of,
    split_formula,
    without_ranges,
)
from quizzer.checker.declared.functions import Function, apart, called
from quizzer.checker.declared.order import ordered, with_uses
from quizzer.checker.declared.shown import faults_of
from quizzer.checker.declared.sizes import Size, SizeError, read_size
from quizzer.checker.declared.statements import KEYWORDS, LineError, Statement, unknown
from quizzer.checker.declared.values import (
    Ask,
    Claim,
    Condition,
    Declaration,
    Fault,
    Formula,
    Input,
    SizeRule,
    Sought,
    Variant,
)
from quizzer.notation.grammar.sets import displayed
from quizzer.text import cut

_LONGEST_MESSAGE = 500
_FEWEST_MISTAKES = 2
"""Known mistakes that leave something to choose: three values with the right one."""

UPSTREAM = ("delta", "δ")
"""Names that no input and no formula may have."""


class Said(Struct):
    """What the lines say one by one."""

    faults: list[Fault] = []
    inputs: dict[str, Input] = {}
    rules: dict[str, SizeRule] = {}
    symbols: dict[str, str] = {}
    once: dict[str, int] = {}
    """The lines of what may be said once only."""
    formulas: list[Statement] = []
    claims: list[tuple[str, Statement]] = []
    variants: list[Statement] = []
    asks: dict[str, Ask] = {}
    outputs: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    optimum: Sought | None = None
    needs: list[Condition] = []
    assume: list[str] = []
    hints: list[str] = []
    ties: bool | None = None
    seconds: float | None = None
    first_index: int = 0
    card: CardLines | None = None
    """What the card says, which need not be repeated."""
    taken: dict[str, Offered] = {}
    """The formulas that are taken from the card, by their texts."""
    functions: tuple[Function, ...] = ()
    sets: tuple[str, ...] = ()

    def fault(self, line: int, message: str) -> None:
        self.faults.append(Fault(line, cut(message, _LONGEST_MESSAGE)))

    def letters(self) -> set[str]:
        """Every letter of a size."""
        shapes = [size for given in self.inputs.values() for size in given.shape]
        shapes += [rule.made for rule in self.rules.values() if rule.made]
        return {letter for size in shapes for letter in size.letters} | self.rules.keys()


def declaration_of(said: Said, first: int) -> Declaration:
    """What the lines are together; the text's first line has the number `first`."""
    said.formulas, said.functions, said.sets = apart(said.formulas)
    nodes = _formulas(said)
    _look_at_names(said, nodes)
    order, recurrences, circles = ordered([n for n in nodes if n.name not in said.inputs])
    said.faults += circles
    outputs = said.outputs or tuple(node.name for node in nodes[-1:])
    sizes = _sizes(said)
    if not said.inputs and not said.faults:
        said.fault(first, "no input is declared: write one, such as `x: N × D`")
    if not nodes and not said.faults:
        said.fault(first, "no formula is here: write the forward message, such as `y = W x`")
    if said.optimum:
        said.asks = sought.asks_with(said.optimum, said.asks)
    _look_at_asked(said, outputs)
    _look_at_shown(said, nodes, outputs)
    claims = tuple(_claims(said, outputs))
    _look_at_choices(said, claims)
    if said.optimum:
        outputs = sought.outputs_beside(said.optimum, said.outputs, nodes, said.asks)
        right = [claim.name for claim in claims if claim.kind == "right"]
        said.faults += sought.faults_of(
            said.optimum, said.inputs, nodes, outputs, said.asks, right, bool(said.shown)
        )
    variants = tuple(_variants(said, nodes))
    return Declaration(
        inputs=tuple(said.inputs.values()),
        sizes=sizes,
        nodes=order,
        outputs=outputs,
        asks=tuple(said.asks.values()),
        claims=claims,
        variants=variants,
        needs=tuple(said.needs),
        symbols=said.symbols,
        assume=tuple(said.assume),
        hints=tuple(said.hints),
        ties=said.ties,
        seconds=said.seconds,
        first_index=said.first_index,
        shown=said.shown,
        optimum=said.optimum,
        recurrences=recurrences,
        sets=(*said.sets, *(displayed(said.card.displayed) if said.card else ())),
        answer=said.card.answer if said.card else (),
        faults=tuple(sorted(said.faults, key=lambda fault: fault.line)),
    )


def _formulas(said: Said) -> list[Formula]:
    """The formulas, each with the names that it uses."""
    found: list[Formula] = []
    for statement in said.formulas:
        with suppress(FormulaError):
            found.append(formula_of(said, statement.joined, statement.line))
    stepped = {each.name for each in found if each.place is None and each.letters}
    made = {each.name for each in found}
    found = []
    for statement in said.formulas:
        try:
            found.append(formula_of(said, statement.joined, statement.line, stepped, made))
        except FormulaError as error:
            said.fault(statement.line, str(error))
    names = _names(said, found)
    return [with_uses(each, names, said.symbols) for each in found]


def _names(said: Said, formulas: list[Formula]) -> list[str]:
    return list(dict.fromkeys([*said.inputs, *(formula.name for formula in formulas)]))


def formula_of(
    said: Said,
    text: str,
    line: int,
    stepped: Collection[str] | None = None,
    made: Collection[str] = (),
) -> Formula:
    """A formula line; `stepped` are the names with an index, `made` those of all formulas, as far
    as they are known. Raises FormulaError."""
    whole, (text, ranges) = text.strip(), without_ranges(text)
    sides = split_formula(text)
    if sides is None or not all(sides):
        raise FormulaError(f"{whole!r} is no formula: write `y = …`")
    words = sides[0].split()
    if len(words) > 1 and get_close_matches(words[0], KEYWORDS, 1, 0.75):
        raise FormulaError(unknown(whole))
    known, ranged = {*said.inputs, *said.outputs, *made}, {each.letter for each in ranges}
    left = left_of(sides[0], sides[1], known, said.letters(), stepped, ranged)
    if left.symbol and stepped is not None:
        said.symbols.setdefault(left.name, left.symbol)
    for each in ranges:
        if each.letter not in left.letters:
            raise FormulaError(
                f"`for` says how far {each.letter} runs, but {each.letter} is no index on the "
                "left; a sum has its range below its sign"
            )
    taken = said.taken.get(whole)
    return Formula(
        left.name,
        left.letters,
        sides[1],
        line,
        ranges,
        left.place,
        text=whole,
        before=called(sides[1], said.functions),
        shape=_shape_in_table(said, left.name),
        others=tuple(_others(said, taken, line, stepped, made)) if taken else (),
        is_stated=taken is not None,
    )


def _others(
    said: Said,
    taken: Offered,
    line: int,
    stepped: Collection[str] | None,
    made: Collection[str],
) -> Iterator[Formula]:
    for text in taken.others:
        with suppress(FormulaError):
            found = formula_of(said, text, line, stepped, made)
            if found.name == taken.name:
                yield replace(found, is_stated=True)


def _shape_in_table(said: Said, name: str) -> tuple[Size, ...]:
    axes = said.card.axes.get(name, ()) if said.card else ()
    try:
        return tuple(map(read_size, axes))
    except SizeError:
        return ()


def _look_at_names(said: Said, nodes: list[Formula]) -> None:
    """No name may be given twice: as two formulas, or as a formula and something else."""
    seen: dict[str, Formula] = {}
    letters = said.letters()
    for node in nodes:
        before = seen.setdefault(node.name, node)
        if node.place is None:
            seen[node.name] = node
        taken = "the upstream, always" if node.name in UPSTREAM else ""
        taken = taken or ("a size" if node.name in letters else "")
        if node.name in said.inputs:
            taken = f"an input (line {said.inputs[node.name].line})"
        for letter in letters.intersection(node.letters):
            said.fault(
                node.line,
                f"{letter} is a size and an index on the left: use another letter for one",
            )
        if taken:
            said.fault(node.line, f"`{node.name}` is a formula here and {taken}: rename one")
        elif before is not node and node.place is None and before.place is None:
            said.fault(
                node.line,
                f"`{node.name}` is given here and in line {before.line}: rename one, or delete a "
                "line",
            )
        elif _axes(node) != _axes(before):
            said.fault(
                node.line, f"`{node.name}` has other indices here than in line {before.line}"
            )
    for node in seen.values():
        if node.place is not None and node.place.letter:
            said.fault(
                node.line,
                f"{node.place.text} is a size, so this is one place of {node.name} only: use "
                "another letter for the index",
            )
        elif node.place is not None:
            said.fault(
                node.line,
                f"`{node.name}` has a start but no line that goes on: write "
                f"{node.name}[t] = … {node.name}[t-1] …",
            )
    for name in said.outputs:
        if name not in seen:
            said.fault(said.once["out"], f"`out` names {name}, which no formula gives")


def _axes(node: Formula) -> int:
    return len(node.letters) + (node.place is not None)


def _sizes(said: Said) -> tuple[SizeRule, ...]:
    """A rule for every letter of a shape; those made of others behind these."""
    lines: dict[str, int] = {}
    for given in said.inputs.values():
        for size in given.shape:
            for letter in size.letters:
                lines.setdefault(letter, given.line)
    for rule in said.rules.values():
        for letter in rule.made.letters if rule.made else ():
            lines.setdefault(letter, rule.line)
    for letter, line in lines.items():
        if letter in said.inputs:
            where = said.inputs[letter].line
            said.fault(line, f"{letter} is a size here and an input in line {where}: rename one")
    if "e" in lines and (power := exponential_in(said.formulas)):
        said.fault(lines["e"], f"e is a size here, and line {power} has e^…: rename the size")
    most = max(6, len(lines) + 2)
    rules = {letter: SizeRule(letter, line, high=most) for letter, line in lines.items()}
    rules |= said.rules
    placed = {letter: rule for letter, rule in rules.items() if rule.made is None}
    pending = [rule for rule in rules.values() if rule.made]
    while pending:
        ready = [rule for rule in pending if rule.made and placed.keys() >= {*rule.made.letters}]
        if not ready:
            said.fault(
                pending[0].line,
                f"the size {pending[0].letter} is made of itself: give it a range, "
                f"`size {pending[0].letter}: 3..7`",
            )
            break
        placed |= {rule.letter: rule for rule in ready}
        pending = [rule for rule in pending if rule not in ready]
    return tuple(placed.values())


def _look_at_asked(said: Said, outputs: tuple[str, ...]) -> None:
    for ask in said.asks.values():
        for name, given in said.inputs.items():
            names = {f"d{name}", *(f"d{output}_d{name}" for output in outputs)}
            if given.domain.is_whole and ask.name in names:
                said.fault(
                    ask.line,
                    f"`{ask.name}` asks for a derivative with respect to {name}, which holds "
                    f"whole numbers (line {given.line})",
                )


def _look_at_shown(said: Said, nodes: list[Formula], outputs: tuple[str, ...]) -> None:
    if said.shown:
        line, asked = said.once["show"], {ask.name: ask.line for ask in said.asks.values()}
        said.faults += faults_of(said.shown, line, said.inputs, nodes, outputs, asked)
        if not asked and not said.faults:
            said.fault(line, "where numbers are shown, say what is asked: `ask y: output`")
        return
    for ask in said.asks.values():
        if ask.within or ask.unit or ask.choose:
            what = "`within`" if ask.within else f"`in {ask.unit}`" if ask.unit else "`choose`"
            said.fault(
                ask.line,
                f"{what} is for a number, and this card shows none to calculate with: add a line "
                "`show x`, or take it away",
            )


def _look_at_choices(said: Said, claims: Iterable[Claim]) -> None:
    mistakes = Counter(claim.name for claim in claims if claim.kind == "wrong")
    for ask in said.asks.values():
        if said.shown and ask.choose and mistakes[ask.name] < _FEWEST_MISTAKES:
            said.fault(
                ask.line,
                f"the values to choose from are the right one and those of the known mistakes: "
                f"write at least two `wrong {ask.name} = … -- sentence`",
            )


def _claims(said: Said, outputs: tuple[str, ...]) -> Iterator[Claim]:
    possible = list(said.asks) or [
        *(f"d{output}_d{name}" for output in outputs for name in said.inputs),
        *(f"d{name}" for name in said.inputs),
    ]
    seen: dict[tuple[str, str], int] = {}
    for kind, statement in said.claims:
        try:
            claim = read_claim(kind, statement, possible)
        except LineError as error:
            said.fault(statement.line, str(error))
            continue
        before = seen.setdefault((claim.name, claim.sentence), claim.line)
        if claim.sentence and before != claim.line:
            said.fault(claim.line, f"this sentence is in line {before} already: change one")
        else:
            yield claim


def _variants(said: Said, nodes: list[Formula]) -> Iterator[Variant]:
    seen: dict[str, int] = {}
    names = _names(said, nodes)
    for statement in said.variants:
        lines, sentence = statement.body()
        try:
            if not sentence:
                raise LineError("say behind ` -- ` what this variant is")
            if sentence in seen:
                raise LineError(f"this sentence is in line {seen[sentence]} already: change one")
            stepped = {node.name for node in nodes if node.place is None and node.letters}
            found = [formula_of(said, text, line, stepped) for line, text in lines]
            if not found:
                raise LineError("write the other formula: `variant y = … -- sentence`")
            _must_replace(found, nodes)
        except (LineError, FormulaError) as error:
            said.fault(statement.line, str(error))
            continue
        seen[sentence] = statement.line
        formulas = tuple(with_uses(each, names, said.symbols) for each in found)
        yield Variant(sentence, formulas, statement.line)


def _must_replace(formulas: list[Formula], nodes: list[Formula]) -> None:
    names = list(dict.fromkeys(node.name for node in nodes))
    for formula in formulas:
        if formula.name not in names:
            near = get_close_matches(formula.name, names, 1)
            there = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
            lost = f"`{formula.name}` is no formula of the forward"
            raise LineError(f"{lost}, so this takes the place of none: {there}")
