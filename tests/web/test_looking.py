"""The pages that only show: cards with their histories, and statistics."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from site_of import Site, words

from quizzer.values import Attempt, Review

Open = Callable[..., Site]


def test_the_list_is_narrowed_by_search_course_and_status(site: Open) -> None:
    pages = site()
    assert all(f"<code>{card}</code>" in pages.get("/cards") for card in ("square", "open"))
    found = words(pages.get("/cards?course=Statistics"))
    assert "1 card" in found and "open" in found and "square" not in found
    assert "square" in pages.get("/cards?search=backward+message")
    assert "No card matches." in words(pages.get("/cards?search=zzz"))
    assert "No card matches." in words(pages.get("/cards?status=leech"))
    pages.begin("square")
    pages.do("flag")
    assert "1 card" in words(pages.get("/cards?status=flagged"))


def test_edit_opens_a_card_and_its_checker(
    site: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, editor = tmp_path / "told", tmp_path / "editor"
    os.mkfifo(told)
    editor.write_text(f'#!/bin/sh\nfor file; do basename "$file"; done > {told}\n', "utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    pages = site()
    shown = words(pages.send("/cards/do/edit", card="square"))
    assert "square.md and" in shown and "square.py are open in" in shown
    assert told.read_text("utf-8").split() == ["square.md", "square.py"]
    pages.begin("open")
    assert "open.md is open in" in words(pages.do("edit"))
    assert told.read_text("utf-8").split() == ["open.md"]
    monkeypatch.setenv("EDITOR", str(tmp_path / "none"))
    assert "cannot start the editor" in words(pages.send("/cards/do/edit", card="square"))
    pages.send("/cards/do/edit", card="nothing")
    assert pages.status == 404


def test_a_card_unfolds_with_its_history_and_undone_ratings_are_marked(site: Open) -> None:
    pages = site()
    pages.begin("square")
    pages.do("answer", text="dx = dy")
    pages.do("reveal")
    pages.do("rate", rating=1)
    pages.do("undo")
    page = pages.get("/cards/square")
    said = words(page)
    assert "Derive its backward message" in said and "Use the chain rule" in said
    assert "dx: wrong" in said and "<del>again, next the same day" in page
    assert pages.get("/cards/nothing") and pages.status == 404
    assert "no card has the id" in words(pages.get("/cards/nothing"))


def test_statistics_show_each_picture_with_its_numbers(site: Open) -> None:
    pages = site()
    empty = words(pages.get("/stats"))
    assert "0 reviews" in empty and "Nothing in the next 30 days." in empty
    pages.begin("square")
    pages.do("answer", text="dx = x ⊙ dy")
    pages.do("answer", text="dx = 2 x ⊙ dy")
    pages.do("rate", rating=3)
    assert {Review, Attempt} <= set(map(type, pages.events))
    page = pages.get("/stats")
    assert page.count("<svg") == 2 and page.count("The numbers") == 2
    assert "1 review" in words(page) and "2026-11-20 1" in words(page)
    assert 'href="/cards/square"' in page


def test_looking_changes_nothing(site: Open, tmp_path: Path) -> None:
    pages = site()
    pages.begin("square")
    number = pages.session.number
    for path in ("/", "/cards", "/cards/square", "/stats", "/today"):
        pages.get(path)
        assert pages.status == 200
    assert pages.session.number == number
    assert pages.events == []
