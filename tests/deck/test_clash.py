from collections.abc import Callable
from pathlib import Path

from samples import card_text

from quizzer.deck import load
from quizzer.deck.clash import clashes

WriteDeck = Callable[..., Path]


def test_one_id_in_two_decks_is_told(write_deck: WriteDeck) -> None:
    old = write_deck({"x.md": card_text("010", question="One?")}, "old")
    new = write_deck({"y.md": card_text("010", question="Another?")}, "new")
    found = list(clashes(load((new,), None).entries, {"010": str(old / "x.md")}))
    assert [(entry.path, other) for entry, other in found] == [(new / "y.md", old / "x.md")]


def test_a_card_that_was_moved_or_edited_in_place_is_no_clash(write_deck: WriteDeck) -> None:
    root = write_deck({"sub/x.md": card_text("010")})
    deck = load((root,), None)
    assert not list(clashes(deck.entries, {"010": str(root / "x.md")}))
    assert not list(clashes(deck.entries, {"010": str((root / "sub/x.md").resolve())}))


def test_an_unchanged_copy_and_the_starter_deck_are_no_clash(write_deck: WriteDeck) -> None:
    old = write_deck({"a.md": card_text("a"), "q.md": card_text("q-a", question="One?")}, "old")
    new = write_deck({"a.md": card_text("a"), "q.md": card_text("q-a", question="Two?")}, "new")
    paths = {"a": str(old / "a.md"), "q-a": str(old / "q.md")}
    assert not list(clashes(load((new,), None).entries, paths))


def test_a_file_that_now_holds_another_card_is_no_clash(write_deck: WriteDeck) -> None:
    old = write_deck({"x.md": card_text("other")}, "old")
    new = write_deck({"y.md": card_text("010")}, "new")
    assert not list(clashes(load((new,), None).entries, {"010": str(old / "x.md")}))
