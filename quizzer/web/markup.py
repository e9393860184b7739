"""A card's Markdown as HTML, from the one scanner; formulas are left to the page's script.

A card is hostile text: there is no HTML in it, no address of a script, and a picture is named by
its number among the card's own.
"""

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from quizzer.app.workspace import Workspace
from quizzer.card import Card
from quizzer.card.blocks import FORMULA_BLOCK
from quizzer.card.inlines import FORMULA, IMAGE, WIKI_LINK
from quizzer.card.scanner import scan
from quizzer.deck import Entry


class CardPrinter:
    """Prints texts of one card."""

    def __init__(self, workspace: Workspace, entry: Entry, card: Card) -> None:
        self.macros = workspace.macros(entry)
        self._workspace = workspace
        self._entry = entry
        self._names = picture_names(card)

    def html(self, source: str) -> Markup:
        """The text as HTML."""
        tokens = scan(source)
        for token in tokens:
            _align_by_class(token)
            for child in token.children or ():
                if child.type == IMAGE:
                    self._address(child)
        parser = _parser()
        return Markup(parser.renderer.render(tokens, parser.options, {}))

    def _address(self, token: Token) -> None:
        """Name the picture by its number; one that is not found is named in words."""
        name = str(token.attrs["src"])
        if name in self._names and self._workspace.deck.media(name, self._entry.path):
            number = self._names.index(name) + 1
            token.meta["address"] = f"/media/{number}/{quote(self._entry.id, safe='')}"
            token.meta["alt"] = token.attrs.get("alt") or f"image {number}"
        else:
            token.meta["missing"] = f"[image {name}, not found]"


def picture_names(card: Card) -> Sequence[str]:
    """The pictures of a card, each once, in the order of their numbers."""
    return list(dict.fromkeys(image.name for image in card.images))


def _align_by_class(token: Token) -> None:
    """A cell's alignment as a class: the page allows no inline style."""
    if style := token.attrs.pop("style", None):
        token.attrs["class"] = str(style).removeprefix("text-align:")


@cache
def _parser() -> MarkdownIt:
    """What renders the scanner's tokens; it parses nothing."""
    parser = MarkdownIt("commonmark", {"html": False})
    rules = {
        FORMULA: _formula,
        FORMULA_BLOCK: _formula_block,
        WIKI_LINK: _wiki_link,
        IMAGE: _picture,
        "link_open": _link_open,
        "table_open": _table_open,
        "table_close": _table_close,
    }
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


def _formula(self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    return f'<span class="tex">{escape(tokens[at].content)}</span>'


def _formula_block(self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    return f'<div class="tex display">{escape(tokens[at].content.strip())}</div>\n'


def _wiki_link(self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    return f"<em>{escape(tokens[at].content)}</em>"


def _picture(self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    meta = tokens[at].meta
    if "address" not in meta:
        return f"<code>{escape(meta['missing'])}</code>"
    return f'<img class="picture" src="{escape(meta["address"])}" alt="{escape(meta["alt"])}">'


def _link_open(self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    href = escape(str(tokens[at].attrs.get("href", "")))
    return f'<a href="{href}" target="_blank" rel="noopener noreferrer">'


def _table_open(self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    return '<div class="wide"><table>\n'


def _table_close(self: Any, tokens: Sequence[Token], at: int, *_: Any) -> str:
    return "</table></div>\n"
