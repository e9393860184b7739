"""Unicode and light LaTeX → plain text, with the place of every character in what was typed."""

import re
from functools import lru_cache

from quizzer.notation.functions import WORDS
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.rows import ROW_END, all_of, cells_of, rows_of, trimmed
from quizzer.notation.lexer.signs import (
    ACCENTS,
    FONTS,
    FRACTIONS,
    GREEK_COMMANDS,
    INDICATOR,
    LAYOUTS,
    LETTER_COMMANDS,
    MATRICES,
    ONES,
    OPERATORS,
    QUAD,
    SPACES,
    WORD_COMMANDS,
)
from quizzer.notation.lexer.spellings import nearest_command
from quizzer.notation.lexer.typed_signs import Signs
from quizzer.notation.values import FaultError

_FENCE = re.compile(r"^[ \t]*```[^\n`]*$", re.M)
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_NAME = re.compile(r"[^\W\d_](?:[^\W\d]|[0-9])*")
_ENVIRONMENT = re.compile(r"\s*\{([A-Za-z]+\*?)\}")
_CUT = re.compile(r"&|\b(?=(?:if|otherwise|else)\b)")
_IF = re.compile(r"\s*(?:if|for|when|where|wenn|falls)\b")
_OTHERWISE = re.compile(r"(?:otherwise|else|sonst)")
_LABELLED = re.compile(rf"({_NAME.pattern})_\{{$")
_UPRIGHT = ("mathrm", "text", "textrm")
_INDICES = re.compile(rf"\s*,[^{{}}]*\\(?:{'|'.join(_UPRIGHT)})\b")
"""Behind an upright letter: it is an index if the next one is upright, too."""
_LONGEST = 40
_LABEL = re.compile(r"\w+")
_KEPT = 512  # what a card writes is read several times


@lru_cache(_KEPT)
def translate(text: str) -> Plain:
    """The text in plain signs: `\\frac{a}{b}` is `((a)/(b))`, `ŷᵢ²` is `y_hat_{i}^2`.

    Raises FaultError for an unknown command or a brace that is not closed.
    """
    translator = _Translator(_FENCE.sub(lambda fence: " " * len(fence[0]), text))
    translator.run(0, len(text), 0)
    return Plain("".join(translator.out), tuple(translator.origin))


