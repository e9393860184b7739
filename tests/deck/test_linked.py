from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.card import Header
from quizzer.deck import Asking, Entry
from quizzer.deck.linked import easier_linked

ROOT = Path("/deck")


def card(name: str, difficulty: int | None, links: str = "", requires: str | None = None) -> Entry:
    """A card of a file `file_of_…`; `requires` may be there and name nothing."""
    header = Header(
        name,
        name,
        difficulty=difficulty,
        related=tuple(links.split()),
        requires=tuple((requires or "").split()),
        requires_line=0 if requires is None else 4,
    )
    return Entry(ROOT / f"file_of_{name}.md", ROOT, header, Asking.REVEAL)


def easier(*cards: Entry) -> dict[str, tuple[str, ...]]:
    return easier_linked({entry.id: entry for entry in cards})


@pytest.mark.parametrize("target", ["a", "A", "file_of_a", "folder/File_Of_A.md", "a#Steps"])
def test_an_easier_linked_card_comes_first_however_the_link_calls_it(target: str) -> None:
    assert easier(card("a", 1), card("b", 2, target)) == {"b": ("a",)}


def test_it_does_not_matter_which_of_the_two_links_the_other() -> None:
    assert easier(card("a", 1, "b"), card("b", 2)) == {"b": ("a",)}


def test_the_easiest_comes_first() -> None:
    found = easier(card("a", 4, "b c d"), card("b", 3), card("c", 1), card("d", 2))
    assert found["a"] == ("c", "d", "b")


def test_equal_and_unknown_difficulties_give_no_direction() -> None:
    assert not easier(card("a", 2), card("b", 2, "a"))
    assert not easier(card("a", None), card("b", 2, "a"), card("c", None, "b"))


def test_a_card_that_says_what_it_requires_waits_for_nothing_else() -> None:
    assert not easier(card("a", 1), card("b", 2, "a", requires="c"), card("c", 2))
    assert not easier(card("a", 1), card("b", 2, "a", requires=""))


def test_a_link_that_closes_a_circle_with_requirements_does_not_count() -> None:
    a, b, c = card("a", 1, requires="b"), card("b", 2, "a c"), card("c", 1)
    assert easier(a, b, c) == {"b": ("c",)}
    far = card("a", 1, requires="x"), card("x", 3, "b"), card("b", 2, "a")
    assert easier(*far) == {}


def test_a_circle_elsewhere_leaves_a_link_as_it_is() -> None:
    circle = card("x", 1, requires="y"), card("y", 1, requires="x")
    assert easier(*circle, card("b", 2, "x")) == {"b": ("x",)}


links = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(1, 3)),
        st.sets(st.sampled_from("abcdef")),
        st.one_of(st.none(), st.sets(st.sampled_from("abcdef"), max_size=2)),
    ),
    min_size=6,
    max_size=6,
)


@given(links)
@settings(derandomize=True, deadline=None)
def test_with_what_cards_require_links_close_no_circle(
    drawn: list[tuple[int | None, set[str], set[str] | None]],
) -> None:
    cards = [
        card(name, difficulty, " ".join(sorted(linked)), required and " ".join(sorted(required)))
        for name, (difficulty, linked, required) in zip("abcdef", drawn, strict=True)
    ]
    found = easier(*cards)
    after = {each.id: {*each.header.requires, *found.get(each.id, ())} for each in cards}
    for name, before in found.items():
        assert not any(name in _reached(each, after) for each in before)


def _reached(card: str, after: dict[str, set[str]]) -> set[str]:
    found, waiting = set[str](), [card]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += after.get(here, ())
    return found
