"""The key that opens a card's pictures."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pseudo_terminal import Terminal, environment
from samples import NUMBER_CARD, card_text
from warm_terminal import WarmTerminal

from quizzer.app.failure import Usage
from quizzer.cli.terminal.viewer import open_picture, viewer_command

CARD = card_text(
    "seen", question="Look at ![[one.png]] and ![[two.png]].", solution="As in ![[three.png]]."
)
PNG = b"\x89PNG\r\n\x1a\n"
RATING = r"1-4 rates, .*\? "


@pytest.fixture
def desk(tmp_path: Path, write_deck: Callable[[dict[str, str]], Path]) -> Callable[..., Terminal]:
    """Starts a review of a card with pictures; the viewer writes down what it was given."""
    deck = write_deck({"seen.md": CARD, "bare.md": card_text("bare")})
    for name in ("one", "two", "three"):
        (deck / f"{name}.png").write_bytes(PNG)
    home = tmp_path / "home"
    config = home / ".config" / "quizzer" / "config.toml"
    config.parent.mkdir(parents=True)
    viewer = tmp_path / "viewer"
    viewer.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path / "opened"}\n')
    viewer.chmod(0o755)

    def start(card: str, command: str = str(viewer), tool: str = "review") -> Terminal:
        config.write_text(f"viewer = {json.dumps(command)}\n")
        return WarmTerminal(tool, "--deck", deck, "--card", card, env=environment(home))

    return start


def opened(tmp_path: Path) -> list[str]:
    """The names of the files that the viewer was given; it runs beside the session."""
    deadline = time.monotonic() + 30
    file = tmp_path / "opened"
    while not (file.exists() and file.read_text().endswith("\n")) and time.monotonic() < deadline:
        time.sleep(0.01)
    return [Path(line).name for line in file.read_text().splitlines()]


def test_of_several_pictures_the_one_whose_number_is_pressed_is_opened(
    tmp_path: Path, desk: Callable[..., Terminal]
) -> None:
    with desk("seen") as terminal:
        terminal.prompt("Enter shows the answer.* ")
        assert "[image 1:" in terminal.text
        assert "three.png" not in terminal.text
        terminal.send("i")
        terminal.prompt(r"which image, 1 2\? ")
        terminal.send("2")
        terminal.shows("^opened image 2")
    assert opened(tmp_path) == ["two.png"]


def test_pictures_of_the_solution_count_on_and_can_be_opened_once_it_is_shown(
    tmp_path: Path, desk: Callable[..., Terminal]
) -> None:
    with desk("seen") as terminal:
        terminal.prompt("Enter shows the answer.* ")
        terminal.send("\r")
        terminal.prompt(RATING)
        assert "[image 3:" in terminal.text
        terminal.send("i")
        terminal.prompt(r"which image, 1 2 3\? ")
        terminal.send("3")
        terminal.shows("^opened image 3")
    assert opened(tmp_path) == ["three.png"]


def test_a_card_without_pictures_says_so(desk: Callable[..., Terminal]) -> None:
    with desk("bare") as terminal:
        terminal.prompt("Enter shows the answer.* ")
        terminal.send("i")
        terminal.shows("^there is no image here to open")


@pytest.mark.parametrize("pictures", [True, False])
def test_the_menu_of_a_quiz_offers_pictures_where_there_are_some(
    write_deck: Callable[[dict[str, str]], Path], tmp_path: Path, pictures: bool
) -> None:
    card = (
        NUMBER_CARD.replace("# Question\n", "# Question\n![[one.png]] ")
        if pictures
        else NUMBER_CARD
    )
    deck = write_deck({"number.md": card})
    (deck / "one.png").write_bytes(PNG)
    (tmp_path / "home").mkdir()
    with WarmTerminal("quiz", "--deck", deck, env=environment(tmp_path / "home")) as terminal:
        terminal.prompt("number: ")
        terminal.send("\r")
        terminal.prompt(r"\[s\]kip this part, .* Enter goes back ")
        assert ("[i]mage" in terminal.text) is pictures


def test_a_viewer_that_cannot_be_started_costs_nothing_but_a_sentence(
    desk: Callable[..., Terminal],
) -> None:
    with desk("seen", "/no/such/viewer") as terminal:
        terminal.prompt("Enter shows the answer.* ")
        terminal.send("i")
        terminal.prompt("which image.* ")
        terminal.send("1")
        terminal.shows(r"one.png:\s+cannot\s+start\s+the\s+viewer\s+`/no/such/viewer`")
        terminal.prompt("Enter shows the answer.* ")


def test_a_desktop_opens_pictures_with_its_own_program_and_without_one_it_is_told() -> None:
    assert viewer_command({"DISPLAY": ":0"}, None) == ["xdg-open"]
    assert viewer_command({"WAYLAND_DISPLAY": "wayland-0"}, None) == ["xdg-open"]
    assert viewer_command({}, "feh --scale-down") == ["feh", "--scale-down"]
    for unset in (None, "", "  "):
        with pytest.raises(Usage, match="no desktop"):
            viewer_command({}, unset)
    with pytest.raises(Usage, match="cannot be read"):
        viewer_command({}, "'feh")


SVG = b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("run.sh", b"#!/bin/sh\n"),
        ("x.desktop", b"[Desktop Entry]\nExec=sh\n"),
        ("page.html", b"<html>"),
        ("picture", PNG),
        ("picture.png.desktop", PNG),
        ("program.png", b"\x7fELF"),
        ("script.png", b"#!/bin/sh\n"),
        ("page.svg", b"<html><svg></svg></html>"),
        ("page.svg", b"<!---->" * 500 + b"<html>"),
        ("empty.png", b""),
        ("photo.jpg", PNG),
    ],
)
def test_what_is_no_picture_is_never_given_to_the_viewer(
    tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    ran = tmp_path / "ran"
    with pytest.raises(Usage, match="not opened"):
        open_picture(tmp_path / name, ["touch", str(ran)])
    assert not ran.exists()


def test_a_pipe_that_is_called_a_picture_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(Usage, match="cannot be read"):
        open_picture(tmp_path / "pipe.png", ["true"])


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # it goes on by itself
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", PNG),
        ("a.PNG", PNG),
        ("a.jpg", b"\xff\xd8\xff\xe0"),
        ("a.jpeg", b"\xff\xd8\xff\xe1"),
        ("a.gif", b"GIF89a"),
        ("a.webp", b"RIFF\x0a\0\0\0WEBPVP8 "),
        ("a.bmp", b"BM"),
        ("a.tiff", b"II*\0"),
        ("a.avif", b"\0\0\0 ftypavif"),
        ("a.svg", SVG),
        ("a.svg", b"\xef\xbb\xbf <svg>"),
        ("a.pdf", b"%PDF-1.7"),
    ],
)
def test_pictures_of_every_type_are_opened(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    (tmp_path / "viewer").write_text(f'#!/bin/sh\necho "$1" >> {tmp_path / "opened"}\n')
    (tmp_path / "viewer").chmod(0o755)
    open_picture(tmp_path / name, [str(tmp_path / "viewer")])
    assert opened(tmp_path) == [name]
