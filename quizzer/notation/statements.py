"""Which line of a text is the answer, and what the lines around it define for it."""

import dataclasses
import re
from collections.abc import Callable

from msgspec.structs import replace

from quizzer.notation.grammar.decorated import is_decorated
from quizzer.notation.grammar.definitions import put_in
from quizzer.notation.grammar.elements import gathered
from quizzer.notation.grammar.left import (
    LOSSES,
    Left,
    asked_too,
    is_asked,
    parse_left,
)
from quizzer.notation.grammar.lines import Line, check_no_shape, lines_of, mentions
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.signs import ACCENTS
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.lexer.translate import translate
from quizzer.notation.steps import LineReader, Step, index_line, index_of
from quizzer.notation.values import FaultError

AxesOf = Callable[[list[Step], Names], int | None]
"""How many axes the value of the last of these steps has."""

_ACCENTS = frozenset(accent.lstrip("_") for accent in ACCENTS.values() if accent)
_NEW_NAME = re.compile(rf"{WORD}(?:_\{{[^{{}}]*\}})?(?:\s*\([^()=]*\))?")


def steps_of(text: str, names: Names, reader: LineReader, axes_of: AxesOf) -> tuple[Step, ...]:
    """The lines up to the answer, each read with the names that the lines before define."""
    lines = put_in(lines_of(names.with_phrases(translate(text))), names)
    if not lines:
        raise FaultError("No formula is written here.", None, "unfinished")
    for line in lines:
        check_no_shape(line, lambda word: names.find(word) in names.context.numbers)
    lines, lefts = _with_lefts(lines, names, indexed=reader is index_line)
    lines, lefts = gathered(lines, lefts, names)
    lines, lefts = _with_letters(lines, lefts, names)
    answer = _answer(lines, lefts, names)
    named = _is_answer(lefts[answer], names)
    lefts[answer] = _as_asked(lefts[answer], names)
    _check_heading(lefts[answer], names)
    steps: list[Step] = []
    order = _in_order(lines, lefts, answer, names)
    names.said += [
        line.whole()
        for index, line in enumerate(lines)
        if index not in order and lefts[index] is not None
    ]
    for index in order:
        line, left = lines[index], lefts[index]
        if index == answer:
            step = _last_of_chain(line, left, names, reader)
            steps.append(dataclasses.replace(step, name=names.context.asked, helper=False))
        elif left is not None:
            needed = not named or _is_used(index, lines, lefts, names)
            try:
                _define(reader(line, left, names), steps, names, reader, axes_of)
            except FaultError:
                # It stands behind the answer, or says what the answer does not need.
                if needed and index < answer and not line.leads:
                    raise
                names.said.append(line.whole())
        elif not line.leads:
            raise FaultError("A helper line needs its name: s = …", line.right.at(0), "left-side")
    for line, left in zip(lines[answer + 1 :], lefts[answer + 1 :], strict=True):
        if left is None and _is_formula(line, lefts[answer], names, reader):
            raise FaultError(
                "Does this line go on from the one before? Join them, or leave it out.",
                line.right.at(0),
                "ambiguous",
            )
    return tuple(step for step in steps if not step.helper or _is_needed(step, steps, names))


def _is_needed(step: Step, steps: list[Step], names: Names) -> bool:
    """Whether the helper line has to be computed: its entries may have been put in already."""
    return step.name not in names.entries or any(step.name in other.used for other in steps)


def _with_letters(
    lines: list[Line], lefts: list[Left | None], names: Names
) -> tuple[list[Line], list[Left | None]]:
    """The lines without those that say what a letter of the others is, `k = ⌊i/2⌋`."""
    answer = next((left for left in lefts[::-1] if _is_answer(left, names)), None)
    if answer is None or not answer.letters:
        return lines, lefts
    kept = []
    for index, (line, left) in enumerate(zip(lines, lefts, strict=True)):
        letter = left.name if left and not left.letters and len(left.name) == 1 else ""
        known = letter in answer.letters or names.find(letter) is not None
        node = None if known or not letter.isalpha() else index_of(line, answer.letters, names)
        if node is None:
            kept.append(index)
            if letter.isalpha() and not known:
                names.places[letter] = line.right.text.strip()
        else:
            names.letters[letter] = node
    return [lines[index] for index in kept], [lefts[index] for index in kept]


