"""The text of a declared checker → `Declaration`, with a fault for each line that cannot be read.

Pure: nothing is executed, and no formula is understood here beyond its left side.
"""

import re
from collections.abc import Callable
from difflib import get_close_matches

from quizzer.card.formulation import Formulation
from quizzer.card.unfilled import PLACE
from quizzer.checker.declared.card_lines import card_lines
from quizzer.checker.declared.domains import DomainError, read_domain
from quizzer.checker.declared.formula import FormulaError, plain_name, split_formula
from quizzer.checker.declared.from_card import complete, shape_in_table
from quizzer.checker.declared.shapes import must_fit, read_rule, read_shape
from quizzer.checker.declared.shown import asked_options
from quizzer.checker.declared.sizes import Size, SizeError
from quizzer.checker.declared.statements import (
    KEYWORDS,
    MAX_LINES,
    LineError,
    Statement,
    statements,
    unknown,
)
from quizzer.checker.declared.values import Ask, CardLine, Condition, Declaration, Input, Sought
from quizzer.checker.declared.whole import UPSTREAM, Said, declaration_of

MAX_SECONDS = 30
_MOST_INPUTS = 40

_WORD = re.compile(r"([a-z]+)(?:\s+(.*))?", re.DOTALL)
_INPUT = re.compile(r"(?P<names>[^=\[\]:]+?)\s*:(?!=)\s*(?P<rest>.*)")
_IN_SPACE = re.compile(
    r"(?P<names>[^=\[\]:]+?)\s*(?:∈|\\in\b)\s*(?:\\mathbb\s*(?:\{R\}|R)|ℝ|R)(?![a-z])"
    r"(?:\s*\^\s*(?:\{(?P<shape>[^{}]*)\}|(?P<one>\w)))?\s*(?P<domain>.*)"
)
_OPTIMUM = re.compile(r"([^:]+?)\s*:\s*(\S+?)((?:\s*,?\s+(?:minimum|maximum|unique))*)")
_ASK = re.compile(r"([^:]+?)\s*(?::\s*(.*))?")


def read_declaration(
    text: str, first: int = 1, card: Formulation | None = None, is_apart: bool = False
) -> Declaration:
    """What a declared checker says; its first line has the number `first` in its file.

    `card` is what its card says, which it need not repeat; it may be a file apart from it.
    """
    said = Said(card=card_lines(card, CardLine if is_apart else int) if card else None)
    found = statements(text, first)
    if len(found) > MAX_LINES:
        said.fault(found[MAX_LINES].line, f"a checker has at most {MAX_LINES} lines")
    for statement in found[:MAX_LINES]:
        try:
            _read(said, statement)
        except (LineError, FormulaError, SizeError, DomainError) as error:
            said.fault(statement.line, str(error))
    complete(said, first, _read)
    return declaration_of(said, first)


def _read(said: Said, statement: Statement) -> None:
    """One statement, by its first word; one without such a word is an input or a formula."""
    if open_place := PLACE.search(statement.joined):
        raise LineError(f"still to be filled in: {open_place[1]}")
    word = _WORD.fullmatch(statement.text)
    if word and word[1] in KEYWORDS and not (word[2] or "").startswith(("=", ":")):
        _READERS[word[1]](said, Statement(word[2] or "", statement.line, statement.block))
    elif match := _IN_SPACE.fullmatch(statement.joined):
        shape = match["shape"] or match["one"] or "number"
        _inputs(said, match["names"], f"{shape} {match['domain']}", statement.line)
    elif match := _INPUT.fullmatch(statement.joined):
        _inputs(said, match["names"], match["rest"], statement.line)
    elif split_formula(statement.joined):
        said.formulas.append(statement)
    else:
        raise LineError(unknown(statement.text))


def _inputs(said: Said, names: str, rest: str, line: int) -> None:
    parts = [[each.strip() for each in part.partition(" as ")] for part in _split(names)]
    for plain, _, _ in parts:
        if " " in plain:
            near = get_close_matches(plain.split()[0], KEYWORDS, 1)
            raise LineError(unknown(plain) if near else f"{plain!r} is no name of an input")
    shape, domain_text = _shape(said, parts[0][0], rest)
    domain = read_domain(domain_text)
    for plain, _, symbol in parts:
        name, own = plain_name(plain)
        if name in said.inputs:
            raise LineError(
                f"`{name}` is an input twice, here and in line {said.inputs[name].line}: rename "
                "one, or delete a line"
            )
        if name in UPSTREAM:
            raise LineError(f"`{name}` always names the upstream: choose another name")
        if len(said.inputs) == _MOST_INPUTS:
            raise LineError(f"a checker has at most {_MOST_INPUTS} inputs")
        must_fit(name, shape, domain)
        said.inputs[name] = Input(name, shape, domain, line)
        if written := symbol or own:
            said.symbols[name] = written


def _shape(said: Said, name: str, rest: str) -> tuple[tuple[Size, ...], str]:
    """The shape and the words behind it; the card's table has the shape of what gives none."""
    try:
        return read_shape(rest)
    except LineError:
        axes = shape_in_table(said, name)
        if axes is None:
            raise
        read_domain(rest)
        return read_shape(f"{axes} {rest}")


