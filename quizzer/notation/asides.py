"""What is set aside of an answer: words, and what stands behind them."""

import re

from quizzer.notation.grammar.lines import pieces_of
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.translate import translate
from quizzer.notation.nodes import walk
from quizzer.notation.reading import Reading
from quizzer.notation.values import FaultError

_EDGES = " \t\n,.;:$&`"
_SAY_NOTHING = re.compile(
    r"\\(?:(?:q?quad|left|right|[bB]igg?[lr]?)(?![A-Za-z])|[,;:!> \\])|[~$\s]+"
)
_WORDS = re.compile(r"\\(?:text|mathrm|textrm|textit|mbox)\s*\{([^{}]*)\}")
_EQUALS = re.compile(r"(?<![=<>!:])=(?!=)")


def set_aside(reading: Reading) -> tuple[str, ...]:
    """The remarks in an answer that was read, as they were typed; NumPy has none."""
    if reading.program is not None:
        return ()
    try:
        pieces = list(pieces_of(reading.names.with_phrases(translate(reading.text))))
        nodes = [part for step in reading.steps for part in walk(step.source or step.node)]
    except (FaultError, RecursionError):
        return ()
    said = {min(line.origin, default=-1): _typed(line, reading.text) for line in reading.names.said}
    used = {node.at for node in nodes if node.at is not None}
    lines, remarks = pieces[::2], pieces[1::2]
    found: list[str] = []
    for line, remark in zip(lines, remarks, strict=True):
        alone = not _EQUALS.search(line.text) and used.isdisjoint(line.origin)
        first = min(line.origin, default=-1)
        found.append(_typed(line, reading.text) if alone else said.get(first, ""))
        found.append(_typed(remark, reading.text))
    return tuple(text for text in found if text)


def _typed(piece: Plain, text: str) -> str:
    """The piece as it was typed, without spaces and signs at its ends that say nothing."""
    if not re.search(r"\w", piece.text):
        return ""
    start, end = min(piece.origin), max(piece.origin) + 1
    while end < len(text) and (text[end].isalnum() or text[end] in "})"):
        end += 1
    typed = _SAY_NOTHING.sub(" ", _WORDS.sub(r"\1", text[start:end]))
    typed = " ".join(typed.split()).strip(_EDGES)
    return typed if typed.count("{") == typed.count("}") else piece.text.strip(_EDGES)
