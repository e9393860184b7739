"""The stream a parser reads: tokens in order, macros replaced on sight, within bounds."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from quizzer.tex.tokens import Token, tokenise

MAX_EXPANSIONS = 1_000
MAX_TOKENS = 20_000
"""Tokens that expansion may add in all; after that a macro stays as it is written."""
MAX_OPTIONAL = 300
"""Tokens among which the `]` of an optional argument is looked for."""

_NEW = frozenset(
    rf"\{verb}command{star}" for verb in ("new", "renew", "provide") for star in ("", "*")
) | {r"\DeclareRobustCommand"}
_OPERATOR = frozenset({r"\DeclareMathOperator", r"\DeclareMathOperator*"})
_DEFINERS = _NEW | _OPERATOR | {r"\def", r"\gdef", r"\let"}


class Macro(Struct, frozen=True):
    """What a command stands for. `default` is the value of an optional first argument."""

    arity: int
    body: tuple[Token, ...]
    default: tuple[Token, ...] | None = None


@dataclass(slots=True)
class Stream:
    """Tokens still to be read. Definitions among them are learnt and never seen by the reader."""

    rest: list[Token]
    """Reversed: the next token is the last."""
    macros: dict[str, Macro] = field(default_factory=dict)
    expansions: int = 0
    added: int = 0

    def peek(self) -> Token | None:
        """The next token that is not space, after expansion."""
        self._settle(skip_space=True)
        return self.rest[-1] if self.rest else None

    def next(self) -> Token | None:
        token = self.peek()
        if token:
            self.rest.pop()
        return token

    def next_raw(self) -> Token | None:
        """The next token as it stands, space and all."""
        return self.rest.pop() if self.rest else None

    def skip_space(self) -> None:
        while self.rest and self.rest[-1].text == " ":
            self.rest.pop()

    def group(self) -> list[Token] | None:
        """The tokens of the brace group that comes next, or the one token; None at the end."""
        self.skip_space()
        token = self.next_raw()
        if token is None:
            return None
        if token.text != "{":
            return [token]
        inner: list[Token] = []
        depth = 1
        while (token := self.next_raw()) is not None:
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            if not depth:
                break
            inner.append(token)
        return inner

    def optional(self) -> list[Token] | None:
        """The tokens between the brackets that come next, or None when no bracket does."""
        self.skip_space()
        if not self.rest or self.rest[-1].text != "[":
            return None
        depth = 0
        for taken, token in enumerate(islice(reversed(self.rest), MAX_OPTIONAL)):
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            if depth < 0:
                return None
            if token.text == "]" and not depth:
                inner = self.rest[-taken:-1]
                del self.rest[-taken - 1 :]
                return inner[::-1]
        return None

    def _settle(self, skip_space: bool) -> None:
        while self.rest:
            token = self.rest[-1]
            if token.text == " " and skip_space:
                self.rest.pop()
            elif token.text in _DEFINERS:
                self.rest.pop()
                self._define(token.text)
            elif token.text in self.macros and self.expansions < MAX_EXPANSIONS:
                macro = self.macros[token.text]
                if self.added + len(macro.body) > MAX_TOKENS:
                    return
                self.rest.pop()
                self._expand(macro, token.at)
            else:
                return

    def _expand(self, macro: Macro, at: int) -> None:
        values: list[list[Token]] = []
        if macro.default is not None:
            given = self.optional()
            values.append(list(macro.default) if given is None else given)
        while len(values) < macro.arity:
            values.append(self.group() or [])
        body = _substituted(macro.body, values, MAX_TOKENS - self.added)
        self.expansions += 1
        self.added += len(body)
        self.rest += [Token(token.text, at) for token in reversed(body)]

    def _define(self, definer: str) -> None:
        name = "".join(token.text for token in self.group() or ()).strip()
        if definer in _OPERATOR:
            star = definer[-1] == "*"
            operator = Token(r"\operatorname*" if star else r"\operatorname", 0)
            body = [operator, Token("{", 0), *(self.group() or ()), Token("}", 0)]
            macro = Macro(0, tuple(body))
        elif definer in _NEW:
            count = "".join(token.text for token in self.optional() or ())
            default = self.optional()
            arity = int(count) if count in set("123456789") else 0
            body = self.group() or []
            macro = Macro(arity, tuple(body), None if default is None else tuple(default))
        elif definer == r"\let":
            self.skip_space()
            if self.rest and self.rest[-1].text == "=":
                self.rest.pop()
            target = self.group() or []
            known = self.macros.get(target[0].text) if target else None
            macro = known or Macro(0, tuple(target))
        else:
            macro = self._def()
        if name[:1] == "\\" and len(name) > 1:
            self.macros[name] = macro

    def _def(self) -> Macro:
        r"""The rest of `\def\name#1#2{...}` after the name."""
        pattern: list[str] = []
        while self.rest and self.rest[-1].text != "{":
            pattern.append(self.rest.pop().text)
        return Macro(min(pattern.count("#"), 9), tuple(self.group() or ()))


def stream(latex: str, macros: str = "") -> Stream:
    """A stream over a formula that knows the definitions in a text of macros."""
    return Stream(tokenise(latex)[::-1], dict(_definitions(macros)) if macros else {})


@lru_cache(8)
def _definitions(macros: str) -> dict[str, Macro]:
    reader = Stream(tokenise(macros)[::-1])
    while token := reader.next_raw():
        if token.text in _DEFINERS:
            reader._define(token.text)
    return reader.macros


def _substituted(body: Iterable[Token], values: list[list[Token]], limit: int) -> list[Token]:
    """The body with `#1`, `#2`, ... replaced, cut when it grows beyond the limit."""
    result: list[Token] = []
    hash_seen = False
    for token in body:
        if hash_seen:
            hash_seen = False
            if token.text in set("123456789") and int(token.text) <= len(values):
                result += values[int(token.text) - 1]
                if len(result) > limit:
                    return result[:limit]
        elif token.text == "#":
            hash_seen = True
        else:
            result.append(token)
    return result
