"""How names are spelled: Greek letters as words and as signs, symbols with braces or without."""

import difflib
import re

from quizzer.notation.lexer.signs import (
    FONTS,
    FRACTIONS,
    GREEK,
    GREEK_COMMANDS,
    OPERATORS,
    WORD_COMMANDS,
)

WORD = r"[^\W\d_](?:[^\W\d]|[0-9])*"

_SIGN_WORDS = {sign: word for word, sign in GREEK.items() if word not in ("eps", "lam")}
_GREEK_PART = re.compile(rf"(d?)({'|'.join([*GREEK, *_SIGN_WORDS])})([0-9]*)")


def variants(name: str) -> set[str]:
    """The name itself, and with Greek letters as words and as signs: `dmu_hat`, `dμ_hat`."""

    def sign(match: re.Match[str]) -> str:
        return match[1] + GREEK.get(match[2], match[2]) + match[3]

    def word(match: re.Match[str]) -> str:
        return match[1] + _SIGN_WORDS.get(match[2], match[2]) + match[3]

    found = {name}
    for spell in (sign, word):
        parts = []
        for part in name.split("_"):
            match = _GREEK_PART.fullmatch(part)
            parts.append(spell(match) if match else part)
        found.add("_".join(parts))
    joined = re.fullmatch(r"(\w+?)(hat|bar|tilde)", name)
    if joined and not joined[1].endswith("_"):
        found.add(f"{joined[1]}_{joined[2]}")
    return found


def phrase_for(spelling: str) -> re.Pattern[str]:
    """A pattern for a symbol of several signs; braces and spaces in it may be left out."""
    tokens = re.findall(rf"{WORD}|[0-9]+|\S", spelling)
    parts = [rf"{re.escape(token)}?" if token in "{}" else re.escape(token) for token in tokens]
    after = r"(?![0-9])" if tokens[-1][-1].isdigit() or tokens[-1] == "}" else ""
    return re.compile(r"(?<![^\W\d])" + r"\s*".join(parts) + after)


def nearest_command(name: str) -> str:
    """A sentence that proposes the nearest command, if one is near."""
    known = [*FRACTIONS, "top", "sqrt", *OPERATORS, *GREEK_COMMANDS, *WORD_COMMANDS, *FONTS]
    near = difflib.get_close_matches(name[:40], known, 1, 0.75)
    return f" Did you mean \\{near[0]}?" if near else ""
