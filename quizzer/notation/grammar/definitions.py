"""Definitions of functions and sets among the lines: `f'(s) = …`, `M = {n : y_n < 0}`.

Those of the card are there too. They are put in where they are used, so that what is left are
lines of arrays.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from quizzer.notation.functions import WORDS
from quizzer.notation.grammar.left import LABELS
from quizzer.notation.grammar.lines import Line, lines_of
from quizzer.notation.grammar.sets import given, with_set
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain, between_commas, closing
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import MAX_LENGTH, FaultError

_FUNCTION = re.compile(rf"({WORD}'*)\s*\(([^()=]*)\)")
_STATED = re.compile(
    r"\s*(?:\\?[^\W\d_]+)(?:_(?:\\[A-Za-z]+|\w|\{[^{}]*\}))?\s*\(([^()=]*)\)\s*="
    r"(?!\s*(?:\\left\s*)?\\?\{)"
)
_PRIMED = re.compile(rf"({WORD}?)('+)\s*(_\s*(?:\{{[^{{}}]*\}}|\w))?")
_DELTA = re.compile(r"(δ|delta)\s*_\s*(?:\{\s*([^\W\d_](?:\s*_\s*(?:\w|\{\s*\w\s*\}))?)\s*\}|(\w))")
_SEPARATE = re.compile(rf"(δ|delta|Δ)\s+({WORD})")
_LABELLED = re.compile(rf"({WORD}?)\s*_\s*\{{?\s*([A-Z]+)\s*\}}?")
_TWICE = re.compile(rf"({WORD}?)\s*_\s*(?:\{{\s*(\w)\s*,?\s*\2\s*\}}|(\w)\3)")
_PART = r"[^{}()\[\]]*?(?:_\s*\{[^{}]*\}|_\w)?"
_DERIVED = re.compile(
    rf"[(\[]?\s*(\(\(\s*∂\s*({_PART})\s*\)/\(\s*∂\s*({_PART})\s*\)\))\s*[)\]]?"
    r"\s*(_\s*\{[^{}]*\})?"
)
_COUNTED = re.compile(rf"({WORD}?)\s*_\s*(?:\{{\s*\w\s*\}}|\w)")
_MOST = 200
"""Uses that are put in, at most."""
_MOST_OF_A_CARD = 8
_LONGEST = 400


def put_in(lines: list[Line], names: Names) -> list[Line]:
    """The lines without definitions of functions and sets, and with what these say in the others.

    Raises FaultError where a text gets too long by it.
    """
    if any("∈" in line.right.text for line in lines):
        lines = [*given(names.context.sets), *lines]
    lines = _renamed([*_called(lines, names), *lines], names)
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        if line.left is None or len(lines) == 1:
            continue
        others = [other for k, other in enumerate(lines) if k != place]
        changed = with_set(line, others, names) or _with_function(line, others, names)
        if changed is not None:
            lines = changed
    return lines


def functions(formulas: Iterable[str]) -> tuple[str, ...]:
    """The definitions of functions among a card's formulas, `k(x, x') = …`, one text each."""
    found = []
    for formula in formulas:
        match = _STATED.match(formula)
        if match and len(formula) <= _LONGEST:
            parameters = [part.strip() for part in match[1].split(",")]
            body = formula[match.end() :]
            used = (rf"(?<![^\W\d_]){re.escape(part)}(?![\w'])" for part in parameters)
            if all(re.search(each, body) for each in used):
                found.append(formula)
    return tuple(found)[:_MOST_OF_A_CARD]


def _called(lines: list[Line], names: Names) -> list[Line]:
    """The definitions of the card's functions that the lines call and do not give themselves."""
    text = "\n".join(line.right.text for line in lines)
    own = {line.left.text.partition("(")[0].strip() for line in lines if line.left}
    found = []
    for stated in names.context.sets if "(" in text else ():
        line = _definition(stated)
        head = line and line.left and _FUNCTION.fullmatch(line.left.text)
        if line is None or not head or head[1] in own or names.find(head[1]):
            continue
        called = re.search(rf"(?<!\w){re.escape(head[1])}\s*\(", text)
        if called and names.spelled(head[1]) != names.context.asked:
            found.append(line)
    return found


@lru_cache(64)
def _definition(stated: str) -> Line | None:
    """The line of a definition; None where it is none of one line."""
    try:
        lines = lines_of(translate(stated))
    except FaultError:
        return None
    return lines[0] if len(lines) == 1 else None


def _with_function(line: Line, others: list[Line], names: Names) -> list[Line] | None:
    """The other lines with the function's value put in; None where the line defines none."""
    assert line.left is not None
    found = _FUNCTION.fullmatch(line.left.text)
    if not found or found[1] in WORDS or found[1].rstrip("'") in ("σ", "sigma"):
        return None
    parameters = [part.strip() for part in found[2].split(",")]
    if names.find(found[1]) and any(map(names.find, parameters)):
        return None
    called = re.compile(rf"(?<![\w]){re.escape(found[1])}\s*(?=\()")
    if not any(called.search(other.right.text) for other in others):
        return None
    return [
        replace(other, right=_applied(other.right, called, parameters, line)) for other in others
    ]


def _applied(plain: Plain, called: re.Pattern[str], parameters: list[str], line: Line) -> Plain:
    for match in list(called.finditer(plain.text))[::-1][:_MOST]:
        opened = match.end()
        close = closing(plain.text, opened)
        if close is None:
            raise FaultError("This bracket is not closed.", None, "unfinished")
        arguments = list(between_commas(plain.text[opened + 1 : close]))
        if len(arguments) != len(parameters):
            raise FaultError(
                f"This function takes {len(parameters)} argument(s).", plain.at(match.start())
            )
        body = line.right.text
        for parameter, argument in zip(parameters, arguments, strict=True):
            pattern = rf"(?<![\w]){re.escape(parameter)}(?![\w']|\s*_)"
            body = re.sub(pattern, f"({argument.strip()})".replace("\\", ""), body)
        plain = plain.replaced(match.start(), close + 1, f"({body})")
        _check_length(plain)
    return plain


def _renamed(lines: list[Line], names: Names) -> list[Line]:
    """With one word for a name of several signs that a line defines: `u'_i`, `δ_z`, `δ c`,
    `μ_{ML}`, `∂K/∂ℓ`; and `R = diag(…)` for `R_{nn} = …`."""
    for place in range(len(lines)):
        left = lines[place].left
        if left is None:
            continue
        counted = _COUNTED.fullmatch(left.text)
        if counted and len(lines) > 1 and names.axes.get(names.find(counted[1]) or "") == 0:
            if names.spelled(counted[1]) != names.context.asked:
                spelled = re.compile(rf"(?<![\w]){re.escape(counted[1])}(?=\s*_)")
                lines = _everywhere(lines, spelled, f"{counted[1]}each")
            continue
        for rename in (_primed, _upstream, _separate, _labelled, _derivative):
            found = rename(lines[place], lines, names)
            if found is not None:
                lines = _everywhere(lines, *found)
                break
        lines[place : place + 1] = [_as_diagonal(lines[place], lines, names)]
    return lines


_Renamed = tuple[re.Pattern[str], str] | None
"""What is written in place of a name, and the word for it."""


def _primed(line: Line, lines: list[Line], names: Names) -> _Renamed:
    assert line.left is not None
    primed = _PRIMED.fullmatch(line.left.text)
    if not primed:
        return None
    if primed[1].rpartition("_")[0] and not primed[3]:  # `t_i'` is t'_i
        base, _, letter = primed[1].rpartition("_")
        below = rf"\s*_\s*(?:{letter}|\{{\s*{letter}\s*\}})"
        pattern = rf"(?<![\w]){re.escape(base)}{below}{primed[2]}(?!'|\s*\()"
        return re.compile(pattern), f"{base}prime_{letter} "
    pattern = rf"(?<![\w]){re.escape(primed[1])}{primed[2]}(?!'|\s*\()"
    return re.compile(pattern), f"{primed[1]}prime"


def _upstream(line: Line, lines: list[Line], names: Names) -> _Renamed:
    """The δ of another node, `δ_z` or `δ_{a_n}`."""
    assert line.left is not None
    delta = _DELTA.fullmatch(line.left.text)
    if not delta:
        return None
    node = delta[2] or delta[3]
    known = names.spelled(f"d{node}") in (names.context.asked, *names.context.others)
    alone = len(lines) == 1 and names.find(node) is None
    if known or alone or _indexes(line.right.text, node):
        return None
    inner = r"\s*".join(map(re.escape, re.findall(r"\w|\S", node)))
    pattern = rf"(?<![\w])(?:δ|delta)\s*_\s*(?:\{{\s*{inner}\s*\}}|{inner}(?!\w))"
    word = re.sub(r"\W", "", node)
    return re.compile(pattern), f"{delta[1]}ꞏ{word}"


def _separate(line: Line, lines: list[Line], names: Names) -> _Renamed:
    """`δ c`, where a line below uses it."""
    assert line.left is not None
    found = _SEPARATE.fullmatch(line.left.text)
    if not found:
        return None
    pattern = re.compile(rf"(?<![\w]){found[1]}\s*{re.escape(found[2])}(?!\w)")
    if not any(pattern.search(other.right.text) for other in lines if other is not line):
        return None
    return pattern, f"{found[1]}ꞏ{found[2]}"


def _labelled(line: Line, lines: list[Line], names: Names) -> _Renamed:
    """`μ_{ML}`, whose letters are no indices."""
    assert line.left is not None
    found = _LABELLED.fullmatch(line.left.text)
    if not found or names.is_renewed(found[1]) or found[2] not in LABELS:
        return None
    pattern = rf"(?<![\w]){re.escape(found[1])}\s*_\s*(?:\{{\s*{found[2]}\s*\}}|{found[2]}(?!\w))"
    return re.compile(pattern), f"{found[1]}ꞏ{found[2]}"


def _derivative(line: Line, lines: list[Line], names: Names) -> _Renamed:
    """`∂K/∂ℓ`, where it is neither asked nor given, and another line uses it as it stands here."""
    assert line.left is not None
    found = _DERIVED.fullmatch(line.left.text)
    if not found:
        return None
    top, over = (re.sub(r"[\W_]", "", found[part].partition("_")[0]) for part in (2, 3))
    name = names.spelled(f"d{top}_d{over}")
    if names.find(name) or name in (names.context.asked, *names.context.others):
        return None
    parts = re.findall(r"\w+|\S", found[1])
    pattern = re.compile(r"\s*".join(map(re.escape, parts)))
    if not any(pattern.search(other.right.text) for other in lines if other is not line):
        return None
    below = "" if found[4] else "".join(found[part].partition("_")[2] for part in (2, 3))
    letters = list(dict.fromkeys(re.findall(r"[^\W\d_]", below)))
    return pattern, f"d{top}ꞏ{over}" + (f"_{{{','.join(letters)}}}" if letters else "")


def _as_diagonal(line: Line, lines: list[Line], names: Names) -> Line:
    """`R = diag(r_n)` for `R_{nn} = r_n`, where other lines use R as a whole."""
    assert line.left is not None
    found = _TWICE.fullmatch(line.left.text)
    if not found or names.find(found[1]) or names.is_renewed(found[1]) or len(lines) == 1:
        return line
    if names.spelled(found[1]) == names.context.asked:
        return line
    right = line.right.replaced(0, 0, "diag(")
    right = right.replaced(len(right.text), len(right.text), ")")
    return replace(line, left=line.left[: len(found[1])], right=right, before=())


def _indexes(text: str, letter: str) -> bool:
    below = rf"_\s*\{{?[^}}\s]*{letter}|\w\[[^\]]*{letter}"
    return re.search(below, text) is not None


def _everywhere(lines: list[Line], pattern: re.Pattern[str], name: str) -> list[Line]:
    def change(plain: Plain) -> Plain:
        for match in list(pattern.finditer(plain.text))[::-1]:
            below = name + ("_" if plain.text[match.end() : match.end() + 1] == "_" else "")
            plain = plain.replaced(match.start(), match.end() + (below[-1] == "_"), below)
        return plain

    return [
        replace(line, left=line.left and change(line.left), right=change(line.right))
        for line in lines
    ]


def _check_length(plain: Plain) -> None:
    if len(plain.text) > 4 * MAX_LENGTH:
        raise FaultError(
            "This gets too long once its definitions are spelled out.", None, "too-large"
        )
