"""Recursive descent over the tokens of a formula, with the builders of commands handed in."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec.structs import replace

from quizzer.tex.letters import styled
from quizzer.tex.macros import Stream
from quizzer.tex.rows import finished
from quizzer.tex.symbols import delimiters, space_of, symbols
from quizzer.tex.tokens import Token, source
from quizzer.tex.tree import (
    EMPTY,
    Atom,
    Brace,
    Classed,
    Fence,
    Fraction,
    Grid,
    Leaf,
    Node,
    Row,
    Scripts,
    Shape,
    Space,
    Stack,
    items_of,
    row,
)

MAX_DEPTH = 60
"""Nesting beyond this is shown as it is written."""
RULES = frozenset({r"\hline", r"\cline", r"\toprule", r"\midrule", r"\bottomrule", r"\hdashline"})
"""Commands before a row of a grid that draw a line."""

_INFIX = frozenset({r"\over", r"\choose", r"\atop"})
_LIMIT_SWITCHES = {r"\limits": True, r"\nolimits": False}
_STOPS = frozenset({"}", "&", r"\\", r"\cr", r"\newline", r"\end", r"\right", r"\middle"})
_NEWLINES = frozenset({r"\\", r"\cr", r"\newline"})
_PRIMES = ("", "′", "″", "‴")
_MARKS = frozenset(Leaf(mark, Atom.PUNCT) for mark in ",;")
_ROMAN = frozenset({"roman", "operator"})


class Parser:
    """Reads a stream. A command is left to its builder, which calls back for its arguments."""

    def __init__(self, tokens: Stream, latex: str, builders: Mapping[str, "Builder"]) -> None:
        self.stream = tokens
        self._builders = builders
        self.unknown: dict[str, None] = {}
        self.faults: dict[str, None] = {}
        self.alphabet: str | None = None
        self._latex = latex
        self._depth = 0
        self._awaited: list[str] = []
        """Closers that enclosing parts wait for: nothing inside may swallow them."""

    def lines(self) -> Node:
        """All of it. Lines parted by `\\\\` outside an environment become a gathered grid."""
        rows: list[Node] = []
        with self._await(*_NEWLINES):
            while True:
                rows.append(self.row())
                if not self.stream.next():
                    break
        if len(rows) > 1 and rows[-1] == EMPTY:
            rows.pop()
        if len(rows) == 1:
            return rows[0]
        return Grid(Shape.GATHERED, tuple((line,) for line in rows), "l")

    def row(self) -> Node:
        """Everything up to a closer that an enclosing part waits for, which stays unread."""
        items: list[Node] = []
        over: tuple[str, Node] | None = None
        while token := self.stream.peek():
            if token.text in _STOPS:
                if token.text in self._awaited:
                    break
                self._stray(token)
            elif token.text in _INFIX:
                self.stream.next()
                if over is None:
                    over, items = (token.text, row(self._finished(items))), []
                else:
                    self.fault(rf"A second `{token.text}` in one group", token)
            elif token.text in {"^", "_", "'", "’"} or token.text in _LIMIT_SWITCHES:
                items.append(self._scripts(items.pop() if items else EMPTY))
            else:
                items += self.atom()
        if over is None:
            return row(self._finished(items))
        infix, numerator = over
        fraction = Fraction(numerator, row(self._finished(items)), bar=infix == r"\over")
        return Fence("(", (fraction,), ")") if infix == r"\choose" else fraction

    def atom(self) -> tuple[Node, ...]:
        """The next unit: a group, a symbol, or a command with its arguments."""
        token = self.stream.next()
        if token is None:
            return ()
        if token.text == "{":
            return (self._group(token),)
        known = symbols().get(token.text)
        if known:
            if token.text == r"\arg":
                return (self._arg(),)
            text = styled(known.text, self.alphabet if known.atom is Atom.ORD else None)
            return (Leaf(text, known.atom, known.limits),)
        columns = space_of(token.text)
        if columns is not None:
            return (Space(columns),)
        if token.is_command:
            return self._command(token)
        if token.text == "~":
            return (Space(1),)
        if token.text == "$":
            self.fault("A `$` stands inside the formula", token)
        return (Leaf(styled(token.text, self.alphabet)),)

    def argument(self, of: Token) -> Node:
        """One argument: a group or a single unit. Missing at the end: a fault and nothing."""
        token = self.stream.peek()
        if token is None or token.text in _STOPS:
            self.fault(f"`{of.text}` lacks an argument", of)
            return EMPTY
        with self._deeper() as allowed:
            if not allowed:
                return Leaf(source(self.stream.group() or ()), prose=True)
            return row(self.atom())

    def optional(self) -> Node | None:
        """The argument in brackets that comes next, if one does."""
        tokens = self.stream.optional()
        return None if tokens is None else self.parsed(tokens)

    def parsed(self, tokens: list[Token]) -> Node:
        """Tokens cut out of the stream as a row of their own."""
        whole, awaited = self.stream, self._awaited
        self.stream = Stream(tokens[::-1], whole.macros, whole.expansions, whole.added)
        self._awaited = []
        try:
            with self._deeper() as allowed:
                return self.row() if allowed else Leaf(source(tokens), prose=True)
        finally:
            whole.expansions, whole.added = self.stream.expansions, self.stream.added
            self.stream, self._awaited = whole, awaited

    def raw(self) -> str:
        """The next group as it is written."""
        return source(self.stream.group() or ()).strip()

    def delimiter(self, of: Token) -> str:
        """The delimiter after `\\left` and its like, in one column; empty for a dot."""
        token = self.stream.peek()
        if token is None or token.text in _STOPS - {r"\middle"}:
            self.fault(f"`{of.text}` lacks its delimiter", of)
            return ""
        self.stream.next()
        if token.text not in delimiters():
            self.fault(f"`{token.text}` after `{of.text}` is no delimiter", token)
        return delimiters().get(token.text, token.text)

    @contextmanager
    def font(self, alphabet: str | None) -> Iterator[None]:
        """Letters read inside are set in another alphabet."""
        before, self.alphabet = self.alphabet, alphabet
        try:
            yield
        finally:
            self.alphabet = before

    def fenced(self, opener: Token) -> Node:
        r"""What follows `\left`, up to its `\right`."""
        left = self.delimiter(opener)
        parts: list[Node] = []
        middles: list[str] = []
        with self._deeper() as allowed, self._await(r"\right", r"\middle"):
            if not allowed:
                return Leaf(left + source(self._to_the_end()), prose=True)
            while True:
                parts.append(self.row())
                token = self.stream.peek()
                if token is None or token.text != r"\middle":
                    break
                middles.append(self.delimiter(self.stream.next() or opener))
        if token is None or token.text != r"\right":
            self.fault(r"`\left` has no `\right`", opener)
            return Fence(left, tuple(parts), "", tuple(middles))
        self.stream.next()
        right = self.delimiter(token)
        if middles:
            parts = [_trimmed(part) for part in parts]
        elif left == "{" and not right:
            parts = [_as_cases(part) for part in parts]
        return Fence(left, tuple(parts), right, tuple(middles))

    def cells(self, opener: Token, ends: frozenset[str]) -> tuple[list[list[Node]], set[int]]:
        r"""Rows of cells up to one of the ends (unread), and the rows with a rule before them."""
        rows: list[list[Node]] = [[]]
        rules: set[int] = set()
        with self._deeper() as allowed, self._await("&", *_NEWLINES, *ends):
            while allowed:
                if not rows[-1]:
                    self._rules(rules, len(rows) - 1)
                rows[-1].append(self.row())
                token = self.stream.peek()
                if token is None or token.text in ends or token.text not in self._awaited:
                    break
                if token.text != "&" and token.text not in _NEWLINES:
                    break
                self.stream.next()
                if token.text in _NEWLINES:
                    self._row_end()
                    rows.append([])
        if not allowed:
            rows = [[Leaf(opener.text + source(self._to_the_end()), prose=True)]]
        if len(rows) > 1 and all(cell == EMPTY for cell in rows[-1]):
            rows.pop()
        return rows, rules

    def fault(self, what: str, token: Token) -> None:
        """Remember a fault as a sentence with the place where it shows."""
        lines = self._latex.count("\n", 0, token.at)
        place = f" in line {lines + 1} of the formula" if "\n" in self._latex.strip() else ""
        excerpt = self._latex[token.at : token.at + 24].split("\n")[0].strip()
        self.faults[f"{what}{place}, at: {excerpt}" if excerpt else f"{what}{place}."] = None

    def _finished(self, items: list[Node]) -> list[Node]:
        return finished(items, words=self.alphabet in _ROMAN)

    def _command(self, token: Token) -> tuple[Node, ...]:
        build = self._builders.get(token.text)
        if build:
            return build(self, token)
        self.unknown[token.text] = None
        return self._as_written(token)

    def _as_written(self, token: Token) -> tuple[Node, ...]:
        """An unknown command with the braces of its arguments, so that nothing is hidden."""
        items: list[Node] = [Leaf(token.text)]
        while self.stream.rest and self.stream.rest[-1].text == "{":
            inner = self.stream.group() or []
            items += [Leaf("{", Atom.OPEN), self.parsed(inner), Leaf("}", Atom.CLOSE)]
        return tuple(items)

    def _group(self, opener: Token) -> Node:
        with self._deeper() as allowed:
            if not allowed:
                self.stream.rest.append(opener)
                return Leaf(source(self.stream.group() or ()), prose=True)
            with self._await("}"), self.font(self.alphabet):
                inner = self.row()
        closer = self.stream.peek()
        if closer and closer.text == "}":
            self.stream.next()
        else:
            self.fault("A `{` is never closed", opener)
        return Leaf(inner.text) if isinstance(inner, Leaf) and inner in _MARKS else inner

    def _scripts(self, base: Node) -> Node:
        sub: Node | None = None
        sup: Node | None = None
        limits = _takes_limits(base)
        while token := self.stream.peek():
            if token.text in _LIMIT_SWITCHES:
                limits = _LIMIT_SWITCHES[token.text]
                self.stream.next()
            elif token.text in {"'", "’"}:
                sup = _joined(sup, Leaf(_PRIMES[self._primes()]))
            elif token.text == "_":
                self.stream.next()
                if sub is not None:
                    self.fault("Two subscripts on one symbol", token)
                sub = _joined(sub, self.argument(token))
            elif token.text == "^":
                self.stream.next()
                if sup is not None and not _is_prime(sup):
                    self.fault("Two superscripts on one symbol", token)
                sup = _joined(sup, self.argument(token))
            else:
                break
        if isinstance(base, Brace) and base.label is None:
            return Brace(base.body, base.over, sup if base.over else sub)
        sub, sup = (None if script == EMPTY else script for script in (sub, sup))
        return base if sub is sup is None else Scripts(base, sub, sup, limits)

    def _primes(self) -> int:
        count = 0
        while count < 3 and (token := self.stream.peek()) and token.text in {"'", "’"}:
            self.stream.next()
            count += 1
        return count

    def _arg(self) -> Leaf:
        r"""`\arg`, joined with a `\max` or `\min` after it into one operator."""
        token = self.stream.peek()
        if token and token.text in {r"\max", r"\min"}:
            self.stream.next()
            return Leaf(f"arg {token.text[1:]}", Atom.OP, limits=True)
        return Leaf("arg", Atom.OP)

    def _rules(self, rules: set[int], index: int) -> None:
        while (token := self.stream.peek()) and token.text in RULES:
            self.stream.next()
            if token.text == r"\cline":
                self.stream.group()
            rules.add(index)

    def _row_end(self) -> None:
        """Past the star and the extra space that may follow a line break."""
        if self.stream.rest and self.stream.rest[-1].text == "*":
            self.stream.rest.pop()
        if self.stream.rest and self.stream.rest[-1].text == "[":
            self.stream.optional()

    def _stray(self, token: Token) -> None:
        self.stream.next()
        if token.text == "}":
            self.fault("A `}` closes nothing", token)
        elif token.text == "&":
            self.fault("A `&` stands outside an environment with columns", token)
        elif token.text == r"\end":
            self.fault(rf"`\end{{{self.raw()}}}` closes nothing", token)
        elif token.text in {r"\right", r"\middle"}:
            self.fault(rf"`{token.text}` has no `\left`", token)

    def _to_the_end(self) -> list[Token]:
        rest = self.stream.rest[::-1]
        self.stream.rest.clear()
        return rest

    @contextmanager
    def _deeper(self) -> Iterator[bool]:
        self._depth += 1
        try:
            yield self._depth <= MAX_DEPTH
        finally:
            self._depth -= 1

    @contextmanager
    def _await(self, *closers: str) -> Iterator[None]:
        self._awaited += closers
        try:
            yield
        finally:
            del self._awaited[-len(closers) :]


Nodes = tuple[Node, ...]
Builder = Callable[[Parser, Token], Nodes]
"""Makes the nodes of a command whose token was just read."""


def _takes_limits(base: Node) -> bool:
    match base:
        case Leaf(limits=limits) | Scripts(limits=limits) | Classed(limits=limits):
            return limits
        case Stack(base=inner):
            return _takes_limits(inner)
    return False


def _as_cases(part: Node) -> Node:
    r"""The array in `\left\{ \begin{array} ... \right.`, an old way to write cases."""
    if isinstance(part, Grid) and part.shape is Shape.MATRIX and not part.bars | part.rules:
        return replace(part, shape=Shape.CASES)
    return part


def _trimmed(part: Node) -> Node:
    """A part without the spaces its author put round the delimiter between parts."""
    items = list(items_of(part))
    while items and isinstance(items[0], Space):
        items.pop(0)
    while items and isinstance(items[-1], Space):
        items.pop()
    return row(items)


def _joined(first: Node | None, second: Node) -> Node:
    return second if first is None else Row((*items_of(first), *items_of(second)))


def _is_prime(node: Node) -> bool:
    return isinstance(node, Leaf) and node.text in _PRIMES
