"""The command `verify`: judge answers without a session, writing nothing."""

import random
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from quizzer.card import Card, Choice, Number, Reveal
from quizzer.check.judgement import Answered, Asks, Broken, Judgement
from quizzer.check.plain import judge_choice, judge_number
from quizzer.cli.failure import Failure, Usage
from quizzer.cli.options import AsJson, CardArgument
from quizzer.cli.output import print_json, say
from quizzer.cli.workspace import Workspace
from quizzer.deck import Entry
from quizzer.review import Rating, Verdict
from quizzer.session.turn import CHOICE, NUMBER
from quizzer.text import clean

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
        int | None, typer.Option(help="Repeat a judgement exactly.", show_default=False)
    ] = None,
    notation: Annotated[
        str | None,
        typer.Option(
            help="numpy, index or matrix; chosen by the text otherwise.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Judge answers to a card; exit code 0 correct, 1 wrong, 3 not readable, 4 checker broken."""
    workspace: Workspace = ctx.obj
    entry = workspace.entry(card)
    read = workspace.read(entry)
    given = [*_from_arguments(answers or ()), *(_from_file(file) if file else ())]
    chosen_seed = random.SystemRandom().getrandbits(32) if seed is None else seed
    from quizzer.sandbox.judge import Judge

    with Judge() as judge:
        asks = judge.asks(entry.checker) if entry.checker else None
        names = _asked_names(entry, read, asks)
        if not given:
            _say_what_is_asked(entry, asks, names)
            raise typer.Exit(2)
        named = _named(given, names)
        judged: Judgement | Broken
        if entry.checker:
            judged = judge.judge(entry.checker, named, chosen_seed, notation)
        else:
            judged = Judgement(chosen_seed, (_by_key(read, named),))
    if isinstance(judged, Broken):
        broken = tuple(Answered(name, Verdict.BROKEN, judged.message) for name in named)
        judged = Judgement(chosen_seed, broken)
    missing = [name for name in names if name not in {a.name for a in judged.answers}]
    if as_json:
        print_json(_document(entry, judged, missing))
    else:
        _print(judged, missing)
    raise typer.Exit(EXIT_CODES[judged.verdict])


def _from_arguments(arguments: Iterable[str]) -> list[tuple[str, str]]:
    """Names and texts of `NAME=ANSWER`, split at the first `=`."""
    given = []
    for argument in arguments:
        name, equals, text = argument.partition("=")
        if not equals or not name.strip():
            raise Usage(f'`{clean(argument)}`: write NAME=ANSWER, for example "dx = W.T @ dy"')
        given.append((name.strip(), text.strip()))
    return given


def _from_file(file: Path) -> list[tuple[str, str]]:
    """Names and texts under lines `# NAME`; one text without such a line has no name."""
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{file}: cannot be read ({error})") from None
    head, *sections = re.split(r"(?m)^#[ \t]*(\S.*?)[ \t]*$", text)
    given = [("", head.strip())] if head.strip() else []
    return given + [
        (name, answer.strip()) for name, answer in zip(sections[::2], sections[1::2], strict=True)
    ]


def _asked_names(entry: Entry, card: Card, asks: Asks | Broken | None) -> list[str]:
    if isinstance(asks, Broken):
        return []
    if asks:
        return [ask.name for ask in asks.asks]
    match card.asks:
        case Choice():
            return [CHOICE]
        case Number():
            return [NUMBER]
        case Reveal():
            raise Failure(
                f"{entry.id} has nothing that could be judged: no checker, no key. "
                f"`quizzer show {entry.id}` shows its solution."
            )


def _named(given: list[tuple[str, str]], names: list[str]) -> dict[str, str]:
    """The answers by the name asked; a name with indices (`dx[i,j]`) stays the text's left side."""
    named: dict[str, str] = {}
    for name, text in given:
        if not name:
            if len(names) != 1:
                raise Usage(f"put each answer under a line `# NAME`; asked: {', '.join(names)}")
            name = names[0]
        elif name not in names and (base := _base(name, names)):
            name, text = base, f"{name} = {text}"
        if name in named:
            raise Usage(f"`{clean(name)}` is answered twice")
        named[name] = text
    return named


def _base(name: str, names: list[str]) -> str | None:
    """The asked name of a left side with indices: `dx[i,j]`, `dx_ij`, `dx_{ij}`."""
    for asked in sorted(names, key=len, reverse=True):
        if re.fullmatch(rf"{re.escape(asked)}\s*(\[.*\]|_\{{.*\}}|_\w+)", name):
            return asked
    return None


def _by_key(card: Card, named: dict[str, str]) -> Answered:
    if len(named) != 1:
        raise Usage("this card asks for one answer")
    name, text = next(iter(named.items()))
    match card.asks:
        case Choice(letters) if name == CHOICE:
            return judge_choice(letters, tuple(o.letter for o in card.options), text)
        case Number() as key if name == NUMBER:
            return judge_number(key, text)
    wanted = CHOICE if isinstance(card.asks, Choice) else NUMBER
    raise Usage(f"this card asks for `{wanted}`: write {wanted}={clean(text)}")


def _say_what_is_asked(entry: Entry, asks: Asks | Broken | None, names: list[str]) -> None:
    if isinstance(asks, Broken):
        say(f"{entry.id}: its checker is broken: {clean(asks.message)}")
        raise typer.Exit(4)
    say(f"{entry.id} asks for:")
    for ask in asks.asks if asks else ():
        shape = f" shape ({', '.join(ask.shape)})" if ask.shape else " a number"
        say(f"  {ask.name}  {clean(ask.label)},{shape}; you may use {', '.join(ask.names)}")
    example = names[0]
    say(f'Type for example: quizzer verify {entry.id} "{example} = ..."')


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
    """Good when all that the card asks is right, Again when something is wrong; else nothing."""
    if judged.verdict is Verdict.WRONG:
        return Rating.AGAIN.label
    if judged.verdict is Verdict.CORRECT and not missing:
        return Rating.GOOD.label
    return None


def _listed(shape: tuple[int, ...] | None) -> list[int] | None:
    return None if shape is None else list(shape)


def _print(judged: Judgement, missing: list[str]) -> None:
    for answered in judged.answers:
        print(f"{answered.name}: {answered.verdict.value}. {answered.message}".rstrip(". ") + ".")
        diagnosis = answered.diagnosis
        if diagnosis and diagnosis.message not in answered.message:
            print(f"  {diagnosis.message}")
    if missing:
        say(f"also asked: {', '.join(missing)}")
    say(f"seed {judged.seed} repeats this judgement")
