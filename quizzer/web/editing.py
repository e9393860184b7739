"""A card in the user's editor, beside the browser."""

import subprocess
from queue import SimpleQueue
from threading import Thread

from quizzer.app.editor import checkers_of, editor_of, open_card
from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.deck import Entry


def open_editor(workspace: Workspace, entry: Entry) -> str:
    """Open a card and its checker, and go on; what there is to say. Raises Usage."""
    begun: SimpleQueue[Usage | None] = SimpleQueue()
    checkers = checkers_of(entry.path, entry.checker)
    command = editor_of(workspace)

    def run(words: list[str]) -> None:
        with subprocess.Popen(words):
            begun.put(None)

    def edit() -> None:
        try:
            open_card(workspace, [entry.path, *checkers], checkers, run)
        except Usage as error:
            begun.put(error)

    Thread(target=edit, daemon=True).start()
    if (failed := begun.get()) is not None:
        raise failed
    files = dict.fromkeys(map(workspace.short, [entry.path, *checkers]))
    return f"{' and '.join(files)} {'is' if len(files) == 1 else 'are'} open in {command[0]}."
