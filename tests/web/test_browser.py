"""A day in a real browser; `in_browser` says what is looked at in every test."""

from time import time
from typing import Any

import pytest
from form.sheets import SIGMOID
from in_browser import Visit, answer, faults, needs_chromium
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD, NUMBER_CARD, card_text

from quizzer.card.scanner import formulas, scan
from quizzer.deck import load, starter_deck
from quizzer.notation.functions import ELEMENTWISE, PAIRS, WHOLE
from quizzer.notation.latex import latex, name_of
from quizzer.notation.lexer.signs import GREEK
from quizzer.notation.nodes import Call, Name
from tests.derived import card_of

pytestmark = needs_chromium

WIDE = r"$$ y = " + " + ".join(rf"\frac{{x_{{{k}}}^2}}{{2}}" for k in range(30)) + " $$"
NEARLY = (
    r"$$ \mu_i = \frac{1}{N} \sum_n x_{ni}, \qquad v_i = \frac{1}{N} \sum_n (x_{ni} - \mu_i)^2 $$"
)
"""On a phone a little too wide."""
DECK = {
    "a.md": DERIVATION_CARD,
    "a.py": CHECKER,
    "b.md": CHOICE_CARD,
    "c.md": NUMBER_CARD,
    "d.md": card_text("seen", question=f"![[dot.png]] What is it? {WIDE}"),
    "g.md": card_text(
        "list", question=f"Why? {NEARLY}", solution="- (2p) This.\n- That.\n- $y$ too."
    ),
}
FORMS = {"e.md": SIGMOID.replace("q-gate", "gate"), "f.md": SIGMOID}
"""By their ids, one comes with a slip and one with a line missing."""
DAY = DECK | FORMS
OWN_LINES = (
    r"\frac{\partial y_i}{\partial x_j} = [i = j] \, y_i (1 - y_i)",
    r"\frac{\partial L}{\partial x_j} = \sum_i \delta_i \, [i = j] \, y_i (1 - y_i)",
    r"= \delta_j \, y_j (1 - y_j)",
)


@pytest.fixture
def files() -> dict[str, str]:
    """What the deck consists of."""
    return DECK


@pytest.fixture
def forms() -> str:
    """The forms in which cards come."""
    return '["slip", "missing"]'


def ask(page: Any, card: str, by_key: bool = False) -> None:
    """Skip until this card is asked."""
    for _ in DAY:
        shown = page.locator(f'[data-card="{card}"]')
        if shown.count():
            return
        before = page.locator("[data-card]").get_attribute("data-card")
        if by_key:
            page.keyboard.press("Alt+s")
        else:
            page.get_by_role("button", name="Skip").click()
        page.locator(f'[data-card="{before}"]').wait_for(state="detached")
    raise AssertionError(f"{card} is not asked")


def slip_in(page: Any) -> int:
    """The number of the first line that differs from the card's own; others may follow from it."""
    lines = page.locator(".sheet-lines annotation").all_text_contents()
    return next(n for n, line in enumerate(lines, 1) if line not in OWN_LINES)


