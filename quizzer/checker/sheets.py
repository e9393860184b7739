"""Whether what a card's process says of its card fits together. No NumPy here.

That process runs a stranger's code, which may have written the frame itself.
"""

from collections.abc import Mapping, Sequence

from quizzer.checker.sheet import Described, Sheet

MOST_NAMES = 300
MOST_SENTENCES = 200
_LONGEST_NAME = 100
_LONGEST_AXIS = 1 << 26

_Shapes = Mapping[str, tuple[int, ...]]


def sheet_is_sound(sheet: Sheet) -> bool:
    """Whether its names can be names, and are no more than anybody could answer."""
    named = (sheet.asked, sheet.variables, sheet.outputs, sheet.sizes, sheet.symmetric)
    names = [name for group in (*named, sheet.symbols) for name in group]
    return (
        len(sheet.asked) > 0
        and len(names) <= MOST_NAMES
        and all(name.isidentifier() and len(name) <= _LONGEST_NAME for name in names)
        and all(
            symbol.strip() and len(symbol) <= _LONGEST_NAME for symbol in sheet.symbols.values()
        )
        and all(axis >= 0 for _, axis in sheet.sizes.values())
        and len(set(sheet.variables)) + len(set(sheet.outputs))
        == len(sheet.variables) + len(sheet.outputs)
        and sheet.first_index in (0, 1)
        and sheet.right.keys() <= sheet.asked.keys()
        and sum(map(len, sheet.right.values())) <= MOST_SENTENCES
        and len(sheet.hints) <= MOST_SENTENCES
    )


def description_is_sound(described: Described) -> bool:
    """Whether every example has the same names with as many axes, and the sheet speaks of them."""
    sheet, shapes = described.sheet, described.shapes
    return (
        sheet_is_sound(sheet)
        and 0 < len(shapes) == len(described.asked) <= MOST_NAMES
        and _are_alike(shapes)
        and _are_alike(described.asked)
        and described.asked[0].keys() == sheet.asked.keys()
        and {*sheet.variables, *sheet.outputs, *described.numbers} <= shapes[0].keys()
        and all(
            array in shapes[0] and axis < len(shapes[0][array])
            for array, axis in sheet.sizes.values()
        )
    )


def _are_alike(examples: Sequence[_Shapes]) -> bool:
    forms = [{name: len(lengths) for name, lengths in shapes.items()} for shapes in examples]
    return (
        all(form == forms[0] for form in forms)
        and len(forms[0]) <= MOST_NAMES
        and all(name.isidentifier() and len(name) <= _LONGEST_NAME for name in forms[0])
        and all(
            0 <= length <= _LONGEST_AXIS
            for shapes in examples
            for lengths in shapes.values()
            for length in lengths
        )
    )
