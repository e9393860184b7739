"""A card's Markdown for the terminal: math laid out, wiki-links as concepts, images named."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import BlockQuote, ListItem, Markdown, MarkdownContext, MarkdownElement
from rich.padding import Padding
from rich.segment import Segment
from rich.text import Text, TextType

from quizzer import tex
from quizzer.card.blocks import FORMULA_BLOCK
from quizzer.card.inlines import FORMULA, IMAGE
from quizzer.card.scanner import scan
from quizzer.cli.terminal.gallery import Gallery

INDENT = 4
"""Columns before display math; half of it where there are few."""


class CardMarkdown(Markdown):
    """Markdown as cards write it, ready for Rich to print."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {}

    def __init__(self, source: str, gallery: Gallery, macros: str = "") -> None:
        super().__init__("", code_theme="ansi_dark", hyperlinks=False)
        self.inlines = {*Markdown.inlines, FORMULA}
        self.macros = macros
        self.parsed = _tokens(source, gallery)
        self._ascii = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self._ascii = options.ascii_only
        yield from super().__rich_console__(console, options)

    def _flatten_tokens(self, tokens: Iterable[Token]) -> Iterable[Token]:
        for token in super()._flatten_tokens(tokens):
            if token.type == FORMULA:
                line = tex.inline(token.content, self._ascii, self.macros)
                yield Token("drawn", FORMULA, 0, content=line)
            else:
                yield token


class _Math(MarkdownElement):
    """Display math: two-dimensional, indented, never wrapped by Rich."""

    def __init__(self, latex: str, macros: str) -> None:
        self._latex = latex
        self._macros = macros

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> "_Math":
        macros = markdown.macros if isinstance(markdown, CardMarkdown) else ""
        return cls(token.content, macros)

    def on_text(self, context: MarkdownContext, text: TextType) -> None:
        """The content was taken from the token."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        indent = INDENT if options.max_width >= 50 else INDENT // 2
        width = max(10, options.max_width - indent)
        drawn = tex.render(self._latex, width, options.ascii_only, self._macros)
        text = Text(drawn, "markdown.math", no_wrap=True, overflow="fold")
        yield Padding(text, (0, 0, 0, indent))


class _Item(ListItem):
    """A list item with a full stop after its number, and a bullet that ASCII has."""

    def render_bullet(self, console: Console, options: ConsoleOptions) -> RenderResult:
        drawn = super().render_bullet(console, options)
        yield from _replaced(drawn, "•", "-") if options.ascii_only else drawn

    def render_number(
        self, console: Console, options: ConsoleOptions, number: int, last_number: int
    ) -> RenderResult:
        drawn = iter(super().render_number(console, options, number, last_number))
        yield from _replaced(islice(drawn, 1), f" {number} ", f"{number}. ")
        yield from drawn


class _Quote(BlockQuote):
    """A quote with a mark at its side that ASCII has."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        drawn = super().__rich_console__(console, options)
        yield from _replaced(drawn, "▌", ">") if options.ascii_only else drawn


def _replaced(drawn: RenderResult, old: str, new: str) -> RenderResult:
    for part in drawn:
        match part:
            case Segment(text, style):
                yield Segment(text.replace(old, new), style)
            case _:
                yield part


CardMarkdown.elements = {
    **Markdown.elements,
    FORMULA_BLOCK: _Math,
    "list_item_open": _Item,
    "blockquote_open": _Quote,
}


def plain_text(source: str, gallery: Gallery, macros: str = "", *, ascii: bool = False) -> str:
    """The same without boxes and two-dimensional math: formulas on one line, for screen readers.

    A row of a table is one line, its cells parted by ` | `.
    """
    speaker = _Speaker(macros, ascii)
    for token in _tokens(source, gallery):
        speaker.hear(token)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(speaker.lines)).strip("\n")


@dataclass(slots=True)
class _Margin:
    """What stands before the lines of a list item or a quote: `first` once, then `rest`."""

    first: str
    rest: str

    def take(self) -> str:
        taken, self.first = self.first, self.rest
        return taken


class _Speaker:
    """Turns tokens into lines of text."""

    def __init__(self, macros: str, ascii: bool) -> None:
        self.lines: list[str] = []
        self._macros = macros
        self._ascii = ascii
        self._margins: list[_Margin] = []
        self._cells: list[str] | None = None
        self._depth = 0

    def hear(self, token: Token) -> None:
        match token.type:
            case "inline" if self._cells is not None:
                self._cells.append(self._line(token).replace("\n", " "))
            case "inline":
                self._put(self._line(token))
            case "formula_block":
                self._put(self._formula(token))
                self.lines.append("")
            case "fence" | "code_block":
                self._put(token.content.rstrip("\n"))
                self.lines.append("")
            case "hr":
                self._put("---")
                self.lines.append("")
            case "list_item_open":
                marker = f"{token.info}{token.markup} "
                self._margins.append(_Margin(marker, " " * len(marker)))
            case "blockquote_open":
                self._margins.append(_Margin("> ", "> "))
            case "list_item_close" | "blockquote_close":
                self._margins.pop()
            case "tr_open":
                self._cells = []
            case "tr_close":
                self._put(" | ".join(self._cells or ()))
                self._cells = None
            case "bullet_list_open" | "ordered_list_open":
                self._depth += 1
            case "bullet_list_close" | "ordered_list_close":
                self._depth -= 1
                if not self._depth:
                    self.lines.append("")
            case "paragraph_close" | "heading_close" | "table_close" if not token.hidden:
                self.lines.append("")

    def _put(self, text: str) -> None:
        for line in text.split("\n"):
            margin = "".join([margin.take() for margin in self._margins])
            self.lines.append((margin + line).rstrip())

    def _formula(self, token: Token) -> str:
        return tex.inline(token.content, self._ascii, self._macros)

    def _line(self, token: Token) -> str:
        said = ""
        links: list[str] = []
        for child in token.children or ():
            match child.type:
                case "formula":
                    said += self._formula(child)
                case "softbreak":
                    said += " "
                case "hardbreak":
                    said += "\n"
                case "link_open":
                    links.append(str(child.attrs.get("href", "")))
                case "link_close":
                    said += f" ({links.pop()})" if links else ""
                case _:
                    said += child.content
        return said


def _tokens(source: str, gallery: Gallery) -> list[Token]:
    """The tokens of a text, its pictures as words."""
    tokens = scan(source)
    for token in tokens:
        for child in token.children or ():
            if child.type == IMAGE:
                child.content = gallery.show(str(child.attrs["src"]))
                child.type, child.tag, child.children = "code_inline", "code", None
    return tokens
