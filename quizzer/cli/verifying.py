"""The command `verify`: judge answers without a session, writing nothing."""

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from quizzer.card import Card, Choice, Number, Reveal
from quizzer.check.judgement import Answered, Asks, Broken, Judgement
from quizzer.cli.failure import Usage
from quizzer.cli.given import by_name, from_arguments, from_file
from quizzer.cli.options import AsJson, CardArgument
from quizzer.cli.output import did_you_mean, print_json, put, say
from quizzer.cli.waiting import busy
from quizzer.cli.workspace import Workspace
from quizzer.deck import Entry
from quizzer.review import Rating, Verdict
from quizzer.session.judging import Judge, judged_by_key
from quizzer.session.turn import CHOICE, NUMBER

NOTATIONS = ("numpy", "index", "matrix")
EXIT_CODES = {Verdict.CORRECT: 0, Verdict.WRONG: 1, Verdict.INVALID: 3, Verdict.BROKEN: 4}

_EXPECTED = {CHOICE: "one letter or several", NUMBER: "a number"}


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
        _print(judged, missing)
    raise typer.Exit(EXIT_CODES[judged.verdict])


def _judged(
    workspace: Workspace,
    judge: Judge,
    entry: Entry,
    given: Sequence[tuple[str, str]],
    seed: int,
    notation: str | None,
) -> tuple[Judgement, list[str]]:
    """The judgement on the answers given, and the names that the card asks.

    Raises typer.Exit where nothing was answered, after saying what is asked.
    """
    with busy("getting the checker ready"):
        asks = judge.asks(entry.checker) if entry.checker else None
    if isinstance(asks, Broken):
        return _broken(asks, [name or "answer" for name, _ in given], seed), []
    read = workspace.read(entry)
    names = _asked_names(entry, read, asks)
    if not given:
        _say_what_is_asked(entry, asks, names)
        raise typer.Exit(2)
    named = by_name(given, names)
    if entry.checker is None:
        return Judgement(seed, (_by_key(read, named, names[0]),)), names
    with busy("checking"):
        found = judge.judge(entry.checker, named, seed, notation)
    return _broken(found, named, seed) if isinstance(found, Broken) else found, names


def _broken(broken: Broken, names: Iterable[str], seed: int) -> Judgement:
    """The same for all names; where nothing was answered, for the card as a whole."""
    answered = [Answered(name, Verdict.BROKEN, broken.message) for name in dict.fromkeys(names)]
    return Judgement(seed, tuple(answered) or (Answered("answer", Verdict.BROKEN, broken.message),))


def _asked_names(entry: Entry, card: Card, asks: Asks | None) -> list[str]:
    if asks:
        return [ask.name for ask in asks.asks]
    match card.asks:
        case Choice():
            return [CHOICE]
        case Number():
            return [NUMBER]
        case Reveal():
            raise Usage(
                f"{entry.id} has nothing that could be judged: no checker, no key. "
                f"`quizzer show {entry.id}` shows its solution."
            )


def _by_key(card: Card, named: Mapping[str, str], wanted: str) -> Answered:
    if list(named) != [wanted]:
        text = next(iter(named.values()))
        raise Usage(f"this card asks for `{wanted}`: write {wanted}={text}")
    answered = judged_by_key(card, named[wanted])
    assert answered is not None
    return answered


def _say_what_is_asked(entry: Entry, asks: Asks | None, names: list[str]) -> None:
    say(f"{entry.id} asks for:")
    width = max(map(len, names))
    for ask in asks.asks if asks else ():
        comma = "," if len(ask.shape) == 1 else ""
        shape = f"shape ({', '.join(ask.shape)}{comma})" if ask.shape else "a number"
        say(f"  {ask.name:<{width}}  {', '.join(part for part in (ask.label, shape) if part)}")
    for usable in dict.fromkeys(ask.names for ask in asks.asks) if asks else ():
        say(f"You may use {', '.join(usable)}.")
    if asks and asks.assume:
        say(f"Assume {asks.assume}.")
    if not asks:
        say(f"  {names[0]}, {_EXPECTED[names[0]]}")
    say(f'Write for example: quizzer verify {entry.id} "{names[0]} = ..."')


def _document(entry: Entry, judged: Judgement, missing: list[str]) -> dict[str, object]:
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
                "shape": _listed(answered.shape),
                "expected_shape": _listed(answered.expected_shape),
            }
            for answered in judged.answers
        ],
        "missing": missing,
        "suggested_rating": _suggested(judged, missing),
    }


def _suggested(judged: Judgement, missing: list[str]) -> str | None:
    """A script has one try: Good when all that is asked is right, Again when something is wrong."""
    if judged.verdict is Verdict.WRONG:
        return Rating.AGAIN.label
    if judged.verdict is Verdict.CORRECT and not missing:
        return Rating.GOOD.label
    return None


def _listed(shape: tuple[int, ...] | None) -> list[int] | None:
    return None if shape is None else list(shape)


def _print(judged: Judgement, missing: list[str]) -> None:
    for answered in judged.answers:
        said = "" if answered.message == "right" else f": {answered.message}"
        put(f"{answered.name}: {answered.verdict.value}{said}")
        diagnosis = answered.diagnosis
        if diagnosis and diagnosis.message not in answered.message:
            put(f"  {diagnosis.message}")
    if missing:
        say(f"also asked: {', '.join(missing)}")
    say(f"the same again: --seed {judged.seed}")
