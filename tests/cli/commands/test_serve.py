"""The command `serve`: its address, its port, its end."""

import importlib.util
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from served import serving


def test_it_serves_until_ctrl_c_and_takes_the_next_port_where_one_is_in_use(
    here: Path, deck: Path, tmp_path: Path
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        options = ("--port", port, "--deck", deck, "--store", tmp_path / "h.db")
        with serving(*options) as (process, address, used):
            assert port < used < port + 20
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            page = browser.open(address).read().decode()
            assert "4 new cards" in page
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=20)
            assert process.returncode == 128 + signal.SIGINT
            assert f"port {port} is in use, so this is {used}" in said
            assert "Traceback" not in said and "task" not in said
        with socket.socket() as again:
            assert again.connect_ex(("127.0.0.1", used)) != 0


def test_without_the_extra_one_line_says_what_to_install(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "uvicorn" else there(name)
    )
    ran = cli("serve")
    assert ran.code == 2
    assert ran.err.count("\n") == 1 and "derivation-quizzer[web]" in ran.err


def test_a_deck_that_cannot_be_read_is_told_before_anything_is_served(
    cli: CommandLine, tmp_path: Path
) -> None:
    ran = cli("serve", "--no-open", "--deck", tmp_path / "nowhere")
    assert ran.code == 4 and "nowhere" in ran.err


WEB = ("starlette", "uvicorn", "jinja2", "anyio", "quizzer.web")


@pytest.mark.parametrize("command", ["due", "list", "verify square dx=dy", "serve --help"])
def test_no_command_but_a_server_that_starts_imports_what_serves(
    process: Callable[..., subprocess.CompletedProcess[str]], deck: Path, command: str
) -> None:
    script = (
        "import sys\nfrom quizzer.cli.main import main\n"
        f"code = main({[*command.split(), '--deck', str(deck)]!r})\n"
        f"found = sorted(set({WEB!r}) & set(sys.modules))\n"
        "sys.exit(f'imported: {found}' if found else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_the_terminals_session_imports_nothing_that_serves() -> None:
    script = (
        "import sys, quizzer.cli.terminal.daily, quizzer.cli.commands.review\n"
        f"found = sorted({{*{WEB!r}, 'numpy'}} & set(sys.modules))\n"
        "sys.exit(f'imported: {found}' if found else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_a_server_is_there_before_numpy_is() -> None:
    script = "import sys, quizzer.web.server; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0
