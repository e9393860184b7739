"""The command `review`: the daily session on a terminal."""

import random
from typing import Annotated

import typer

from quizzer.app.exams import is_any_ahead, kept
from quizzer.app.failure import Failure
from quizzer.app.reload import reading_again
from quizzer.app.workspace import Workspace
from quizzer.cli.options import FormOption, PlainOption, SessionFilterOptions
from quizzer.cli.terminal import output
from quizzer.cli.terminal.trust import ask_for_trust
from quizzer.cli.terminal.tty import need_terminal
from quizzer.cli.terminal.waiting import busy
from quizzer.deck import Deck, Filter
from quizzer.plan.queue import is_wanted
from quizzer.session.daily import Session
from quizzer.store import Store
from quizzer.values import UNSEEN


def review(
    workspace: Workspace,
    filters: SessionFilterOptions,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most this many cards.", show_default=False)
    ] = None,
    new: Annotated[
        int | None, typer.Option(min=0, help="How many new cards today.", show_default=False)
    ] = None,
    minutes: Annotated[
        int | None,
        typer.Option(min=1, help="As many cards as fit into this time.", show_default=False),
    ] = None,
    ahead: Annotated[
        int, typer.Option(min=0, help="Also cards due within this many days.", show_default=False)
    ] = 0,
    form: FormOption = None,
    plain: PlainOption = False,
    editor: Annotated[bool, typer.Option("--editor", help="Type answers in $EDITOR.")] = False,
) -> None:
    """The daily session: what is due, then what is new."""
    need_terminal("`quizzer verify CARD` and `quizzer rate CARD good`")
    chosen = filters.within(workspace)
    from quizzer.cli.terminal.daily import TerminalSession

    workspace.introduce()
    ask_for_trust(workspace)
    with workspace.judge() as judge, workspace.open_store() as store:
        judge.warm()
        if not _is_any_wanted(workspace.deck, store, chosen):
            raise Failure(f"no card of {workspace.deck_name} matches these filters")
        settings, deck = workspace.settings, workspace.deck
        session = Session(
            deck=deck,
            store=store,
            judge=judge,
            settings=settings.with_new(new),
            clock=workspace.clock,
            rng=random.SystemRandom(),
            wanted=chosen,
            limit=limit,
            minutes=minutes,
            ahead=ahead,
            reload=reading_again(workspace, new),
            form=form,
        )
        for warning in workspace.warnings(store, session.at_hand()):
            output.print_note(warning)
        # The days until an exam do not keep the limit of one session.
        if is_any_ahead(workspace):
            _print_exams(workspace, store)
        TerminalSession(workspace, session, plain=plain, in_editor=editor).run()
        if is_any_ahead(workspace):
            with busy("looking ahead to the exams"):
                kept(workspace, store).renewed(search=False)
        workspace.prove(store)


def _print_exams(workspace: Workspace, store: Store) -> None:
    from quizzer.session import exams

    with busy("looking ahead to the exams"):
        expected = kept(workspace, store).of_today()
    for line in exams.lines(expected):
        output.print_note(line)


def _is_any_wanted(deck: Deck, store: Store, chosen: Filter) -> bool:
    if not chosen:
        return bool(deck.entries)
    progress = store.progress()
    return any(is_wanted(each, progress.get(each.id, UNSEEN), chosen) for each in deck.entries)
