"""The command `checker`: a checker in math, as the NumPy module that it means."""

from quizzer.app.failure import BrokenChecker, Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.options import CardArgument
from quizzer.cli.terminal.output import print_line


def checker(workspace: Workspace, card: CardArgument) -> None:
    """Print a card's checker in math as Python with NumPy."""
    entry = workspace.entry(card)
    path = entry.checker
    if path is None:
        raise Usage(f"{entry.id} has no checker")
    if path.suffix.lower() == ".py":
        raise Usage(f"the checker of {entry.id} is Python already: {workspace.short(path)}")
    from quizzer.judge.judgement import Broken

    title = f"The checker of {entry.id}, printed from its formulas by `quizzer checker`."
    with workspace.report.busy("getting the checker ready"), workspace.judge() as judge:
        found = judge.printed(path, title)
    if isinstance(found, Broken):
        raise BrokenChecker(f"{entry.id}: its checker is broken: {found.message}")
    if not found.text:
        raise Usage(f"{entry.id}: its checker cannot be printed: {found.reason}")
    for line in found.text.splitlines():
        print_line(line)
