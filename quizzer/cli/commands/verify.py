"""The command `verify`: judge answers without a session, writing nothing."""

import random
import sys
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quizzer import files
from quizzer.app.failure import Usage, reading
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.verify_document import document
from quizzer.cli.options import CARD_HELP, AsJson
from quizzer.cli.terminal.array_view import drawn
from quizzer.cli.terminal.output import (
    can_draw,
    print_json,
    print_line,
    print_note,
    print_text,
    screen_width,
)
from quizzer.cli.terminal.waiting import busy
from quizzer.deck import Entry
from quizzer.judge.judgement import RIGHT, Broken
from quizzer.session import sentences
from quizzer.session.given import (
    CHOICE,
    NUMBER,
    AnswersError,
    Given,
    from_arguments,
    from_text,
    must_be_notation,
)
from quizzer.session.marking import first_wrong
from quizzer.session.scripted import Judged, asked_by_key, broken, by_checker, by_key
from quizzer.text import place
from quizzer.values import Verdict

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge

EXIT_CODES = {Verdict.CORRECT: 0, Verdict.WRONG: 1, Verdict.INVALID: 3, Verdict.BROKEN: 4}
_BY_KEY = {CHOICE: "one letter or several", NUMBER: "a number"}


def verify(
    workspace: Workspace,
    card: Annotated[
        str | None, typer.Argument(help=CARD_HELP, metavar="CARD", show_default=False)
    ] = None,
    answers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=ANSWER...", help="Your answer for each name.", show_default=False
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="Read answers from a file, - for standard input; each follows a line `# NAME`.",
            show_default=False,
        ),
    ] = None,
    batch: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Judge many answers: JSON lines with card, name and answer from a file, - for "
            "standard input. Each gets a line with its verdict.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Repeat a judgement.", show_default=False)
    ] = None,
    notation: Annotated[
        str | None,
        typer.Option(
            help="numpy, index or matrix; decided by the text otherwise.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge answers to a card, without a session.

    Exit code 0: correct, 1: wrong, 3: invalid, 4: the checker is broken. With --batch 0: every
    line has a verdict, 3: one has an error.
    """
    seed = random.SystemRandom().getrandbits(32) if seed is None else seed
    try:
        if notation is not None:
            must_be_notation(notation)
        if batch:
            code = _many(workspace, batch, seed, notation, named=bool(card or answers or file))
        else:
            given = [*from_arguments(answers or ()), *(answers_in(file) if file else ())]
            code = _one(workspace, card, given, seed, notation, as_json)
    except AnswersError as error:
        raise Usage(str(error)) from None
    raise typer.Exit(code)


def answers_in(file: Path) -> list[Given]:
    """The answers in a file, `-` for standard input. Raises Usage."""
    with reading(file):
        data = sys.stdin.buffer.read(files.SMALL + 1) if str(file) == "-" else files.read(file)
        if len(data) > files.SMALL:
            raise Usage("more than 1 MB came on standard input; answers are shorter")
        given = from_text(data.decode("utf-8-sig").replace("\r\n", "\n"))
    if not given:
        raise Usage(f"{file}: is empty; write each answer under a line `# NAME`")
    return given


def _many(workspace: Workspace, file: Path, seed: int, notation: str | None, named: bool) -> int:
    """Judge the answers of a file of JSON lines; returns the exit code."""
    if named:
        raise Usage("--batch reads cards and answers from its file; name none beside it")
    from quizzer.cli.commands.verify_batch import judge_lines

    return judge_lines(workspace, file, seed, notation)


def _one(
    workspace: Workspace,
    card: str | None,
    given: Sequence[Given],
    seed: int,
    notation: str | None,
    as_json: bool,
) -> int:
    """Judge answers to one card; returns the exit code."""
    if card is None:
        raise Usage("name a CARD, or a file of answers with --batch. See: quizzer verify -h")
    with workspace.judge() as judge:
        entry = workspace.entry(card)
        if not given:
            judged = _nothing_given(workspace, judge, entry, seed)
        elif entry.checker:
            judged = by_checker(judge, entry.checker, given, seed, notation, busy)
        else:
            judged = by_key(workspace.read(entry), given, seed)
    if judged is None:
        return 2
    if as_json:
        print_json(document(entry.id, judged))
    else:
        _print(judged, given)
    return EXIT_CODES[judged.judgement.verdict]


def _nothing_given(workspace: Workspace, judge: "Judge", entry: Entry, seed: int) -> Judged | None:
    """Say what the card asks; a judgement only if its checker is broken. Raises AnswersError."""
    if entry.checker is None:
        name = asked_by_key(workspace.read(entry))
        _print_what_is_asked(entry, name, [f"{name}, {_BY_KEY[name]}"])
        return None
    with busy("getting the checker ready"):
        asks = judge.question(entry.checker)
        if not isinstance(asks, Broken):
            asks = judge.numbered(entry.checker, asks, seed)
    if isinstance(asks, Broken):
        return broken(asks, (), seed)
    width = max(len(ask.name) for ask in asks.asked)
    parts = ((ask.name, (ask.label, sentences.shape(ask))) for ask in asks.asked)
    lines = [f"{name:<{width}}  {', '.join(filter(None, more))}" for name, more in parts]
    lines += [f"{label} {text}" for label, text in sentences.conditions(asks)]
    if asks.given:
        lines += [f"for these numbers, --seed {seed}:", *sentences.given(asks.given)]
    _print_what_is_asked(entry, asks.asked[0].name, lines)
    return None


def _print_what_is_asked(entry: Entry, name: str, lines: Iterable[str]) -> None:
    print_note(f"{entry.id} asks for:")
    for line in lines:
        print_note(f"  {line}")
    print_note(f'Write for example: quizzer verify {entry.id} "{name} = ..."')


def _print(judged: Judged, given: Sequence[Given]) -> None:
    # A broken checker is reported once, however many answers there are, and names no place.
    sources = chain((answer.source for answer in given), repeat(""))
    for answered, source in zip(judged.judgement.answers, sources, strict=False):
        message = "" if answered.message == RIGHT else f": {answered.message}"
        where = place(answered.line, answered.column, source)
        at = f" at {where}" if where else ""
        print_text(f"{answered.name}: {answered.verdict.value}{at}{message}")
        diagnosis = answered.diagnosis
        told = diagnosis and (diagnosis.code == "line" or diagnosis.message in answered.message)
        if diagnosis and not told:
            print_text(f"  {diagnosis.message}", indent=2)
        if aside := sentences.set_aside(answered):
            print_text(f"  {aside}", indent=4)
        for each in answered.readings:
            print_text(f"  read as {each.text}?", indent=4)
        if wrong := first_wrong(judged.lines.get(answered.name, ())):
            print_text(f"  {wrong}", indent=2)
        if answered.view:
            for line in drawn(answered.view, screen_width() - 2, ascii=not can_draw()):
                print_line(f"  {line}")
    if judged.missing:
        print_note(f"also asked: {', '.join(judged.missing)}")
    print_note(f"the same again: --seed {judged.judgement.seed}")