class _Translator(Signs):
    def command(self, at: int, end: int, depth: int) -> int:
        match = _COMMAND.match(self.text, at, end)
        if not match:
            raise FaultError("A backslash needs a command after it.", at)
        name, after = match[1], match.end()
        row_end = ROW_END.match(self.text, at, end)
        if row_end:
            self.emit("\n", at)
            return row_end.end()
        if name in ("placeholder", "square", "Box"):
            raise FaultError("A box is empty here.", at, "unfinished")
        if name == "displaylines":
            return after
        if name in ("tag", "label"):
            return self.argument(after, at, end)[2]
        if name == "substack":
            start, stop, after = self.argument(after, at, end)
            for number, ends in enumerate(rows_of(self.text, start, stop)):
                self.emit(", " if number else "", at)
                self.add(self.inner(*ends, depth))
            return after
        if name in ("begin", "end"):
            return self.environment(name, after, at, end, depth)
        if name in FRACTIONS:
            return self.fraction(after, at, end, depth)
        if name == "sqrt":
            return self.square_root(after, at, end, depth)
        if name in ACCENTS:
            return self.accent(name, after, at, end, depth)
        if name in FONTS:
            starred = self.text[after : after + 1] == "*"  # \operatorname*
            return self.font(name, after + starred, at, end, depth)
        self.sign(name, at, after)
        if name in ("left", "right") and self.text[after : after + 1] == ".":
            after += 1
        return after

    def environment(self, name: str, place: int, at: int, end: int, depth: int) -> int:
        """`cases` becomes `a if … else …`; environments that only lay lines out say nothing."""
        match = _ENVIRONMENT.match(self.text, place)
        if not match:
            raise FaultError(f"\\{name} needs its environment in braces.", at)
        kind = match[1].rstrip("*")
        if kind in ("cases", "dcases") and name == "begin":
            close = re.compile(rf"\\end\s*\{{{kind}\*?\}}").search(self.text, match.end(), end)
            if not close:
                raise FaultError(f"\\begin{{{kind}}} has no \\end{{{kind}}}.", at)
            self.cases(match.end(), close.start(), at, depth)
            return close.end()
        if kind in MATRICES and name == "begin":
            close = re.compile(rf"\\end\s*\{{{kind}\*?\}}").search(self.text, match.end(), end)
            if not close:
                raise FaultError(f"\\begin{{{kind}}} has no \\end{{{kind}}}.", at, "unfinished")
            self.matrix(match.end(), close.start(), at, depth)
            return close.end()
        if kind not in LAYOUTS:
            raise FaultError(f"The environment {match[1]} is not known here.", at)
        return match.end()

    def matrix(self, start: int, stop: int, at: int, depth: int) -> None:
        """`pmatrix` becomes `(a, b)`: a column its entries, a matrix its rows."""
        rows = [self.inner(*ends, depth, keep="&") for ends in rows_of(self.text, start, stop)]
        cells = [list(cells_of(row)) for row in rows if row.text]
        if not cells or any(len(row) != len(cells[0]) for row in cells):
            raise FaultError("The rows of this matrix have different lengths.", at)
        if not all(cell.text for row in cells for cell in row):
            raise FaultError("An entry of this matrix is missing.", at)
        one_row = len(cells) == 1 and len(cells[0]) > 1
        if len(cells[0]) == 1 or one_row:
            self.listed([cell for row in cells for cell in row], at)
            self.emit("^⊤" if one_row else "", at)
            return
        self.emit("(", at)
        for number, row in enumerate(cells):
            self.emit(", " if number else "", at)
            self.listed(row, at)
        self.emit(")", at)

    def listed(self, cells: list[Plain], at: int) -> None:
        """`(a, b)`; one entry alone stands in brackets only."""
        self.emit("(", at)
        for number, cell in enumerate(cells):
            self.emit(", " if number else "", at)
            self.add(cell)
        self.emit(")", at)

    def cases(self, start: int, stop: int, at: int, depth: int) -> None:
        """The rows `value & condition`; where none holds, 0."""
        rows = [self.row(*ends, depth) for ends in rows_of(self.text, start, stop)]
        rows = [(value, condition) for value, condition in rows if value.text]
        self.emit("(", at)
        for number, (value, condition) in enumerate(rows, 1):
            self.emit("(", at)
            self.add(value)
            self.emit(")", at)
            if not condition.text or _OTHERWISE.fullmatch(condition.text):
                if number < len(rows):
                    raise FaultError("A case without a condition stands last.", value.at(0))
                self.emit(")", at)
                return
            self.emit(" if (", at)
            self.add(all_of(condition))
            self.emit(") else ", at)
        self.emit("0)", at)

    def row(self, start: int, stop: int, depth: int) -> tuple[Plain, Plain]:
        """A row's value and its condition, cut at the `&` or at the `if`."""
        plain = self.inner(start, stop, depth, keep="&")
        cut = _CUT.search(plain.text)
        if not cut:
            return trimmed(plain), plain[:0]
        condition = plain[cut.end() :].stripped()
        word = _IF.match(condition.text)
        return trimmed(plain[: cut.start()]), trimmed(condition[word.end() if word else 0 :])

    def add(self, plain: Plain) -> None:
        self.out.extend(plain.text)
        self.origin.extend(plain.origin)

    def sign(self, name: str, at: int, after: int) -> None:
        """Commands that take no argument."""
        if name in SPACES or name in ",;:! ()[]":
            wide = name in ("quad", "qquad")
            self.emit("\n" if name == "]" else QUAD if wide else " ", at)
        elif name in "{}_":
            self.emit(name, at)
        elif name == "|":
            self.emit("‖", at)
        elif name in ("top", "intercal"):
            raised = "".join(self.out).rstrip()[-1:] in ("^", "{", "-")
            self.emit("⊤" if raised else "^⊤", at)
        elif name in OPERATORS:
            self.emit(OPERATORS[name], at)
        elif name in LETTER_COMMANDS:
            self.emit(LETTER_COMMANDS[name], at)
        elif name in GREEK_COMMANDS:
            self.word(GREEK_COMMANDS[name], at, after)
        elif name in WORD_COMMANDS:
            self.word(WORD_COMMANDS[name], at, after)
        elif name == "notin":
            raise FaultError("Write membership as comparisons: [2k <= i < 2k+2], [i = j].", at)
        else:
            raise FaultError(
                f"The LaTeX command \\{name} is not known here.{nearest_command(name)}", at
            )

    def word(self, word: str, at: int, after: int) -> None:
        """A word apart from the letters before and after it, except after a `d` alone."""
        tail = "".join(self.out[-2:])
        alone = tail.endswith("d") and not tail[:-1].isalnum() and tail[:-1] != "_"
        if self.last().isalnum() and not alone:
            self.emit(" ", at)
        self.emit(word, at)
        if self.text[after : after + 1].isalnum():
            self.emit(" ", at)

    def argument(self, place: int, at: int, end: int) -> tuple[int, int, int]:
        """Start and end of a command's argument, and where the text goes on."""
        while place < end and self.text[place].isspace():
            place += 1
        if place >= end:
            raise FaultError("This command needs an argument in braces.", at, "unfinished")
        if self.text[place] == "{":
            close = self.closing(place, end)
            return place + 1, close, close + 1
        if self.text[place] == "\\":
            match = _COMMAND.match(self.text, place, end)
            stop = match.end() if match else place + 1
            return place, stop, stop
        return place, place + 1, place + 1

    def closing(self, place: int, end: int) -> int:
        depth = 0
        for index in range(place, end):
            if self.text[index - 1 : index] == "\\":
                continue
            depth += {"{": 1, "}": -1}.get(self.text[index], 0)
            if depth == 0:
                return index
        raise FaultError("This brace is not closed.", place, "unfinished")

    def fraction(self, place: int, at: int, end: int, depth: int) -> int:
        place = self.wrapped("((", place, ")/(", at, end, depth)
        return self.wrapped("", place, "))", at, end, depth)

    def square_root(self, place: int, at: int, end: int, depth: int) -> int:
        if self.text[place : place + 1] == "[":
            return self.root_of_order(place, at, end, depth)
        if self.text[place : place + 1] == "(":
            self.word("sqrt", at, place)
            return place
        self.word("sqrt", at, at)
        return self.wrapped("(", place, ")", at, end, depth)

    def wrapped(self, opens: str, place: int, closes: str, at: int, end: int, depth: int) -> int:
        """The argument that follows, between these signs."""
        start, stop, place = self.argument(place, at, end)
        self.emit(opens, at)
        self.run(start, stop, depth + 1)
        self.emit(closes, at)
        return place

    def root_of_order(self, place: int, at: int, end: int, depth: int) -> int:
        """`\\sqrt[3]{x}` is `((x)^(1/(3)))`."""
        close = self.text.find("]", place, end)
        order = self.text[place + 1 : max(close, 0)].strip()
        if not (order.isdecimal() and int(order)):
            raise FaultError("Write this root as a power, x^(1/3).", at)
        return self.wrapped("((", close + 1, f")^(1/{order}))", at, end, depth)

    def inner(self, start: int, stop: int, depth: int, keep: str = "") -> Plain:
        inside = _Translator(self.text, keep)
        inside.run(start, stop, depth + 1)
        return Plain("".join(inside.out), tuple(inside.origin)).stripped()

    def accent(self, name: str, place: int, at: int, end: int, depth: int) -> int:
        start, stop, place = self.argument(place, at, end)
        base = self.inner(start, stop, depth).text
        if not _NAME.fullmatch(base):
            raise FaultError(f"\\{name} goes over a single name.", at)
        self.word(base + ACCENTS[name], at, place)
        return place

    def font(self, name: str, place: int, at: int, end: int, depth: int) -> int:
        start, stop, place = self.argument(place, at, end)
        if self.text[start:stop].strip() in ("&", "\\&"):
            self.emit(" and ", at)
            return place
        inner = self.inner(start, stop, depth)
        if name in _UPRIGHT and (after := self.label(inner, at, place)):
            return after
        if inner.text in ("s.t.", "such that"):
            self.emit(" : ", at)
            return place
        blackboard = name in ("mathbb", "mathds", "mathbbm")
        if inner.text == "1" and (
            blackboard or name in ("mathbf", "boldsymbol", "bm", "bf", "pmb")
        ):
            self.emit(INDICATOR if blackboard else ONES, at)
        elif inner.text == "I" and blackboard:
            self.emit(INDICATOR, at)
        elif inner.text == "T" and self.last() in ("^", "{", "-"):
            self.emit("⊤", at)
        elif _NAME.fullmatch(inner.text):
            spaced = inner.text in ("if", "else", "and", "or")
            self.word(f" {inner.text} " if spaced else inner.text, at, place)
        else:
            self.add(inner)
        return place

    def label(self, label: Plain, at: int, place: int) -> int | None:
        """`h_{\\mathrm{prev}}` is the name `h_prev`, and `h_{\\mathrm{prev}, i}` its element i.

        What is upright below a name belongs to it. Returns where the text goes on; None elsewhere.
        """
        before = _LABELLED.search("".join(self.out[-_LONGEST:]))
        following = self.text[place:].lstrip()[:1]
        if not before or before[1] in WORDS or not _LABEL.fullmatch(label.text):
            return None
        if following not in ("}", ",") or (
            len(label.text) == 1 and _INDICES.match(self.text, place)
        ):
            return None
        del self.out[-1], self.origin[-1]
        self.add(label)
        if following == ",":
            self.emit("_{", at)
        after = self.text.index(following, place) + 1
        if following == "}" and self.text[after : after + 1].isalnum():
            self.emit(" ", at)
        return after
