"""The command `quizzer`: its options, its commands, and what happens to errors."""

import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from quizzer.app.failure import Failure, NoHome
from quizzer.app.workspace import Workspace, shortened
from quizzer.cli.terminal import streams
from quizzer.cli.terminal.output import print_note
from quizzer.cli.terminal.report import TerminalReport
from quizzer.text import did_you_mean

if TYPE_CHECKING:
    from quizzer.sandbox.worker import Worker

EPILOG = (
    "Options of all commands, before or after the command's name: "
    "--deck PATH, --store PATH, --no-color, --version."
)

_NAMES = (
    "review serve quiz verify rate undo suspend unsuspend bury reset due list map show history "
    "stats new edit checker init use tex check backup restore export report import sync course fit "
    "exam trust config doctor"
)
_SHARED = {
    "import": "import_",
    **dict.fromkeys(("suspend", "unsuspend", "bury", "reset"), "suspend_bury_reset"),
}
COMMANDS = {name: f"quizzer.cli.commands.{_SHARED.get(name, name)}" for name in _NAMES.split()}
"""The commands in the order of the help, each with the module that is imported to run it."""


_PRINTING = "verify due list map show history stats check checker tex export config doctor"
ONLY_PRINT = frozenset(_PRINTING.split())
"""Commands that only print: running one again does no harm."""


class _Anywhere(TyperGroup):
    """A group whose own options may also follow the command's name.

    A command's module is imported only when it is needed: importing all of them takes longer than
    most commands run.
    """

    TAKES_VALUE = ("--deck", "--store")
    ALONE = ("--no-color", "--version")

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, name: str) -> Any:
        return _command(name) if name in COMMANDS else None

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
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            hint = did_you_mean(args[0], COMMANDS) or "; all commands: quizzer --help"
            raise _Misuse(f"no command `{args[0]}`{hint}", ctx)
        return super().resolve_command(ctx, args)


@cache
def _command(name: str) -> Any:
    """What runs a command: the function with its name, followed by _ if Python has that name."""
    from quizzer.cli.options import as_command

    module = import_module(COMMANDS[name])
    room = typer.Typer()
    room.command(name)(as_command(getattr(module, name, None) or getattr(module, f"{name}_")))
    return typer.main.get_command_from_info(
        room.registered_commands[0], pretty_exceptions_short=True, rich_markup_mode=None
    )


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
        typer.Option(
            metavar="PATH",
            help="Folder of cards; may be repeated.",
            show_default=False,
            readable=False,  # this is reported where it is read
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="File of the review history.", show_default=False, readable=False
        ),
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Spaced repetition for machine-learning derivations.

    Without a command: what is due today, which deck is in use, and what to type next.
    """
    if version:
        from importlib.metadata import version as installed

        print(f"quizzer {installed('derivation-quizzer')}")
        raise typer.Exit
    environ = {**os.environ, "NO_COLOR": "1"} if no_color else os.environ
    ctx.obj = Workspace(tuple(deck or ()), store, environ, sandbox=ctx.obj, report=TerminalReport())
    if ctx.invoked_subcommand is None:
        from quizzer.cli.commands.due import overview

        overview(ctx.obj)


def run(argv: Sequence[str], sandbox: "Worker | None" = None) -> int:
    """Run one command line and return its exit code; errors become a sentence.

    `sandbox`: the process that judges, if it was started ahead.
    """
    asked: list[str] = []
    try:
        code = _run(argv, sandbox, asked)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        raise
    except OSError:
        why = streams.lost()
        if why is None:
            raise
        print_note(f"quizzer: standard output cannot be written: {why}. {_remedy(asked)}")
        return streams.LOST


def _remedy(asked: list[str]) -> str:
    """What to do if the output of this command is lost."""
    if set(asked) <= ONLY_PRINT:
        return "Run the command again, and write its output elsewhere."
    return f"`{asked[0]}` is done and saved, only its report is lost: do not run it again."


def _run(argv: Sequence[str], sandbox: "Worker | None", asked: list[str]) -> int:
    """The exit code of a command, whose name is added to `asked` as soon as it is known."""
    command = typer.main.get_command(app)
    try:
        with command.make_context("quizzer", list(argv), obj=sandbox) as ctx:
            try:
                command.invoke(ctx)
            finally:
                asked += [ctx.invoked_subcommand] if ctx.invoked_subcommand else []
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:  # a question was answered with the end of input, or interrupted
        raise KeyboardInterrupt from None
    except _Misuse as misuse:
        print_note(f"quizzer: {_explained(misuse)}")
        return 2
    except Failure as failure:
        print_note(f"quizzer: {failure}")
        return failure.exit_code
    except RuntimeError as error:
        # Path.expanduser and platformdirs say so if no home folder is known.
        if "home directory" not in str(error):
            raise
        print_note(f"quizzer: {NoHome()}")
        return NoHome.exit_code
    except Exception as error:
        from quizzer.store import StoreError

        if not isinstance(error, StoreError):
            raise
        print_note(f"quizzer: {shortened(str(error))}")
        return 6
    return 0


def _explained(misuse: Any) -> str:
    """What is wrong with a command line, and where to find its help."""
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
