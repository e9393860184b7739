"""One file of a deck that cannot be read, whatever it is, costs that file and nothing else."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import CHECKER, DERIVATION_CARD, MORNING, card_text

from quizzer.card import Number, parse
from quizzer.deck import load


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    """Whoever waits for a pipe is ended, and who takes the square of what it should."""
    signal.alarm(300)
    yield
    signal.alarm(0)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@pytest.fixture
def cli(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, deck: Path) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUIZZER_NOW", MORNING.isoformat())
    monkeypatch.setenv("QUIZZER_DECK", str(deck))
    return CommandLine(monkeypatch)


@pytest.fixture
def deck(write_deck: Callable[..., Path]) -> Path:
    return write_deck({"good.md": card_text("good"), "square.md": DERIVATION_CARD})


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


strange = pytest.mark.parametrize("make", [pipe, device, folder, loop, huge])


@strange
@pytest.mark.parametrize("name", ["info.json", "macros.tex", "bad.md"])
def test_a_strange_file_of_a_deck_is_told_by_check_and_the_rest_is_listed(
    cli: CommandLine, deck: Path, make: Callable[[Path], None], name: str
) -> None:
    make(deck / name)
    assert [row["id"] for row in cli.ok("list", "--json").json] == ["good", "square"]
    cli.ok("show", "good")
    problems = cli("check", "--json").json["problems"]
    told = [each["message"] for each in problems if each["path"] == str(deck / name)]
    if not (make is folder and name == "bad.md"):  # a folder may be called as it likes
        assert len(told) == 1
        assert "cannot be" in told[0] or "too large" in told[0]


@strange
def test_a_strange_file_as_a_checker_is_a_broken_checker(
    cli: CommandLine, deck: Path, make: Callable[[Path], None]
) -> None:
    make(deck / "square.py")
    if make is folder:  # no checker then, and so nothing that could be judged
        assert cli("verify", "square", "dx=1").code == 2
        return
    ran = cli("verify", "square", "dx=1")
    assert ran.code == 4
    assert "square.py" in ran.out
    cli.ok("show", "square")
    assert "[unreadable]" in cli("check").out


@strange
def test_a_strange_file_as_configuration_is_told_and_nothing_waits(
    cli: CommandLine, home: Path, make: Callable[[Path], None]
) -> None:
    path = home / ".config" / "quizzer" / "config.toml"
    path.parent.mkdir(parents=True)
    make(path)
    ran = cli("config")
    assert ran.code == 2
    assert f"{path}: cannot be read" in ran.err


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "new_per_day = " + "1" * 5_000,
        "new_per_day = inf",
        "desired_retention = nan",
        'deck = ["~nobody-of-this-name/cards"]',
        "a." * 2_000 + "b = 1",
    ],
)
def test_a_configuration_that_no_reader_expects_is_told_in_a_sentence(
    cli: CommandLine, home: Path, text: str
) -> None:
    path = home / ".config" / "quizzer" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    ran = cli("config")
    assert ran.code == 2
    assert ran.err.startswith(f"quizzer: {path}: ")


@strange
def test_a_strange_file_of_answers_is_told_and_nothing_waits(
    cli: CommandLine, deck: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "answers")
    ran = cli("verify", "good", "--from", tmp_path / "answers")
    assert ran.code == 2


def test_more_answers_on_standard_input_than_anybody_types_are_refused(cli: CommandLine) -> None:
    ran = cli("verify", "good", "--from", "-", stdin="x" * 1_100_000)
    assert ran.code == 2
    assert "1 MB" in ran.err


@strange
def test_a_strange_file_in_the_place_of_the_index_costs_only_time(
    deck: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    cache = tmp_path / "cache"
    load([deck], cache)
    (index,) = cache.iterdir()
    index.unlink()
    make(index)
    assert len(load([deck], cache).entries) == 2


def test_what_fails_inside_the_reader_is_a_problem_of_that_file(
    deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quizzer.card import key

    def failing(text: str) -> None:
        raise OverflowError(34, "out of range")

    (deck / "bad.md").write_text(card_text("bad", solution="**Correct Answer:** 1.5"))
    monkeypatch.setattr(key, "number_of", failing)
    (deck / "good.md").write_text(card_text("good", question="Which?\n\n## Options\nA) a\nB) b"))
    loaded = load([deck])
    assert [entry.id for entry in loaded.entries] == ["good"]
    assert {problem.path.name for problem in loaded.problems} == {"bad.md", "square.md"}
    assert all("fails on this file (OverflowError" in each.message for each in loaded.problems)


@pytest.mark.parametrize(
    "key", ["1.5e999", "0.0e999", "-2.25e308999", "1e-999", "1.5e-330", "1e999", "9" * 400]
)
def test_a_key_beyond_a_double_is_revealed_and_never_read_as_another_number(key: str) -> None:
    text = card_text("a", solution=f"**Correct Answer:** {key}")
    card = parse(text.encode(), Path("a.md")).card
    assert card is not None
    assert not isinstance(card.asks, Number)


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_index_and_configuration_are_for_their_owner_alone(
    cli: CommandLine, home: Path, deck: Path, umask: int
) -> None:
    before = os.umask(umask)
    try:
        cli.ok("list")
        cli.ok("use", deck)
        cli.ok("trust", deck)
    finally:
        os.umask(before)
    for place in (".config", ".cache", ".local/share"):
        own = home / place / "quizzer"
        assert own.stat().st_mode & 0o777 == 0o700
        kept = [file for file in own.iterdir() if file.name != "history.db"]
        assert kept
        assert all(file.stat().st_mode & 0o777 == 0o600 for file in kept)


def test_a_deck_s_own_typer_is_not_imported(tmp_path: Path, home: Path, deck: Path) -> None:
    for name in ("typer", "numpy", "json", "rich", "markdown_it", "quizzer_zygote", "socket"):
        (deck / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    (deck / "square.py").write_text(CHECKER)
    done = subprocess.run(
        [sys.executable, "-m", "quizzer", "verify", "square", "dx=2*x*dy"],
        cwd=deck,
        env={**os.environ, "QUIZZER_DECK": str(deck)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "ran").exists()
    assert done.returncode == 0


def test_an_option_without_a_text_is_no_reason_to_lose_the_card(deck: Path) -> None:
    text = card_text("a", question="Which?\n\n## Options\nA)\n\nB) b\nC)")
    (deck / "a.md").write_text(text)
    assert "a" in [entry.id for entry in load([deck]).entries]


@pytest.mark.parametrize("mark", ["![", "[a](", "![[a]", "$$\na\n", "> ", "`", "**a "])
def test_a_long_row_of_one_mark_is_drawn_in_time(mark: str) -> None:
    from quizzer.cli.terminal.gallery import Gallery
    from quizzer.cli.terminal.markdown import plain_text

    text = card_text("a", question=mark * (50_000 // len(mark)))
    signal.setitimer(signal.ITIMER_VIRTUAL, 20)  # of the processor's time: it takes less than one
    card = parse(text.encode(), Path("a.md")).card
    assert card is not None
    plain_text(card.question, Gallery())


def test_a_hundred_thousand_pictures_are_numbered() -> None:
    from quizzer.cli.terminal.gallery import Gallery

    gallery = Gallery()
    shown = [gallery.show(f"{name}.png") for name in range(100_000)]
    assert shown[-1] == "[image 100000: 99999.png, not found]"
