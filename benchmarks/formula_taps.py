"""Taps for the answers of `browser_taps.py` in MathLive's formula field, beside the text field.

Give it the `mathlive.min.js` of `npm pack mathlive@0.111.1`. The field gets the best keyboard that
we can think of: a key for each name, one tap for each index letter, squares, fractions and `exp`
with their places, brackets that close themselves, and no tap to leave any of them. What the field
holds at the end is judged by the cards of the starter deck. Needs Playwright and Chromium.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browser_taps import ANSWERS, CARDS

from quizzer.deck import load
from quizzer.judge.judgement import Broken
from quizzer.judge.judges import Judge
from quizzer.values import Verdict

KEY = re.compile(r"_[a-z]+|\^2|exp\(|dL_db|x̂|[A-Za-z]+|\d|\S")
LATEX = {
    "^2": "^{2}",
    "exp(": r"\exp(#?",
    "Σ": r"\sum",
    "⊤": r"^{\top}",
    "⊙": r"\odot ",
    "β": r"\beta ",
    "δ": r"\delta ",
    "x̂": r"\hat{x}",
    "fraction": r"\frac{#@}{#?}",
    "dL_db": r"\operatorname{dL\_db}",
}
IN_TWO_DIMENSIONS = {
    ("q-softplus", "dx"): "dx _i = dy _i fraction 1 + exp( - β x _i",
    ("q-dropout", "dx"): "dx _ni = dy _ni m _ni fraction 1 - r",
}
"""Where a fraction saves brackets; all others are typed from left to right, as in a text field."""
FIELD = """() => {
    MathfieldElement.soundsDirectory = null;
    Object.assign(field, {smartFence: true, inlineShortcuts: {}});
}"""
INSERT = "latex => field.executeCommand(['insert', latex, {selectionMode: 'placeholder'}])"


def main() -> None:
    from playwright.sync_api import sync_playwright

    if len(sys.argv) != 2:
        print("usage: formula_taps.py MATHLIVE.min.js")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        shutil.copy(sys.argv[1], Path(folder, "mathlive.js"))
        page_file = Path(folder, "page.html")
        page_file.write_text(
            "<meta charset=utf-8><script src=mathlive.js></script>"
            "<math-field id=field></math-field>"
        )
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(page_file.as_uri())
        page.wait_for_function("field.executeCommand !== undefined")
        page.evaluate(FIELD)
        found = list(measured(page))
        browser.close()
    text, formula = (sum(each[k] for each in found) for k in (0, 1))
    better = sum(in_field < in_text for in_text, in_field, _ in found)
    print(f"{sum(right for *_, right in found)} of {len(found)} formulas judged right")
    print(f"taps: {text} in the text field, {formula} in the formula field")
    print(f"fewer in the formula field: {better} of {len(found)} answers")


def measured(page: Any) -> Iterator[tuple[int, int, bool]]:
    """For each answer the taps as text and as a formula, and whether the formula is right."""
    deck = load((CARDS,))
    with Judge() as judge:
        for (card, name), answer in ANSWERS.items():
            two = IN_TWO_DIMENSIONS.get((card, name))
            keys = two.split() if two else KEY.findall(answer)
            page.evaluate("() => { field.value = ''; }")
            for key in keys:
                page.evaluate(INSERT, latex(key))
            checker = deck.by_id[card].checker
            assert checker
            got = page.evaluate("() => field.getValue('latex-expanded')")
            judged = judge.judge(checker, {name: got}, 7)
            right = not isinstance(judged, Broken) and (
                judged.answers[0].verdict is Verdict.CORRECT
            )
            if not right:
                print(f"not judged right: {card}: {got}")
            squares = answer.count("^2")  # in the text field these are two taps
            yield sum(map(taps, KEY.findall(answer))) + squares, sum(map(taps, keys)), right


def taps(key: str) -> int:
    return len(key) - 1 if key.startswith("_") else 1


def latex(key: str) -> str:
    if key in LATEX:
        return LATEX[key]
    if key.startswith("_"):
        return f"_{{{key[1:]}}}"
    return rf"\operatorname{{{key}}}" if len(key) > 1 and key.isalpha() else key


if __name__ == "__main__":
    main()
