"""Answers that need no checker: chosen letters, and a number."""

import re
from decimal import Decimal, DecimalException
from fractions import Fraction

from quizzer.card import Number
from quizzer.judge.judgement import RIGHT, Answered, Diagnosis
from quizzer.text import one_line
from quizzer.values import Verdict

_ROUND_OFF = Fraction(1, 10**12)
"""Relative: what writing a number as a double may cost."""
_MAX_LENGTH = 200

_THOUSANDS = re.compile(r"[-+−]?[1-9]\d{0,2}(,\d{3})+")
_SEPARATORS = re.compile(r"[\s,;.()&+]+|\band\b|\bund\b", re.IGNORECASE)


def judge_choice(key: frozenset[str], offered: tuple[str, ...], text: str) -> Answered:
    """The chosen letters (`b`, `A, C`, `ac`) against the key; all of them must be right."""
    letters = frozenset(_SEPARATORS.sub("", text).upper())
    if not letters:
        return _choice(Verdict.INVALID, f"Type one of {', '.join(offered)}, or several.")
    if unknown := sorted(letters - frozenset(offered)):
        apart = all(len(word) <= 1 for word in _SEPARATORS.split(text))
        few = len(unknown) <= (len(offered) if apart else 1)
        named = ", ".join(unknown) if few else one_line(text, 20)
        return _choice(
            Verdict.INVALID, f"There is no option {named}. Choose from {', '.join(offered)}."
        )
    if letters == key:
        return _choice(Verdict.CORRECT, RIGHT)
    if letters < key:
        return _choice(Verdict.WRONG, "Not all: something else is true as well.")
    if letters > key:
        return _choice(Verdict.WRONG, "Too many: not all of these are true.")
    return _choice(Verdict.WRONG, "Not that.")


def judge_number(key: Number, text: str) -> Answered:
    """A number against the key: equal when rounded to the last digit that the card shows.

    Fewer digits than the key has are invalid rather than wrong where they agree as far as they go.
    """
    if len(text) > _MAX_LENGTH:
        return _number(Verdict.INVALID, f"This is longer than {_MAX_LENGTH} characters.")
    if _THOUSANDS.fullmatch(text.strip()):
        message = "Is the comma a decimal sign or does it part thousands? Write it with a point."
        return _number(Verdict.INVALID, message)
    number = parse_number(text)
    if number is None:
        return _number(Verdict.INVALID, "That is no number. Write for example 0.25, 1/4 or 2.5e-3.")
    value, slack = Fraction(key.value), Fraction(key.slack)  # an answer need not be a double
    off = abs(number - value)
    if off <= _ROUND_OFF * abs(value):
        return _number(Verdict.CORRECT, RIGHT)
    if off <= slack * (1 + _ROUND_OFF):
        return _number(Verdict.CORRECT, f"Right to the digits that the card gives: {key.value:g}.")
    if off <= _half_unit(text):
        return _number(Verdict.INVALID, "Right as far as it goes. Give more digits.")
    if abs(number + value) <= slack + _ROUND_OFF * abs(value):
        return _number(Verdict.WRONG, "Look at the sign.", Diagnosis("sign", "Look at the sign."))
    return _number(Verdict.WRONG, "Not that number.")


def parse_number(text: str) -> Fraction | None:
    """`3`, `-0.25`, `1,5`, `1e-3`, `1/4`, `25 %`: its exact value, or None."""
    plain = text.strip().replace("−", "-").replace("\u00a0", " ")
    percent = plain.endswith("%")
    plain = plain.removesuffix("%").strip()
    try:
        top, *bottom = (_decimal(part) for part in plain.split("/"))
        if len(bottom) > 1:
            return None
        value = top / bottom[0] if bottom else top
    except (DecimalException, ValueError, ZeroDivisionError, OverflowError):
        return None
    return value / 100 if percent else value


def _decimal(text: str) -> Fraction:
    if not re.fullmatch(r"\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)(e[-+]?\d{1,3})?\s*", text, re.IGNORECASE):
        raise ValueError(text)
    return Fraction(Decimal(text.strip().replace(",", ".")))


def _half_unit(text: str) -> Fraction:
    """Half a unit of the last decimal written; nothing for whole numbers and fractions."""
    match = re.fullmatch(r"[-+−]?\d*[.,](\d+)(?:e([-+]?\d+))?\s*(%?)", text.strip(), re.IGNORECASE)
    if not match:
        return Fraction(0)
    exponent = int(match[2] or 0) - len(match[1]) - (2 if match[3] else 0)
    return Fraction(10) ** exponent / 2


def _choice(verdict: Verdict, message: str) -> Answered:
    return Answered("choice", verdict, message, notation="letters")


def _number(verdict: Verdict, message: str, diagnosis: Diagnosis | None = None) -> Answered:
    return Answered("number", verdict, message, notation="number", diagnosis=diagnosis)
