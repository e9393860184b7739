"""What stands in `\\text{...}`: words with their spaces, with mathematics between dollars."""

from quizzer.tex.letters import styled
from quizzer.tex.parser import Parser
from quizzer.tex.symbols import space_of, symbols
from quizzer.tex.tokens import Token
from quizzer.tex.tree import Leaf, Node

_INNER = frozenset(
    f"\\{name}"
    for name in [
        "text",
        "textrm",
        "textit",
        "textup",
        "textnormal",
        "textsf",
        "texttt",
        "textsc",
        "textbf",
        "emph",
        "mbox",
    ]
)
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "`": "‘", "'": "’"}


def prose(parser: Parser, alphabet: str | None) -> tuple[Node, ...]:
    """The nodes of the next group, read as text."""
    tokens = parser.stream.group() or []
    nodes: list[Node] = []
    words = ""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.text == "$" or token.text == r"\(":
            end = _end_of_math(tokens, place)
            nodes += [_leaf(words, alphabet)] if words else []
            nodes.append(parser.parsed(tokens[place:end]))
            words, place = "", end + 1
        else:
            words += _as_text(parser, token)
    return (*nodes, _leaf(words, alphabet)) if words else tuple(nodes)


def _as_text(parser: Parser, token: Token) -> str:
    if token.text in _INNER or token.text in {"{", "}"}:
        return ""
    if token.text in {"~", r"\\"}:
        return " "
    columns = space_of(token.text)
    if columns is not None:
        return " " * columns
    if token.is_command:
        known = symbols().get(token.text)
        if known is None:
            parser.unknown[token.text] = None
            return token.text
        return known.text
    return token.text


def _end_of_math(tokens: list[Token], start: int) -> int:
    for place in range(start, len(tokens)):
        if tokens[place].text in {"$", r"\)"}:
            return place
    return len(tokens)


def _leaf(words: str, alphabet: str | None) -> Leaf:
    for plain, glyph in _LIGATURES.items():
        words = words.replace(plain, glyph)
    return Leaf(styled(words, alphabet), prose=True)
