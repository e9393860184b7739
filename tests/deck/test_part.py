from collections.abc import Callable
from pathlib import Path

from samples import card_text

from quizzer.deck import Deck, files_of, load, with_required


def requiring(*ids: str) -> Callable[[str], str]:
    listed = f"requires: [{', '.join(ids)}]\n---\n\n# Q"
    return lambda card: card_text(card).replace("---\n\n# Q", listed, 1)


def taken(deck: Deck, *cards: str) -> list[str]:
    return [entry.id for entry in with_required(deck, map(deck.by_id.__getitem__, cards))]


def test_a_chain_of_requires_is_taken_to_its_roots_in_the_decks_order(
    write_deck: Callable[..., Path],
) -> None:
    chain = {"a": (), "b": ("c",), "c": ("a", "gone"), "d": ("b",), "e": ("f",), "f": ("e",)}
    deck = load([write_deck({f"{k}.md": requiring(*v)(k) for k, v in chain.items()})])
    assert taken(deck, "b") == ["a", "b", "c"]
    assert taken(deck, "e", "a") == ["a", "e", "f"]


def test_a_card_brings_its_checkers_its_pictures_and_what_holds_for_its_folders(
    write_deck: Callable[..., Path],
) -> None:
    shown = card_text("a").replace("# Question\n", "# Question\n![[plot.png]] ![[gone.png]]\n")
    root = write_deck(
        {
            "info.json": "{}",
            "layers/macros.tex": "",
            "layers/a.md": shown,
            "layers/a.py": "",
            "layers/a.checker": "",
            "layers/b.md": card_text("b"),
            "layers/notes.md": "a note",
            "pictures/plot.png": "",
            "losses/info.json": "{}",
        }
    )
    deck = load([root])
    found = {path.relative_to(root).as_posix() for path in files_of(deck, [deck.by_id["a"]])}
    assert found == {
        "info.json",
        "layers/macros.tex",
        "layers/a.md",
        "layers/a.py",
        "layers/a.checker",
        "pictures/plot.png",
    }
