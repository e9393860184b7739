"""Takes the pictures of the pages that README and docs show.

Needs a Chromium. Run: .venv/bin/python docs/images/take.py
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from quizzer.deck import starter_deck
from quizzer.store import Store
from quizzer.values import Form, Rating, Review, State, study_day

HERE = Path(__file__).parent
PROGRAM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
CARD = "softmax_jacobian"
FIRST = "∂L/∂z_j = Σ_k δ_k p_k ([k=j] - p_j)\n        = "
WRONG, RIGHT = "p_j (Σ_k δ_k p_k - δ_j)", "p_j (δ_j - Σ_k δ_k p_k)"
Rated = dict[str, list[tuple[int, Rating, Form]]]
"""By the card: how many days ago, how, and in which form."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        derivation(browser, Path(folder, "blank"))
        slip(browser, Path(folder, "slip"))
        course_map(browser, Path(folder, "map"))


def derivation(browser: Any, home: Path) -> None:
    """A derivation with its second line wrong; put right on a phone, in the dark."""
    with served(home, 'forms = ["blank"]', one_card(home), {}) as address:
        window = browser.new_context(viewport={"width": 1160, "height": 720})
        page = begun(window, address)
        sent(page, FIRST + WRONG)
        page.locator(".try.wrong").wait_for()
        page.locator("#text").press("Enter")
        page.get_by_text("The sign is wrong").wait_for()
        page.locator(".live.read .katex").wait_for()
        taken(page, "browser")
        phone = browser.new_context(
            viewport={"width": 390, "height": 780},
            color_scheme="dark",
            storage_state=window.storage_state(),
        ).new_page()
        phone.goto(address.partition("?")[0] + "today")
        sent(phone, "dp_dz_kj = p_k ([k=j] - p_j)")
        phone.locator(".try.correct").wait_for()
        sent(phone, FIRST + RIGHT)
        phone.locator(".ratings").wait_for()
        phone.wait_for_timeout(500)
        phone.screenshot(path=HERE / "phone.png")


def slip(browser: Any, home: Path) -> None:
    """A card that comes with a wrong line."""
    rated: Rated = {"q-softmax-jacobian": [(4, Rating.GOOD, Form.WORKED)]}
    deck = one_card(home)
    (deck / "first.md").write_text(
        "---\nid: first\ntype: open\n---\n# Question\nWhy?\n\n---\n# Solution\nSo.\n", "utf-8"
    )
    with served(home, 'forms = ["slip"]', deck, rated) as address:
        page = begun(browser.new_context(viewport={"width": 1160, "height": 720}), address)
        page.wait_for_timeout(15_000)  # meanwhile the lines of the other card are proven
        page.get_by_role("button", name="Skip").click()
        page.locator(".sheet-lines").wait_for()
        taken(page, "slip")


def course_map(browser: Any, home: Path) -> None:
    """The first course, some weeks in."""
    deck = starter_deck() / "1_calculus_and_autodiff"
    rated: Rated = {}
    for place, card in enumerate(sorted(deck.glob("*.md"))):
        name = next(
            line for line in card.read_text("utf-8").splitlines() if line.startswith("id: ")
        )
        if place % 3 != 1:
            rated[name[4:]] = [
                (9, Rating.GOOD, Form.WORKED),
                (3 + place % 4, Rating.GOOD, Form.BLANK),
            ]
    with served(home, "", deck, rated) as address:
        page = browser.new_context(viewport={"width": 1160, "height": 720}).new_page()
        page.goto(address)
        page.get_by_role("link", name="Map").click()
        page.locator(".tree").wait_for()
        taken(page, "map")


def one_card(home: Path) -> Path:
    """A deck that has the card alone."""
    deck = home / "deck"
    deck.mkdir(parents=True)
    shutil.copy(next(starter_deck().rglob(f"{CARD}.md")), deck)
    return deck


def begun(window: Any, address: str) -> Any:
    """A page with the first card of the day."""
    page = window.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.get_by_role("button", name="Begin").click()
    page.locator(".card").wait_for()
    return page


def taken(page: Any, name: str) -> None:
    """The picture from the top of the page, with no pointer over it."""
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(500)
    page.screenshot(path=HERE / f"{name}.png")


def sent(page: Any, text: str) -> None:
    page.locator("#text").fill(text)
    page.locator("#text").press("Control+Enter")


@contextmanager
def served(home: Path, forms: str, deck: Path, rated: Rated) -> Iterator[str]:
    """The address of the pages of a learner who rated cards so many days ago."""
    written = home / ".config" / "quizzer" / "config.toml"
    written.parent.mkdir(parents=True)
    written.write_text(forms, "utf-8")
    history = home / "history.db"
    days = sorted({days for every in rated.values() for days, *_ in every}, reverse=True)
    with Store.open(history, NOW - timedelta(days=30)) as store:
        for day in days:
            at = NOW - timedelta(days=day)
            for card, every in rated.items():
                for ago, rating, form in every:
                    if ago == day:
                        state = State.NEW if form is Form.WORKED else State.REVIEW
                        review = Review(card, rating, 3, state, form=form)
                        store.record(review, at=at, day=study_day(at))
    program = Path(sys.executable).with_name("quizzer")
    words = ["serve", "--no-open", "--store", str(history), "--deck", str(deck)]
    own = {"HOME": str(home), "QUIZZER_NOW": NOW.isoformat(), "PATH": os.environ["PATH"]}
    with subprocess.Popen(
        [str(program), *words], env=own, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