@pytest.mark.parametrize("files", [DAY], ids=["with-forms"])
def test_a_whole_day_by_keys_alone(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("Enter")
    asked = set()
    for _ in BY_KEYS:
        page.locator("[data-card]").wait_for()
        card = page.locator("[data-card]").get_attribute("data-card")
        BY_KEYS[card](page)
        asked.add(card)
    page.get_by_text(f"{len(BY_KEYS)} ratings on {len(BY_KEYS)} cards").wait_for()
    assert asked == set(BY_KEYS)


def square_by_keys(page: Any) -> None:
    """A derivation: a wrong line and its message, a hint, a flag, and a rating taken back."""
    assert page.locator(".question .katex").count() == 1
    page.locator("#text").fill("dx_i = 2 x_i dy_i\n= -2 x_i dy_i")
    page.keyboard.press("Control+Enter")
    page.locator(".derived .right").wait_for()
    page.get_by_text("Line 2 is wrong. Line 1 is right.").wait_for()
    page.keyboard.press("Enter")
    page.get_by_text("The sign is wrong").wait_for()
    answer(page, "dx = x ⊙ dy")
    page.locator(".try.wrong .differs").first.wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.locator(".hint").wait_for()
    page.keyboard.press("Alt+f")
    page.get_by_text("⚑ flagged").wait_for()
    page.locator("#text").fill("dx_i = 2 x_i dy")
    page.locator("#text").press("End")
    page.keyboard.type("_i\n\n")
    page.locator(".try.correct .katex").wait_for()
    assert page.locator(".suggested").inner_text().startswith("Again"), "a hint was shown"
    rate(page, "3", "good")
    page.keyboard.press("Alt+u")
    page.get_by_text("took back good on square").wait_for()
    rate(page, "2", "hard")


def slip_by_keys(page: Any) -> None:
    slip = slip_in(page)
    page.keyboard.press(str(slip))
    page.keyboard.press("Enter")
    page.locator(".option.slip").wait_for()
    answer(page, OWN_LINES[slip - 1])
    page.locator(".try.correct", has_text="mended line: right").wait_for()
    rate(page, "Enter", "good")


def missing_line_by_keys(page: Any) -> None:
    page.keyboard.type("Σ_i δ_i [i=j] y_i (1 - y_i)")
    page.locator(".live.read .katex").wait_for()
    page.keyboard.press("Control+Enter")
    page.locator(".try.correct", has_text="missing line: right").wait_for()
    rate(page, "3", "good")


def choice_by_keys(page: Any) -> None:
    page.keyboard.press("2")
    assert page.locator("input[value=B]").is_checked()
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    page.locator(".try.correct").wait_for()
    rate(page, "Enter", "good")


def number_by_keys(page: Any) -> None:
    page.keyboard.type("0.25")
    page.keyboard.press("Enter")
    page.locator(".try.correct", has_text="number: right").wait_for()
    rate(page, "3", "good")


def picture_by_keys(page: Any) -> None:
    """An open card whose solution is shown."""
    with page.context.expect_page() as opened:
        page.keyboard.press("i")
    opened.value.close()
    page.keyboard.press("r")
    page.get_by_text("That.", exact=True).wait_for()
    rate(page, "4", "easy")


def checklist_by_keys(page: Any) -> None:
    page.keyboard.press("Enter")
    page.locator(".checklist .now", has_text="2 points").wait_for()
    for key, left in (("y", 2), ("n", 1), ("y", 0)):
        page.wait_for_timeout(300)
        page.keyboard.press(key)
        page.locator(".checklist .edge").nth(2 - left).wait_for()
    page.get_by_text("3 of 4 points").wait_for()
    assert page.locator(".suggested").inner_text().startswith("Hard")
    rate(page, "Enter", "hard")


def rate(page: Any, key: str, saved: str) -> None:
    page.locator(".ratings").wait_for()
    page.wait_for_timeout(300)  # what is pressed at once was not meant for the ratings
    page.keyboard.press(key)
    page.get_by_text(f"saved: {saved}").wait_for()


BY_KEYS = {
    "square": square_by_keys,
    "gate": slip_by_keys,
    "q-gate": missing_line_by_keys,
    "choice": choice_by_keys,
    "number": number_by_keys,
    "seen": picture_by_keys,
    "list": checklist_by_keys,
}


def test_on_a_phone_in_the_dark_by_taps_alone(visit: Visit) -> None:
    page = visit(390, 844, color_scheme="dark", has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Begin").tap()
    page.locator(".card").wait_for()
    ask(page, "square")
    for sign in ("dy", "⊙"):
        page.locator(f'[data-insert="{sign}"]').tap()
    page.locator("#text").press_sequentially("\\del")
    page.locator(".completions button", has_text="\\delta").tap()
    assert page.locator("#text").input_value() == "dy⊙δ"
    page.locator(".live.read .katex").wait_for()
    page.get_by_role("button", name="Check").tap()
    page.locator(".try.wrong").wait_for()
    ask(page, "seen")
    picture = page.locator("img.picture")
    picture.wait_for()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    page.get_by_role("button", name="Show the answer").tap()
    page.locator(".ratings").wait_for()
    page.get_by_role("button", name="easy").tap()
    page.get_by_text("saved: easy").wait_for()
    ground = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert all(int(part) < 60 for part in ground[4:-1].split(","))


def test_a_draft_survives_a_reload_and_the_way_back(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Begin").click()
    page.locator(".card").wait_for()
    ask(page, "square")
    page.locator("#text").fill("dx = 2 x")
    page.reload()
    assert page.locator("#text").input_value() == "dx = 2 x"
    page.get_by_role("link", name="quizzer").click()
    page.get_by_text("It goes on where you left it").wait_for()
    page.go_back()
    page.locator("#text").wait_for()
    assert page.locator("#text").input_value() == "dx = 2 x"
    another = page.context.new_page()
    another.goto(page.url)
    assert another.locator("#text").input_value() == "dx = 2 x"


def test_a_draft_does_not_come_back_with_its_card_another_day(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Begin").click()
    page.locator(".card").wait_for()
    ask(page, "square")
    page.locator("#text").fill("dx = 2 x")
    another = page.context.new_page()
    another.clock.install(time=time() + 25 * 3600)
    another.goto(page.url)
    assert another.locator("#text").input_value() == ""


def test_readings_are_seen_as_a_whole_on_a_phone_and_asked_about_where_one_looks(
    visit: Visit,
) -> None:
    page = visit(390, 844, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Begin").tap()
    page.locator(".card").wait_for()
    ask(page, "square")
    answer(page, "dx = dy")
    page.locator(".try.wrong").wait_for()
    answer(page, "dx_i = 2 dy_i / x_i x_i x_i " + "+ x_i / (x_i dy_i) " * 9 + "x_i")
    page.locator(".unclear").wait_for()
    top = page.locator(".unclear").evaluate("it => it.getBoundingClientRect().top")
    assert 0 <= top < 844
    assert faults(page) == []
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
    assert page.locator(".readings .tex").evaluate_all(cut) == 0
    page.get_by_role("button", name="Back to my answer").tap()
    page.locator(".live.read .katex").wait_for()
    assert page.locator("#live .tex").evaluate_all(cut) == 0


@pytest.mark.parametrize("files", [{"s.md": card_of("softmax_jacobian").read_text()}], ids=[""])
@pytest.mark.parametrize("forms", ['["blank"]'])
def test_a_right_text_for_another_part_leaves_the_field(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Begin").click()
    page.locator('[data-part="dp_dz"]').wait_for()
    answer(page, "dz_j = p_j (Σ_k δ_k p_k - δ_j)")
    page.locator(".try.wrong").wait_for()
    assert "dz_j" in page.locator("#text").input_value()
    answer(page, "dz_j = p_j (δ_j - Σ_k δ_k p_k)")
    page.locator(".try.correct", has_text="dz: right").wait_for()
    assert page.locator("#text").get_attribute("data-part") == "dp_dz"
    assert page.locator("#text").input_value() == ""


def test_a_second_tab_that_is_out_of_date_is_told_so(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Begin").click()
    page.locator(".card").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    ask(page, "number")
    other.get_by_role("button", name="Flag").click()
    other.get_by_text("The session has gone on meanwhile").wait_for()
    other.locator('[data-card="number"]').wait_for()


def test_a_quiz_asks_for_its_result_when_the_clock_has_run_out(visit: Visit) -> None:
    page = visit(390, 844)
    page.clock.install()
    page.get_by_role("link", name="Quiz", exact=True).click()
    page.get_by_label("Minutes").fill("5")
    page.get_by_role("button", name="Begin").click()
    page.locator(".clock", has_text="4:5").wait_for()
    with page.expect_navigation(url="**/quiz"):
        page.clock.fast_forward("06:00")
    page.get_by_role("button", name="End and see the result").click()
    page.locator(".score").wait_for()
    page.get_by_text("The schedule has not changed.").wait_for()
    page.locator("details.item summary").first.click()
    page.get_by_text("Not answered.").wait_for()


def test_a_new_card_is_drawn_and_checked_while_it_is_written(visit: Visit) -> None:
    page = visit()
    page.get_by_role("link", name="Cards").click()
    page.get_by_role("link", name="New card").click()
    page.get_by_role("link", name="Open question").click()
    page.get_by_label("Question").fill("What is it?")
    page.get_by_label("Solution").fill(r"It is $\sqrt{2}$.")
    page.get_by_text("has nothing to say").wait_for()
    page.get_by_label("Checker").fill("y_i = a_j")
    page.locator("#preview .katex .sqrt").wait_for()
    page.get_by_role("button", name="Checker, line 1").click()
    assert page.evaluate("document.activeElement.id") == "checker"
    page.reload()
    assert page.get_by_label("Checker").input_value() == "y_i = a_j"


def test_drafts_of_new_cards_outlive_their_tab_and_do_not_overwrite_each_other(
    visit: Visit,
) -> None:
    def tab() -> Any:
        opened = page.context.new_page()
        opened.goto(f"{own}new?type=open")
        return opened

    def written(tab: Any, text: str) -> None:
        tab.get_by_label("Question").fill(text)

    def shown(tab: Any) -> str:
        return str(tab.get_by_label("Question").input_value())

    page = visit(390, 844)
    own = page.url
    first = tab()
    assert not first.locator("#drafts").is_visible()
    written(first, "The first?")
    first.close()
    second = tab()
    assert shown(second) == "The first?", "a tab that crashed leaves its draft"
    second.get_by_text("This is your draft of").wait_for()
    assert second.get_by_role("button", name="The first?").count() == 0
    third = tab()
    written(third, "The third?")
    written(second, "The second?")
    third.reload()
    assert shown(third) == "The third?", "each tab keeps its own"
    fourth = tab()
    assert shown(fourth) == "The second?", "a new tab begins with the newest"
    fourth.get_by_role("button", name="Open question: The third?").click()
    fourth.get_by_role("button", name="Open question: The second?").wait_for()
    assert shown(fourth) == "The third?"
    fourth.get_by_label("Name").fill("third")
    fourth.get_by_label("Solution").fill("So.")
    fourth.get_by_role("button", name="Save").click()
    fourth.get_by_text("Saved in").wait_for()
    fifth = tab()
    assert shown(fifth) == "The second?"
    assert fifth.get_by_role("button", name="Open question").count() == 0, "that one is a card now"
    fifth.get_by_role("button", name="Discard it").click()
    fifth.locator("#drafts:not([hidden])").wait_for(state="detached")
    assert shown(fifth) != "The second?"
    assert faults(fifth) == []


def test_a_tab_that_was_duplicated_writes_a_draft_of_its_own(visit: Visit) -> None:
    page = visit(390, 844)
    page.goto(f"{page.url}new?type=open")
    page.get_by_label("Question").fill("The first?")
    twin = page.context.new_page()
    twin.goto(page.url)
    kept = page.evaluate("Object.entries(sessionStorage)")
    twin.evaluate("kept => kept.forEach(each => sessionStorage.setItem(...each))", kept)
    twin.reload()
    twin.get_by_label("Question").fill("The twin?")
    page.get_by_role("button", name="Open question: The twin?").wait_for()
    for tab, text in ((page, "The first?"), (twin, "The twin?")):
        tab.reload()
        assert tab.get_by_label("Question").input_value() == text


def test_without_a_script_every_form_works(visit: Visit) -> None:
    page = visit(390, 844, java_script_enabled=False)
    with page.expect_navigation(url="**/today"):
        page.get_by_role("button", name="Begin").click()
    for _ in DECK:
        if page.locator('[data-card="number"]').count():
            break
        with page.expect_navigation(url="**/today"):
            page.get_by_role("button", name="Skip").click()
    page.locator("#text").fill("0.25")
    page.get_by_role("button", name="Check").click()
    page.get_by_text("number: right").wait_for()
    page.get_by_role("button", name="good").click()
    page.get_by_text("saved: good").wait_for()


@pytest.mark.parametrize("files", [FORMS], ids=["with-forms"])
def test_the_slip_is_found_and_corrected_on_a_phone_by_taps(visit: Visit) -> None:
    page = visit(390, 844, color_scheme="dark", has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Begin").tap()
    page.locator(".card").wait_for()
    ask(page, "gate")
    slip = slip_in(page)
    page.locator(".sheet-lines .option").nth(slip % 3).tap()
    page.get_by_role("button", name="Check").tap()
    page.get_by_text("not that one").wait_for()
    page.locator(".sheet-lines .option").nth(slip - 1).tap()
    page.get_by_role("button", name="Check").tap()
    page.get_by_text("found.").wait_for()
    assert page.locator("#text").input_value(), "the line as it was"


def test_no_page_has_a_serious_finding_in_light_or_in_the_dark(visit: Visit) -> None:
    page = visit(390, 844)
    own = page.url
    for path in ("", "quiz", "cards", "map", "stats", "plan", "new?type=open"):
        page.goto(f"{own}{path}")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert faults(page) == [], (path, scheme)
            assert page.evaluate("document.getAnimations().length") == 0


def test_the_focus_is_seen_wherever_tab_leads(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("Enter")
    page.locator(".card").wait_for()
    ask(page, "square", by_key=True)
    seen = []
    for _ in range(25):
        page.keyboard.press("Tab")
        what, style, width = page.evaluate(
            """() => {
                const here = document.activeElement, style = getComputedStyle(here);
                return [here.outerHTML.slice(0, 80), style.outlineStyle, style.outlineWidth];
            }"""
        )
        if what.startswith("<body"):  # the browser's own bar comes between end and beginning
            continue
        assert (style, width) == ("solid", "3px"), what
        seen.append(what)
    assert len(set(seen)) > 15 and any("<textarea" in what for what in seen), seen


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_cards_unfold_and_figures_are_drawn(visit: Visit, width: int, scheme: str) -> None:
    page = visit(width, 844, color_scheme=scheme)
    page.get_by_role("link", name="Cards").click()
    row = page.locator("details.item", has_text="square")
    row.locator("summary").first.click()
    row.locator(".katex").first.wait_for()
    row.get_by_text("Solution").click()
    row.get_by_text("Use the chain rule.").wait_for()
    assert faults(page) == [], "the name of the file may be long"
    row = page.locator("details.item", has_text="list")
    row.locator("summary").first.click()
    row.locator(".katex-display").wait_for()
    formula = row.locator(".tex.display")
    # It is measured again when its letters have arrived.
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    assert formula.evaluate("it => it.scrollWidth <= it.clientWidth"), "all of it is in sight"
    page.get_by_label("Search").fill("seen")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("1 card").wait_for()
    page.get_by_role("link", name="Statistics").click()
    year = page.get_by_role("img", name="0 reviews in the past year")
    end = year.evaluate("year => year.getBoundingClientRect().right")
    assert end <= width, "today is in sight, however narrow the window"
    page.get_by_role("link", name="Plan").click()
    page.get_by_label("ML").wait_for()


def test_katex_draws_every_formula_of_the_starter_deck_and_every_function_and_letter_of_a_reading(
    visit: Visit,
) -> None:
    deck = load((starter_deck(),), None)
    texts: list[str] = []
    for entry in deck.entries:
        card = deck.read(entry).card
        assert card
        for part in (card.question, card.solution, *(option.text for option in card.options)):
            texts += [token.content for token in formulas(scan(part))]
    assert len(texts) > 1000
    texts += [latex(Call(name, (Name("x"),))) for name in (*ELEMENTWISE, *WHOLE, *PAIRS)]
    texts += [latex(Name(name)) for name in (*GREEK, *GREEK.values(), "u_dot", "dw_2", "d_mu")]
    texts += [name_of(name, "i") for name in ("w_0", "x_hat_old", "dh_prev")]
    failed = visit().evaluate(
        """texts => texts.filter(text => {
            try { katex.renderToString(text, {strict: false}); return false; }
            catch { return true; }
        })""",
        texts,
    )
    assert failed == []
