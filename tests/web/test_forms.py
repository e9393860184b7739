"""Short forms on the pages: a solution step by step, a line to choose, a line to type."""

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from form.sheets import SIGMOID
from site_of import ORIGIN, Site, words

from quizzer.values import Attempt, Form, Rating, Review
from tests.derived import card_of

Open = Callable[..., Site]
Come = Callable[..., Site]
RIGHT = "Σ_i δ_i [i=j] y_i (1 - y_i)"


@pytest.fixture
def come(home: Path, site: Open, write_deck: Callable[..., Path], forms_in_time: None) -> Come:
    """Begin a session in which the card comes in this form."""

    def begin(form: Form, card: str = SIGMOID) -> Site:
        config = home / ".config/quizzer/config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(f'forms = ["{form}"]\n', "utf-8")
        pages = site(write_deck({"gate.md": card}, "gate"))
        pages.begin()
        return pages

    return begin


def test_a_worked_solution_shows_its_steps_in_their_order(come: Come) -> None:
    pages = come(Form.WORKED)
    assert pages.get("/today").count("Next step") == 1
    for _ in range(3):
        page = pages.do("hint")
    assert re.findall(r"Step \d of \d", page) == ["Step 1 of 3", "Step 2 of 3", "Step 3 of 3"]
    assert "Next step" not in page and "Show the answer" in page
    page = pages.do("reveal")
    assert "Step 3 of 3" in page and "Answer" in words(page)
    assert "saved: good" in words(pages.do("rate", rating=3))
    (review,) = [fact for fact in pages.events if isinstance(fact, Review)]
    assert (review.form, review.rating) == (Form.WORKED, Rating.GOOD)


def test_a_step_is_predicted_by_a_button_or_gone_to_without(come: Come) -> None:
    pages = come(Form.WORKED)
    page = pages.get("/today")
    assert "Which sign does ± stand for?" in words(page) and "Next step" in page
    keys = re.findall(r'name="which" value="(\d)" data-key="(\d)">(.) <kbd>\d</kbd>', page)
    assert keys == [("0", "1", "+"), ("1", "2", "−")]
    page = pages.do("predict", which=0)
    assert "✗ not +, but −. With plus, the line would be false." in words(page)
    assert "Step 1 of 3" in page and 'name="which"' not in page
    pages.do("predict", which=0)
    assert "Step 2 of 3" not in pages.get("/today"), "nothing is asked about this step"
    page = pages.do("reveal")
    assert "0 of 1 predicted" in words(page)
    assert 'class="rating suggested"' in page.partition('value="2"')[2].partition("<b>good")[0]


def test_the_line_with_the_slip_is_chosen_and_then_corrected(come: Come) -> None:
    pages = come(Form.SLIP)
    page = pages.get("/today")
    assert page.count('type="radio" name="text"') == 3 and 'id="text"' not in page
    short = pages.session.turn and pages.session.turn.short
    assert short and short.place is not None
    slip = str(short.place + 1)
    other = str(1 + (short.place + 1) % 3)
    page = pages.do("answer", text=other)
    follows = int(other) - 1 in short.changed
    said = "only follows from a line above" if follows else "is right"
    assert f"✗ not that one. Line {other} {said}." in words(page)
    assert re.search(rf'value="{other}"[^>]*disabled', page), "it is known not to be the one"
    assert ('class="option follows"' if follows else 'class="option right"') in page
    page = pages.do("answer", text=slip)
    assert "✓ found." in words(page) and "The line, corrected:" in words(page)
    assert 'class="option slip"' in page and 'type="radio"' not in page
    typed = re.search(r"<textarea[^>]*>([^<]*)</textarea>", page)
    assert typed and typed[1] == short.lines[short.place][0], "only the slip is to be changed"
    page = pages.do("answer", text=short.made.sheet.lines[short.place].right)
    assert "mended line: right" in words(page)
    assert 'class="rating suggested"' in page.partition('value="1"')[2].partition("<b>again")[0]
    names = [fact.name for fact in pages.events if isinstance(fact, Attempt)]
    assert names == ["wrong line", "wrong line", "mended line"]


def test_lines_that_the_author_typed_are_drawn_as_they_are_read(come: Come) -> None:
    pages = come(Form.MISSING, card_of("determinant").read_text("utf-8"))
    short = pages.session.turn and pages.session.turn.short
    assert short
    page = unescape(pages.get("/today"))
    typed = [line for line, is_latex in short.lines if not is_latex and line != "df_dX = ?"]
    assert typed and all("df_dX" in line for line in typed)
    assert r"""<span class="tex display">\mathrm{df\_dX}""" in page


def test_the_missing_line_is_typed_with_the_names_of_the_card(come: Come) -> None:
    pages = come(Form.MISSING)
    page = pages.get("/today")
    assert "The missing line:" in words(page) and 'class="option open"' in page
    assert {"dx", "dy", "y"} <= set(re.findall(r'data-insert="(\w+)"', page))
    page = pages.do("answer", text="foo(")
    assert "missing line: not read, costs no try" in words(page)
    assert ">foo(</textarea>" in page
    assert "missing line: right" in words(pages.do("answer", text=RIGHT))
    assert "saved: good" in words(pages.do("rate", rating=3))


def test_who_gives_up_sees_the_line(come: Come) -> None:
    pages = come(Form.MISSING)
    assert "The missing line:</p>" not in pages.get("/today")
    assert "The missing line:</p>" in pages.do("reveal")


def test_a_line_is_drawn_while_it_is_typed_but_only_its_verdict_finds_fault(come: Come) -> None:
    pages = come(Form.MISSING)

    def read(text: str) -> dict[str, object]:
        sent = json.dumps({"text": text, "line": 1})
        found = pages.browser.post("/read", content=sent, headers={"origin": ORIGIN}).json()
        assert isinstance(found, dict)
        return found

    assert read("= dy_i y_i")["state"] == "read"
    assert "y" in str(read(r"\frac{\partial L}{\partial x_i} = \delta_i y_i")["latex"])
    assert read("dy_i foo")["state"] == ""


def test_what_a_short_form_cannot_give_is_no_button(come: Come) -> None:
    page = come(Form.SLIP).get("/today")
    assert 'action="/do/hint"' not in page and 'action="/do/reveal"' in page
