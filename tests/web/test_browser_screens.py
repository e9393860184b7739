"""How the pages look on a screen, in a real browser; `in_browser` says what is looked at."""

from typing import Any

import pytest
from form.sheets import SIGMOID
from in_browser import PHONE, Visit, answer, faults, needs_chromium
from samples import NUMBER_CARD, card_text, plain_cards

pytestmark = needs_chromium

WIDE_STEP = SIGMOID.replace(
    "1. ", "1. Write it out:\n   $$ " + r"\frac{a_i}{b_i} = " * 11 + "c $$\n\n   ", 1
)
CODE = f"Why?\n\n```python\n{'x = x + 1; ' * 20}\n```\n"
FAULTY = r"$\frac{1$ and $\nosuch + y_i$ and $\def\a{\a\a}\a$ and $x_i$"
"""What KaTeX cannot read, a command that it lacks, what never ends, and a formula."""


@pytest.fixture
def files() -> dict[str, str]:
    """What the deck consists of."""
    return {"gate.md": WIDE_STEP}


@pytest.fixture
def forms() -> str:
    """The forms in which cards come."""
    return '["blank"]'


def begun(visit: Visit) -> Any:
    page = visit(**PHONE)
    page.get_by_role("button", name="Begin").tap()
    page.locator(".card").wait_for()
    return page


@pytest.mark.parametrize(
    ("forms", "button"), [('["blank"]', "Hint"), ('["worked"]', "Next step")], ids=["hint", "step"]
)
def test_a_hint_and_a_step_are_no_wider_than_a_phone(visit: Visit, button: str) -> None:
    page = begun(visit)
    page.get_by_role("button", name=button).tap()
    page.locator(".hint .katex-display").wait_for()
    assert faults(page) == []


@pytest.mark.parametrize("files", [{"a.md": card_text("code", question=CODE)}], ids=["code"])
def test_code_that_scrolls_is_reached_by_keys(visit: Visit) -> None:
    page = begun(visit)
    assert page.locator(".question pre").evaluate("it => it.tabIndex") == 0
    assert faults(page) == []


@pytest.mark.parametrize("files", [{"a.md": card_text("faulty", question=FAULTY)}], ids=["faulty"])
def test_a_formula_that_cannot_be_read_stays_as_it_was_typed(visit: Visit) -> None:
    page = begun(visit)
    shown = page.locator(".question .tex")
    assert shown.nth(0).inner_text() == r"\frac{1"
    assert shown.nth(1).locator(".katex").count() == 1
    assert r"\nosuch" in shown.nth(1).inner_text()
    assert shown.nth(2).inner_text() == r"\def\a{\a\a}\a"
    assert shown.nth(3).locator(".katex").count() == 1


@pytest.mark.parametrize("files", [plain_cards("one")], ids=["open"])
def test_what_is_written_in_a_chart_can_be_read_on_a_phone(visit: Visit) -> None:
    page = begun(visit)
    page.get_by_role("button", name="Show the answer").tap()
    page.get_by_role("button", name="easy").tap()
    page.get_by_text("1 rating on 1 card").wait_for()
    page.get_by_role("link", name="Statistics").tap()
    page.get_by_text("Coming").wait_for()
    heights = "all => all.map(each => each.getBoundingClientRect().height)"
    assert min(page.locator(".chart text").evaluate_all(heights)) > 8


@pytest.mark.parametrize("files", [{"n.md": NUMBER_CARD}], ids=["number"])
def test_the_button_of_a_number_names_the_key_that_sends_it(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("Enter")
    page.locator("#text").wait_for()
    assert page.locator("#answer kbd").inner_text() == "Enter"
    answer(page, "0.5")
    page.locator(".try.wrong").wait_for()
    page.locator("#text").fill("0.25")
    page.keyboard.press("Enter")
    page.locator(".try.correct").wait_for()


def test_that_nothing_was_saved_is_seen_wherever_one_is_on_the_page(visit: Visit) -> None:
    first = begun(visit)
    page = first.context.new_page()  # that a request fails does not fail the test
    page.goto(first.url)
    page.route("**/do/answer", lambda route: route.abort())
    page.locator("#text").fill("dx = 2")
    page.get_by_role("button", name="Check").tap()
    page.get_by_text("quizzer does not answer").wait_for()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.evaluate("scrollY") > 60
    assert 0 <= page.locator("#trouble").evaluate("it => it.getBoundingClientRect().top") < 844


@pytest.mark.parametrize(
    "files",
    [{"a.md": card_text("list", solution="\n".join(f"- It is {k}." for k in range(8)))}],
    ids=["list"],
)
def test_the_marks_of_a_quiz_fit_their_buttons_and_cover_nothing(visit: Visit) -> None:
    page = visit(**PHONE)
    page.get_by_role("link", name="Quiz").tap()
    page.get_by_role("button", name="Begin").tap()
    page.get_by_role("button", name="Show the answer").tap()
    page.locator(".marks").wait_for()
    for marked in range(8):
        page.locator(f".checklist li.now:nth-child({marked + 1})").wait_for()
        page.get_by_role("button", name="Had it").tap()
    take = page.get_by_role("button", name="Take 8 of 8 points")
    take.wait_for()
    page.evaluate("scrollTo(0, 0)")
    seen = """it => {
        const box = it.getBoundingClientRect();
        return [0.1, 0.9].every((part) =>
            it.contains(document.elementFromPoint(box.x + 20, box.y + part * box.height)));
    }"""
    assert take.evaluate(seen)
    cut = "all => all.filter(it => it.firstElementChild.offsetWidth > it.clientWidth).length"
    assert page.locator(".marks .rating").evaluate_all(cut) == 0


def test_what_others_left_in_the_browser_breaks_no_page(visit: Visit) -> None:
    page = begun(visit)
    for key in ("draft other", "draft other a", "new card other"):
        page.evaluate("key => localStorage.setItem(key, 'no JSON')", key)
    page.reload()
    page.locator("main.drawn .katex").first.wait_for()
    assert page.evaluate("Object.keys(localStorage)") == ["new card other"]
    page.goto(f"{page.url.removesuffix('today')}new?type=open")
    page.get_by_label("Question").fill("Why?")
    page.reload()
    assert page.get_by_label("Question").input_value() == "Why?"


def test_a_browser_without_room_for_a_draft_says_so_and_goes_on(visit: Visit) -> None:
    page = begun(visit)
    page.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new DOMException('full'); }; }"
    )
    page.locator("#text").fill("dx_i = dy_i")
    page.locator(".live.read .katex").wait_for()
    page.get_by_text("no room for a draft").wait_for()
    page.get_by_role("button", name="Check").tap()
    page.locator(".try.wrong").wait_for()
