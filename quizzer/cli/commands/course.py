"""The command `course`: set up a course's database, add learners, add up its events anew."""

from collections.abc import Sequence
from enum import StrEnum
from shlex import quote as shell_quote
from typing import Annotated
from urllib.parse import quote

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace, shortened
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.cli.terminal.waiting import ProgressLine
from quizzer.store.sync import course as database
from quizzer.store.sync.address import is_address, shown
from quizzer.text import count


class Action(StrEnum):
    INIT = "init"
    ADD = "add"
    REBUILD = "rebuild"


def course(
    workspace: Workspace,
    action: Annotated[
        Action,
        typer.Argument(
            help="init: set up a database, or bring an older one up to date. add: admit learners. "
            "rebuild: recompute all totals from the events.",
            show_default=False,
        ),
    ],
    rest: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ADDRESS] [LEARNER]...",
            help="postgresql://HOST/DATABASE, else `sync` in the configuration; for add, names.",
            show_default=False,
        ),
    ] = None,
    own_rows: Annotated[
        bool,
        typer.Option(
            "--own-rows",
            help="init: even in a database in use, let each role see and add only events under "
            "its own name.",
        ),
    ] = False,
    teacher: Annotated[
        bool, typer.Option("--teacher", help="add: a teacher, who may read all but add nothing.")
    ] = False,
    new_password: Annotated[
        bool, typer.Option("--new-password", help="add: even for those who already have a role.")
    ] = False,
) -> None:
    """Keep a course's database: init, add LEARNER, rebuild."""
    address, names = _address(workspace, rest or [])
    if action is Action.ADD:
        _add(address, names, teacher, new_password)
    elif names:
        raise Usage(f"{action} takes one address; to add learners: quizzer course add")
    else:
        _set_up(address, own_rows, action is Action.REBUILD)


def _address(workspace: Workspace, given: Sequence[str]) -> tuple[str, list[str]]:
    """The database that is meant, and the names."""
    addresses = [each for each in given if is_address(each)]
    names = [each for each in given if not is_address(each)]
    if strange := next((each for each in names if "://" in each), None):
        raise Usage(f"{shown(strange)}: a course needs postgresql://HOST/DATABASE")
    configured = workspace.config.sync
    if not addresses and configured and is_address(configured):
        addresses = [configured]
    if len(addresses) != 1:
        raise Usage("name one database: postgresql://HOST/DATABASE")
    return addresses[0], names


def _set_up(address: str, own_rows: bool, anew: bool) -> None:
    with ProgressLine("adding up the events of learners") as line:
        found = database.set_up(address, own_rows=own_rows, anew=anew, progress=line)
    done = "set up" if found.made else "up to date"
    added_up = f"; added up the events of {count(found.added_up, 'learner')}"
    print_line(f"{found.name}: {done}{added_up if found.added_up else ''}")
    if found.converted:
        print_note(shortened(found.converted))
    if not found.own_rows:
        print_note(
            "Every role that may use it sees all learners' events. If each learner has a role of "
            "their own name, limit it to theirs with --own-rows."
        )
    if found.made:
        print_note("Next: quizzer course add LEARNER")


def _add(address: str, names: Sequence[str], teacher: bool, new_password: bool) -> None:
    if not names:
        raise Usage("name who is to be added: quizzer course add ADDRESS LEARNER")
    for name in names:
        if not name.strip() or "\0" in name or len(name.encode()) > database.LONGEST_NAME:
            raise Usage(f"{name}: a name has 1 to {database.LONGEST_NAME} bytes")
    where = shown(address).partition("://")[2]
    for added in database.add(address, names, teacher=teacher, new_password=new_password):
        login = f"postgresql://{quote(added.name)}@{where}"
        learner = shell_quote(added.name)
        does = f"stats --from {login}" if teacher else f"sync {login} --learner {learner}"
        secret = f"password {added.password}" if added.password else "with the password they have"
        print_line(f"{added.name}: {secret}: quizzer {does}")
    print_note("Passwords are shown only now. Each learner keeps theirs in ~/.pgpass.")
