"""The command `quizzer`: its options, its commands, and what happens to errors."""

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from quizzer.cli import (
    authoring,
    checking,
    fitting,
    history,
    keeping,
    quizzes,
    reading,
    recording,
    reviewing,
    setup,
    statistics,
    today,
    trusting,
    verifying,
)
from quizzer.cli.failure import Failure
from quizzer.cli.output import did_you_mean, say
from quizzer.cli.workspace import Workspace
from quizzer.store import StoreError

if TYPE_CHECKING:
    from quizzer.sandbox.worker import Worker

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
                value = next(left, None)
                if value is None:
                    raise _Misuse(f"option `{arg}` needs a path", ctx)
                front += [arg, value]
            else:
                rest.append(arg)
        return super().parse_args(ctx, front + rest)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            hint = did_you_mean(args[0], self.commands) or "; all commands: quizzer --help"
            raise _Misuse(f"no command `{args[0]}`{hint}", ctx)
        return super().resolve_command(ctx, args)


# What Typer raises for a command line that it cannot read; it exports no name for it.
_Misuse: Any = typer.BadParameter.__mro__[1]

app = typer.Typer(
    cls=_Anywhere,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)


@app.callback(invoke_without_command=True)
def quizzer(
    ctx: typer.Context,
    deck: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="Folder of cards; may be repeated.", show_default=False),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="File of the review history.", show_default=False),
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
    ctx.obj = Workspace(tuple(deck or ()), store, no_color, sandbox=ctx.obj)
    if ctx.invoked_subcommand is None:
        today.overview(ctx.obj)


for room in (
    reviewing,
    quizzes,
    verifying,
    recording,
    today,
    reading,
    history,
    statistics,
    authoring,
    checking,
    keeping,
    fitting,
    trusting,
    setup,
):
    room.register(app)


def run(argv: Sequence[str], sandbox: "Worker | None" = None) -> int:
    """Run one command line and return its exit code; errors become a sentence.

    `sandbox`: the process that judges, where it was started ahead.
    """
    command = typer.main.get_command(app)
    try:
        with command.make_context("quizzer", list(argv), obj=sandbox) as ctx:
            command.invoke(ctx)
    except typer.Exit as done:
        return done.exit_code
    except _Misuse as misuse:
        say(f"quizzer: {_told(misuse)}")
        return 2
    except Failure as failure:
        say(f"quizzer: {failure}")
        return failure.exit_code
    except StoreError as error:
        say(f"quizzer: {error}")
        return 6
    return 0


def _told(misuse: Any) -> str:
    """What Typer has against a command line, in our words and with the way to its help."""
    ctx = misuse.ctx
    if ctx is None:
        return str(misuse.format_message())
    option = getattr(misuse, "option_name", "")
    known = [name for param in ctx.command.get_params(ctx) for name in param.opts]
    if option and option not in known:
        message = f"no option `{option}`{did_you_mean(option, known) or '.'}"
    else:
        message = misuse.format_message()
        message = message[:1].lower() + message[1:]
    return message if ctx.parent is None else f"{message} See: {ctx.command_path} -h"
