"""A card → its `Formulation`: its table of symbols, equations, names in brackets, Short Answer."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from markdown_it.token import Token
from msgspec.structs import replace

from quizzer.card import lines, pieces
from quizzer.card.blocks import FORMULA_BLOCK
from quizzer.card.equations import (
    equations,
    equations_of,
    is_all_equations,
    without_tables,
)
from quizzer.card.formulation import Displayed, Equation, Formulation, Requested
from quizzer.card.scanner import tokens_of
from quizzer.card.table import typed_in
from quizzer.card.values import Card

_MOST = 60
"""Equations of a text that are looked at."""


def formulation_of(card: Card) -> Formulation:
    """What a card says of its problem in math."""
    tokens = tokens_of(card.question, card.question_line)
    answered = answer_lines(card)
    stated = equations_of(tokens_of(card.solution, card.solution_line), card.solution_line)
    answer = _marked((e for e in stated if e.line in answered), card.solution, card.solution_line)
    question = _marked(equations_of(tokens, card.question_line), card.question, card.question_line)
    doubtful = {e.line for e in question if e.is_supposed and not e.condition}
    return Formulation(
        typed=typed_in(tokens),
        question=question,
        displayed=tuple(
            Displayed(
                token.content,
                token.map[0],
                token.map[0] not in doubtful and is_all_equations(token.content),
            )
            for token in without_tables(tokens)
            if token.type == FORMULA_BLOCK and token.map
        ),
        requested=tuple(_requested(tokens, card.question_line)),
        answer=answer,
        answer_line=answered.start if answered else None,
        first_index=_first_index(card.question),
    )


def equations_in(text: str, first: int) -> list[Equation]:
    """The equations of a text, but for those of which the words around them say that they hold in
    some case only, or not at all."""
    return _unsupposed(equations(text, first), text, first)


def answer_lines(card: Card) -> range:
    """The lines of the solution's answer paragraphs, with the formulas that follow them."""
    text, _ = lines.read(card.solution, card.solution_line)
    found = list(pieces.answers(text))
    if not found:
        return range(0)
    return range(text.lines[found[0].start].number, text.lines[found[-1].stop - 1].number + 1)


def requested_names(card: Card) -> tuple[Requested, ...]:
    """The names that the question asks for in brackets, as in (`dx`)."""
    return tuple(_requested(tokens_of(card.question, card.question_line), card.question_line))


def _marked(found: Iterable[Equation], text: str, first: int) -> tuple[Equation, ...]:
    """The equations, those marked that the words around them or what follows makes doubtful."""
    every = list(found)[:_MOST]
    sure = [each for each in _unsupposed(every, text, first) if not each.condition]
    return tuple(each if each in sure else replace(each, is_supposed=True) for each in every)


def _unsupposed(found: Iterable[Equation], text: str, first: int) -> list[Equation]:
    written = _NO_WORDS.sub(lambda match: "\n" * match[0].count("\n"), text).split("\n")
    return [
        each
        for each in list(found)[:_MOST]
        if not _is_supposed(each, written[max(0, each.line - first - 1) :][:2])
    ]


def _is_supposed(equation: Equation, around: Sequence[str]) -> bool:
    """Whether its line or the one before says so; for a displayed formula, words that set no case
    for what follows count in the last sentence only."""
    if any(map(_SUPPOSED.search, around)):
        return True
    last = [_SENTENCE.split(line)[-1] for line in around] if equation.is_displayed else around
    return any(map(_DOUBTED.search, last))


def _requested(tokens: Sequence[Token], first: int) -> Iterator[Requested]:
    for token in without_tables(tokens):
        said = ""
        for before, here in pairwise(token.children or ()):
            said += before.content if before.type == "text" else " $ "
            is_name = here.type == "code_inline" and here.content.isidentifier()
            if is_name and re.search(r"\((?:.{0,20}[ ,])?$", before.content):
                line = (here.map or token.map or [first])[0]
                yield Requested(here.content, _label(said), line)


def _label(said: str) -> str:
    """What the words before a bracket call the thing that they ask for."""
    found = _ASKED_FOR.findall(said)
    return " ".join(found[-1].split()) if found else ""


def _first_index(question: str) -> int | None:
    found = _FIRST_INDEX.search(question)
    return int(found[1]) if found else None


_NO_WORDS = re.compile(r"\$\$.*?\$\$|\b1 if [^\n]*? else 0\b", re.DOTALL)
"""What says nothing of when an equation holds: formulas, and what a bracket means."""
_SUPPOSED = re.compile(
    r"\b(?:if|else|otherwise|unless|suppose|wrong|mistake|naive|case|special)\b", re.IGNORECASE
)
_DOUBTED = re.compile(
    r"\b(?:when|were|would|forget\w*|instead|fixed|approximately|roughly)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_ASKED_FOR = re.compile(
    r"\b(?:find|derive|compute|give|state|what is)\s+the\s+([a-z][a-z -]{2,40}?)\s*(?:\$|\()",
    re.IGNORECASE,
)
_FIRST_INDEX = re.compile(
    r"\b(?:indices|indexes|indexing|counting|they)\b[^.\n]{0,30}?\b(?:start|begin|count)\w*\s+(?:at|from|with)"
    r"\s+\$?([01])\b",
    re.IGNORECASE,
)
