"""Which saves are noticed, and when: once nothing changes any longer."""

from collections.abc import Callable
from pathlib import Path

import pytest
from samples import CHECKER, card_text

from quizzer.deck.saves import AWAY, Saves


@pytest.fixture
def deck(write_deck: Callable[..., Path]) -> Path:
    return write_deck(
        {"a.md": card_text("a"), "sub/b.md": card_text("b"), "sub/b.py": CHECKER, "macros.tex": ""}
    )


def noticed(saves: Saves, looks: int = AWAY + 2) -> list[set[str]]:
    """The names of what each look reports, without the looks that report nothing."""
    found = [{file.name for file in saves.look()} for _ in range(looks)]
    return [names for names in found if names]


def grow(file: Path) -> None:
    file.write_text((file.read_text("utf-8") if file.exists() else "") + "more\n", "utf-8")


@pytest.mark.parametrize("name", ["a.md", "sub/b.md", "sub/b.py", "macros.tex"])
def test_a_save_is_reported_once(deck: Path, name: str) -> None:
    saves = Saves([deck])
    assert noticed(saves) == []
    grow(deck / name)
    assert noticed(saves) == [{Path(name).name}]
    grow(deck / name)
    assert noticed(saves) == [{Path(name).name}]


@pytest.mark.parametrize("name", ["new.md", "a.py", "sub/deeper/c.md", "sub/macros.tex"])
def test_a_file_that_is_added_is_reported(deck: Path, name: str) -> None:
    saves = Saves([deck])
    (deck / name).parent.mkdir(exist_ok=True)
    grow(deck / name)
    assert noticed(saves) == [{Path(name).name}]


def test_files_of_the_editor_are_not_reported(deck: Path) -> None:
    saves = Saves([deck])
    for name in (".a.md.swp", "a.md~", "4913", "#a.md#", "_draft.md", "figure.png", "helper.py"):
        grow(deck / name)
    assert noticed(saves) == []


def test_a_file_that_is_still_being_written_is_not_reported_yet(deck: Path) -> None:
    saves = Saves([deck])
    for _ in range(5):
        grow(deck / "a.md")
        assert noticed(saves, looks=1) == []
    assert noticed(saves) == [{"a.md"}]


def test_a_file_that_is_away_for_a_moment_is_reported_when_it_is_back(deck: Path) -> None:
    saves = Saves([deck])
    text = (deck / "a.md").read_text("utf-8")
    (deck / "a.md").unlink()
    assert noticed(saves, looks=AWAY - 1) == []
    (deck / "a.md").write_text(text + "more", "utf-8")
    assert noticed(saves) == [{"a.md"}]


def test_a_file_that_stays_away_is_reported_once(deck: Path) -> None:
    saves = Saves([deck])
    (deck / "sub" / "b.py").unlink()
    assert noticed(saves) == [{"b.py"}]
    assert noticed(saves) == []


def test_a_file_can_be_reported_once_more_without_another_save(deck: Path) -> None:
    saves = Saves([deck])
    saves.again([deck / "a.md"])
    assert noticed(saves) == [{"a.md"}]


def test_of_a_single_card_only_its_own_files_count(deck: Path) -> None:
    saves = Saves([deck / "sub" / "b.md"])
    grow(deck / "a.md")
    assert noticed(saves) == []
    grow(deck / "sub" / "b.py")
    assert noticed(saves) == [{"b.py"}]
