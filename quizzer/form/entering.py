"""One line typed into a sheet: a missing line, or one that mends a slip.

Any right line is right, however it is written: it is judged as a line of a derivation.
"""

from collections.abc import Collection

from msgspec import Struct

from quizzer.form.problems import Problems
from quizzer.form.sheet import Sheet, key_of, unbracketed
from quizzer.form.side import sides
from quizzer.judge.derivation import Mark
from quizzer.values import Verdict


class Entered(Struct, frozen=True):
    """What is said of a typed line. An invalid one is no try."""

    verdict: Verdict
    message: str = ""
    code: str = ""


def entered(
    sheet: Sheet, place: int, typed: str, problems: Problems, hidden: Collection[int] = ()
) -> Entered:
    """The verdict on a line typed in this place; the lines in `hidden` are not on the screen.

    Raises what `derive` raises.
    """
    if refused := _refused(sheet, place, typed, hidden):
        return Entered(Verdict.INVALID, refused)
    whole = _whole(sheet, place, typed)
    text = sheet.with_line(place, whole)
    found = [each for each in problems.judged(text, explain=True).lines if each.line == place + 1]
    wrong = next((each for each in found if each.mark in (Mark.WRONG, Mark.FOLLOWS)), None)
    if wrong is not None:
        code = wrong.diagnosis.code if wrong.diagnosis else ""
        return Entered(Verdict.WRONG, wrong.diagnosis.message if wrong.diagnosis else "", code)
    unread = next((each for each in found if each.mark is Mark.UNREAD), None)
    if unread is not None or not any(each.mark in (Mark.RIGHT, Mark.AGAIN) for each in found):
        why = unread.message.partition(": ")[2] if unread else "This line claims nothing."
        return Entered(Verdict.INVALID, why)
    if not _is_about(sheet, place, whole, problems):
        return Entered(
            Verdict.INVALID, f"This line is right, but it is not about {_left(sheet, place)}."
        )
    return Entered(Verdict.CORRECT, "Right.")


def _refused(sheet: Sheet, place: int, typed: str, hidden: Collection[int]) -> str | None:
    """Why a line is not judged at all."""
    if not typed.strip():
        return "Nothing was typed."
    if len([line for line in typed.splitlines() if line.strip()]) > 1:
        return "Type one line only."
    right = key_of(sides(typed)[-1])
    line = sheet.lines[place]
    if unbracketed(sides(typed)[-1]) == unbracketed(line.left):
        return "Both sides are the same."
    others = [line for at, line in enumerate(sheet.lines) if at != place and at not in hidden]
    if any(
        right == key_of(each.right) and key_of(each.left) == key_of(line.left) for each in others
    ):
        return "That is one of the other lines."
    return None


def _whole(sheet: Sheet, place: int, typed: str) -> str:
    """The line with a left side."""
    line = " ".join(typed.split())
    first, *rest = sides(line)
    if not rest:
        return f"{sheet.lines[place].left} = {line}"
    return line if first else f"{sheet.lines[place].left} {line}"


def _is_about(sheet: Sheet, place: int, whole: str, problems: Problems) -> bool:
    """Whether a line with a left side of its own is about the same as the one in its place."""
    if key_of(sides(whole)[0]) == key_of(sheet.lines[place].left):
        return True
    derived = problems.derived(f"{sheet.text}\n{whole}")[0]
    subjects = [
        {(claim.kind, claim.left) for claim in derived.claims if claim.line == at}
        for at in (place + 1, len(sheet.lines) + 1)
    ]
    return subjects[0] == subjects[1] and all(subjects)


def _left(sheet: Sheet, place: int) -> str:
    from quizzer import tex

    line = sheet.lines[place]
    return tex.inline(line.left) if line.is_latex else line.left
