"""The equations that a card writes: its formulas cut into `left = link = …`, each with its line.

What is no plain equation is left out: an inequality, a formula with words or dots, one that holds
only under a condition.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markdown_it.token import Token
from msgspec.structs import replace

from quizzer.card.blocks import FORMULA_BLOCK
from quizzer.card.formulation import Equation
from quizzer.card.scanner import formulas, tokens_of


def equations(text: str, first: int) -> Iterator[Equation]:
    """The equations in the formulas of a text whose first line has this number."""
    for each in equations_of(tokens_of(text, first), first):
        if not each.condition:
            yield each


def equations_of(tokens: Sequence[Token], first: int) -> Iterator[Equation]:
    """The equations in these tokens, those in tables left out; also those with a condition."""
    for token in formulas(without_tables(tokens)):
        line = token.map[0] if token.map else first
        for _, sides, condition in _stated(token.content):
            if sides:
                shown = token.type == FORMULA_BLOCK
                found = Equation(sides[0], sides[1:], line, shown)
                yield replace(found, condition=condition) if condition else found


def is_all_equations(latex: str) -> bool:
    """Whether a formula is nothing but equations, definitions of sets, and signs of names."""
    stated = list(_stated(latex))
    return bool(stated) and all(
        (sides and (not condition or _SIGN.fullmatch(condition)))
        or _SET.fullmatch(part)
        or _SIGN.fullmatch(part)
        for part, sides, condition in stated
    )


def _stated(latex: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """The parts of a formula with their sides, if they are equations, and the part behind that may
    be the condition under which they hold."""
    parts: list[tuple[str, str]] = []
    for part, ends in _parts(latex):
        if parts and (_RANGE.fullmatch(part) or _ASIDE.fullmatch(part)):
            parts[-1] = (parts[-1][0], ends)
        else:
            parts.append((part, ends))
    for (part, ends), (after, _) in pairwise([*parts, ("", "")]):
        is_led = ends in _LEADS or _sides(after) or _SET.fullmatch(after)
        yield part, _sides(part), "" if is_led else after


def _sides(part: str) -> tuple[str, ...]:
    """The sides of an equation; none where it is no plain one."""
    ends = list(_equals(part))
    if not ends or _UNREAD.search(_outside(part)):
        return ()
    sides = tuple(part[a:b].strip() for a, b in _between(ends, len(part)))
    return sides if all(sides) else ()


def without_tables(tokens: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in tokens:
        depth += token.type == "table_open"
        if not depth:
            yield token
        depth -= token.type == "table_close"


def _between(ends: Sequence[int], length: int) -> Iterator[tuple[int, int]]:
    start = 0
    for end in (*ends, length):
        yield start, end
        start = end + 1


def _parts(latex: str) -> Iterator[tuple[str, str]]:
    """The formula cut where one statement ends and the next begins, with what ends each: what
    follows after a space or a comma may be the condition under which it holds."""
    latex = _SPACES.sub(" ", _ALIGNED.sub(" ", latex))
    if not _ENVIRONMENT.search(latex):
        latex = latex.replace("&", " ")
    start = 0
    for place, depth in _depths(latex):
        if depth or place < start:
            continue
        ends = _BREAK.match(latex, place)
        if ends and (ends[0] != "," or _is_comma_between_equations(latex, start, place)):
            if part := latex[start:place].strip(" ,.;\n"):
                yield part, ends[0]
            start = ends.end()
    if part := latex[start:].strip(" ,.;\n"):
        yield part, _END


def _is_comma_between_equations(latex: str, start: int, comma: int) -> bool:
    rest = latex[comma + 1 :]
    stop = next((p for p, depth in _depths(rest) if not depth and _BREAK.match(rest, p)), None)
    return any(_equals(latex[start:comma])) and any(_equals(rest[:stop]))


def _equals(latex: str) -> Iterator[int]:
    """The places of the equals signs outside of brackets and environments."""
    for place, depth in _depths(latex):
        if not depth and latex[place] == "=" and latex[place - 1 : place] not in tuple("<>!:="):
            yield place


def _depths(latex: str) -> Iterator[tuple[int, int]]:
    """Each place with how many brackets and environments are open around it."""
    depth, skip = 0, 0
    for place, sign in enumerate(latex):
        if place < skip:
            continue
        command = _COMMAND.match(latex, place)
        if command:
            skip = command.end()
            depth += command[0].startswith(r"\begin")
            depth -= command[0].startswith(r"\end")
            yield place, depth
            continue
        depth += sign in "([{"
        depth = max(0, depth - (sign in ")]}"))
        yield place, depth


def _outside(latex: str) -> str:
    """What stands outside of brackets and environments, where words and relations are about the
    whole: `[m_n < 1]` is a factor, and `w_{\\text{new}}` a name."""
    return "".join(
        command[0] if (command := _COMMAND.match(latex, place)) else latex[place]
        for place, depth in _depths(latex)
        if not depth
    )


_COMMAND = re.compile(r"\\(?:begin|end)\{[^{}]*\}|\\(?:[A-Za-z]+|.)", re.DOTALL)
_BREAK = re.compile(r"\\q?quad(?![A-Za-z])|\\(?:Long)?[Rr]ightarrow(?![A-Za-z])|\\iff\b|\\\\|;|,")
_END = "end"
_LEADS = (_END, r"\\", r"\Rightarrow", r"\Longrightarrow", r"\rightarrow", r"\iff")
"""What no condition follows."""
_ALIGNED = re.compile(r"\\(?:begin|end)\{(?:aligned|align\*?|gathered|split|equation\*?)\}")
_ENVIRONMENT = re.compile(r"\\begin\{")
_RANGE = re.compile(r"[01] *(?:\\leq?|<|≤) *[a-z] *(?:\\leq?|<|≤) *[A-Z][A-Z0-9 +-]*")
"""How far an index runs, from the first place on: no condition."""
_ASIDE = re.compile(r"\(\d{1,3}[a-z]?\)|\\tag\*?\{[^{}]*\}|\[\s*\\cdot\s*\]\s*\\text\s*\{[^{}]*\}")
"""The number of an equation, and what a bracket means."""
_SIGN = re.compile(r"\\?\w+(?:_\w|_\{\w+\}|\{\w+\})?\s*(?:>|<|\\geq?|\\leq?|\\neq?)\s*-?[01]")
_SET = re.compile(r"[^={}]+=\s*(?:\\left\s*)?\\\{.*\\\}", re.DOTALL)
"""`Ω(k, l) = {…}`."""
_SPACES = re.compile(r"\s+")
_UNREAD = re.compile(
    r"\\(?:text(?!\s*\{(?!if|for|and|or)[a-z]+\}\s*(?:\(|\\left\())|mbox|textrm|textit|dots|ldots|cdots|vdots|approx|propto|sim|le|leq|ge|geq|ne|neq|to"
    r"|mid|implies|stackrel|overset|underbrace|pm|mp)(?![A-Za-z])|[<>≈∝~…]"
)
