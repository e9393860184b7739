"""A new card in the browser: its preview, what `check` finds, and the files that are written."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import card_text
from site_of import Site, words

Open = Callable[..., Site]
Write = Callable[..., Path]


@pytest.fixture
def pages(site: Open, write_deck: Write) -> Site:
    return site(write_deck({"old.md": card_text("old")}, "written"))


def fields(page: str) -> dict[str, str]:
    """What the form of a page holds."""
    found = dict(re.findall(r'<input[^>]* name="(\w+)" [^>]*value="([^"]*)"', page))
    found |= dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    areas = re.findall(r'<textarea id="\w+" name="(\w+)"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    return {name: unescape(text) for name, text in [*found.items(), *areas]}


def findings(page: str) -> list[str]:
    found = re.findall(r'<p class="finding .*?</p>', page, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]*>", " ", each)).split()) for each in found]


def test_a_derivation_is_checked_saved_and_asked_as_its_template_has_it(
    pages: Site, cli: CommandLine
) -> None:
    form = fields(pages.get("/new")) | {"name": "layers/mine"}
    assert form["course"] == "ML"
    page = pages.send("/new/check", **form)
    assert findings(page) == ["✓ quizzer check has nothing to say."]
    page = pages.send("/new", **form, do="save")
    assert "Saved in" in words(page) and "learned factor" in words(page)
    (root,) = pages.desk.workspace.located.roots
    assert [file.name for file in (root / "layers").iterdir()] == ["mine.md"]
    checked = cli.ok("check", "--strict", "--deck", root, root / "layers/mine.md")
    assert checked.out == ""


def test_every_finding_names_the_line_of_its_field(pages: Site) -> None:
    form = fields(pages.get("/new")) | {
        "question": "One\n\n[fill in: the second]",
        "solution": "A line\n$\\frac{1$",
        "checker": "x: D\ny_i = x_j",
    }
    found = findings(pages.send("/new/check", **form))
    assert any(each.startswith("Question, line 3 `[fill in: the second]`") for each in found)
    assert any(each.startswith("Solution, line 2") for each in found)
    assert any(each.startswith("Checker, line 2") for each in found), found
    at_once = findings(pages.send("/new/preview", **form))
    assert at_once and not any(each.startswith("Checker") for each in at_once)


def test_the_preview_is_drawn_as_the_session_draws_a_card(pages: Site) -> None:
    form = fields(pages.get("/new?type=multiple_choice"))
    form["question"] = "Which $x$? <b>\n\n## Options\nA) one\nB) **two**\n"
    page = pages.send("/new/preview", **form)
    assert '<span class="tex">x</span>' in page and "&lt;b&gt;" in page
    assert "<strong>two</strong>" in page


def test_a_file_that_is_there_is_never_written_over(pages: Site) -> None:
    (root,) = pages.desk.workspace.located.roots
    before = (root / "old.md").read_bytes()
    form = fields(pages.get("/new?type=open")) | {"question": "Mine?"}
    refused = {"old": "exists", "sub/old": "is taken", "../up": "cannot name", "": "needs a name"}
    for name, why in refused.items():
        page = pages.send("/new", **form | {"name": name}, do="save")
        assert pages.status == 422 and why in words(page)
        assert fields(page)["question"] == "Mine?", "what was written stays in the form"
    assert (root / "old.md").read_bytes() == before
    assert len(list(root.rglob("*"))) == 1 and not (root.parent / "up.md").exists()


@pytest.mark.parametrize(("name", "why"), [("a" * 300, "too long"), ("a\0b", "cannot name")])
def test_a_name_that_no_file_can_have_is_refused_and_the_draft_is_still_checked(
    pages: Site, name: str, why: str
) -> None:
    form = fields(pages.get("/new?type=open")) | {"question": "Mine?", "name": name}
    assert "Mine?" in pages.send("/new/preview", **form)
    pages.send("/new/check", **form)
    assert pages.status == 200
    page = pages.send("/new", **form, do="save")
    assert pages.status == 422 and why in words(page)


def test_a_checker_is_drafted_from_what_the_card_says(pages: Site) -> None:
    form = fields(pages.get("/new")) | {"checker": ""}
    drafted = fields(pages.send("/new", **form, do="draft"))["checker"]
    assert "ask dx: backward message" in drafted
    assert r"y_i = a_i \, x_i^2" in drafted


def test_a_course_or_a_tag_cannot_add_to_the_front_matter(pages: Site) -> None:
    form = fields(pages.get("/new?type=open")) | {
        "name": "sly",
        "course": "x\nid: other",
        "tags": 'a, b"]\nstatus: mastered',
    }
    pages.send("/new", **form, do="save")
    header = pages.desk.workspace.entry("sly").header
    assert (header.course, header.status) == ("x id: other", "to_learn")
    assert header.tags == ("a", 'b"] status: mastered')


def test_a_check_knows_the_deck_and_reads_none_of_its_cards_again(
    site: Open, write_deck: Write
) -> None:
    deck = write_deck({"old.md": card_text("old"), "dot.png": ""}, "known")
    pages = site(deck)
    form = fields(pages.get("/new?type=open"))
    (deck / "old.md").unlink()
    form["solution"] = "That."
    question = "What? ![[dot.png]] ![[none.png]]"
    (said,) = findings(pages.send("/new/check", **form | {"question": question}))
    assert "none.png" in said and said.endswith("image")
    found = findings(pages.send("/new/check", **form | {"name": "sub/old", "question": "What?"}))
    assert any(each.endswith("duplicate-id") for each in found), found
