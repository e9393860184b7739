"""The command `verify`: judge answers without a session, writing nothing."""

import random
from collections.abc import Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.given import Given, from_arguments, from_file, must_be_notation
from quizzer.cli.judged import Judged, broken, by_checker, by_key, document
from quizzer.cli.options import CARD_HELP, AsJson
from quizzer.cli.terminal.array_view import drawn
from quizzer.cli.terminal.output import (
    can_draw,
    place,
    print_json,
    put,
    say,
    screen_width,
    tell,
)
from quizzer.cli.terminal.waiting import busy
from quizzer.deck import Entry
from quizzer.judge.judgement import Asks, Broken
from quizzer.values import Verdict

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge

EXIT_CODES = {Verdict.CORRECT: 0, Verdict.WRONG: 1, Verdict.INVALID: 3, Verdict.BROKEN: 4}


def verify(
    ctx: typer.Context,
    card: Annotated[
        str | None, typer.Argument(help=CARD_HELP, metavar="CARD", show_default=False)
    ] = None,
    answers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=ANSWER...", help="What you typed for each name.", show_default=False
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="Read answers from a file, - for standard input; each under a line `# NAME`.",
            show_default=False,
        ),
    ] = None,
    batch: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Judge many answers: JSON lines with card, name and answer from a file, - for "
            "standard input; a line with the verdict for each.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Repeat a judgement.", show_default=False),
    ] = None,
    notation: Annotated[
        str | None,
        typer.Option(
            help="numpy, index or matrix; chosen by the text otherwise.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge answers to a card, without a session.

    Exit code 0: correct, 1: wrong, 3: invalid, 4: the checker is broken. With --batch 0: every
    line has a verdict, 3: one has an error.
    """
    workspace: Workspace = ctx.obj
    if notation is not None:
        must_be_notation(notation)
    chosen_seed = random.SystemRandom().getrandbits(32) if seed is None else seed
    if batch:
        if card or answers or file:
            raise Usage("--batch reads cards and answers from its file; name none beside it")
        from quizzer.cli.commands.verify_batch import judge_lines

        raise typer.Exit(judge_lines(workspace, batch, chosen_seed, notation))
    if card is None:
        raise Usage("name a CARD, or a file of answers with --batch. See: quizzer verify -h")
    given = [*from_arguments(answers or ()), *(from_file(file) if file else ())]

    with workspace.judge() as judge:
        entry = workspace.entry(card)
        judged = _judged(workspace, judge, entry, given, chosen_seed, notation)
    if as_json:
        print_json(document(entry.id, judged))
    else:
        _print(judged, given)
    raise typer.Exit(EXIT_CODES[judged.judgement.verdict])


def _judged(
    workspace: Workspace,
    judge: "Judge",
    entry: Entry,
    given: Sequence[Given],
    seed: int,
    notation: str | None,
) -> Judged:
    """The judgement on the answers given.

    Raises typer.Exit where nothing was answered, after saying what is asked.
    """
    if entry.checker is None:
        return by_key(entry, workspace.read(entry), given, seed)
    if given:
        return by_checker(judge, entry.checker, given, seed, notation, busy)
    with busy("getting the checker ready"):
        asks = judge.asks(entry.checker)
    if isinstance(asks, Broken):
        return broken(asks, (), seed)
    _say_what_is_asked(entry, asks)
    raise typer.Exit(2)


def _say_what_is_asked(entry: Entry, asks: Asks) -> None:
    say(f"{entry.id} asks for:")
    width = max(len(ask.name) for ask in asks.asks)
    for ask in asks.asks:
        comma = "," if len(ask.shape) == 1 else ""
        shape = f"shape ({', '.join(ask.shape)}{comma})" if ask.shape else "a number"
        say(f"  {ask.name:<{width}}  {', '.join(part for part in (ask.label, shape) if part)}")
    for name, usable in asks.usable.items():
        also = f"For {name} you may also use" if name else "You may use"
        say(f"{also} {', '.join(usable)}.")
    if asks.assume:
        say(f"Assume {asks.assume}.")
    say(f'Write for example: quizzer verify {entry.id} "{asks.asks[0].name} = ..."')


def _print(judged: Judged, given: Sequence[Given]) -> None:
    # A broken checker is told once, however many answers there are, and names no place.
    sources = chain((answer.source for answer in given), repeat(""))
    for answered, source in zip(judged.judgement.answers, sources, strict=False):
        said = "" if answered.message == "right" else f": {answered.message}"
        where = place(answered.line, answered.column, source)
        at = f" at {where}" if where else ""
        tell(f"{answered.name}: {answered.verdict.value}{at}{said}")
        diagnosis = answered.diagnosis
        if diagnosis and diagnosis.message not in answered.message:
            tell(f"  {diagnosis.message}", indent=2)
        if answered.view:
            for line in drawn(answered.view, screen_width() - 2, ascii=not can_draw()):
                put(f"  {line}")
    if judged.missing:
        say(f"also asked: {', '.join(judged.missing)}")
    say(f"the same again: --seed {judged.judgement.seed}")
