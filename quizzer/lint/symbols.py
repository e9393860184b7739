"""The names of a card against those of its checker: shapes, sizes, what is asked, dead names."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from difflib import get_close_matches

from quizzer.card import Card
from quizzer.card.equations import without_tables
from quizzer.card.formulating import requested_names
from quizzer.card.formulation import Typed
from quizzer.card.scanner import formulas, tokens_of
from quizzer.card.table import letters_of, size, typed_names
from quizzer.checker.flaw import Flaw
from quizzer.checker.meaning import UPSTREAM_ALIASES
from quizzer.checker.posed import Posed
from quizzer.lint.warned import warned
from quizzer.notation.functions import WORDS
from quizzer.notation.lexer.signs import GREEK
from quizzer.notation.lexer.translate import translate
from quizzer.notation.values import FaultError

Lengths = tuple[int, ...]
"""A length in each of the described samples."""


def symbol_problems(card: Card, posed: Posed, is_declared: bool) -> Iterator[Flaw]:
    """A warning for every name, shape or size in which the card and its checker differ.

    The helper lines of a declared checker are no names that its author chose to offer.
    """
    typed = typed_names(card)
    yield from _asked(card, posed)
    yield from _equal_sizes(card, typed, posed)
    if typed:
        yield from _dead_rows(typed, posed)
        yield from _rowless(card, typed, posed)
        offered = {*posed.instances[0].inputs, *posed.sheet.outputs}
        if not is_declared:
            offered |= posed.instances[0].intermediates.keys()
        yield from _dead_names(card, typed, posed, sorted(offered))
        yield from _shapes(typed, posed)
    else:
        yield from _unmentioned(card, posed)


def _asked(card: Card, posed: Posed) -> Iterator[Flaw]:
    """What the question's parts ask for in brackets, as in (`dx`), against what is judged."""
    asked = list(posed.sheet.asked)
    written = {each.name: each.line for each in requested_names(card)}
    missing = [name for name in asked if name not in _code_in(card)]
    known = _known(posed)
    strange = [name for name in written if name not in known and _is_asked_like(name, missing)]
    judged = ", ".join(f"`{name}`" for name in asked)
    for name in strange:
        message = f"the question asks for `{name}`, but its checker knows no such name: it asks for"
        yield warned(written[name], "not-asked", f"{message} {judged}")
    if strange or len(missing) == len(asked):
        return
    for name in missing:
        message = f"the checker asks for `{name}`, which is nowhere in the question"
        yield warned(card.question_line, "not-asked", message)


def _unmentioned(card: Card, posed: Posed) -> Iterator[Flaw]:
    """Derivatives that the checker asks for with respect to what the card never mentions.

    A question without a formula, or with a picture, may mean anything.
    """
    if "$" not in card.question or "![" in card.question:
        return
    words = _words(card) | set(re.findall(r"[^\W\d]\w*", f"{card.question} {card.solution}"))
    words |= {word for word, sign in GREEK.items() if sign in words}
    for name in posed.sheet.asked:
        variable = posed.sheet.meaning(name).variable
        if variable and not _is_mentioned(variable, posed.sheet.symbols, words):
            message = f"the checker asks for `{name}`, and `{variable}` is nowhere in the card"
            yield warned(card.question_line, "not-asked", message)


def _code_in(card: Card) -> set[str]:
    return {
        word
        for token in without_tables(tokens_of(card.question, card.question_line))
        for child in token.children or ()
        if child.type == "code_inline"
        for word in re.findall(r"\w+", child.content)
    }


def _is_asked_like(name: str, missing: Sequence[str]) -> bool:
    """Whether a strange name can only be what is asked: a derivative's, or one like a missing."""
    derivative = re.fullmatch(r"d[^\W\d_]\w*", name) is not None
    return bool(missing) and (derivative or bool(get_close_matches(name, missing, 1, 0.6)))


def _known(posed: Posed) -> set[str]:
    symbols = posed.sheet.symbols.values()
    return {*posed.described.samples()[0], *UPSTREAM_ALIASES, *symbols}


def _dead_rows(typed: Sequence[Typed], posed: Posed) -> Iterator[Flaw]:
    known = _known(posed)
    for row in typed:
        if row.name not in known:
            near = get_close_matches(row.name, known, 1, 0.5)
            meant = f": did you mean `{near[0]}`?" if near else ""
            yield warned(
                row.line,
                "table-name",
                f"the table says to type `{row.name}`, which its checker does not know{meant}",
            )


def _rowless(card: Card, typed: Sequence[Typed], posed: Posed) -> Iterator[Flaw]:
    """Inputs that formulas of the card use and the table leaves out."""
    rows, words = {row.name for row in typed}, _words(card)
    for name in posed.instances[0].inputs:
        if name not in rows and _is_mentioned(name, posed.sheet.symbols, words):
            message = f"the table has no row for `{name}`, an input of its checker: add one"
            yield warned(typed[0].line, "table-row", message)


