"""Which of thousands of rows may be added to a log without a closer look at each.

A row that is taken here is one in which `integrity.fault_of` finds nothing either. Where a page has
anything unusual, none of its rows is taken, and each is looked at alone.
"""

from collections.abc import Sequence

from quizzer.store.ids import milliseconds_of
from quizzer.store.integrity import END, END_MS, FIRST_MS, ID, LONGEST_BODY
from quizzer.store.pages import Rows, are_plain, as_written, usual


def addable(page: Rows) -> list[bool]:
    """Of each row whether it is known to be as it was written and without a fault."""
    sound = as_written(page)
    reviews = [row for row, is_sound in zip(page, sound, strict=True) if is_sound]
    reviews = [row for row in reviews if row[6] == "review"]
    if not reviews or not _are_faultless(reviews):
        return [False] * len(page)
    return [is_sound and row[6] == "review" for row, is_sound in zip(page, sound, strict=True)]


def _are_faultless(reviews: Rows) -> bool:
    texts = usual(reviews)
    if texts is None:
        return False
    columns = [*zip(*reviews, strict=True)]
    ids, _, afters, at_ms, _, days, _, _, bodies, _ = columns
    named = [after for after in afters if after]
    return (
        are_plain(columns)
        and all(map(ID.fullmatch, ids))
        and all(map(ID.fullmatch, named))
        and not any(map(str.__eq__, ids, afters))
        and min(days) >= 1
        and max(days) < END.toordinal()
        and min(at_ms) >= FIRST_MS
        and max(*at_ms, milliseconds_of(max(ids))) < END_MS
        and max(map(len, bodies)) <= LONGEST_BODY
        and _are_canonical(bodies, texts[3])
    )


def _are_canonical(bodies: Sequence[str], seconds: Sequence[str]) -> bool:
    """Whether bodies that are usual are as JSON writes them: no sign or number has two ways."""
    text = "".join(bodies)
    if not text.isascii() or not text.isprintable() or "\\" in text:
        return False
    return all(repr(float(told)) == told for told in {*seconds} if "." in told)
