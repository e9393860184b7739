"""The one Markdown scanner: a card's text → markdown-it tokens, which every face draws from.

CommonMark with tables and strike-through, and what cards write besides it:

| token | where | `content` | `attrs` |
|---|---|---|---|
| `formula_block` | a block | the LaTeX between `$$` and `$$` | |
| `formula` | inline | the LaTeX between dollars | |
| `wiki_link` | inline | the label of `[[target]]` or `[[target\\|label]]` | `target` |
| `image` | inline | | `src`, a name or a path as it is written, and `alt` |

The `map` of a token, inline ones too, holds the true numbers of its first line and of the one after
its last. A line break of the author's is a `hardbreak`; where an editor wrapped prose, it is a
`softbreak`. There is no HTML, and no control character gets through.
"""

import re
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from quizzer.card import blocks, inlines
from quizzer.card.blocks import FORMULA_BLOCK
from quizzer.card.inlines import DISPLAYED, FORMULA
from quizzer.text import clean

_KEPT = 64  # `check` asks for the same few texts again and again


def scan(text: str, first: int = 1) -> list[Token]:
    """The tokens of a text whose first line has this number in its file. Never raises."""
    return scanned(text, first)[0]


def tokens_of(text: str, first: int = 1) -> tuple[Token, ...]:
    """The same for whoever changes none of them: a text that was scanned just now is not again."""
    return kept(text, first)[0]


@lru_cache(_KEPT)
def kept(text: str, first: int) -> tuple[tuple[Token, ...], tuple[int, ...]]:
    """The tokens, and the lines of code fences that are never closed; not to be changed."""
    tokens, unclosed = scanned(text, first)
    return tuple(tokens), tuple(unclosed)


def scanned(text: str, first: int) -> tuple[list[Token], list[int]]:
    """The tokens, and the lines of code fences that are never closed."""
    env: dict[str, Any] = {}
    tokens = _parser().parse(text, env)
    for token in (*tokens, *_children(tokens)):
        if token.map:
            token.map = [line + first for line in token.map]
    return tokens, sorted(line + first for line in env.get(blocks.UNCLOSED, ()))


def formulas(tokens: Iterable[Token]) -> Iterator[Token]:
    """Every formula among these tokens, displayed or inline, in order."""
    for token in tokens:
        if token.type == FORMULA_BLOCK:
            yield token
        yield from (child for child in token.children or () if child.type == FORMULA)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt()
    parser.inline = inlines.LinedInline()
    parser.configure("commonmark", {"html": False}).enable(["strikethrough", "table"])
    blocks.extend(parser)
    inlines.extend(parser)
    for rule in (_place, _keep_lines, _lift_display_math, _clean):
        parser.core.ruler.push(rule.__name__, rule)
    return parser


def _place(state: StateCore) -> None:
    """Lines of inline tokens are counted from their block's."""
    for token in state.tokens:
        for child in token.children or ():
            if token.map:
                child.map = [token.map[0] + line for line in child.map or (0, 1)]


def _keep_lines(state: StateCore) -> None:
    """A new line of the author's is one here, as Obsidian shows it: pseudo-code, a short step.

    Prose that an editor wrapped is set anew, or it would be ragged in a narrower window; but parts
    `(a)`, `(b)` that begin a line still do.
    """
    for token in state.tokens:
        if not token.children or "\n" not in token.content:
            continue
        is_wrapped = _is_wrapped(token.content.split("\n"))
        for here, after in pairwise([*token.children, Token("text", "", 0)]):
            if here.type == "softbreak" and not (is_wrapped and not _PART.match(after.content)):
                here.type = "hardbreak"


def _is_wrapped(lines: list[str]) -> bool:
    """Whether an editor broke these lines: none had room for the next word, and one break at
    least parts a sentence."""
    lines = [line.strip() for line in lines]
    longest = max(map(len, lines))
    breaks = list(pairwise(lines))
    return (
        _WRAPPED_AT[0] <= longest <= _WRAPPED_AT[1]
        and all(len(f"{line} {_first_word(after)}") > longest - _SLACK for line, after in breaks)
        and any(after[:1].islower() and not _PAUSE.search(line) for line, after in breaks)
    )


def _first_word(line: str) -> str:
    return line.partition(" ")[0]


def _lift_display_math(state: StateCore) -> None:
    """Display math inside a paragraph becomes a block of its own between two paragraphs.

    In a heading or a table's cell it stays on the line.
    """
    lifted: list[Token] = []
    tokens = iter(state.tokens)
    for token in tokens:
        children = token.children or []
        if not any(map(_is_displayed, children)):
            lifted.append(token)
        elif lifted[-1].type != "paragraph_open":
            for child in filter(_is_displayed, children):
                child.type = FORMULA
            lifted.append(token)
        else:
            opening, closing = lifted.pop(), next(tokens)
            for run in _runs(children):
                lifted += _block(run, opening, closing)
    state.tokens = lifted


def _block(run: list[Token], opening: Token, closing: Token) -> list[Token]:
    """A formula as a block, other inline tokens as a paragraph with the lines that they take up."""
    lines = [line for child in run for line in child.map or ()]
    place = [min(lines), max(lines)]
    if _is_displayed(run[0]):
        formula = Token(FORMULA_BLOCK, "math", 0, content=run[0].content, block=True, map=place)
        formula.level = opening.level
        return [formula]
    opening = copy(opening)
    opening.map = place
    inline = Token("inline", "", 0, children=run, map=[*place], block=True)
    inline.level = opening.level + 1
    return [opening, inline, closing]


def _is_displayed(token: Token) -> bool:
    return token.type == DISPLAYED


def _runs(children: list[Token]) -> list[list[Token]]:
    """The children cut at display math, without the line breaks around it."""
    runs: list[list[Token]] = [[]]
    for child in children:
        if _is_displayed(child):
            runs += [[child], []]
        elif child.type not in _BREAKS or runs[-1]:
            runs[-1].append(child)
    for run in runs:
        while run and run[-1].type in _BREAKS:
            run.pop()
    return [run for run in runs if run]


def _clean(state: StateCore) -> None:
    """No control character gets through, not even one that is written as `&#x202e;`."""
    for token in (*state.tokens, *_children(state.tokens)):
        token.content = clean(token.content)


def _children(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield from token.children or ()


_PART = re.compile(r"\([a-z]\)\s|\([ivx]+\)\s|\([a-z]\)$")
_BREAKS = ("softbreak", "hardbreak")
_WRAPPED_AT = (60, 140)
"""Columns at which editors wrap prose, from and to."""
_SLACK = 8
"""Columns by which people who wrap by hand stay below their longest line."""
_PAUSE = re.compile(r"[.,:;?!…。：；][)\]}\"'*_»”’]*$")
