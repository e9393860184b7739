"""A card's Markdown for the terminal: math laid out, wiki-links as concepts, images named."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, MarkdownContext, MarkdownElement
from rich.padding import Padding
from rich.text import Text, TextType

from quizzer import tex
from quizzer.text import clean

INDENT = 4
FindImage = Callable[[str], Path | None]


class CardMarkdown(Markdown):
    """Markdown as cards write it, ready for Rich to print."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {}

    def __init__(self, source: str, find_image: FindImage, macros: str = "") -> None:
        super().__init__("", code_theme="ansi_dark", hyperlinks=False)
        self.inlines = {*Markdown.inlines, "formula"}
        self.macros = macros
        self.parsed = _parser(find_image).parse(source)

    def _flatten_tokens(self, tokens: Iterable[Token]) -> Iterable[Token]:
        for token in super()._flatten_tokens(tokens):
            if token.type == "math_inline":
                yield Token(
                    "formula", "formula", 0, content=tex.inline(token.content, macros=self.macros)
                )
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
        drawn = tex.render(
            self._latex,
            width=max(10, options.max_width - INDENT),
            ascii=console.encoding.lower().replace("-", "") in ("ascii", "usascii"),
            macros=self._macros,
        )
        yield Padding(
            Text(drawn, "markdown.math", no_wrap=True, overflow="fold"), (0, 0, 0, INDENT)
        )


CardMarkdown.elements = {**Markdown.elements, "math_block": _Math}


def plain_text(source: str, find_image: FindImage, macros: str = "") -> str:
    """The same without boxes and two-dimensional math: formulas on one line, for screen readers."""
    said: list[str] = []
    marker = ""
    for token in _parser(find_image).parse(source):
        if token.type == "list_item_open":
            marker = f"{token.info}{token.markup} "
        elif token.type == "math_block":
            said.append(tex.inline(token.content, macros=macros) + "\n")
        elif token.type in ("fence", "code_block"):
            said.append(token.content)
        elif token.type == "inline":
            said.append(marker + _plain_inline(token.children or [], macros))
            marker = ""
        elif token.type in ("paragraph_close", "heading_close", "tr_close") and not token.hidden:
            said.append("")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(said)).strip()


def formulas(source: str) -> Iterator[tuple[str, int]]:
    """Every formula of a Markdown text with the line, counted from 0, at which its block begins."""
    for token in _parser(lambda _: None).parse(source):
        line = token.map[0] if token.map else 0
        if token.type == "math_block":
            yield token.content, line
        for child in token.children or ():
            if child.type == "math_inline":
                yield child.content, line


def _plain_inline(children: list[Token], macros: str) -> str:
    def said(child: Token) -> str:
        match child.type:
            case "math_inline":
                return tex.inline(child.content, macros=macros)
            case "softbreak" | "hardbreak":
                return "\n"
            case _:
                return child.content

    return "".join(said(child) for child in children)


def _parser(find_image: FindImage) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
    parser.use(dollarmath_plugin, double_inline=True, allow_labels=False)
    parser.inline.ruler.before("link", "wiki", _Wiki(find_image))
    parser.core.ruler.push("lift_display_math", _lift_display_math)
    return parser


class _Wiki:
    """Reads `[[concept]]`, `[[concept|label]]`, `![[image.png]]` and `![alt](path)`.

    A concept becomes its label; an image a numbered line with its path.
    """

    _CONCEPT = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")
    _IMAGE = re.compile(r"!(?:\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]|\[[^\]\n]*\]\(([^()\n]+)\))")

    def __init__(self, find_image: FindImage) -> None:
        self._find_image = find_image
        self._images = 0

    def __call__(self, state: StateInline, silent: bool) -> bool:
        if match := self._CONCEPT.match(state.src, state.pos):
            kind, content = "em", (match[2] or "").strip() or match[1].strip()
        elif match := self._IMAGE.match(state.src, state.pos):
            kind, content = "code", self._image((match[1] or match[2]).strip(), silent)
        else:
            return False
        if not silent:
            token = state.push("wiki", kind, 0)
            token.content = content
        state.pos = match.end()
        return True

    def _image(self, name: str, silent: bool) -> str:
        self._images += not silent
        path = self._find_image(name)
        return f"[image {self._images}: {clean(str(path)) if path else name + ', not found'}]"


def _lift_display_math(state: StateCore) -> None:
    """Display math inside a paragraph becomes a block of its own between two paragraphs."""
    lifted: list[Token] = []
    tokens = iter(state.tokens)
    for token in tokens:
        if token.type != "inline" or not any(_is_display(child) for child in token.children or ()):
            lifted.append(token)
            continue
        opening, closing = lifted.pop(), next(tokens)
        for run in _runs(token.children or []):
            if len(run) == 1 and _is_display(run[0]):
                lifted.append(
                    Token(
                        "math_block", "math", 0, content=run[0].content, map=token.map, block=True
                    )
                )
            else:
                text = Token("inline", "", 0, children=run, content="", map=token.map, block=True)
                lifted += [opening, text, closing]
    state.tokens = lifted


def _is_display(token: Token) -> bool:
    return token.type == "math_inline_double"


def _runs(children: list[Token]) -> list[list[Token]]:
    """The children cut at display math, without the line breaks around it."""
    runs: list[list[Token]] = [[]]
    for child in children:
        if _is_display(child):
            runs += [[child], []]
        elif child.type != "softbreak" or runs[-1]:
            runs[-1].append(child)
    for run in runs:
        while run and run[-1].type == "softbreak":
            run.pop()
    return [run for run in runs if run]