def _dead_names(
    card: Card, typed: Sequence[Typed], posed: Posed, offered: Sequence[str]
) -> Iterator[Flaw]:
    """Names that answers are offered but that the card does not mention."""
    rows = {row.name for row in typed}
    words = _words(card)
    for name in offered:
        if name not in rows and not _is_mentioned(name, posed.sheet.symbols, words):
            yield warned(
                typed[0].line,
                "dead-name",
                f"the checker has a name `{name}` that is in no row of the table and in no "
                "formula of the card: add a row, or take the name out",
            )


def _words(card: Card) -> Set[str]:
    """The words of all formulas and all code."""
    found: set[str] = set()
    for text, first in ((card.question, card.question_line), (card.solution, card.solution_line)):
        tokens = tokens_of(text, first)
        for token in formulas(tokens):
            try:
                found.update(re.findall(r"[^\W\d]\w*", translate(token.content).text))
            except FaultError:
                found.update(re.findall(r"[^\W\d]\w*", token.content))
        for token in tokens:
            for child in token.children or ():
                if child.type == "code_inline":
                    found.update(re.findall(r"\w+", child.content))
    return found | {word.rstrip("_").partition("_")[0] for word in found}


def _is_mentioned(name: str, symbols: dict[str, str], words: Set[str]) -> bool:
    spelled = {name, name.partition("_")[0], *re.findall(r"[^\W\d_]+", symbols.get(name, ""))}
    glued = {word for word in words - WORDS if len(word) <= 3} if len(name) == 1 else set()
    return not words.isdisjoint(spelled) or any(name in word for word in glued)


def _shapes(typed: Sequence[Typed], posed: Posed) -> Iterator[Flaw]:
    samples = posed.described.samples()
    sizes, _ = _sizes(typed, posed)
    for row in typed:
        if row.axes is None or any(row.name not in each for each in samples):
            continue
        for k, shapes in enumerate(samples):
            here = {letter: lengths[k] for letter, lengths in sizes.items()}
            stated = tuple(size(axis, here) for axis in row.axes)
            found = shapes[row.name]
            if None in stated or _ones_left_out(stated) == _ones_left_out(found):
                continue
            used = dict.fromkeys((*letters_of(row.axes), *sizes))
            where = ", ".join(f"{letter} = {here[letter]}" for letter in used if letter in here)
            yield warned(
                row.line,
                "table-shape",
                f"the table gives `{row.name}` the shape {row.shape}, here {_shown(stated)}, but "
                f"in the samples it is {_shown(found)} (sample {k + 1}: {where})",
            )
            break


def _ones_left_out(shape: Sequence[float | None]) -> list[float | None]:
    """A column of N numbers is written as N or as N × 1."""
    return [length for length in shape if length != 1]


def _shown(shape: Sequence[float | None]) -> str:
    return " × ".join(f"{length:g}" for length in shape if length is not None) or "a number"


def _sizes(typed: Sequence[Typed], posed: Posed) -> tuple[dict[str, Lengths], set[str]]:
    """The letters of the table with their lengths, and those on which its rows do not agree.

    The checker's own sizes and whole numbers come first, then what most rows say.
    """
    samples = posed.described.samples()
    found: dict[str, Lengths] = dict(posed.described.sizes())
    said: dict[str, Counter[Lengths]] = {}
    for row in typed:
        axes = row.axes or ()
        shapes = [each.get(row.name, ()) for each in samples]
        if any(len(each) != len(axes) for each in shapes):
            continue
        for axis, letter in enumerate(axes):
            if len(letter) == 1 and letter.isalpha():
                votes = said.setdefault(letter, Counter())
                votes[tuple(each[axis] for each in shapes)] += 1
    for letter, votes in said.items():
        most = votes.most_common()
        best = [lengths for lengths, count in most if count == most[0][1]]
        unused = [lengths for lengths in best if lengths not in found.values()]
        found.setdefault(letter, (unused or best)[0])
    return found, {letter for letter, votes in said.items() if len(votes) > 1}


def _equal_sizes(card: Card, typed: Sequence[Typed], posed: Posed) -> Iterator[Flaw]:
    """Different letters that are the same number in every sample."""
    lengths, doubtful = _sizes(typed, posed)
    axes = set(posed.sheet.sizes) | {axis for row in typed for axis in row.axes or ()}
    groups: dict[Lengths, list[str]] = {}
    for letter in sorted((axes & lengths.keys()) - doubtful):
        groups.setdefault(lengths[letter], []).append(letter)
    for values, letters in groups.items():
        if len(letters) > 1 and len(values) > 1:
            same = " = ".join(letters)
            yield warned(
                typed[0].line if typed else card.question_line,
                "equal-sizes",
                f"{same} in every sample ({values[0]}, then {values[1]}, …), so an answer that "
                "mixes these axes up may pass: draw different sizes",
            )