def _with_lefts(
    lines: list[Line], names: Names, indexed: bool
) -> tuple[list[Line], list[Left | None]]:
    """The lines with their left sides, without those that only say something.

    These are a line behind the answer or before a ⇒, and an equation such as `X^T X w = X^T y`
    that defines no name, where another line is the answer by its name.
    """
    found: list[Line] = []
    lefts: list[Left | None] = []
    faults: list[tuple[Line, FaultError]] = []
    for line in lines:
        try:
            left = _left(line, names, indexed)
        except FaultError as fault:
            if not line.leads and not any(left and is_asked(left, names) for left in lefts):
                faults.append((line, fault))
            names.said.append(line.whole())
            continue
        found.append(line)
        lefts.append(left)
    named = any(_is_answer(left, names) for left in lefts)
    for line, why in faults:
        if not named or not _only_says(line, lines):
            raise why
    return found, lefts


def _only_says(line: Line, lines: list[Line]) -> bool:
    """Whether a line with a left side that is no name cannot define what another line uses."""
    assert line.left is not None
    said = _compact(line.left.text)
    others = (other for other in lines if other is not line and not _is_slope(other))
    used = any(said in _compact(other.right.text) for other in others)
    return not used and not is_decorated(line.left.text)


def _is_slope(line: Line) -> bool:
    """Whether the line says what a derivative is, or sets it to 0: nothing is computed from it."""
    return line.left is not None and line.left.text.lstrip(" (").startswith(("∂", "∇"))


def _compact(text: str) -> str:
    return "".join(sign for sign in text if sign not in "{}" and not sign.isspace())


def _left(line: Line, names: Names, indexed: bool) -> Left | None:
    if line.left is None:
        return None
    left = parse_left(line.left, names, indexed)
    if left.letters and not indexed:
        raise FaultError("Indices on the left belong to index notation.", left.at, "indices")
    return left


def _answer(lines: list[Line], lefts: list[Left | None], names: Names) -> int:
    """Which line is the answer: the last that is named as asked; else the only one without a left
    side; else the one that no other line uses; else the last."""
    named = [index for index, left in enumerate(lefts) if left and is_asked(left, names)]
    named = [index for index in named if not getattr(lefts[index], "label", False)] or named
    named = named or [index for index, left in enumerate(lefts) if _is_answer(left, names)]
    if named:
        return named[-1]
    bare = [index for index, left in enumerate(lefts) if left is None]
    if len(bare) == 1 and bare[0] < len(lefts) - 1:
        return bare[0]
    unused = [index for index in range(len(lines)) if not _is_used(index, lines, lefts, names)]
    return unused[0] if len(unused) == 1 else len(lefts) - 1


def _is_answer(left: Left | None, names: Names) -> bool:
    """Whether the left side is the asked name, in whatever spelling."""
    asked = _as_asked(left, names)
    return asked is not None and is_asked(asked, names)


def _is_used(index: int, lines: list[Line], lefts: list[Left | None], names: Names) -> bool:
    """Whether another line names what this line defines."""
    left = lefts[index]
    others = (line for place, line in enumerate(lines) if place != index)
    return left is not None and any(_uses(other, left.name, names) for other in others)


def _uses(line: Line, name: str, names: Names) -> bool:
    """Whether the line names the array, in whatever spelling, or a row of it."""
    return any(mentions(line.right, spelled) for spelled in names.spellings_of(name))


def _as_asked(left: Left | None, names: Names) -> Left | None:
    """The left side of the answer, where it is the asked name in another spelling: `λ_k` where a
    new λ is asked, `δ_j` where the card's own δ is a number."""
    if left is None or is_asked(left, names):
        return left
    context = names.context
    axes = len(context.asked_shape or ())
    renewed = names.is_renewed(left.name) and left.name not in context.others
    upstream = left.name in context.upstreams and names.axes.get(left.name) == 0
    if renewed or (upstream and axes == len(left.letters) > 0):
        return replace(left, name=context.asked)
    return left


