"""The command `verify`: judge answers without a session, writing nothing."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quizzer.check.judgement import Answered, Asks, Broken, Judgement, View
from quizzer.cli.array_view import drawn
from quizzer.cli.failure import Usage
from quizzer.cli.given import Given, by_name, from_arguments, from_file
from quizzer.cli.options import AsJson, CardArgument
from quizzer.cli.output import (
    can_draw,
    did_you_mean,
    place,
    print_json,
    put,
    say,
    screen_width,
    tell,
)
from quizzer.cli.waiting import busy
from quizzer.cli.workspace import Workspace
from quizzer.deck import Entry
from quizzer.verdict import Verdict

if TYPE_CHECKING:
    from quizzer.sandbox.judge import Judge

NOTATIONS = ("numpy", "index", "matrix")
EXIT_CODES = {Verdict.CORRECT: 0, Verdict.WRONG: 1, Verdict.INVALID: 3, Verdict.BROKEN: 4}


def register(app: typer.Typer) -> None:
    app.command()(verify)


def verify(
    ctx: typer.Context,
    card: CardArgument,
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
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Repeat a judgement exactly.", show_default=False),
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

    Exit code 0: correct, 1: wrong, 3: invalid, 4: the checker is broken.
    """
    workspace: Workspace = ctx.obj
    if notation not in (None, *NOTATIONS):
        hint = did_you_mean(notation, NOTATIONS) or f": {', '.join(NOTATIONS)}"
        raise Usage(f"no notation `{notation}`{hint}")
    given = [*from_arguments(answers or ()), *(from_file(file) if file else ())]
    chosen_seed = random.SystemRandom().getrandbits(32) if seed is None else seed

    with workspace.judge() as judge:
        entry = workspace.entry(card)
        judged, names = _judged(workspace, judge, entry, given, chosen_seed, notation)
    missing = [name for name in names if name not in {a.name for a in judged.answers}]
    if as_json:
        print_json(_document(entry, judged, missing))
    else:
        _print(judged, missing, given)
    raise typer.Exit(EXIT_CODES[judged.verdict])


def _judged(
    workspace: Workspace,
    judge: "Judge",
    entry: Entry,
    given: Sequence[Given],
    seed: int,
    notation: str | None,
) -> tuple[Judgement, Sequence[str]]:
    """The judgement on the answers given, and the names that the card asks.

    Raises typer.Exit where nothing was answered, after saying what is asked.
    """
    if entry.checker is None:
        from quizzer.cli.keyed import answered_by_key

        answered = answered_by_key(entry, workspace.read(entry), given)
        return Judgement(seed, (answered,)), [answered.name]
    if not given:
        with busy("getting the checker ready"):
            asks = judge.asks(entry.checker)
        if isinstance(asks, Broken):
            return _broken(asks, (), seed), ()
        _say_what_is_asked(entry, asks)
        raise typer.Exit(2)
    with busy("getting the checker ready"):
        names = judge.asked(entry.checker, seed)
    if isinstance(names, Broken):
        return _broken(names, [answer.name or "answer" for answer in given], seed), ()
    named = by_name(given, names)
    with busy("checking"):
        texts = {name: answer.judged for name, answer in named.items()}
        found = judge.judge(entry.checker, texts, seed, notation)
    if isinstance(found, Broken):
        return _broken(found, named, seed), names
    return _placed(found, named.values()), names


def _placed(judged: Judgement, given: Iterable[Given]) -> Judgement:
    """The judgement with places as they are in the arguments or the file, in the same order."""
    answers = []
    for answered, answer in zip(judged.answers, given, strict=True):
        line, column = answer.place(answered.line, answered.column)
        answers.append(replace(answered, line=line, column=column))
    return replace(judged, answers=tuple(answers))


def _broken(broken: Broken, names: Iterable[str], seed: int) -> Judgement:
    """The same for all names; where nothing was answered, for the card as a whole."""
    answered = [Answered(name, Verdict.BROKEN, broken.message) for name in dict.fromkeys(names)]
    return Judgement(seed, tuple(answered) or (Answered("answer", Verdict.BROKEN, broken.message),))


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


def _document(entry: Entry, judged: Judgement, missing: Sequence[str]) -> dict[str, object]:
    return {
        "card": entry.id,
        "verdict": judged.verdict.value,
        "seed": judged.seed,
        "answers": [
            {
                "name": answered.name,
                "verdict": answered.verdict.value,
                "notation": answered.notation,
                "message": answered.message,
                "diagnosis": {
                    "code": answered.diagnosis.code,
                    "message": answered.diagnosis.message,
                }
                if answered.diagnosis
                else None,
                "line": answered.line,
                "column": answered.column,
                "shape": _listed(answered.shape),
                "expected_shape": _listed(answered.expected_shape),
                "view": _view(answered.view) if answered.view else None,
            }
            for answered in judged.answers
        ],
        "missing": missing,
        "suggested_rating": _suggested(judged, missing),
    }


def _suggested(judged: Judgement, missing: Sequence[str]) -> str | None:
    """A script has one try: Good when all that is asked is right, Again when something is wrong."""
    from quizzer.review import Rating

    if judged.verdict is Verdict.WRONG:
        return Rating.AGAIN.label
    if judged.verdict is Verdict.CORRECT and not missing:
        return Rating.GOOD.label
    return None


def _listed(shape: tuple[int, ...] | None) -> list[int] | None:
    return None if shape is None else list(shape)


def _view(view: View) -> dict[str, object]:
    return {
        "slice": view.place,
        "got": view.got,
        "expected": view.expected,
        "differs": view.differs,
    }


def _print(judged: Judgement, missing: Sequence[str], given: Sequence[Given]) -> None:
    # A broken checker is told once, however many answers there are, and names no place.
    sources = chain((answer.source for answer in given), repeat(""))
    for answered, source in zip(judged.answers, sources, strict=False):
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
    if missing:
        say(f"also asked: {', '.join(missing)}")
    say(f"the same again: --seed {judged.seed}")
