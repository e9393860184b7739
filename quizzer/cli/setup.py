"""Commands about the installation: `config` and `doctor`."""

import platform
import sys
from dataclasses import asdict, fields

import typer

from quizzer.card import Severity
from quizzer.check.judgement import Broken
from quizzer.cli.options import AsJson
from quizzer.cli.output import count, print_json
from quizzer.cli.workspace import Workspace
from quizzer.deck import load, starter_deck
from quizzer.session.settings import Settings


def register(app: typer.Typer) -> None:
    app.command()(config)
    app.command()(doctor)


def config(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Where things are, and what is set."""
    workspace: Workspace = ctx.obj
    read = workspace.config
    values = {
        f.name: getattr(read.settings, f.name) for f in fields(Settings) if f.name != "courses"
    }
    courses = {
        name: {key: value for key, value in asdict(course).items() if value is not None}
        for name, course in read.settings.courses.items()
    }
    if as_json:
        print_json(
            {
                "path": str(read.path),
                "exists": read.path.exists(),
                "deck": [str(root) for root in workspace.located.roots],
                "deck_from": workspace.located.source.value,
                "store": str(workspace.store_path),
                "cache": str(workspace.cache_path),
                "editor": read.editor,
                **values,
                "course": courses,
            }
        )
        return
    there = "" if read.path.exists() else " (not there yet: all values are the defaults)"
    print(f"# {read.path}{there}")
    print(f"# deck in use, from {workspace.located.source.value}: {workspace.deck_name}")
    print(f"# history: {workspace.store_path}")
    print(f"# cache, safe to delete: {workspace.cache_path}")
    for name, value in values.items():
        print(f"{name} = {value}")
    for name, course in courses.items():
        print(f'\n[course."{name}"]')
        for key, value in course.items():
            print(f"{key} = {value}")


def doctor(ctx: typer.Context) -> None:
    """Whether the history, the deck and the judging of answers are in order."""
    workspace: Workspace = ctx.obj
    print(f"python   {platform.python_version()} on {sys.platform}")
    healthy = _history(workspace)
    _deck(workspace)
    _judging()
    raise typer.Exit(0 if healthy else 6)


def _history(workspace: Workspace) -> bool:
    path = workspace.short(workspace.store_path)
    if not workspace.store_path.exists():
        print(f"history  none yet; it will be {path}")
        return True
    with workspace.open_store(read_only=True) as store:
        faults = store.check()
        backups = store.backups()
        events = len(store.events())
    print(f"history  {path}: {count(events, 'event')}, {'damaged' if faults else 'whole'}")
    for fault in faults:
        print(f"         {fault}")
    newest = f", the newest {workspace.short(backups[-1])}" if backups else ""
    print(f"backups  {len(backups)}{newest}")
    return not faults


def _deck(workspace: Workspace) -> None:
    deck = workspace.deck
    errors = sum(problem.severity is Severity.ERROR for problem in deck.problems)
    state = f"{count(errors, 'error')}; see quizzer check" if errors else "in order"
    print(f"deck     {workspace.deck_name}: {count(len(deck.entries), 'card')}, {state}")


def _judging() -> None:
    from quizzer.sandbox.judge import Judge

    starter = load((starter_deck(),), cache=None)
    checker = next(entry.checker for entry in starter.entries if entry.checker)
    with Judge() as judge:
        asked = judge.asks(checker)
    fault = asked.message if isinstance(asked, Broken) else ""
    print(f"judging  {fault or 'answers are judged in processes of their own'}")
