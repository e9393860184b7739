"""Markdown as cards write it → tokens: math between dollars, wiki-links, numbered images."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from quizzer.card.markdown import formula_at
from quizzer.tex.width import width
from quizzer.text import clean

FindImage = Callable[[str], Path | None]

_FORMULA = re.compile(r"\$(?:\\.|[^$\\`])+\$", re.DOTALL)
_TABLE_RULE = re.compile(r"[\s>]*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_BAR = re.compile(r"(?<!\\)\|")
_MARKER = re.compile(r"(\s*)([-+*#])(?=\s)")
_INERT = {"-": "−", "+": "{}+", "*": "{}*", "#": r"\#"}
"""What says the same in a formula as a sign that would begin a list or a heading."""
_WIKI = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")
_PART = re.compile(r"\([a-z]\)\s|\([ivx]+\)\s|\([a-z]\)$")
_MOST_BRACKETS = 1_000
_BREAKS = ("softbreak", "hardbreak")
_WRAPPED_AT = (60, 140)
"""Columns at which editors wrap prose, from and to."""
_SLACK = 8
"""Columns by which people who wrap by hand stay below their longest line."""
_PAUSE = re.compile(r"[.,:;?!…。：；][)\]}\"'*_»”’]*$")
_EMBED = re.compile(r"!\[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]|!\[[^\]\n]*\]\(([^()\n]+)\)")


class Gallery:
    """The pictures of a card, numbered as they are shown; shown again, one keeps its number."""

    def __init__(self, find: FindImage = lambda name: None) -> None:
        self._find = find
        self._paths: dict[str, Path | None] = {}
        self._numbers: dict[str, int] = {}

    def show(self, name: str) -> str:
        """What stands in the text for the picture."""
        if name not in self._paths:
            self._paths[name] = self._find(name)
            self._numbers[name] = len(self._paths)
        return f"[image {self._numbers[name]}: {self._paths[name] or name + ', not found'}]"

    @property
    def shown(self) -> Mapping[int, Path]:
        """The files of those shown so far that were found, by their numbers."""
        return {number: path for number, path in enumerate(self._paths.values(), 1) if path}


def parse(source: str, gallery: Gallery) -> list[Token]:
    """The tokens of a text; formulas as `math_inline` and `math_block`, nothing harmful in them."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
    parser.core.ruler.before("block", "guard_formulas", _guard_formulas)
    parser.core.ruler.before("inline", "guard_brackets", _guard_brackets)
    parser.block.ruler.before(
        "fence",
        "display_math",
        _display_math,
        {"alt": ["paragraph", "reference", "blockquote", "list"]},
    )
    parser.inline.ruler.before("escape", "inline_math", _inline_math)
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    parser.core.ruler.push("author_lines", _author_lines)
    parser.core.ruler.push("lift_display_math", _lift_display_math)
    parser.core.ruler.push("name_images", lambda state: _name_images(state, gallery))
    parser.core.ruler.push("part_lines", _part_lines)
    parser.core.ruler.push("clean", _clean)
    return parser.parse(source)


def formulas(source: str) -> Iterator[tuple[str, int]]:
    """Every formula of a Markdown text with the line, counted from 0, at which its block begins."""
    for token in parse(source, Gallery()):
        line = token.map[0] if token.map else 0
        if token.type == "math_block":
            yield token.content, line
        for child in token.children or ():
            if child.type == "math_inline":
                yield child.content, line


def _guard_formulas(state: StateCore) -> None:
    """A `|` in a formula of a table is no border of its cell, a `-` in one no item of a list."""
    lines = state.src.split("\n")
    is_table, fence, inside = False, "", range(0)
    for place, line in enumerate(lines):
        start = line.lstrip(" >")
        if start.startswith(fence or ("```", "~~~")):
            fence = "" if fence else start[:3]
        is_table = "|" in line and (is_table or _is_rule("".join(lines[place + 1 : place + 2])))
        if fence:
            continue
        if is_table:
            lines[place] = _FORMULA.sub(lambda found: _BAR.sub(r"\\|", found[0]), line)
        if place in inside:
            lines[place] = _MARKER.sub(lambda found: found[1] + _INERT[found[2]], line)
        elif line.count("$$") % 2:
            inside = range(place + 1, _end_of_math(lines, place))
    state.src = "\n".join(lines)


def _guard_brackets(state: StateCore) -> None:
    """A paragraph of thousands of `[` has no links: looking for their ends would take hours."""
    for token in state.tokens:
        if token.type == "inline" and token.content.count("[") > _MOST_BRACKETS:
            token.content = token.content.replace("[", "\\[")


def _end_of_math(lines: list[str], start: int) -> int:
    """The line with the next `$$` of the same paragraph; the same line again if there is none."""
    for place in range(start + 1, len(lines)):
        if "$$" in lines[place]:
            return place + 1
        if not lines[place].strip():
            break
    return start


def _is_rule(line: str) -> bool:
    """Whether a line is the rule under the head of a table."""
    return "|" in line and _TABLE_RULE.fullmatch(line) is not None


