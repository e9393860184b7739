"""What follows the colon of an input, `N × D positive`, and what a line `size` says of a letter."""

import re

from quizzer.checker.declared.domains import square_kinds
from quizzer.checker.declared.sizes import LETTER, Size, SizeError, read_size
from quizzer.checker.declared.statements import LineError
from quizzer.checker.declared.values import Domain, SizeRule

_MOST_SIZE = 64

_TIMES = re.compile(r"\s*(?:×|\\times\b|(?<=[\s\w)])x(?=\s))\s*")
_SIZE_RULE = re.compile(rf"({LETTER})\s*(?::|=|in\b)\s*(.+)")
_DOTS = re.compile(r"(\d+)\s*(?:\.\.+|…|-|to)\s*(\d+)")


def read_shape(text: str) -> tuple[tuple[Size, ...], str]:
    """The shape at the beginning of what follows a colon, and the domain behind it."""
    text = text.strip()
    if match := re.match(r"(?:number|scalar)\b\s*(.*)", text, re.DOTALL):
        return (), match[1]
    bracket = re.match(r"\(([^()]*)\)\s*(.*)", text, re.DOTALL)
    if bracket and ("," in bracket[1] or not bracket[1].strip()):
        parts = [part for part in bracket[1].split(",") if part.strip()]
        return tuple(map(read_size, parts)), bracket[2]
    words = text.split()
    for count in range(len(words), 0, -1):
        try:
            return _dims(" ".join(words[:count])), " ".join(words[count:])
        except SizeError:
            continue
    raise LineError(
        f"{text or 'nothing'} is no shape: write `N × D`, `(N, D)`, or `number`, and a domain "
        "behind it"
    )


def _dims(text: str) -> tuple[Size, ...]:
    if re.search(r"[a-z]{2,}", text.replace("\\times", "×")):
        raise SizeError(f"{text} holds a word")
    return tuple(read_size(part) for part in _TIMES.split(text))


def must_fit(name: str, shape: tuple[Size, ...], domain: Domain) -> None:
    """Raises LineError where an input of this shape cannot have this domain."""
    if domain.kind in square_kinds() and (len(shape) < 2 or shape[-1].postfix != shape[-2].postfix):
        raise LineError(
            f"`{name}` is {domain.kind}, so it must be a square matrix: write `{name}: D × D "
            f"{domain.kind}`"
        )
    if domain.kind in ("simplex", "onehot", "unit", "sorted") and not shape:
        raise LineError(f"`{name}` is {domain.kind}, which a number cannot be: give it a shape")


def read_rule(text: str, line: int) -> SizeRule:
    """One part of a line `size`: `K: 3..7` or `H = 2h`. Raises LineError or SizeError."""
    match = _SIZE_RULE.fullmatch(text)
    if match is None:
        raise LineError(f"{text!r} says nothing of a size: write `size K: 3..7` or `size H = 2h`")
    return _rule(match[1], match[2].strip(), line)


def _rule(letter: str, said: str, line: int) -> SizeRule:
    if match := _DOTS.fullmatch(said):
        low, high = int(match[1]), int(match[2])
        if not 1 <= low <= high <= _MOST_SIZE:
            raise LineError(f"{said} is no range of sizes: from 1 to {_MOST_SIZE}, lower end first")
        return SizeRule(letter, line, low, high)
    made = read_size(said)
    if not made.letters:
        value = made.value({})
        if not 1 <= value <= _MOST_SIZE:
            raise LineError(f"the size {letter} is {value}: it goes from 1 to {_MOST_SIZE}")
        return SizeRule(letter, line, value, value)
    return SizeRule(letter, line, made=made)
