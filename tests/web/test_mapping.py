"""The map as a page."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from samples import card_text
from site_of import Site, words

Open = Callable[..., Site]


@pytest.fixture
def deck(write_deck: Callable[..., Path]) -> Path:
    def requiring(card: str, *ids: str, course: str = "Vision") -> str:
        required = f"tags: []\nrequires: [{', '.join(ids)}]"
        return card_text(card, course=course).replace("tags: []", required)

    return write_deck(
        {
            "a.md": requiring("a/<b>"),
            "b.md": requiring("b", '"a/<b>"'),
            "c.md": requiring("c", '"a/<b>"'),
            "d.md": requiring("d", "b", "c"),
            "e.md": requiring("e", '"a/<b>"', course="Statistics"),
        }
    )


def tree(page: str) -> str:
    """The lists within lists, with each card as its id, standing and notes."""
    inner = page.partition('<ul class="tree">')[2].rpartition("</ul>")[0]
    text = re.sub(r"<(?!/?ul|/?li)[^>]*>", "", inner)
    return re.sub(r"\s+", " ", text.replace("<ul>", "(").replace("</ul>", ")")).strip()


def test_the_tree_is_drawn_as_lists_within_lists(site: Open) -> None:
    pages = site()
    pages.begin("a/<b>")
    pages.do("reveal")
    pages.do("rate", rating=1)
    page = pages.get("/map")
    drawn = tree(page)
    assert re.sub(r"</?li>| ", "", drawn) == (
        "a/&lt;b&gt;learning4cardsrestonit(bready1cardrestsonit"
        "cready1cardrestsonit(dnewalsob)eready)"
    )
    assert page.count("<ul") == page.count("</ul>")
    assert page.count("<li>") == page.count("</li>")


def test_what_is_ready_and_what_is_weak_is_said_as_in_the_terminal(
    site: Open, at: Callable[[str], None]
) -> None:
    pages = site()
    assert "5 cards: 4 new, 1 ready" in words(pages.get("/map"))
    pages.begin("a/<b>")
    pages.do("reveal")
    pages.do("rate", rating=3)
    assert "Learn next: b , c , e" in words(pages.get("/map"))
    at("2027-11-20T09:00:00+01:00")
    page = site().get("/map")
    assert "a/<b> is weak, and 4 cards rest on it" in words(page)
    assert 'href="/cards/a%2F%3Cb%3E"' in page


def test_a_course_is_drawn_alone(site: Open) -> None:
    page = site().get("/map?course=Statistics")
    assert "1 card: 1 new" in words(page) and "also a/<b>" in words(page)
    assert "No card" in words(site().get("/map?course=none"))