def _display_math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`$$` at the start of a line up to the next `$$`, which must end its line."""
    first = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if not first.startswith("$$") or state.is_code_block(start):
        return False
    if silent and _has_open_math(state, start):
        return False
    last = start
    rest = first[2:]
    while "$$" not in rest:
        last += 1
        if last >= end or state.sCount[last] < state.blkIndent:
            return False
        rest = state.src[state.bMarks[last] + state.tShift[last] : state.eMarks[last]]
    if rest.count("$$") > 1 or not rest.rstrip().endswith("$$"):
        return False
    content = state.getLines(start, last + 1, state.blkIndent, False).strip()[2:-2]
    if not content.strip():
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.content, token.map, token.block = content, [start, last + 1], True
        state.line = last + 1
    return True


def _has_open_math(state: StateBlock, start: int) -> bool:
    """Whether a `$$` still waits for its partner in the paragraph that a line would interrupt."""
    before = state.getLines(state.line, start, state.blkIndent, False)
    return before.count("$$") % 2 == 1


def _inline_math(state: StateInline, silent: bool) -> bool:
    """`$x$`, or `$$x$$` to be lifted out."""
    formula = formula_at(state.src, state.pos) if state.src[state.pos] == "$" else None
    if formula is None:
        return False
    if not silent:
        kind = "math_inline_double" if formula.is_display else "math_inline"
        state.push(kind, "math", 0).content = formula.latex
    state.pos = formula.end
    return True


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """`[[concept]]` and `[[concept|label]]` become their label; images wait to be named."""
    if match := _WIKI.match(state.src, state.pos):
        kind, tag, content = "wiki", "em", (match[2] or "").strip() or match[1].strip()
    elif match := _EMBED.match(state.src, state.pos):
        kind, tag, content = "embed", "code", (match[1] or match[2]).strip()
    else:
        return False
    if not silent:
        state.push(kind, tag, 0).content = content
    state.pos = match.end()
    return True


def _name_images(state: StateCore, gallery: Gallery) -> None:
    """Every image becomes a numbered word with its path."""
    for child in _children(state.tokens):
        if child.type in {"embed", "image"}:
            name = str(child.attrs.get("src", "")) if child.type == "image" else child.content
            child.type, child.tag, child.children = "wiki", "code", None
            child.content = gallery.show(name)


def _author_lines(state: StateCore) -> None:
    """A new line of the author's is one here, as Obsidian shows it: pseudo-code, a short step.

    Prose that an editor wrapped is set anew, or it would be ragged in a narrower window.
    """
    for token in state.tokens:
        if not _is_wrapped(token.content.split("\n")):
            for child in token.children or ():
                if child.type == "softbreak":
                    child.type = "hardbreak"


def _is_wrapped(lines: list[str]) -> bool:
    """Whether an editor broke these lines: none had room for the next word, and one break at
    least parts a sentence."""
    lines = [line.strip() for line in lines]
    longest = max(map(width, lines))
    breaks = list(pairwise(lines))
    return (
        _WRAPPED_AT[0] <= longest <= _WRAPPED_AT[1]
        and all(width(f"{line} {_first_word(after)}") > longest - _SLACK for line, after in breaks)
        and any(after[:1].islower() and not _PAUSE.search(line) for line, after in breaks)
    )


def _first_word(line: str) -> str:
    return line.partition(" ")[0]


def _part_lines(state: StateCore) -> None:
    """Parts `(a)`, `(b)` that the author put on lines of their own stay there."""
    for token in state.tokens:
        for here, after in pairwise(token.children or ()):
            if here.type == "softbreak" and _PART.match(after.content):
                here.type = "hardbreak"


def _clean(state: StateCore) -> None:
    """No control character gets through, not even one that is written as `&#x202e;`."""
    for token in (*state.tokens, *_children(state.tokens)):
        token.content = clean(token.content)


def _children(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield from token.children or ()


def _lift_display_math(state: StateCore) -> None:
    """Display math inside a paragraph becomes a block of its own between two paragraphs.

    In a heading or a table's cell it stays on the line.
    """
    lifted: list[Token] = []
    tokens = iter(state.tokens)
    for token in tokens:
        if not any(map(_is_display, token.children or ())):
            lifted.append(token)
            continue
        if lifted[-1].type != "paragraph_open":
            for child in filter(_is_display, token.children or ()):
                child.type = "math_inline"
            lifted.append(token)
            continue
        opening, closing = lifted.pop(), next(tokens)
        for run in _runs(token.children or []):
            if len(run) == 1 and _is_display(run[0]):
                block = Token("math_block", "math", 0, content=run[0].content, block=True)
                block.map = token.map
                lifted.append(block)
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
        elif child.type not in _BREAKS or runs[-1]:
            runs[-1].append(child)
    for run in runs:
        while run and run[-1].type in _BREAKS:
            run.pop()
    return [run for run in runs if run]
