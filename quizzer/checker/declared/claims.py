"""The answers that an author knows: `right`, `wrong` and `also`, each for one asked name."""

import re

from quizzer.checker.declared.statements import LineError, Statement
from quizzer.checker.declared.values import Claim

_NAMED = re.compile(r"(\w+)\s*(?::(?!=)\s*(.*))?", re.DOTALL)


def read_claim(kind: str, statement: Statement, possible: list[str]) -> Claim:
    """The claim of a line and the block below it; `possible` are the names that can be asked.

    Raises LineError.
    """
    lines, sentence = statement.body()
    if kind != "right" and not sentence:
        raise LineError(
            f"say behind ` -- ` what is {'wrong' if kind == 'wrong' else 'meant'}: "
            f"`{kind} dx = … -- The sum is missing.`"
        )
    if kind == "right" and sentence:
        raise LineError("a right answer has no sentence: take it away, or write `also`")
    first = lines[0][1] if lines and lines[0][0] == statement.line else ""
    name, rest = _claimed(first, possible)
    texts = [rest, *(text for line, text in lines if line != statement.line)]
    text = "\n".join(each for each in texts if each)
    if not text:
        raise LineError(f"write the answer: `{kind} {name} = …`, or lines below it, indented")
    return Claim(kind, name, text, statement.line, sentence)


def _claimed(first: str, possible: list[str]) -> tuple[str, str]:
    """The asked name that a claim is for, and what is left of its first line."""
    match = _NAMED.fullmatch(first)
    if match and match[1] in possible:
        return match[1], (match[2] or "").strip()
    named = [
        name
        for name in possible
        if first.startswith(name) and not re.match(r"_?[^\W_]{2}|[^\W_]", first[len(name) :])
    ] or [name for name in possible if re.match(rf"{re.escape(name)}_[^\W\d_]+\b", first)]
    if named:
        return max(named, key=len), first
    if len(possible) == 1 and not re.match(r"[^\W\d]\w*[^=]*=", first):
        return possible[0], first
    raise LineError(
        f"which answer is this? Begin with its name, `right {possible[0] if possible else 'dx'} = "
        f"…`; asked: {', '.join(possible[:6]) or 'nothing'}"
    )
