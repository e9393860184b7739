"""An array that is given in several lines, one for each place of an axis: `dx_{k0} = …`,
`dx_{k1} = …`."""

from msgspec.structs import replace

from quizzer.notation.grammar.left import Left, is_asked
from quizzer.notation.grammar.lines import Line
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.values import FaultError

_LETTERS = "cabdefghopqrsuvwxyz"


def gathered(
    lines: list[Line], lefts: list[Left | None], names: Names
) -> tuple[list[Line], list[Left | None]]:
    """The lines with one in place of those that give the places of the asked array.

    Raises FaultError where a place is missing, or stands there twice.
    """
    parts = [
        (index, left)
        for index, left in enumerate(lefts)
        if left and is_asked(left, names) and any(letter.isdigit() for letter in left.letters)
    ]
    if not parts:
        return lines, lefts
    last, shown = parts[-1]
    axis = _axis([left for _, left in parts], names)
    used = "".join(line.right.text for line in lines) + "".join(shown.letters)
    letter = next((each for each in _LETTERS if each not in used), None)
    if axis is None or letter is None:
        raise FaultError(
            f"Give the whole array at once: {names.context.asked} = (…, …).", shown.at, "left-side"
        )
    whole = lines[last].right[:0]
    for number, (index, left) in enumerate(parts, 1):
        right = lines[index].right
        before = (
            "(" if number == 1 else f" if {letter} == {_place(parts[number - 2][1], axis)} else ("
        )
        whole = _joined(_joined(whole, before, right), ")", right[len(right.text) :])
        del left
    letters = (*shown.letters[:axis], letter, *shown.letters[axis + 1 :])
    gone = {index for index, _ in parts[:-1]}
    lines = [
        replace(line, right=whole, before=()) if index == last else line
        for index, line in enumerate(lines)
        if index not in gone
    ]
    found = [
        replace(shown, letters=letters) if index == last else left
        for index, left in enumerate(lefts)
        if index not in gone
    ]
    return lines, found


def _axis(lefts: list[Left], names: Names) -> int | None:
    """The axis whose places the lines give, each once and all of them; None where they do not."""
    letters = lefts[0].letters
    fixed = [place for place, letter in enumerate(letters) if letter.isdigit()]
    lengths = names.lengths.get(names.context.asked, ())
    if len(fixed) != 1 or len(lengths) != len(letters):
        return None
    axis = fixed[0]
    others = {(*left.letters[:axis], *left.letters[axis + 1 :]) for left in lefts}
    places = sorted(_place(left, axis) for left in lefts if len(left.letters) == len(letters))
    first = names.context.first_index
    alike = len(others) == 1 and len(places) == len(lefts)
    whole = set(lengths[axis]) == {len(lefts)}
    return axis if alike and whole and places == list(range(first, first + len(lefts))) else None


def _place(left: Left, axis: int) -> int:
    return int(left.letters[axis]) if left.letters[axis].isdigit() else -1


def _joined(start: Plain, text: str, end: Plain) -> Plain:
    place = end.at(0) or start.at(len(start.text)) or 0
    return Plain(start.text + text + end.text, (*start.origin, *[place] * len(text), *end.origin))
