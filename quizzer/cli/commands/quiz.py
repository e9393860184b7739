"""The command `quiz`: practice, or a mock exam with a clock."""

import random
from enum import StrEnum
from typing import Annotated

import typer

from quizzer.app.failure import Failure
from quizzer.app.workspace import Workspace
from quizzer.cli.options import PlainOption, SessionFilterOptions
from quizzer.cli.terminal.trust import ask_for_trust
from quizzer.cli.terminal.tty import need_terminal
from quizzer.session.quiz import Quiz, draw


class Results(StrEnum):
    """When the learner learns what was right."""

    EACH = "each"
    END = "end"


def quiz(
    workspace: Workspace,
    filters: SessionFilterOptions,
    number: Annotated[
        int | None, typer.Argument(min=1, metavar="N", help="How many cards.", show_default=False)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The same cards in the same order.", show_default=False)
    ] = None,
    time: Annotated[
        float | None, typer.Option("--minutes", min=0.1, help="A time limit.", show_default=False)
    ] = None,
    results: Annotated[
        Results | None,
        typer.Option(
            help="Results after each card, or at the end, which is the default with a time limit.",
            show_default=False,
        ),
    ] = None,
    plain: PlainOption = False,
) -> None:
    """Practice or a mock exam; never changes the schedule."""
    need_terminal("`quizzer verify CARD`")
    rng = random.Random(seed) if seed is not None else random.Random()
    paper = draw(workspace.deck, filters.within(workspace), number, rng)
    if not paper:
        raise Failure(f"no card of {workspace.deck_name} matches these filters")
    from quizzer.cli.terminal.quiz import TerminalQuiz

    workspace.introduce()
    ask_for_trust(workspace)
    with workspace.judge() as judge, workspace.open_store() as store:
        judge.warm()
        session = Quiz(
            paper=paper,
            store=store,
            judge=judge,
            settings=workspace.settings,
            clock=workspace.clock,
            rng=rng,
            minutes=time,
        )
        at_once = results is Results.EACH if results else time is None
        TerminalQuiz(workspace, session, plain=plain, at_once=at_once).run()
        workspace.prove(store)
