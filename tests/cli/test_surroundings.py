"""Hard surroundings: closed streams, full disks, no home, no folder to be in, odd settings."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine

from quizzer.cli.command_line import COMMANDS, ONLY_PRINT

needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")

HOMELESS = """
import os, pwd, sys

def nobody(user):
    raise KeyError(user)

os.environ.pop("HOME", None)
pwd.getpwuid = nobody
from quizzer.cli.main import program
sys.exit(program())
"""
BARRED = """
import sys
from quizzer.cli.main import program

sys.executable = {path!r}
sys.exit(program())
"""

Shell = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def shell(here: Path, deck: Path) -> Shell:
    """Run a line of shell in which `quizzer` is the program, with its history in `h.db`."""

    def run(line: str, program: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        python = f"'{sys.executable}' " + ('-c "$PROGRAM"' if program else "-m quizzer")
        ran = subprocess.run(
            ["sh", "-c", f'quizzer() {{ {python} "$@"; }}\n{line}'],
            capture_output=True,
            text=True,
            env={
                **os.environ,
                **{"QUIZZER_STORE": str(here / "h.db"), "QUIZZER_DECK": str(deck)},
                **{"PROGRAM": program, **environ},
            },
            timeout=120,
        )
        assert "Traceback" not in ran.stderr
        assert "Exception ignored" not in ran.stderr
        return ran

    return run


@pytest.fixture
def rated(cli: CommandLine, here: Path, deck: Path) -> None:
    """A rating in the history, which is there as a log, too."""
    cli.ok("rate", "open", "good", "--store", here / "h.db", "--deck", deck)
    cli.ok("export", "log", "--store", here / "h.db")


def reviews(cli: CommandLine, here: Path, card: str) -> int:
    rows = cli.ok("list", "--json", "--store", here / "h.db", "--deck", here.parent / "deck").json
    (found,) = (row["reviews"] for row in rows if row["id"] == card)
    assert isinstance(found, int)
    return found


# Standard output that cannot be written


@needs_dev_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("options", ["", "--json"])
def test_a_rating_whose_report_is_lost_is_said_to_be_saved(
    shell: Shell, cli: CommandLine, here: Path, unbuffered: str, options: str
) -> None:
    ran = shell(f"quizzer rate open good {options} >/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert ran.returncode == 7
    assert "no room left" in ran.stderr
    assert "`rate` is done and saved" in ran.stderr and "do not run it again" in ran.stderr
    assert reviews(cli, here, "open") == 1


@needs_dev_full
@pytest.mark.usefixtures("rated")
@pytest.mark.parametrize(
    "line",
    [
        "undo",
        "suspend choice",
        "bury choice",
        "reset open",
        "sync carried.db",
        "backup copy.db",
        "exam ML 2026-12-24",
        "use .",
        "init starter",
        "new fresh",
        "trust ../deck",
        "import log",
    ],
)
def test_whatever_changes_something_says_so_when_its_report_is_lost(
    shell: Shell, line: str
) -> None:
    name = line.split()[0]
    ran = shell(f"quizzer {line} >/dev/full")
    assert (ran.returncode, f"`{name}` is done and saved" in ran.stderr) == (7, True), ran.stderr


@needs_dev_full
@pytest.mark.usefixtures("rated")
@pytest.mark.parametrize(
    "line", ["list", "due", "show open", "history open", "stats", "tex x", "export -", "config"]
)
def test_what_only_tells_is_to_be_run_again_when_its_output_is_lost(
    shell: Shell, line: str
) -> None:
    ran = shell(f"quizzer {line} >/dev/full")
    assert ran.returncode == 7
    assert "Run the command again" in ran.stderr and "saved" not in ran.stderr


def test_every_command_that_only_tells_is_one() -> None:
    assert set(COMMANDS) > ONLY_PRINT


# Closed streams


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
def test_a_rating_is_saved_and_reported_whichever_other_stream_is_closed(
    shell: Shell, cli: CommandLine, here: Path, closed: str
) -> None:
    ran = shell(f"quizzer rate open good {closed}")
    assert (ran.returncode, ran.stdout[:12]) == (0, "open: good, ")
    assert reviews(cli, here, "open") == 1


@pytest.mark.parametrize("closed", [">&-", "<&- >&-"])
def test_output_that_is_closed_is_told_as_output_that_is_lost(
    shell: Shell, cli: CommandLine, here: Path, closed: str
) -> None:
    ran = shell(f"quizzer rate open good {closed}")
    assert ran.returncode == 7
    assert "it is closed" in ran.stderr and "saved" in ran.stderr
    assert reviews(cli, here, "open") == 1


def test_with_every_stream_closed_an_answer_is_judged_in_silence(shell: Shell) -> None:
    right, wrong = "dx = 2 * x * dy", "dx = x * dy"
    assert shell(f"quizzer verify square '{right}' <&- 2>&-").returncode == 0
    assert shell(f"quizzer verify square '{wrong}' <&- 2>&-").returncode == 1
    assert shell(f"quizzer verify square '{right}' <&- >&- 2>&-").returncode == 7


@needs_dev_full
def test_messages_that_cannot_be_written_stop_nothing(
    shell: Shell, cli: CommandLine, here: Path
) -> None:
    ran = shell("quizzer due 2>/dev/full && quizzer rate open good 2>/dev/full")
    assert ran.returncode == 0
    assert reviews(cli, here, "open") == 1


# No home, no folder to be in


@pytest.mark.parametrize("line", ["due", "list", "rate open good", "stats", "config", "doctor"])
def test_who_has_no_home_is_told_to_name_the_history(shell: Shell, line: str) -> None:
    ran = shell(f"quizzer {line}", HOMELESS, QUIZZER_STORE="")
    assert ran.returncode == 2
    assert "set HOME" in ran.stderr and "--store" in ran.stderr


@pytest.mark.parametrize(
    "line", ["due", "list", "rate open good", "stats", "show open", "verify square 'dx = 2*x*dy'"]
)
def test_without_a_home_all_works_with_a_history_that_is_named(
    shell: Shell, here: Path, line: str
) -> None:
    assert shell(f"quizzer {line}", HOMELESS).returncode == 0
    assert {path.name for path in here.iterdir()} <= {"h.db", "backups"}


def test_without_a_home_another_programs_configuration_is_not_changed(
    shell: Shell, here: Path, deck: Path
) -> None:
    theirs = here / "config.toml"
    theirs.write_text('title = "a site"\n', "utf-8")
    ran = shell(f"quizzer use '{deck}'", HOMELESS)
    assert ran.returncode == 2 and "set HOME" in ran.stderr
    assert theirs.read_text("utf-8") == 'title = "a site"\n'


@pytest.mark.usefixtures("rated")
@pytest.mark.parametrize(
    "line", ["list --store '~nobody-here/h.db'", "backup '~nobody-here/copy'", "due --store '~/h'"]
)
def test_a_home_that_nobody_knows_is_told_wherever_it_is_written(shell: Shell, line: str) -> None:
    ran = shell(f"quizzer {line}", HOMELESS)
    assert ran.returncode == 2
    assert "home folder is not known" in ran.stderr


@pytest.mark.parametrize("line", ["due", "list", "rate open good", "verify square 'dx = dy'"])
def test_in_a_folder_that_was_deleted_the_program_says_so(shell: Shell, line: str) -> None:
    ran = shell(f"mkdir gone && cd gone && rmdir ../gone && quizzer {line}")
    assert ran.returncode == 2
    assert "no longer exists" in ran.stderr and "change to another" in ran.stderr


# Odd settings


@pytest.mark.parametrize("zone", ["UTC+25", "UTC-30"])
@pytest.mark.parametrize("line", ["due", "rate open good"])
def test_a_time_zone_that_cannot_be_is_told(shell: Shell, zone: str, line: str) -> None:
    ran = shell(f"unset QUIZZER_NOW; quizzer {line}", TZ=zone)
    assert ran.returncode == 2
    assert f"TZ=`{zone}`" in ran.stderr and "for example TZ=" in ran.stderr


@pytest.mark.parametrize("now", ["garbage", "2026-11-20T09:00:00", "0001-01-01T00:00:00+00:00"])
def test_an_instant_that_cannot_be_read_is_told(shell: Shell, now: str) -> None:
    ran = shell("quizzer due", QUIZZER_NOW=now)
    assert ran.returncode == 2
    assert f"QUIZZER_NOW is `{now}`" in ran.stderr and "for example" in ran.stderr


@pytest.mark.parametrize(
    "environ",
    [
        *({"COLUMNS": width} for width in ("0", "1", "-3", "garbage", "9" * 30, "")),
        *({"LINES": "0", "COLUMNS": "0"}, {"TERM": ""}, {"TERM": "no-such-terminal"}),
        {"NO_COLOR": "1", "PAGER": "'", "EDITOR": "'"},
    ],
    ids=str,
)
def test_no_setting_of_the_terminal_breaks_a_command(
    cli: CommandLine, deck: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    for line in ("list", "show open", "show square", "verify square dx=2*x*dy"):
        shown = cli.ok(*line.split(), "--deck", deck).out
        assert shown.strip()
        assert max(map(len, shown.splitlines())) <= 120
        assert line != "show open" or "What is it?" in " ".join(shown.split())


@pytest.mark.parametrize(
    "environ",
    [
        *({"LANG": "C", "LC_ALL": "C"}, {"LC_ALL": "xx_XX.nothing"}, {"PYTHONIOENCODING": "ascii"}),
        {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=str,
)
def test_no_encoding_breaks_a_command(shell: Shell, environ: dict[str, str]) -> None:
    for line in ("show square", "verify square 'dx = 2*x*dy'"):
        ran = shell(f"quizzer {line}", **environ)
        assert (ran.returncode, bool(ran.stdout.strip())) == (0, True), ran.stderr


# An interpreter that may not be started


@pytest.mark.parametrize(("line", "code"), [("verify square 'dx = dy'", 4), ("doctor", 4)])
def test_who_may_not_start_the_interpreter_is_told_why_nothing_is_judged(
    shell: Shell, here: Path, line: str, code: int
) -> None:
    barred = here / "python"
    barred.touch(0o644)
    ran = shell(f"quizzer {line}", BARRED.format(path=str(barred)))
    assert ran.returncode == code
    assert f"{barred} cannot be started" in ran.stdout + ran.stderr
    assert "Install quizzer where you may run it" in ran.stdout + ran.stderr


@pytest.mark.parametrize("line", ["due", "list", "rate open good", "show square"])
def test_what_judges_nothing_needs_no_interpreter(shell: Shell, here: Path, line: str) -> None:
    barred = here / "python"
    barred.touch(0o644)
    assert shell(f"quizzer {line}", BARRED.format(path=str(barred))).returncode == 0


# Folders that may not be read or written


@pytest.mark.parametrize("line", ["list --json", "due", "stats", "history open", "show open"])
def test_a_deck_that_may_not_be_read_is_told_as_no_deck(
    cli: CommandLine, deck: Path, line: str, request: pytest.FixtureRequest
) -> None:
    deck.parent.joinpath("closed").mkdir()
    inside = deck.rename(deck.parent / "closed" / "deck")
    for barred in (inside, inside.parent):
        barred.chmod(0o000)
        try:
            request.getfixturevalue("ordinary_user")
            ran = cli(*line.split(), "--deck", inside)
        finally:
            barred.chmod(0o755)
        assert (ran.code, ran.out) == (4, "")
        assert str(inside) in ran.err and "ermission denied" in ran.err


@pytest.mark.parametrize("line", ["list --json", "due", "stats", "export -", "rate open good"])
def test_a_history_in_a_folder_that_may_not_be_entered_is_told_as_one(
    cli: CommandLine, deck: Path, here: Path, line: str, request: pytest.FixtureRequest
) -> None:
    place = ["--store", here / "closed" / "h.db", "--deck", deck]
    cli.ok("rate", "open", "good", *place)
    (here / "closed").chmod(0o000)
    try:
        request.getfixturevalue("ordinary_user")
        ran = cli(*line.split(), *place)
    finally:
        (here / "closed").chmod(0o755)
    assert (ran.code, ran.out) == (6, "")
    assert "permission" in ran.err.lower() and "stays saved" in ran.err


def test_without_a_cache_all_works_and_without_a_configuration_folder_use_says_so(
    cli: CommandLine, deck: Path, home: Path, request: pytest.FixtureRequest
) -> None:
    home.chmod(0o555)
    request.getfixturevalue("ordinary_user")
    for line in ("list", "due", "show open", "verify square dx=2*x*dy"):
        cli.ok(*line.split(), "--deck", deck)
    ran = cli("use", deck)
    assert ran.code == 2
    assert re.search(r"config\.toml: cannot be written: Permission denied", ran.err)
    home.chmod(0o755)


# One JSON document

TRICKY = "\x7f\x85\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\udfff\ud800\x1b"


def test_json_shows_no_sign_that_a_terminal_would_obey(capsys: pytest.CaptureFixture[str]) -> None:
    from quizzer.cli.terminal.output import print_json

    print_json({"δ": TRICKY})
    shown = capsys.readouterr().out
    assert not set(shown) & set(TRICKY)
    assert "δ" in shown, "others stay as they are"
    assert json.loads(shown) == {"δ": TRICKY}


@pytest.mark.parametrize("name", ["print_line", "print_text", "print_note"])
def test_no_line_shows_a_sign_that_a_terminal_would_obey(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    from quizzer.cli.terminal import output

    getattr(output, name)(f"a δ{TRICKY}z")
    shown = "".join(capsys.readouterr())
    assert not set(shown) & set(TRICKY)
    assert shown.startswith("a δ") and shown.endswith("z\n")
