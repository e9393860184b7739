"""Taps on a phone for a printed symbol, with the row of keys and completion alone.

Twenty right answers are typed at 390×844 in Chromium, by tapping the keys of the page, and judged
by the cards of the starter deck. Needs the extra `web`, Playwright and Chromium.
"""

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from browser import end, start

ANSWERS = {
    ("q-linear-vector", "dx"): "W⊤ δ",
    ("q-linear-vector", "dW"): "δ x⊤",
    ("q-linear-layer", "dx"): "dy W",
    ("q-linear-layer", "dW"): "dy⊤ x",
    ("q-linear-layer", "db"): "db_m = Σ_n dy_nm",
    ("q-sigmoid", "dx"): "dx_i = dy_i y_i (1-y_i)",
    ("q-tanh", "dx"): "dx_i = dy_i (1-y_i^2)",
    ("q-relu", "dx"): "dx_i = dy_i [x_i>0]",
    ("q-silu", "dx"): "dx_i = dy_i (s_i+x_i s_i (1-s_i))",
    ("q-softplus", "dx"): "dx_i = dy_i/(1+exp(-β x_i))",
    ("q-attention", "dV"): "P⊤ dO",
    ("q-masked-attention", "dV"): "P⊤ dO",
    ("q-gated-linear-unit", "dV"): "X⊤ (dY⊙G)",
    ("q-batch-norm", "dgamma"): "dgamma_i = Σ_n dy_ni x̂_ni",
    ("q-batch-norm", "dbeta"): "dbeta_i = Σ_n dy_ni",
    ("q-convolution-1d", "dx"): "dx_j = Σ_u dy[j-u] w_u",
    ("q-convolution-1d", "dw"): "dw_u = Σ_i dy_i x[i+u]",
    ("q-dropout", "dx"): "dx_ni = dy_ni m_ni/(1-r)",
    ("q-softmax-jacobian", "dz"): "dz_j = p_j (dp_j-Σ_k dp_k p_k)",
    ("q-kl-categorical", "dL_db"): "q-p",
}
"""By card and asked name, as it is read; blanks do not count."""
SYMBOL = re.compile(r"dL_db|x̂|_[a-z]+|[A-Za-z]+|\d+|[^\s^]")
"""A name, indices, a number, a sign. What only places them is not printed."""
CARDS = Path(__file__).parent.parent / "cards"


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = Path(folder)
        wanted = {card for card, _ in ANSWERS}
        for file in CARDS.rglob("*.md"):
            if any(f"\nid: {card}\n" in file.read_text("utf-8") for card in wanted):
                shutil.copy(file, root)
        server, address = start(root)
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            taps, right = typed(browser, address)
        finally:
            browser.close()
            end(server)
    printed = sum(map(symbols, ANSWERS.values()))
    print(f"{right} of {len(ANSWERS)} answers judged right")
    print(f"{taps} taps for {printed} printed symbols: {taps / printed:.2f} (at most 1.3)")


def typed(browser: Any, address: str) -> tuple[int, int]:
    """The taps, and how many answers are right."""
    window = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = window.new_page()
    page.goto(address)
    page.goto(f"{address.partition('?')[0]}quiz")
    page.get_by_label("Cards").fill("")
    page.get_by_role("button", name="Begin").tap()
    taps = right = 0
    while True:
        page.locator("[data-card], .score").first.wait_for()
        if page.locator(".score").count():
            return taps, right
        card = page.locator("[data-card]").get_attribute("data-card").removeprefix("quiz ")
        number = page.locator("[name=number]").first.input_value()
        answer = ANSWERS.get((card, asked(page)))
        before = page.locator(".try.correct").count()
        if page.locator(".single").count():
            page.locator(".single button").tap()
        elif answer is None:
            page.locator("form[action$=leave] button").tap()
        else:
            taps += tap(page, answer)
            page.get_by_role("button", name="Check").tap()
        page.locator(f"[name=number][value='{number}']").first.wait_for(state="detached")
        if answer and page.locator(".try.correct").count() > before:
            right += 1
        elif answer:
            print(f"not judged right: {card}: {answer}")


def asked(page: Any) -> str:
    field = page.locator("#text")
    return str(field.get_attribute("data-part")) if field.count() else ""


def tap(page: Any, answer: str) -> int:
    """Type the answer key by key, each time the one that goes furthest; how many taps it took."""
    wanted, taps = bare(answer), 0
    page.locator("#text").fill("")
    keys = page.locator(".sign[data-insert], .sign[data-index]")
    signs = keys.evaluate_all("keys => keys.map(key => [key.dataset.insert, key.dataset.index])")
    while (done := bare(page.locator("#text").input_value())) != wanted:
        assert wanted.startswith(done), (answer, done)
        rest = wanted[len(done) :]
        fits = [
            (len(text), key)
            for key, (sign, index) in enumerate(signs)
            for text in ([sign] if sign else [index, f"_{index}"])
            if rest.startswith(text)
        ]
        assert fits, f"no key for {rest} of {answer}"
        keys.nth(max(fits)[1]).tap()
        taps += 1
    return taps


def bare(text: str) -> str:
    return "".join(text.split())


def symbols(answer: str) -> int:
    """What is printed of an answer; each index stands for itself."""
    found = SYMBOL.findall(answer)
    return sum(len(each) - 1 if each.startswith("_") else 1 for each in found)


if __name__ == "__main__":
    main()
