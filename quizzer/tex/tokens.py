"""LaTeX source cut into tokens: commands, single characters with their marks, runs of space."""

import re
import unicodedata
from collections.abc import Iterable

from msgspec import Struct

from quizzer.text import clean

_TOKEN = re.compile(r"%[^\n]*(?:\n\s*)?|\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_STARRED = frozenset(
    {r"\operatorname*", r"\newcommand*", r"\renewcommand*", r"\providecommand*"}
    | {r"\DeclareMathOperator*", r"\hspace*", r"\vspace*", r"\tag*"}
)


class Token(Struct, frozen=True):
    """One unit of source. A run of white space is one blank; `at` is its offset in the source."""

    text: str
    at: int

    @property
    def is_command(self) -> bool:
        return len(self.text) > 1 and self.text[0] == "\\"


def tokenise(latex: str) -> list[Token]:
    """The tokens of a source without its comments; control characters become visible."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(clean(latex)):
        text, at = match.group(), match.start()
        if text[0] == "%":
            continue
        if text[-1] == "*" and len(text) > 2 and text not in _STARRED:
            tokens += [Token(text[:-1], at), Token("*", match.end() - 1)]
        elif text.isspace():
            tokens.append(Token(" ", at))
        elif tokens and unicodedata.combining(text[0]) and not tokens[-1].is_command:
            tokens[-1] = Token(tokens[-1].text + text, tokens[-1].at)
        elif text[0] == "\\" and len(text) == 2 and text[1].isspace():
            tokens.append(Token("\\ ", at))
        else:
            tokens.append(Token(text, at))
    return tokens


def source(tokens: Iterable[Token]) -> str:
    """The tokens as text again."""
    parts: list[str] = []
    for token in tokens:
        if parts and token.text[:1].isalpha() and parts[-1][:1] == "\\" and parts[-1][-1].isalpha():
            parts.append(" ")
        parts.append(token.text)
    return "".join(parts)
