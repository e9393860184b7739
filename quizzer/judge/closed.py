"""Which derivatives the lines of a derivation work out, and which a line still needs."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine
    from quizzer.notation import Context

_NAME = r"([^\W\d_]+(?:_(?:hat|bar|tilde))?)"
_DERIVATIVE = re.compile(rf"[∂d]\s*{_NAME}[^/∂=]*?/\s*\(?\s*[∂d]\s*{_NAME}")
_WHOLE = re.compile(rf"[\s(]*{_DERIVATIVE.pattern}[\w{{}}\s,)]*")
_RIGHT = ("right", "right-again", "defines")


def given(context: "Context") -> frozenset[str]:
    """The derivatives that nobody has to work out: the upstreams, `∂L/∂y`."""
    return frozenset(f"∂L/∂{name.removeprefix('d')}" for name in context.upstreams)


def worked_out(lines: "Sequence[JudgedLine]", text: str, known: Collection[str]) -> Iterator[str]:
    """The derivatives that right lines give, in order, each with nothing in it that is not known
    and that no line above gives.

    A line that says the same as the one before gives nothing. A name for a derivative, `A = ∂L/∂P`,
    is about that derivative; other names are given as they are.
    """
    found = set(known)
    pending: set[str] = set()
    names: dict[str, str] = {}
    before = ("", "")
    for each in lines:
        same, before = before == (each.left, each.reading), (each.left, each.reading)
        if each.mark not in _RIGHT:
            continue
        written = right_side(text, each.line)
        if whole := _WHOLE.fullmatch(written):
            names[each.left] = f"∂{whole[1]}/∂{whole[2]}"
        subject = names.get(each.left, each.left)
        if same or not is_closed(written, found, pending):
            if each.mark == "defines":
                pending.add(each.left)
            continue
        pending.discard(each.left)
        found.add(subject)
        yield subject


def is_closed(written: str, found: Collection[str], pending: Collection[str] = ()) -> bool:
    """Whether a right side has only derivatives that were found, and no name that waits for one."""
    if not set(derivatives(written)) <= set(found):
        return False
    return not any(
        re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", written) for name in pending
    )


def right_side(text: str, line: int) -> str:
    """The right side of a line as plain text."""
    from quizzer.notation.translate import translate

    return translate(text.split("\n")[line - 1]).text.rpartition("=")[2].strip()


def derivatives(written: str) -> Iterator[str]:
    """The derivatives in a text, without their indices: `∂L/∂x`."""
    for match in _DERIVATIVE.finditer(written):
        yield f"∂{match[1]}/∂{match[2]}"
