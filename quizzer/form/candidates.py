"""The changes of a sheet's lines that may become slips, none of them certified."""

from collections import Counter
from collections.abc import Collection
from itertools import chain, zip_longest
from random import Random

from msgspec import Struct

from quizzer.form.changes import Change, changes
from quizzer.form.sheet import Sheet, unbracketed
from quizzer.form.side import names_in


class Candidate(Struct, frozen=True):
    """A change in a line, not certified yet."""

    place: int
    change: Change


def candidates_of(sheet: Sheet, rng: Random, prefer: Collection[str] = ()) -> list[Candidate]:
    """All changes of all lines that claim something: of each kind one in turn.

    A line that another one repeats would be found by comparing the two, so it has none. A minus in
    front of a whole line is the least that one can do to it, and comes last.
    """
    names = [name for line in sheet.lines for name in names_in(line.right)]
    said = Counter(unbracketed(line.right) for line in sheet.lines)
    groups: dict[str, list[Candidate]] = {}
    for place, line in enumerate(sheet.lines):
        if line.defines or said[unbracketed(line.right)] > 1:
            continue
        for change in changes(line.right, line.left, names):
            groups.setdefault(change.kind, []).append(Candidate(place, change))
    keys = [*groups]
    rng.shuffle(keys)
    for group in groups.values():
        rng.shuffle(group)
        group.sort(key=lambda each: each.change.right == f"-{sheet.lines[each.place].right}")
    in_turn = chain.from_iterable(zip_longest(*(groups[key] for key in keys)))
    found = [each for each in in_turn if each is not None]
    found.sort(key=lambda each: each.change.kind not in prefer)
    return found
