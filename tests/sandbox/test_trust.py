"""Trust in a deck's code: by content, file by file, and ended by any edit."""

from pathlib import Path

import pytest

from quizzer.sandbox import trust


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    folder = tmp_path / "deck"
    (folder / "layers").mkdir(parents=True)
    (folder / "a.py").write_text("a = 1\n")
    (folder / "layers" / "b.py").write_text("b = 1\n")
    (folder / "a.md").write_text("a card\n")
    return folder


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "data" / "trusted"


def test_a_deck_is_not_trusted_before_it_was(deck: Path, record: Path) -> None:
    assert not trust.is_trusted([deck], record)
    assert trust.changed([deck], record) == trust.checkers([deck])


def test_a_trusted_deck_is_trusted(deck: Path, record: Path) -> None:
    assert trust.trust([deck], record) == (deck / "a.py", deck / "layers" / "b.py")
    assert trust.is_trusted([deck], record)


def test_an_edit_ends_trust_and_names_the_file(deck: Path, record: Path) -> None:
    trust.trust([deck], record)
    (deck / "layers" / "b.py").write_text("b = 2\n")
    assert trust.changed([deck], record) == (deck / "layers" / "b.py",)


def test_a_new_file_ends_trust(deck: Path, record: Path) -> None:
    trust.trust([deck], record)
    (deck / "c.py").write_text("c = 1\n")
    assert not trust.is_trusted([deck], record)


def test_an_edit_of_a_card_s_text_does_not(deck: Path, record: Path) -> None:
    trust.trust([deck], record)
    (deck / "a.md").write_text("another text\n")
    assert trust.is_trusted([deck], record)


def test_trusting_again_forgets_what_the_deck_held_before(deck: Path, record: Path) -> None:
    trust.trust([deck], record)
    (deck / "a.py").rename(deck / "taken.away")
    trust.trust([deck], record)
    (deck / "taken.away").rename(deck / "a.py")
    assert trust.changed([deck], record) == (deck / "a.py",)


def test_trust_in_one_deck_says_nothing_of_another(
    deck: Path, record: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.py").write_text("a = 1\n")
    trust.trust([deck], record)
    assert not trust.is_trusted([other], record)
    trust.trust([other], record)
    assert trust.is_trusted([deck, other], record)


def test_code_behind_a_link_counts(deck: Path, record: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "linked.py").write_text("x = 1\n")
    (deck / "more").symlink_to(elsewhere)
    (elsewhere / "back").symlink_to(deck)
    trust.trust([deck], record)
    assert trust.is_trusted([deck], record)
    (elsewhere / "linked.py").write_text("x = 2\n")
    assert trust.changed([deck], record) == (elsewhere / "linked.py",)


def test_a_single_checker_can_be_trusted(deck: Path, record: Path) -> None:
    trust.trust([deck / "a.py"], record)
    assert trust.is_trusted([deck / "a.py"], record)
    assert not trust.is_trusted([deck], record)


def test_only_the_very_content_that_was_trusted_may_run(deck: Path, record: Path) -> None:
    trust.trust([deck], record)
    assert trust.allows(deck / "a.py", b"a = 1\n", record)
    assert not trust.allows(deck / "a.py", b"a = 2\n", record)
    assert not trust.allows(deck / "none.py", b"a = 1\n", record)


def test_an_own_edit_keeps_trust(deck: Path, record: Path) -> None:
    trust.trust([deck], record)
    with trust.kept([deck], record):
        (deck / "a.py").write_text("a = 2\n")
    assert trust.is_trusted([deck], record)


def test_an_own_edit_gives_no_trust_that_was_not_there(deck: Path, record: Path) -> None:
    with trust.kept([deck], record):
        (deck / "a.py").write_text("a = 2\n")
    assert not trust.is_trusted([deck], record)


@pytest.mark.parametrize("text", [b"", b"nonsense\n", b"\xff\xfe", b"0  \n"])
def test_a_damaged_record_trusts_nothing(deck: Path, record: Path, text: bytes) -> None:
    record.parent.mkdir()
    record.write_bytes(text)
    assert not trust.is_trusted([deck], record)
    trust.trust([deck], record)
    assert trust.is_trusted([deck], record)


def test_a_file_that_cannot_be_read_is_not_trusted(deck: Path, record: Path) -> None:
    (deck / "a.py").unlink()
    (deck / "a.py").mkdir()
    (deck / "gone.py").symlink_to(deck / "nowhere")
    trust.trust([deck], record)
    assert trust.changed([deck], record) == (deck / "nowhere",)


def test_a_deck_without_code_needs_no_trust(tmp_path: Path, record: Path) -> None:
    assert trust.is_trusted([tmp_path], record)
