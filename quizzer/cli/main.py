"""The command `quizzer`: its options, its commands, and what happens to errors."""

import importlib.metadata
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from quizzer.cli import (
    authoring,
    checking,
    quizzes,
    reading,
    recording,
    reviewing,
    setup,
    statistics,
    verifying,
)
from quizzer.cli.failure import Failure
from quizzer.cli.workspace import Workspace
from quizzer.store import StoreError

EPILOG = (
    "Options of all commands, before or after the command's name: "
    "--deck PATH, --store PATH, --no-color, --version."
)


class _Anywhere(TyperGroup):
    """A group whose own options may also stand after the command's name."""

    TAKES_VALUE = ("--deck", "--store")
    ALONE = ("--no-color", "--version")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        front: list[str] = []
        rest: list[str] = []
        left = iter(args)
        for arg in left:
            if arg == "--":
                rest += [arg, *left]
            elif arg in self.ALONE or arg.startswith(tuple(f"{o}=" for o in self.TAKES_VALUE)):
                front.append(arg)
            elif arg in self.TAKES_VALUE:
                front += [arg, *([value] if (value := next(left, None)) is not None else [])]
            else:
                rest.append(arg)
        return super().parse_args(ctx, front + rest)


app = typer.Typer(
    cls=_Anywhere,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EPILOG,
)


@app.callback(invoke_without_command=True)
def quizzer(
    ctx: typer.Context,
    deck: Annotated[
        list[Path] | None,
        typer.Option(help="Folder of cards; may be repeated.", show_default=False),
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="File of the review history.", show_default=False)
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Spaced repetition for machine-learning derivations.

    Without a command: what is due today, which deck is in use, and what to type next.
    """
    if version:
        print(f"quizzer {importlib.metadata.version('derivation-quizzer')}")
        raise typer.Exit
    ctx.obj = Workspace(tuple(deck or ()), store, no_color)
    if ctx.invoked_subcommand is None:
        reading.overview(ctx.obj)


for room in (
    reviewing,
    quizzes,
    verifying,
    recording,
    reading,
    statistics,
    authoring,
    checking,
    setup,
):
    room.register(app)


def main() -> None:
    """Run the command line; every error becomes a sentence and an exit code, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal of another encoding shows `?` for a sign it lacks instead of failing.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        app()
    except Failure as failure:
        _complain(str(failure))
        sys.exit(failure.exit_code)
    except StoreError as error:
        _complain(str(error))
        sys.exit(6)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone, as `quizzer list | head` does: that is no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _complain(message: str) -> None:
    print(f"quizzer: {message}", file=sys.stderr)
