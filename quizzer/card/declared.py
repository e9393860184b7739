"""The fence `checker` of a card: the text of a declared checker, which no learner is shown."""

import re

from msgspec.structs import replace

from quizzer.card.lines import Line, Text
from quizzer.card.values import CheckerFence

_OPENING = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*checker[ \t]*", re.IGNORECASE)


def checker_fences(text: Text) -> "tuple[Text, *tuple[CheckerFence, ...]]":
    """The text with blank lines in the place of its checker fences, and these fences."""
    lines: list[Line] = []
    fences: list[CheckerFence] = []
    held: list[str] | None = None
    for line in text.lines:
        begins = line.is_code and not line.goes_on
        if begins or not line.is_code:
            held = [] if begins and _OPENING.fullmatch(line.text) else None
            if held is not None:
                fences.append(CheckerFence("", line.number + 1))
        elif held is not None:
            held.append(line.text)
            # The last line closes the fence.
            fences[-1] = replace(fences[-1], text="\n".join(held[:-1]))
        lines.append(line if held is None else Line(line.number, ""))
    return Text(tuple(lines), text.first), *fences
