"""A first draft of a declared checker for a card that has none: what the card says, set out line by
line, and a place to fill in for each thing that it does not say.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from quizzer.card.equations import equations
from quizzer.card.formulation import Equation, Formulation
from quizzer.card.unfilled import place
from quizzer.checker.declared.card_lines import CardLines, Offered, card_lines
from quizzer.checker.declared.from_card import names_used
from quizzer.checker.declared.functions import apart
from quizzer.checker.declared.guessing import Guess, Sides, guessed
from quizzer.checker.declared.order import used
from quizzer.checker.declared.statements import Statement
from quizzer.checker.left_sides import derivative_named
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import FaultError
from quizzer.text import one_line

_BRACKETED = re.compile(r"\\\[(.+?)\\\]", re.DOTALL)
_WRITTEN = re.compile(
    r"(?:^|[,;:.?]|\s)[ \t]*((?:[^\W\d_]|[∂∇])[^\s=,;:?]{0,20})[ \t]*=[ \t]*", re.MULTILINE
)
_PART = re.compile(r"^\s*(?:[-*]\s+)?\(?([a-e1-5])\)", re.MULTILINE)
_PLAIN = re.compile(r"\s*[^\W\d_]+(?:_(?:\{[^{}]*\}|\w+))?(?:\([^()]*\))?\s*")
_DERIVATIVE = re.compile(
    r"[∂d]\s*\w+'?[^/=]{0,12}/[^=]{0,4}[∂d]\s*\w+|∇\s*_\s*(?:\{[^{}]*\}|\w)\s*\w*"
)
_SHOWN = 60


class Asked(Struct, frozen=True):
    """A name that the card asks for, or a left side of its Short Answer that is no derivative."""

    name: str
    line: int
    label: str = ""
    is_open: bool = False


class DraftLine(Struct, frozen=True):
    """A line of a draft; `others` say the same in other ways."""

    text: str
    others: tuple[str, ...] = ()


def draft_of(card: Formulation, question: str, first: int, answer: str = "") -> list[DraftLine]:
    """The lines of a first draft; `question` is the text that begins in line `first`, `answer` the
    Short Answer's."""
    shown = {each.line for each in card.displayed}
    card, written = _with_prose(card, question, first, answer)
    offered = card_lines(card)
    asked = list(_asked(card, offered)) or list(_in_question(question, first, offered))
    outputs = _outputs(offered, asked)
    formulas = _needed(offered, outputs)
    inputs, guesses = _inputs(card, offered, formulas, question)
    if not asked and re.search(r"\bbackward\b", question, re.IGNORECASE):
        asked = [Asked(f"d{each.name}", first) for each in guesses if each.shape]
    before = [*inputs, *(each.text for each in guesses)]
    before += ["index from 1"] if card.first_index else []
    before += _unread(offered, formulas, shown, first)
    after = [f"out {', '.join(outputs)}"] if len(outputs) > 1 else []
    after += _ask_lines(asked, question, first)
    after += _rights(written, {each.name for each in asked}, offered)
    return [
        *map(DraftLine, before),
        *(DraftLine(each.text, each.others) for each in formulas),
        *map(DraftLine, after),
    ]


def _inputs(
    card: Formulation, offered: CardLines, formulas: list[Offered], question: str
) -> tuple[list[str], list[Guess]]:
    """The rows of the table that the formulas use; without a table, what their names may be."""
    used_rows = names_used([each.text for each in formulas], offered.inputs, offered)
    rows = [each.text for name, each in offered.inputs.items() if name in used_rows]
    if card.typed:
        return rows, []
    values, functions, _ = apart([Statement(each.text, each.line) for each in formulas])
    given = {each.name for each in formulas} | {function.name for function in functions}
    sides = [_sides(each.joined) for each in values]
    sides += [_sides(each.text, is_function=True) for each in functions]
    latex = "\n".join([question, *(each.text for each in formulas)])
    return rows, [g for g in guessed(sides, given, question, latex) if g.name not in given]


def _unread(
    offered: CardLines, formulas: list[Offered], shown: set[int], first: int
) -> Iterator[str]:
    """Places for the displayed formulas that are not read, or not all of them."""
    read = {each.line for each in formulas}
    unread = {line: text for line, text in reversed(offered.unread) if line in shown}
    for line, text in sorted(unread.items()):
        what = f"the formula of line {line}"
        what = f"what else {what} says" if line in read else what
        yield place(f"{what}, {one_line(text, _SHOWN)}")
    if not formulas and not unread:
        yield place(f"the forward message, y = …; the question in line {first} has none")


def _rights(written: list[Equation], asked: set[str], offered: CardLines) -> Iterator[str]:
    """The Short Answer's formulas that are written as plain text: no other reader finds them."""
    for each in written:
        name = _derivative(each.left, offered)
        for link in each.links if name in asked else ():
            yield f"right {name}: {each.left} = {link}"


def _ask_lines(asked: list[Asked], question: str, first: int) -> Iterator[str]:
    if not asked:
        yield place(f"what the question in line {first} asks for, such as ask dx")
    for each in asked:
        if each.is_open:
            shown = one_line(each.name, _SHOWN)
            yield place(
                f"how {shown} of line {each.line} is judged: a formula that gives it, and an ask"
            )
        else:
            yield f"ask {each.name}: {each.label}".rstrip(" :")
    parts = dict.fromkeys(_PART.findall(question))
    if len(parts) > len(asked) > 0:
        yield place(f"the question has {len(parts)} parts, and here are {len(asked)}")


