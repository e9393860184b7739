"""What a paragraph of a card holds besides CommonMark: formulas, wiki-links, pictures.

Every inline token gets a `map`, the lines that it takes up, as blocks have one.
"""

import re
from bisect import bisect_left
from collections.abc import MutableMapping
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from quizzer.card.formulas import formula_at

FORMULA, DISPLAYED, WIKI_LINK, IMAGE = "formula", "displayed_formula", "wiki_link", "image"
"""The types of the tokens made here. `displayed_formula`s are `formula_block`s in the making."""

_MOST_BRACKETS = 1_000


def extend(parser: MarkdownIt) -> None:
    """Teaches a parser the rules of this module."""
    ruler = parser.inline.ruler
    ruler.before("escape", FORMULA, _formula)
    ruler.before("link", WIKI_LINK, _wiki_link)
    ruler.before("image", "picture", _picture)
    parser.core.ruler.before("inline", "guard_brackets", _guard_brackets)


class LinedInline(ParserInline):
    """Parses inline content as its base does, and notes the line of each token in it."""

    def parse(
        self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], tokens: list[Token]
    ) -> list[Token]:
        state = _LinedState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class _LinedState(StateInline):
    def __init__(
        self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], tokens: list[Token]
    ) -> None:
        super().__init__(src, md, env, tokens)
        self._newlines = [found.start() for found in _NEWLINE.finditer(src)]

    def pushPending(self) -> Token:  # noqa: N802 (the library's name)
        return self._placed(super().pushPending())

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        return self._placed(super().push(ttype, tag, nesting))

    def _placed(self, token: Token) -> Token:
        line = bisect_left(self._newlines, self.pos)
        token.map = [line, line + 1]
        return token


def _formula(state: StateInline, silent: bool) -> bool:
    """`$x$` or `$$x$$`."""
    formula = formula_at(state.src, state.pos) if state.src[state.pos] == "$" else None
    if formula is None:
        return False
    if not silent:
        token = state.push(DISPLAYED if formula.is_display else FORMULA, "math", 0)
        token.content = formula.latex
        assert token.map
        token.map[1] += formula.latex.count("\n")
    state.pos = formula.end
    return True


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """`[[concept]]` or `[[concept|label]]`: its label, and the concept as `target`."""
    match = _WIKI_LINK.match(state.src, state.pos)
    target = match[1].strip() if match else ""
    if match is None or not target:
        return False
    if not silent:
        token = state.push(WIKI_LINK, "em", 0)
        token.content, token.attrs = (match[2] or "").strip() or target, {"target": target}
    state.pos = match.end()
    return True


def _picture(state: StateInline, silent: bool) -> bool:
    """`![[x.png]]` or `![text](a folder/x (1).png "title")`; other images are CommonMark's."""
    embed = _EMBED.match(state.src, state.pos)
    match = embed or _PICTURE.match(state.src, state.pos)
    name = (match["bare"] or match["angled"] or "").strip() if match else ""
    if match is None or not name:
        return False
    if not silent:
        token = state.push(IMAGE, "img", 0)
        token.attrs = {"src": name, "alt": match["alt"] or ""}
        token.meta = {"is_embed": embed is not None}
        token.children = []
    state.pos = match.end()
    return True


def _guard_brackets(state: StateCore) -> None:
    """A paragraph of thousands of `[` has no links: looking for their ends would take hours."""
    for token in state.tokens:
        if token.type == "inline" and token.content.count("[") > _MOST_BRACKETS:
            token.content = token.content.replace("[", "\\[")


_NEWLINE = re.compile("\n")
_WIKI_LINK = re.compile(r"\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{0,300}))?\]\]")
_EMBED = re.compile(
    r"!\[\[(?P<bare>[^\[\]|#\n]{1,300})(?:[|#][^\[\]\n]{0,300})?\]\](?P<angled>)(?P<alt>)"
)
_TITLE = r"(?:[ \t]{1,9}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?"
_PICTURE = re.compile(
    r"!\[(?P<alt>[^\[\]\n]{0,300})\]\([ \t]{0,9}(?:<(?P<angled>[^<>\n]{1,500})>"
    r"|(?P<bare>(?:[^()\s<]|[ \t](?![\"'])|\([^()\n]{0,99}\)){1,500}?))"
    rf"{_TITLE}[ \t]{{0,9}}\)"
)
