"""One-edit neighbours of a typed answer: if one of them is right, the mistake is where it differs.

The texts are made here and judged elsewhere like any answer. Pure.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

MOST = 150
_BESIDE = 8

_TOKEN = re.compile(
    r"(?P<name>[^\W\d]\w*)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>\*\*|[-+*/@⊙])|(?P<other>\S)"
)
_TRANSPOSED = re.compile(r"\s*(?:\.T\b|\^\s*\\top\b|\^\s*\{\\top\}|\^\s*T\b|ᵀ|⊤)")
_HEADED = re.compile(r"[^=\n]*(?<![=<>!])=(?!=)")
_OTHER_SIGNS = {"+": "-", "-": "+", "*": "@/", "@": "*", "/": "*", "⊙": ""}
_TRANSPOSES = {"numpy": ".T", "matrix": "^T"}


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed text, and what was changed where: the characters that stood at the place."""

    text: str
    start: int
    was: str

    def around(self, text: str) -> str:
        """What was changed in the text, with a little of what stands beside it."""
        end = self.start + len(self.was)
        before = text[max(0, self.start - _BESIDE) : self.start].rpartition("\n")[2]
        after = text[end : end + _BESIDE].partition("\n")[0]
        return f"“{self.was}” in “{(before + self.was + after).strip()}”"


def edits(text: str, axes: Mapping[str, int], notation: str) -> list[Edit]:
    """At most `MOST` neighbours; `axes` gives the known names with their numbers of axes."""
    return list(islice(_edits(text, axes, notation), MOST))


def _edits(text: str, axes: Mapping[str, int], notation: str) -> Iterator[Edit]:
    headed = _HEADED.match(text.rpartition("\n")[2])
    last = text.rfind("\n") + 1
    start = last + (headed.end() if headed and not text.lstrip().startswith("def") else 0)
    tokens = [match for match in _TOKEN.finditer(text) if match.start() >= start]
    letters = {m[0] for m in tokens if len(m[0]) == 1 and m["name"] and m[0] not in axes}
    for token in tokens:
        for new in _replacements(token, axes, letters if notation == "index" else set()):
            yield _replaced(text, token.start(), token.end(), new)
        if token["name"] and axes.get(token[0]) == 2 and notation in _TRANSPOSES:
            transposed = _TRANSPOSED.match(text, token.end())
            if transposed:
                yield _replaced(text, token.end(), transposed.end(), "")
            else:
                yield Edit(
                    text[: token.end()] + _TRANSPOSES[notation] + text[token.end() :],
                    token.start(),
                    token[0],
                )


def _replacements(token: re.Match[str], axes: Mapping[str, int], letters: set[str]) -> list[str]:
    word = token[0]
    if token["sign"]:
        return list(_OTHER_SIGNS.get(word, ""))
    if token["number"] and word.isdigit():
        return [str(number) for number in (int(word) - 1, int(word) + 1) if number >= 0]
    if word in letters:
        return sorted(letters - {word})
    if word in axes:
        return [name for name in axes if name != word and axes[name] == axes[word]]
    return []


def _replaced(text: str, start: int, end: int, new: str) -> Edit:
    return Edit(text[:start] + new + text[end:], start, text[start:end].strip())
