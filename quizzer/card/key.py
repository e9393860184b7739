"""What a card's own answer lets us judge: letters, a number, or nothing.

A key that is read wrongly would reject right answers, so only what can be read in one way counts.
Everything else is revealed and rated by the learner: hedged keys (`A or B?`, `Probably C`), a
letter followed by words that are not its option's, percentages and numbers with a unit (25 % is
.25 to some), a comma within a number (it means one thing here, another there), several numbers.
"""

import math
import re
from collections.abc import Sequence

from quizzer.card.values import Asked, Choice, Number, Option, Reveal


def asked(key: str, options: Sequence[Option]) -> Asked:
    """How a card with this key and these options is asked when it has no checker."""
    if options:
        letters = letters_of(key, options)
        known = {option.letter for option in options}
        return Choice(letters) if letters and letters <= known and len(known) > 1 else Reveal()
    return number_of(key) or Reveal()


def letters_of(key: str, options: Sequence[Option]) -> frozenset[str]:
    """The letters that a key plainly names, whether there are such options or not; else none."""
    lines = [_plain(line) for line in key.strip().split("\n")]
    if len(lines) == 1 and (match := _ONE.fullmatch(lines[0])):
        return frozenset(match[1].upper())
    if len(lines) == 1 and _SEVERAL.fullmatch(lines[0]):
        letters = _LONE_LETTER.findall(lines[0])
    else:
        letters = [_letter_with_text(line, options) for line in lines]
    return frozenset(letters) if _are_distinct(letters) else frozenset()


def number_of(key: str) -> Number | None:
    """The number that a key is: `3`, `-0.25`, `1e-3`, `1/4`, `\\frac{1}{4}`; None for all else."""
    text = key.strip().strip("*_`$ ").removesuffix(".").strip("*_`$ ").replace("−", "-")
    if match := _DECIMAL.fullmatch(text):
        value = float(text)
        slack = float(f"0.5e{int(match[2] or 0) - len(match[1])}") if match[1] else 0.0
        is_double = bool(value) or not _NOT_ZERO.match(text)
        return Number(value, slack) if is_double and math.isfinite(value + slack) else None
    if match := _FRACTION.fullmatch(_TEX_FRACTION.sub(r"\1\2/\3", text)):
        numerator, denominator = int(match[1]), int(match[2])
        return Number(numerator / denominator) if denominator else None
    return None


def _letter_with_text(line: str, options: Sequence[Option]) -> str:
    """The letter of `B) the text` if that is what option B says, else nothing."""
    match = _WITH_TEXT.fullmatch(line)
    letter = match[1].upper() if match else ""
    own = [_plain(option.text) for option in options if option.letter == letter]
    return letter if match and own == [match[2].strip()] else ""


def _are_distinct(letters: Sequence[str]) -> bool:
    return all(letters) and len(set(letters)) == len(letters)


def _plain(text: str) -> str:
    """On one line, without emphasis and a full stop, to compare what an author wrote twice."""
    return " ".join(text.translate(_NO_EMPHASIS).split()).removesuffix(".").strip()


_NO_EMPHASIS = {ord(sign): None for sign in "*`$"}
_ONE = re.compile(r"(?:option +)?\(?([A-Za-z])[).:]?", re.IGNORECASE)
_LETTER = r"\(?[A-Z]\)?"
_SEVERAL = re.compile(
    rf"(?:[Oo]ptions +)?{_LETTER}(?: *[,;] *{_LETTER})*(?:(?: *,)? *(?:\band\b|&|[,;]) *{_LETTER})"
)
_LONE_LETTER = re.compile(r"\b[A-Z]\b")
_WITH_TEXT = re.compile(r"(?:- )?\(?([A-Za-z])[).:] *(.+)")
_DECIMAL = re.compile(
    r"[+-]?(?:0|[1-9][0-9]{0,14}|(?=\.[0-9]))(?:\.([0-9]{1,15}))?(?:[eE]([+-]?[0-9]{1,3}))?"
)
_NOT_ZERO = re.compile(r"[+-]?[0.]*[1-9]")
_FRACTION = re.compile(r"([+-]?[0-9]{1,15}) ?/ ?([0-9]{1,15})")
_TEX_FRACTION = re.compile(r"^([+-]?) ?\\[dt]?frac\{([0-9]{1,15})\}\{([0-9]{1,15})\}$")
