"""Arithmetic of sizes: `2h`, `H/2`, `K + 1`. Letters stand for whole numbers."""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import floor

from msgspec import Struct

LETTER = r"[^\W\d_][0-9]*"
"""How a size is written: one letter, perhaps with a number behind it."""

_LARGEST = 10_000
_MAX_LENGTH = 60
_TOKEN = re.compile(rf"\s*({LETTER}|[0-9]+|[-+*/()⌊⌋])")
_SPELLINGS = (
    *(("\\cdot", "*"), ("·", "*"), ("−", "-"), ("\\lfloor", "⌊"), ("\\rfloor", "⌋")),
    *(("\\left", ""), ("\\right", "")),
)


_FLOOR = "⌋"
_CLOSING = {"(": ")", "⌊": _FLOOR}


class SizeError(Exception):
    """A size that cannot be read, or is no whole number; the message says why."""


class Size(Struct, frozen=True, dict=True):
    """An expression of whole numbers and letters, as it is written and in postfix order."""

    text: str
    postfix: tuple[str, ...]

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The letters in it, each once."""
        return tuple(dict.fromkeys(part for part in self.postfix if part[0].isalpha()))

    @cached_property
    def letter(self) -> str | None:
        """The letter, where it is nothing else."""
        only = self.postfix[0]
        return only if len(self.postfix) == 1 and only[0].isalpha() else None

    def value(self, sizes: Mapping[str, int]) -> int:
        """Its value for these letters. Raises SizeError where it is no whole number."""
        if len(self.postfix) == 1 and self.postfix[0] in sizes:
            return sizes[self.postfix[0]]
        stack: list[Fraction] = []
        for part in self.postfix:
            if part == _FLOOR:
                stack.append(Fraction(floor(stack.pop())))
            elif part in _APPLY:
                right = stack.pop()
                left = stack.pop()
                if part == "/" and not right:
                    raise SizeError(f"{self.text} divides by zero")
                stack.append(_APPLY[part](left, right))
            elif part in sizes:
                stack.append(Fraction(sizes[part]))
            elif part.isdigit():
                stack.append(Fraction(int(part)))
            else:
                raise SizeError(
                    f"{part} is the length of no axis; a number of its own is an input, "
                    f"`{part}: number 3..5`"
                )
        (value,) = stack
        if value.denominator != 1:
            raise SizeError(f"{self.text} is {value}, which is no whole number; ⌊a/b⌋ rounds down")
        if abs(value) > _LARGEST:
            raise SizeError(f"{self.text} is {int(value):,}, and {_LARGEST:,} is the most")
        return int(value)


def read_size(text: str) -> Size:
    """The expression in a text. Raises SizeError."""
    plain = text
    for spelling, sign in _SPELLINGS:
        plain = plain.replace(spelling, sign)
    plain = plain.strip()
    if not plain or len(plain) > _MAX_LENGTH:
        raise SizeError(f"{text.strip()[:20] or 'nothing'} is no size")
    tokens, place = [], 0
    while place < len(plain):
        token = _TOKEN.match(plain, place)
        if token is None:
            raise SizeError(f"{text.strip()} is no size")
        tokens.append(token[1])
        place = token.end()
    parser = _Parser(tokens, text.strip())
    parser.sum()
    if parser.tokens:
        raise SizeError(f"{text.strip()} is no size")
    return Size(text.strip(), tuple(parser.postfix))


class _Parser:
    """Sums of products; side by side means product."""

    def __init__(self, tokens: list[str], text: str) -> None:
        self.tokens = tokens
        self.text = text
        self.postfix: list[str] = []

    def sum(self) -> None:
        if self.tokens[:1] == ["-"]:
            self.postfix.append("0")
        else:
            self.product()
        while self.tokens[:1] in (["+"], ["-"]):
            sign = self.tokens.pop(0)
            self.product()
            self.postfix.append(sign)

    def product(self) -> None:
        self.factor()
        while self.tokens and self.tokens[0] not in ("+", "-", ")", _FLOOR):
            sign = self.tokens.pop(0) if self.tokens[0] in ("*", "/") else "*"
            self.factor()
            self.postfix.append(sign)

    def factor(self) -> None:
        token = self.tokens.pop(0) if self.tokens else ""
        if token in _CLOSING:
            self.sum()
            closing = self.tokens.pop(0) if self.tokens else ""
            if closing != _CLOSING[token]:
                raise SizeError(f"{self.text} has a bracket that does not close")
            if closing == _FLOOR:
                self.postfix.append(_FLOOR)
        elif token[:1].isalnum():
            self.postfix.append(token)
        else:
            raise SizeError(f"{self.text} is no size")


_APPLY = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}