def _size(said: Said, statement: Statement) -> None:
    for part in re.split(r"[;,]", statement.joined):
        if not part.strip():
            continue
        rule = read_rule(part.strip(), statement.line)
        if before := said.rules.get(rule.letter):
            raise LineError(
                f"the size {rule.letter} is given here and in line {before.line}: delete one"
            )
        said.rules[rule.letter] = rule


def _ask(said: Said, statement: Statement) -> None:
    match = _ASK.fullmatch(statement.joined)
    if match is None:
        raise LineError("say what is asked: `ask dx: backward message`")
    text, within, unit, choose = asked_options(match[1])
    names = [name.strip() for name in text.split(",")]
    if match[2] and len(names) > 1:
        raise LineError("a label belongs to one name: write a line `ask` for each")
    for name in names:
        if not name.isidentifier():
            raise LineError(
                f"{name or 'nothing'} cannot be asked: write one name, and its label behind a "
                "colon, `ask dx: backward message`"
            )
        if before := said.asks.get(name):
            raise LineError(f"`{name}` is asked twice, here and in line {before.line}: delete one")
        label = (match[2] or "").strip()
        said.asks[name] = Ask(name, label, statement.line, within, unit, choose)


def _show(said: Said, statement: Statement) -> None:
    _only_once(said, "show", statement)
    names = [name.strip() for name in statement.joined.split(",")]
    if not all(names):
        raise LineError("say whose numbers the question shows: `show x, W`")
    said.shown = tuple(plain_name(name)[0] for name in names)


def _optimum(said: Said, statement: Statement) -> None:
    _only_once(said, "optimum", statement)
    match = _OPTIMUM.fullmatch(statement.joined)
    if match is None:
        raise LineError(
            "say what minimises what: `optimum w: L`, `optimum w: L maximum`, or `optimum w: L "
            "unique` where only one does"
        )
    names = tuple(plain_name(name)[0] for name in match[1].split(","))
    words = match[3].replace(",", " ").split()
    said.optimum = Sought(
        names, plain_name(match[2])[0], "maximum" in words, "unique" in words, statement.line
    )


def _out(said: Said, statement: Statement) -> None:
    _only_once(said, "out", statement)
    said.outputs = tuple(plain_name(name)[0] for name in statement.joined.split(","))


def _symbol(said: Said, statement: Statement) -> None:
    name, colon, symbol = statement.joined.partition(":")
    if not colon or not symbol.strip():
        raise LineError("write a name and how the card writes it: `symbol x_hat: x̂`")
    said.symbols[plain_name(name)[0]] = symbol.strip()


def _need(said: Said, statement: Statement) -> None:
    text = _sentence(statement, "need sum_n [u_n < 0] > 0")
    said.needs.append(Condition(text, statement.line))


def _assume(said: Said, statement: Statement) -> None:
    said.assume.append(_sentence(statement, "assume ε > 0"))


def _hint(said: Said, statement: Statement) -> None:
    said.hints.append(_sentence(statement, "hint Which rows does x reach?"))


def _ties(said: Said, statement: Statement) -> None:
    _only_once(said, "ties", statement)
    if statement.joined.lower() not in ("yes", "no"):
        raise LineError("write `ties yes` where the card is about ties, or `ties no`")
    said.ties = statement.joined.lower() == "yes"


def _seconds(said: Said, statement: Statement) -> None:
    _only_once(said, "seconds", statement)
    try:
        said.seconds = float(statement.joined)
    except ValueError:
        said.seconds = None
    if said.seconds is None or not 0 < said.seconds <= MAX_SECONDS:
        said.seconds = None
        raise LineError(f"write a number of seconds, at most {MAX_SECONDS}: `seconds 5`")


def _index(said: Said, statement: Statement) -> None:
    _only_once(said, "index", statement)
    if statement.joined not in ("from 0", "from 1"):
        raise LineError("write `index from 1` where the card counts from 1")
    said.first_index = int(statement.joined[-1])


def _claim(kind: str) -> "Reader":
    return lambda said, statement: said.claims.append((kind, statement))


def _variant(said: Said, statement: Statement) -> None:
    said.variants.append(statement)


Reader = Callable[[Said, Statement], None]

_READERS: dict[str, Reader] = {
    "size": _size,
    "out": _out,
    "optimum": _optimum,
    "show": _show,
    "ask": _ask,
    "right": _claim("right"),
    "wrong": _claim("wrong"),
    "also": _claim("also"),
    "variant": _variant,
    "need": _need,
    "assume": _assume,
    "hint": _hint,
    "ties": _ties,
    "seconds": _seconds,
    "index": _index,
    "symbol": _symbol,
}


def _only_once(said: Said, what: str, statement: Statement) -> None:
    before = said.once.setdefault(what, statement.line)
    if before != statement.line:
        raise LineError(f"`{what}` is in line {before} already: delete one")


def _sentence(statement: Statement, example: str) -> str:
    if not statement.joined:
        raise LineError(f"nothing is written behind it: `{example}`")
    return statement.joined


def _split(names: str) -> list[str]:
    """Names at commas, those within brackets left alone."""
    parts, depth = [""], 0
    for sign in names:
        depth += (sign in "({") - (sign in ")}")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