def _check_heading(left: Left | None, names: Names) -> None:
    context = names.context
    if left is None or is_asked(left, names):
        return
    other = asked_too(left, names)
    if other or left.name in context.shapes or _is_another(left, names):
        raise FaultError(
            f"This defines {other or left.name}, but {context.asked} is asked here.",
            left.at,
            "left-side",
        )


def _is_another(left: Left, names: Names) -> bool:
    """Whether it is the derivative with respect to something else of the card, or what is asked
    with an accent: ∂L/∂ẋ is not ∂L/∂x. A bar alone is adjoint notation, a hat an estimate."""
    top = re.fullmatch(r"d(\w+?)_d\w+", left.name)
    if top and not left.letters and top[1] not in LOSSES and names.axes.get(top[1]):
        return True
    (mark, name), (asked_mark, asked) = _target(left.name), _target(names.context.asked)
    base, accent = name.rpartition("_")[::2]
    if mark:
        known = asked_mark and name != asked and names.find(name) is not None
        return bool(known or (accent in _ACCENTS and names.spelled(base) == asked))
    return accent in ("dot", "tilde") and base in (asked, asked.rpartition("_")[0])


def _target(name: str) -> tuple[bool, str]:
    """Whether the name is a derivative's, and with respect to what: x of `dx` and of `dL_dx`."""
    found = re.fullmatch(r"d(?:\w+?_d)?(\w+)", name)
    return (True, found[1]) if found else (False, name)


def _in_order(lines: list[Line], lefts: list[Left | None], answer: int, names: Names) -> list[int]:
    """The lines before the answer, what lines behind it define for it, and the answer.

    A line that defines what only lines before it use stands in front of these.
    """
    found: list[int] = []
    for index in range(len(lines)):
        left = lefts[index]
        first = (
            None
            if left is None or index == answer
            else _first_use(index, found, lines, lefts, names)
        )
        if first is not None:
            found.insert(first, index)
        elif index <= answer:
            found.append(index)
    return found


def _first_use(
    index: int, found: list[int], lines: list[Line], lefts: list[Left | None], names: Names
) -> int | None:
    """The place of the first line that uses what a later one defines; None where another defines
    it before, or where the later one itself uses what stands between."""
    name = _name(lefts[index])
    first = next(
        (place for place, other in enumerate(found) if _uses(lines[other], name, names)), None
    )
    if first is None or any(_name(lefts[other]) == name for other in found):
        return None
    between = [_name(lefts[other]) for other in found[first:]]
    return None if any(_uses(lines[index], each, names) for each in between if each) else first


def _name(left: Left | None) -> str:
    return left.name if left else ""


def _define(
    step: Step, steps: list[Step], names: Names, reader: LineReader, axes_of: AxesOf
) -> None:
    """Adds a helper line, whose name later lines may use."""
    steps.append(dataclasses.replace(step, helper=True))
    axes = axes_of(steps, names) if reader is index_line and step.whole else step.axes
    names.define(step.name, axes, step.lengths)
    unknown = step.lengths is not None and not all(step.lengths)
    if reader is index_line and not step.whole and step.letters and unknown:
        names.entries[step.name] = (step.letters, step.node)


def _last_of_chain(line: Line, left: Left | None, names: Names, reader: LineReader) -> Step:
    """The last part of `a = b = c`; where that is only a new name for it, the part before."""
    try:
        return reader(line, left, names)
    except FaultError:
        if not line.before or not _NEW_NAME.fullmatch(line.right.text):
            raise
    return reader(replace(line, right=line.before[-1], before=line.before[:-1]), left, names)


def _is_formula(line: Line, answer: Left | None, names: Names, reader: LineReader) -> bool:
    """Whether the line can be read, with the answer's letters or others; a remark cannot."""
    faults = {_fault(line, left, names, reader) for left in (answer, None)}
    # A missing sum may be told before a word that is no name.
    return "unknown-name" not in faults and bool(faults & {None, "missing-sum", "letter-twice"})


def _fault(line: Line, left: Left | None, names: Names, reader: LineReader) -> str | None:
    """What kind of fault the line has; None where it can be read."""
    try:
        reader(line, left, names)
    except FaultError as fault:
        return fault.code
    return None
