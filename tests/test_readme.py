"""The README's commands are run, and what it says they print is compared with what they print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from quizzer.card import parse

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", TEXT)


def commands() -> list[tuple[str, str]]:
    """Each command of the console blocks with the output that the README shows."""
    parts = re.split(r"(?m)^\$ (.*)\n", "".join(blocks("console")))
    return list(zip(parts[1::2], parts[2::2], strict=True))


def as_pattern(shown: str) -> str:
    """`…` stands for anything; everything else must be there to the letter."""
    return re.escape(shown).replace("…", "(?s:.*)")


def test_every_command_of_the_tour_prints_what_the_readme_shows(home: Path, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONUNBUFFERED": "1",
        "QUIZZER_NOW": "2026-11-20T09:00:00+01:00",
    }
    assert len(commands()) >= 10
    for command, shown in commands():
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert re.fullmatch(as_pattern(shown), run.stdout), f"$ {command}\n{run.stdout}"
        assert run.returncode == 0


def test_the_two_make_targets_are_there() -> None:
    makefile = (README.parent / "Makefile").read_text("utf-8")
    for target in re.findall(r"(?m)^make (\w+)", "".join(blocks("sh"))):
        assert re.search(rf"(?m)^{target}:", makefile)


def test_the_card_and_the_checker_shown_pass_check(home: Path, tmp_path: Path) -> None:
    (card,) = blocks("markdown")
    (checker,) = blocks("python")
    assert parse(card.encode(), tmp_path / "my-layer.md").card
    (tmp_path / "my-layer.md").write_text(card, "utf-8")
    (tmp_path / "my-layer.py").write_text(checker, "utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "quizzer", "check", "--strict", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("line", re.findall(r"(?m)^(d\w+) = (.+)\n([✓✗])", blocks("text")[0]))
def test_the_transcripts_answers_get_the_verdicts_shown(
    home: Path, line: tuple[str, str, str]
) -> None:
    name, answer, mark = line
    run = subprocess.run(
        [sys.executable, "-m", "quizzer", "verify", "q-max-pooling", f"{name}={answer}"],
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == (0 if mark == "✓" else 1), run.stdout + run.stderr
