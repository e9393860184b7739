"""`new --checker`: a declared checker beside a card that has none, from what the card says."""

from dataclasses import replace

from quizzer.app import new_card
from quizzer.app.failure import Usage
from quizzer.app.new_file import write_text
from quizzer.app.workspace import Workspace
from quizzer.cli.commands.check import check_card
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.deck.values import read_file
from quizzer.deck.walk import checkers_beside
from quizzer.text import count


def new_checker(workspace: Workspace, name: str) -> None:
    """Write the first draft of a card's checker, say what is left to fill in, and check it."""
    path = workspace.entry(name).path
    parsed = read_file(path)
    if parsed.card is None:
        raise Usage(f"{workspace.short(path)} is no card that can be read: see `quizzer check`")
    if beside := checkers_beside(path):
        raise Usage(f"{workspace.short(beside[0])} exists; it was not changed")
    if parsed.card.checker:
        raise Usage(
            f"{workspace.short(path)} has a checker within it, in line {parsed.card.checker.line}"
        )
    checker = path.with_suffix(".checker")
    draft = new_card.draft_of(path, parsed.card)
    write_text(checker, draft.text)
    print_line(f"wrote {workspace.short(checker)}")
    for line, what in draft.places:
        print_line(f"{workspace.short(checker)}:{line}: to fill in: {what}")
    if draft.places:
        print_note(f"{count(len(draft.places), 'line')} to fill in. Now: quizzer edit {name}")
    check_card(replace(workspace), path)
