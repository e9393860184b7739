import configparser
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CommandLine

from quizzer.app.failure import Usage
from quizzer.app.shortcut import Shortcut, System, desktop, put, shortcut

COMMAND = ["/opt/my env/bin/python", "-m", "quizzer", "serve", "--deck", 'a "b" $c %d \\e']


def unescaped(text: str) -> str:
    return text.replace("\\\\", "\\")


def test_on_linux_it_is_a_desktop_entry_whose_command_keeps_its_words() -> None:
    made = shortcut(System.LINUX, COMMAND, Path("/opt/icon.svg"))
    assert made.name == "quizzer.desktop"
    reader = configparser.RawConfigParser()
    reader.optionxform = str  # type: ignore[assignment, method-assign]
    reader.read_string(made.text)
    entry = reader["Desktop Entry"]
    assert (entry["Type"], entry["Terminal"]) == ("Application", "true")
    assert entry["Icon"] == "/opt/icon.svg"
    # Escaped as any value, then quoted as a shell does in double quotes; %% is a percent sign.
    assert shlex.split(unescaped(entry["Exec"]).replace("\\$", "$").replace("%%", "%")) == COMMAND


def test_on_a_mac_it_is_a_script_that_a_shell_runs(tmp_path: Path) -> None:
    words = [sys.executable, "-c", "import sys; print(sys.argv[1:])", "a b", "$c 'd'"]
    made = shortcut(System.MAC, words, Path("/opt/icon.svg"))
    assert made.name == "quizzer.command"
    path = put(tmp_path, made)
    said = subprocess.run([path], capture_output=True, text=True, check=True).stdout
    assert said == f"{words[3:]}\n"


def test_on_windows_it_is_a_batch_file() -> None:
    made = shortcut(System.WINDOWS, ["C:\\Py 3\\python.exe", "serve", "100%"], Path("icon.svg"))
    assert made.name == "quizzer.cmd"
    assert made.text.splitlines()[-1] == '@"C:\\Py 3\\python.exe" "serve" "100%%"'
    assert made.text.count("\r\n") == made.text.count("\n") == 2


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    mine = Shortcut("quizzer.desktop", "text")
    assert put(tmp_path, mine) == put(tmp_path, mine), "the same again"
    with pytest.raises(Usage, match="exists"):
        put(tmp_path, Shortcut("quizzer.desktop", "another"))
    assert (tmp_path / "quizzer.desktop").read_text("utf-8") == "text"


def test_without_a_desktop_linux_has_it_in_its_menus_and_others_say_so(tmp_path: Path) -> None:
    assert desktop(System.LINUX, tmp_path) == tmp_path / ".local/share/applications"
    with pytest.raises(Usage, match="no such folder"):
        desktop(System.MAC, tmp_path)
    (tmp_path / "Desktop").mkdir()
    assert {desktop(system, tmp_path) for system in System} == {tmp_path / "Desktop"}


@pytest.mark.skipif(sys.platform != "linux", reason="the file is that of Linux")
def test_serve_puts_it_there_for_the_deck_that_was_named(
    cli: CommandLine, home: Path, deck: Path
) -> None:
    (home / "Desktop").mkdir()
    said = cli.ok("serve", "--shortcut", "--deck", deck)
    assert said.out.startswith("wrote ") and "quizzer.desktop" in said.out
    text = (home / "Desktop/quizzer.desktop").read_text("utf-8")
    assert (
        f'"--deck" "{deck}"' in text and f'Exec="{sys.executable}" "-m" "quizzer" "serve"' in text
    )
