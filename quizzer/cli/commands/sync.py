"""The command `sync`: one history on several machines, or in a course's database."""

import getpass
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import StoreUnusable, Usage
from quizzer.app.workspace import Workspace, shortened
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.cli.terminal.waiting import busy
from quizzer.store import Store
from quizzer.store.sync import file_target, postgres
from quizzer.store.sync.address import is_address, shown
from quizzer.store.sync.exchange import Target
from quizzer.store.sync.exchange import sync as exchange
from quizzer.text import count

_OTHERWISE_NAMED = re.compile(r"postgres(ql)?:|\s*(host|port|dbname|user|password|service)\s*=")
"""A database, named in another way that libpq takes, or almost."""

LearnerOption = Annotated[
    str | None,
    typer.Option(
        "--learner",
        metavar="NAME",
        help="Your name in a database; your login name otherwise.",
        show_default=False,
    ),
]


def sync(
    workspace: Workspace,
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[TARGET]",
            help="A file in a folder that is kept in sync, or a postgresql:// address.",
            show_default=False,
        ),
    ] = None,
    learner: LearnerOption = None,
) -> None:
    """Exchange events with your other machines, both ways."""
    place = target or workspace.config.sync
    if not place:
        raise Usage(
            "name what to sync with: quizzer sync FILE, or postgresql://HOST/DATABASE; "
            f'or once for all, `sync = "…"` in {workspace.short(workspace.config_path)}'
        )
    with (
        workspace.open_store() as store,
        busy("syncing"),
        _opened(workspace, place, learner, store) as there,
    ):
        done = exchange(store, there, workspace.now())
        converted, remedy = there.converted, there.remedy
        name = there.name if is_address(place) else workspace.short(_path(place))
    print_line(f"{name}: took {count(done.taken, 'event')}, gave {done.given}")
    if done.cards:
        print_note(f"rescheduled {count(done.cards, 'card')}")
    for remark in (converted, done.odd):
        if remark:
            print_note(shortened(remark))
    if done.not_given:
        raise StoreUnusable(
            f"{_of(done.not_given)} here not as written and not given: {done.not_given[0]}. "
            "Everything else was exchanged. `quizzer doctor` says how to bring them back."
        )
    if done.not_taken:
        raise StoreUnusable(
            f"{_of(done.not_taken)} in {name} not as written and not taken: {done.not_taken[0]}. "
            f"Everything else was exchanged. {shortened(remedy)}"
        )


def _of(faults: Sequence[str]) -> str:
    return f"{count(len(faults), 'event')} {'is' if len(faults) == 1 else 'are'}"


@contextmanager
def _opened(
    workspace: Workspace, place: str, learner: str | None, store: Store
) -> Iterator[Target]:
    if is_address(place):
        named = learner or workspace.config.learner
        name = named or _login()
        with postgres.opened(place, name, claimed=named is not None) as database:
            yield database
    elif "://" in place:
        raise Usage(f"{shown(place)}: only a file or a postgresql:// address can be synced")
    elif _OTHERWISE_NAMED.match(place):
        # A file of this name would hold the history, and its name the password.
        raise Usage("a database is named by its address: postgresql://USER@HOST/DATABASE")
    else:
        with file_target.opened(_path(place), store, workspace.waiting) as file:
            yield file


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        raise Usage("this user has no name here; set yours with --learner NAME") from None


def _path(place: str) -> Path:
    return Path(place).expanduser().absolute()