def _asked(card: Formulation, offered: CardLines) -> Iterator[Asked]:
    """What the question asks in brackets, else the left sides of the Short Answer."""
    if offered.asks:
        for ask in offered.asks:
            yield Asked(ask.name, ask.line, ask.text.partition(":")[2].strip())
        return
    seen: set[str] = set()
    helpers = {name for each in card.answer for name in _words(" ".join(each.links))}
    for each in card.answer:
        name = _derivative(each.left, offered)
        if name is None and _PLAIN.fullmatch(_plain(each.left)) and _words(each.left) & helpers:
            continue  # a definition that the answer uses
        found = Asked(name or each.left, each.line, is_open=name is None)
        if found.name not in seen:
            seen.add(found.name)
            yield found


def _in_question(question: str, first: int, offered: CardLines) -> Iterator[Asked]:
    """The derivatives that the question writes, but for those of its own formulas."""
    seen: set[str] = set()
    for number, line in enumerate(question.split("\n"), first):
        plain = _plain(line.replace("$", " ").replace("\\[", " ").replace("\\]", " "))
        for match in _DERIVATIVE.finditer(plain):
            name = _derivative(match[0], offered)
            of = (name or "").rpartition("d")[2]
            if name and name not in seen and of not in offered.formulas:
                seen.add(name)
                yield Asked(name, number)


def _derivative(latex: str, offered: CardLines) -> str | None:
    """The asked name of `∂L/∂x`, `∇_x L` or `J'(w)`; None where it is no derivative."""
    tops = offered.formulas.keys()
    name = derivative_named(latex, tops, offered.symbols, next(iter(offered.outputs), ""))
    if name is None:
        return None
    top, _, _ = name.removeprefix("d").partition("_d")
    is_message = name.count("_d") == 0
    return name if is_message or top in tops or name in offered.axes else None


def _outputs(offered: CardLines, asked: list[Asked]) -> tuple[str, ...]:
    tops = [
        name
        for name in offered.formulas
        for each in asked
        if each.name.startswith(f"d{name}_d") and not each.is_open
    ]
    return tuple(dict.fromkeys(tops)) or offered.outputs


def _needed(offered: CardLines, outputs: Iterable[str]) -> list[Offered]:
    """The formulas that give the outputs and those that they use, and what the table defines."""
    symbols, formulas = offered.symbols, offered.formulas
    pending = [*outputs, *(name for name in formulas if name in offered.axes)]
    needed: set[str] = set()
    while pending:
        name = pending.pop()
        if name in formulas and name not in needed:
            needed.add(name)
            right = formulas[name].text.partition("=")[2]
            pending += used(right, formulas, symbols)
            pending += [other for other in formulas if re.search(rf"\\?{other}\b", right)]
    return [each for name, each in formulas.items() if name in needed]


def _with_prose(
    card: Formulation, question: str, first: int, answer: str
) -> tuple[Formulation, list[Equation]]:
    """With the equations between `\\[` and `\\]`, and those that are plain text where nothing is
    displayed; and those of the Short Answer that were added."""
    extra = list(_bracketed(question, first))
    if not extra and not card.displayed:
        extra += _plain_equations(question, first)
    answers = list(_bracketed(answer, card.answer_line or first))
    if not answers and not card.answer:
        answers += _plain_equations(answer, card.answer_line or first)
    shown = [replace(each, is_displayed=True) for each in card.question]
    question_all = (*shown, *(each for each in extra if not _derives(each)))
    return replace(card, question=question_all, answer=(*card.answer, *answers)), answers


def _derives(equation: Equation) -> bool:
    return re.search(r"∂|∇", _plain(f"{equation.left} {equation.links[0]}")) is not None


def _bracketed(text: str, first: int) -> Iterator[Equation]:
    for match in _BRACKETED.finditer(text):
        line = first + text[: match.start()].count("\n")
        yield from equations(f"$$ {match[1].strip()} $$", line)


def _plain_equations(text: str, first: int) -> Iterator[Equation]:
    """Equations in plain text: `y_i = max(-1, min(1, x_i))`."""
    without = re.sub(r"\$[^$]*\$", " ", text)
    for match in _WRITTEN.finditer(without):
        right = _until_comma(without[match.end() :])
        if right and not set(right) <= set("?. "):
            line = first + without[: match.start(1)].count("\n")
            yield Equation(match[1], (right,), line, is_displayed=True)


def _until_comma(text: str) -> str:
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        ends = sign in ",;?" or text.startswith("  ", at)
        if sign == "\n" or depth < 0 or (ends and depth == 0):
            return text[:at].strip(" .")
    return text.strip(" .")


def _sides(text: str, is_function: bool = False) -> Sides:
    left, _, right = text.partition("=")
    found = re.search(r"\(([^()]*)\)", left) if is_function else None
    parameters = tuple(_plain(each).strip() for each in found[1].split(",")) if found else ()
    return Sides("" if is_function else left.strip(), right.strip(), parameters)


def _words(latex: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", _plain(latex)))


def _plain(latex: str) -> str:
    try:
        return translate(latex).text
    except FaultError:
        return latex
