"""The command `review`: the daily session on a terminal."""

import random
from typing import Annotated

import typer

from quizzer.app.failure import Failure
from quizzer.app.workspace import Workspace, need_terminal
from quizzer.cli.commands import exam as exams
from quizzer.cli.commands.trust import ask_for_trust
from quizzer.cli.options import (
    CardOption,
    CourseOption,
    DifficultyOption,
    PlainOption,
    StatusOption,
    TagOption,
    TypeOption,
    wanted,
)
from quizzer.cli.terminal import output
from quizzer.forecast.exam_outlook import outlooks
from quizzer.plan.pace import pace_of
from quizzer.plan.queue import is_wanted
from quizzer.session.daily import Session
from quizzer.values import UNSEEN


def review(
    ctx: typer.Context,
    course: CourseOption = None,
    tag: TagOption = None,
    type_: TypeOption = None,
    difficulty: DifficultyOption = None,
    status: StatusOption = None,
    card: CardOption = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many cards.", show_default=False)
    ] = None,
    new: Annotated[
        int | None, typer.Option(min=0, help="New cards today.", show_default=False)
    ] = None,
    minutes: Annotated[
        int | None,
        typer.Option(min=1, help="As many cards as fit into this time.", show_default=False),
    ] = None,
    ahead: Annotated[
        int, typer.Option(min=0, help="Take cards due within so many days too.", show_default=False)
    ] = 0,
    plain: PlainOption = False,
    editor: Annotated[bool, typer.Option("--editor", help="Type answers in $EDITOR.")] = False,
) -> None:
    """The daily session: what is due, then what is new."""
    need_terminal("`quizzer verify CARD` and `quizzer rate CARD good`")
    workspace: Workspace = ctx.obj
    ids = [workspace.entry(key).header.id for key in card or ()]
    chosen = wanted(course, tag, type_, difficulty, status, ids)
    from quizzer.cli.terminal.daily import TerminalSession

    workspace.introduce()
    ask_for_trust(workspace)
    with workspace.judge() as judge, workspace.open_store() as store:
        judge.warm()
        progress = store.progress()
        entries = workspace.deck.entries
        if not any(is_wanted(each, progress.get(each.id, UNSEEN), chosen) for each in entries):
            raise Failure(f"no card of {workspace.deck_name} matches these filters")
        for warning in workspace.warnings(store):
            output.say(warning)
        settings, deck = workspace.settings, workspace.deck
        # The days until an exam do not keep the limit of one session.
        for line in exams.lines(
            outlooks(deck, store, settings, workspace.today(), pace_of(deck, store))
        ):
            output.say(line)
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
        )
        TerminalSession(workspace, session, plain=plain, in_editor=editor).run()
