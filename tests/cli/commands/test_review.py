"""What a session that outlives its day takes again from the disk."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from samples import SettableClock, plain_cards

from quizzer.app.reload import reading_again
from quizzer.app.workspace import Workspace
from quizzer.session.day import ReloadError


@pytest.fixture
def workspace(
    home: Path, write_deck: Callable[[dict[str, str]], Path], clock: SettableClock
) -> Workspace:
    made = Workspace(deck_option=(write_deck(plain_cards("a")),), cwd=home)
    made.__dict__["clock"] = clock
    return made


def configure(workspace: Workspace, text: str) -> None:
    workspace.config_path.parent.mkdir(parents=True, exist_ok=True)
    workspace.config_path.write_text(text, "utf-8")


def test_cards_and_configuration_come_from_the_disk_again(
    workspace: Workspace, write_deck: Callable[[dict[str, str]], Path]
) -> None:
    reload = reading_again(workspace, None)
    assert [entry.id for entry in workspace.deck.entries] == ["a"]
    assert workspace.settings.new_per_day == 5
    write_deck(plain_cards("b"))
    configure(workspace, "new_per_day = 7\n")
    deck, settings = reload()
    assert [entry.id for entry in deck.entries] == ["a", "b"]
    assert settings.new_per_day == 7
    assert (workspace.deck, workspace.settings) == (deck, settings)


def test_new_cards_asked_for_today_are_not_asked_for_tomorrow(
    workspace: Workspace, clock: SettableClock
) -> None:
    reload = reading_again(workspace, 30)
    assert reload()[1].new_per_day == 30
    clock.forward(days=1)
    assert reload()[1].new_per_day == 5


def test_what_cannot_be_read_leaves_all_as_it_was(workspace: Workspace) -> None:
    before = replace(workspace.settings), workspace.deck
    configure(workspace, "new_per_day = many\n")
    with pytest.raises(ReloadError, match="not valid TOML"):
        reading_again(workspace, None)()
    assert (workspace.settings, workspace.deck) == before
    configure(workspace, "new_per_day = 7\n")
    assert reading_again(workspace, None)()[1].new_per_day == 7
