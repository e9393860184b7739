"""Sums in index notation, and products, means, maxima and minima over letters."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from quizzer.notation.functions import REDUCTION_SIGNS, REDUCTIONS
from quizzer.notation.grammar.brackets import COMPARISONS
from quizzer.notation.grammar.index_arrays import ArrayParser
from quizzer.notation.nodes import (
    Binder,
    Call,
    Compare,
    Element,
    Group,
    Letter,
    Logic,
    Node,
    Product,
    Reduce,
    Sum,
    Vector,
    substituted,
    walk,
)
from quizzer.notation.values import FaultError

_MAX_LETTERS = 20
_SPARE = "abcdefghijklmnopqrstuvwxyz"
_ENDS = frozenset({"prod", "max", "min"})
"""What does not mean the same over one factor and over a whole term."""


class SumParser(ArrayParser):
    """The half of index notation that reads what letters run over."""

    def ends_sum(self) -> bool:
        """`Σ_n a_n / Σ_n b_n`: the second sum has the same letter, so the first ends before it."""
        slash = self.sees("/")
        sign = self.ahead(slash).text
        kind = REDUCTION_SIGNS.get(sign, sign)
        if kind not in REDUCTIONS or self.ahead(slash + 1).text not in ("_", "("):
            return False
        if not slash and kind not in ("sum", "prod"):
            return False
        first = slash + (3 if self.ahead(slash + 2).text in ("{", "(") else 2)
        letter = self.letter_name(first)
        if not self.is_letter(first) or letter not in self.scope:
            return False
        return slash or self.begun.get(letter) == (self.depth, kind)

    def reduction(self, kind: str) -> Node:
        """`sum_k …`, `sum(k) …`, the total `sum(x)`, or `max(a, b)` of numbers."""
        token = self.token
        if self.ahead().text == "{" or (self.ahead().text == "[" and kind in ("max", "min")):
            return self.largest(kind)
        if self.ahead().text == "(":
            letters = self.letters_in_brackets()
            if letters is None:
                array = self.array()
                return array if array is not None else self.largest(kind)
            if any(self.names.axes.get(letter) for letter in letters):
                self.fail(
                    f"Is this {token.text} over an index or of an array? Write {kind}_i … with "
                    "another letter, or put brackets round it.",
                    "ambiguous",
                )
        self.take()
        return self.nested(lambda: self.reduce(kind, token.at))

    def letters_in_brackets(self) -> list[str] | None:
        """The letters of `sum(k, l) …`, if something follows that the sum can run over."""
        found, ahead = [], 2
        while self.is_letter(ahead):
            found.append(self.ahead(ahead).text)
            ahead += 1 + self.primes(ahead)
            if self.ahead(ahead).text == ")":
                place, self.place = self.place, self.place + ahead + 1
                follows = self.starts_factor()
                self.place = place
                return found if follows else None
            if self.ahead(ahead).text != ",":
                return None
            ahead += 1
        return None

    def largest(self, kind: str) -> Node:
        """`max(a, b)` and `min(a, b)` of numbers."""
        token, arguments = self.take(), self.arguments()
        if kind not in ("max", "min") or len(arguments) < 2:
            raise FaultError(
                f"Over which index does {kind} run? Write {kind}_i … or {kind}(i) ….",
                token.at,
                "missing-sum",
            )
        return Call(kind, arguments, token.at)

    def reduce(self, kind: str, at: int | None) -> Node:
        high, whole = self.upper_bound(), self.whole_axis
        if not self.sees("_", "(", "["):
            raise FaultError(
                f"Over which index does {kind} run? Write {kind}_i … or {kind}(i) ….",
                at,
                "missing-sum",
            )
        before = len(self.scope)
        binders, conditions = self.binders(high is not None)
        high, whole = high or self.upper_bound(), whole or self.whole_axis
        self.whole_axis = False
        if whole and binders[-1].low is not None:
            binders = [Binder(each.letter, None, None, each.at) for each in binders]
        if high is not None and binders[-1].low is None:
            first = self.names.context.first_index
            bounds = f"i={first}}}^{{{'n' if first else 'n-1'}"
            self.fail(f"Write both bounds, {kind}_{{{bounds}}}, or none: {kind}_i.", "bounds")
        if len(self.scope) + len(self.free) > _MAX_LETTERS:
            raise FaultError("Too many index letters.", at, "too-large")
        sign = self.signs()
        if not self.starts_factor():
            self.fail(f"{kind} needs something to run over.")
        grouped = self.sees("(")
        begun = dict(self.begun)
        self.begun = begun | dict.fromkeys(self.scope[before:], (self.depth, kind))
        body = self.product()
        self.begun = begun
        body = body if sign > 0 else Sum(((-1, body),), at)
        beside: tuple[tuple[str, Node], ...] = ()
        if kind in _ENDS and isinstance(body, Product):
            body, beside = self.ended(kind, body, set(self.scope[before:]), grouped, at)
        self.summed.update(self.scope[before:])
        del self.scope[before:]
        condition = _all(conditions)
        binders, condition, body = self.apart(binders, condition, body)
        if high is None:
            body = Reduce(kind, tuple(binders), condition, body, at)
        else:
            low = binders[-1].low
            for binder in reversed(binders):
                bounded = replace(binder, low=binder.low or low, high=high)
                body, condition = Reduce(kind, (bounded,), condition, body, at), None
        return Group(Product(((" ", body), *beside), at), at) if beside else body

    def apart(
        self, binders: list[Binder], condition: Node | None, body: Node
    ) -> tuple[list[Binder], Node | None, Node]:
        """The sum with other letters for those that are in use around it."""
        taken = {*self.scope, *self.free, *_letters_in(body)}
        taken |= {each.letter for part in (body, condition) if part for each in bound(part)}
        for number, binder in enumerate(binders):
            if binder.letter not in self.scope:
                continue
            free = next(sign for sign in _SPARE if sign not in taken)
            taken.add(free)
            renamed: dict[str, Node] = {binder.letter: Letter(free, binder.at)}
            binders[number] = replace(binder, letter=free, like=binder.letter)
            body = substituted(body, renamed)
            condition = condition and substituted(condition, renamed)
        return binders, condition, body

    def best(self, first: Node) -> Node | None:
        """`(i,j) = argmax_{(a,b) ∈ S} x_ab`: it is in S, and its x is the largest there."""
        kind = self.token.text.removeprefix("arg")
        if self.token.kind != "word" or self.token.text not in ("arg", "argmax", "argmin"):
            return None
        if not kind:
            self.take()
            kind = REDUCTION_SIGNS.get(self.token.text, self.token.text)
        at = self.token.at
        array = self.array_behind()
        found = first
        while isinstance(found, Group):
            found = found.inner
        entries = found.entries if isinstance(found, Vector) else (found,)
        if array is not None and self.axes_of(array) == len(entries):
            return Compare(Element(array, entries, at), (("==", Call(kind, (array,), at)),), at)
        if array is not None or kind not in ("max", "min") or self.ahead().text not in ("_", "("):
            self.fail(f"Over which index does arg{kind} run? Write arg{kind}_i ….", "missing-sum")
        node = self.reduction(kind)
        if not isinstance(node, Reduce) or len(node.binders) != len(entries):
            raise FaultError(f"What does this arg{kind} run over?", at, "ambiguous")
        binders = [binder.letter for binder in node.binders if binder.low is None]
        by = dict(zip(binders, entries, strict=False))
        held = () if node.condition is None else (substituted(node.condition, by),)
        is_best = Compare(substituted(node.body, by), (("==", node),), at)
        return Logic("and", (*held, is_best), at) if held else is_best

    def array_behind(self) -> Node | None:
        """The array of `argmax(x)`, taken; None, and nothing taken, otherwise."""
        place = self.place
        self.take()
        array = self.array_in_brackets() if self.sees("(") else None
        if array is None:
            self.place = place
        return array

    def ended(
        self, kind: str, body: Product, letters: set[str], grouped: bool, at: int | None
    ) -> tuple[Node, tuple[tuple[str, Node], ...]]:
        """The factors that a product, maximum or minimum runs over, and those it ends before.

        A second product beside the first is one of its own. Where another factor does not depend
        on the letters, it is not clear on which side of the end it stands.
        """
        depends = [bool(letters & set(_letters_in(factor))) for _, factor in body.factors]
        last = max((k for k, holds in enumerate(depends) if holds), default=len(depends) - 1)
        beside = body.factors[last + 1 :]
        alone = kind == "prod" and all(sign == " " and _is_prod(factor) for sign, factor in beside)
        if beside and alone and not (grouped and last):
            kept = body.factors[: last + 1]
            return kept[0][1] if len(kept) == 1 else Product(kept, body.at), beside
        if grouped or beside:
            raise FaultError(
                f"Where does this {kind} end? Add brackets: ({kind}_i x_i) y, or {kind}_i (x_i y).",
                at,
                "ambiguous",
            )
        return body, ()

    begun: Mapping[str, tuple[int, str]] = MappingProxyType({})
    """How deep, and in which kind of sum, each letter is bound."""
    whole_axis = False
    """Whether the last upper bound was a size of its own, `T - 1`: its axis is a whole one."""

    def upper_bound(self) -> Node | None:
        if not self.sees("^"):
            return None
        braced = self.ahead().text == "{"
        size = self.ahead(1 + braced)
        rest = [self.ahead(k).text for k in range(2 + braced, 5 + braced)]
        ended = not braced or rest[0] == "}" or rest[:3] == ["-", "1", "}"]
        if size.kind == "word" and len(size.text) == 1 and size.text.isupper() and ended:
            self.place += 2 if not braced else 4 if rest[0] == "}" else 6
            self.whole_axis = True
            return None
        self.take()
        return self.exponent()

    def binders(self, bounded: bool) -> tuple[list[Binder], list[Node]]:
        """The letters under a sum, in scope from here on, and the conditions there."""
        marked = self.accept("_")
        if marked and not self.sees("{", "(", "["):
            return [self.bind()], []
        outer = self.take() if self.sees("{") and self.only_brackets() else None
        opened = self.take()
        close = {"{": "}", "(": ")", "[": "]"}[opened.text]
        bounded = bounded or self.bounded_after(close)
        binders: list[Binder] = []
        conditions: list[Node] = []
        while not self.sees(close) and self.token.kind != "end":
            if self.sees("(") and self.tuple_of_letters():
                self.take()
                while not self.accept(")"):
                    binders.append(self.bind())
                    self.accept(",")
            else:
                self.under(binders, conditions, bounded)
            self.accept(",")
        self.expect(close, opened)
        if outer is not None:
            self.expect("}", outer)
        if not binders:
            raise FaultError("This sum names no new index letter.", opened.at, "missing-sum")
        return binders, conditions

    def tuple_of_letters(self) -> bool:
        """Whether `(i, j)` stands here, letters only, and no comparison behind it."""
        ahead = 1
        while self.is_letter(ahead):
            ahead += 1 + self.primes(ahead)
            if self.ahead(ahead).text == ")":
                return self.ahead(ahead + 1).text in (",", "}", ")", "]")
            if self.ahead(ahead).text != ",":
                return False
            ahead += 1
        return False

    def only_brackets(self) -> bool:
        """Whether round brackets inside the braces hold all that stands there."""
        if self.ahead().text != "(":
            return False
        depth, ahead = 1, 2
        while depth and self.ahead(ahead).kind != "end":
            depth += (self.ahead(ahead).text == "(") - (self.ahead(ahead).text == ")")
            ahead += 1
        return self.ahead(ahead).text == "}"

    def bounded_after(self, close: str) -> bool:
        """Whether an upper bound follows the bracket that is open."""
        depth, ahead = 1, 0
        while depth and self.ahead(ahead).kind != "end":
            text = self.ahead(ahead).text
            depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
            ahead += 1
        return self.ahead(ahead).text == "^"

    def under(self, binders: list[Binder], conditions: list[Node], bounded: bool) -> None:
        """One entry under a sum: letters, a lower bound, or a condition such as `j != i`."""
        following = self.ahead(1 + self.primes())
        beside = following.kind in ("word", "name") and not self.compares_here()
        closing = following.text in (",", "}", ")", "]") or beside
        if self.is_letter() and closing:
            binders.append(self.bind())
        elif self.is_letter() and following.text == "==" and self.letter_name() not in self.scope:
            if not bounded:
                first = self.names.context.first_index
                high = "n" if first else "n-1"
                self.fail(f"Write the upper bound, too: sum_{{i={first}}}^{{{high}}}.", "bounds")
            binder = self.bind()
            self.take()
            binders.append(Binder(binder.letter, self.sum(), None, binder.at))
        else:
            self.bind_new_letters(binders)
            conditions.append(self.must_hold(self.tested(self.comparison)))

    def compares_here(self) -> bool:
        """Whether a comparison stands before the next comma, or before the end of the brackets."""
        depth, ahead = 0, 0
        while self.ahead(ahead).kind != "end":
            text = self.ahead(ahead).text
            depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
            if depth < 0 or (text == "," and not depth):
                return False
            if text in COMPARISONS:
                return True
            ahead += 1
        return False

    def bind_new_letters(self, binders: list[Binder]) -> None:
        """Binds the letters of a condition that nothing binds yet."""
        ahead = 0
        new = []
        while self.ahead(ahead).text not in (",", "}", "]", ")", ""):
            token = self.ahead(ahead)
            name = self.letter_name(ahead)
            plain = token.kind == "word" and self.is_letter(ahead)
            if plain and self.ahead(ahead + 1).text not in ("_", "[") and name not in self.scope:
                self.scope.append(name)
                new.append(Binder(name, None, None, token.at))
            ahead += 1
        if self.open and len(new) > 1:
            said = "Write the left side too, so that it is clear what the sum runs over."
            self.fail(said, "left-side")
        binders += new

    def bind(self) -> Binder:
        at = self.token.at
        if not self.is_letter():
            self.fail(f"{self.found()} is not an index letter.")
        letter = self.take_letter()
        shadows = self.names.context.shadows and letter not in self.free
        if (letter in self.scope and not shadows) or letter in self.free:
            raise FaultError(
                f"Index {letter} is in use outside this sum already: take another letter.",
                at,
                "letter-twice",
            )
        self.scope.append(letter)
        return Binder(letter, None, None, at)


def _is_prod(node: Node) -> bool:
    """Whether the node is a product over letters, or some of them side by side."""
    match node:
        case Group(inner):
            return _is_prod(inner)
        case Product(factors):
            return all(_is_prod(factor) for _, factor in factors)
        case _:
            return isinstance(node, Reduce) and node.kind == "prod"


def _letters_in(node: Node) -> Iterator[str]:
    """The index letters in a node, those that are bound in it, too."""
    return (part.letter for part in walk(node) if isinstance(part, Letter))


def bound(node: Node) -> Iterator[Binder]:
    """What binds letters in a node."""
    return (part for part in walk(node) if isinstance(part, Binder))


def _all(conditions: list[Node]) -> Node | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return Logic("and", tuple(conditions))
