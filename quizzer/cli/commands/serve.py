"""The command `serve`: the session in a browser."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import NoHome, Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note, print_text
from quizzer.cli.terminal.trust import ask_for_trust

NEEDED = ("jinja2", "starlette", "uvicorn")
"""What the extra `web` installs."""


def serve(
    workspace: Workspace,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The first port to try.")] = 8765,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
    shortcut: Annotated[
        bool, typer.Option("--shortcut", help="Put a file on the desktop that does this, and exit.")
    ] = False,
) -> None:
    """The daily session in a browser on this machine."""
    _must_be_installed()
    if shortcut:
        _put_shortcut(workspace)
        return
    workspace.introduce()
    ask_for_trust(workspace)
    from quizzer.web import server

    listening = server.bound(port)
    used = listening.getsockname()[1]
    if used != port:
        print_note(f"port {port} is in use, so this is {used}")
    opened = no_open

    def say(address: str) -> None:
        nonlocal opened
        print_text(address)
        sys.stdout.flush()  # whoever reads it through a pipe waits for it
        print_note("Ctrl-C ends it; every rating is saved at once.")
        if not opened:
            opened = True
            _open(address)

    server.serve(workspace, listening, say)


def _must_be_installed() -> None:
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in NEEDED):
        raise Usage(
            "the browser's pages need more packages: pip install 'derivation-quizzer[web]', "
            "or `make serve` in the repository"
        )


def _put_shortcut(workspace: Workspace) -> None:
    """A file that serves this deck and this history, wherever it is opened."""
    from quizzer.app import shortcut
    from quizzer.web.pages import STATIC

    words = [sys.executable, "-m", "quizzer", "serve"]
    for root in workspace.deck_option:
        words += ["--deck", str(root.expanduser().absolute())]
    if workspace.store_option:
        words += ["--store", str(workspace.store_path)]
    known = {each.value: each for each in shortcut.System}
    system = known.get(sys.platform, shortcut.System.LINUX)
    try:
        folder = shortcut.desktop(system, Path.home())
    except RuntimeError:
        raise NoHome from None
    made = shortcut.shortcut(system, words, STATIC / "icon.svg")
    print_line(f"wrote {workspace.short(shortcut.put(folder, made))}")


def _open(address: str) -> None:
    """Open the address in the user's browser; without one, it is printed already."""
    import webbrowser
    from threading import Thread

    Thread(target=webbrowser.open, args=(address,), daemon=True).start()
