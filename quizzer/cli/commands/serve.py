"""The command `serve`: the session in a browser."""

import sys
from typing import Annotated

import typer

from quizzer.app.failure import Usage
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_note, print_text
from quizzer.cli.terminal.trust import ask_for_trust

NEEDED = ("jinja2", "starlette", "uvicorn")
"""What the extra `web` installs."""


def serve(
    workspace: Workspace,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The first port to try.")] = 8765,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
) -> None:
    """The daily session in a browser on this machine."""
    _must_be_installed()
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


def _open(address: str) -> None:
    """Open the address in the user's browser; without one, it is printed already."""
    import webbrowser
    from threading import Thread

    Thread(target=webbrowser.open, args=(address,), daemon=True).start()
