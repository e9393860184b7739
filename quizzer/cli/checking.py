"""The command `check`: lint cards and prove checkers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from quizzer import tex
from quizzer.card import Card, Problem, Severity
from quizzer.cli.failure import Usage
from quizzer.cli.options import AsJson
from quizzer.cli.output import count, print_json, say
from quizzer.cli.workspace import Progress, Workspace
from quizzer.deck import Deck, Entry, load
from quizzer.text import clean

SEED = 20_251
"""Proofs always run on the same instances: what passed once passes again."""


def register(app: typer.Typer) -> None:
    app.command()(check)


def check(
    ctx: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH...", help="Cards or folders; the deck otherwise.", show_default=False
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Lint cards and prove checkers: right answers accepted, known mistakes rejected."""
    workspace: Workspace = ctx.obj
    deck = _deck(workspace, paths)
    problems = sorted(
        [*deck.problems, *_card_problems(workspace, deck), *_proofs(deck)],
        key=lambda problem: (problem.path, problem.line, problem.code),
    )
    checkers = sum(entry.checker is not None for entry in deck.entries)
    if as_json:
        print_json(
            {
                "cards": len(deck.entries),
                "checkers": checkers,
                "notes": deck.notes,
                "problems": [
                    {
                        "path": str(problem.path),
                        "line": problem.line,
                        "severity": problem.severity.value,
                        "code": problem.code,
                        "message": problem.message,
                    }
                    for problem in problems
                ],
            }
        )
    else:
        for problem in problems:
            where = f"{workspace.short(problem.path)}:{problem.line}"
            print(f"{where}: {problem.severity.value}: {clean(problem.message)} [{problem.code}]")
        errors = sum(problem.severity is Severity.ERROR for problem in problems)
        say(
            f"{count(len(deck.entries), 'card')}, {count(checkers, 'checker')}, "
            f"{count(deck.notes, 'note')}: {count(errors, 'error')}, "
            f"{count(len(problems) - errors, 'warning')}"
        )
    failing = [p for p in problems if strict or p.severity is Severity.ERROR]
    raise typer.Exit(1 if failing else 0)


def _deck(workspace: Workspace, paths: list[Path] | None) -> Deck:
    if not paths:
        return workspace.deck
    for path in paths:
        if not path.exists():
            raise Usage(f"{clean(str(path))}: no such file or folder")
    roots = tuple(path.with_suffix(".md") if path.suffix == ".py" else path for path in paths)
    return load(roots, cache=None)


def _card_problems(workspace: Workspace, deck: Deck) -> Iterator[Problem]:
    """Formulas that cannot be drawn, line by line."""
    for entry in deck.entries:
        card = deck.read(entry).card
        if card:
            yield from math_problems(entry, card, workspace.macros(entry, deck))


def math_problems(entry: Entry, card: Card, macros: str) -> Iterator[Problem]:
    """Unknown commands and unbalanced braces in the card's formulas, each with its line."""
    from quizzer.cli.markdown import formulas

    for text, first in ((card.question, card.question_line), (card.solution, card.solution_line)):
        for latex, line in formulas(text):
            for name in tex.unknown(latex, macros=macros):
                message = (
                    f"`{name}` is not known and will be shown as it is written; "
                    "use another command, or define it in macros.tex"
                )
                yield Problem(entry.path, first + line, Severity.WARNING, "tex-unknown", message)
            for fault in tex.faults(latex):
                yield Problem(entry.path, first + line, Severity.WARNING, "tex-fault", fault)


def _proofs(deck: Deck) -> Iterator[Problem]:
    """What the checkers fail to prove about themselves."""
    from quizzer.sandbox.judge import Judge

    checkers = [entry.checker for entry in deck.entries if entry.checker]
    if not checkers:
        return
    progress = Progress("proving checkers", every=1)
    with Judge() as judge:
        for done, checker in enumerate(checkers):
            progress(done, len(checkers))
            for flaw in judge.prove(checker, SEED):
                severity = Severity.ERROR if flaw.error else Severity.WARNING
                yield Problem(checker, 1, severity, flaw.code, flaw.message)
    progress.clear()
