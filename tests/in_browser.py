"""A real browser, where one is installed, and what every test of the pages in it looks at.

No error on the console, nothing that the policy forbids, no request to outside, no scrolling
sideways, and where a test ends, no serious finding of axe.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(PROGRAM is None, reason="no chromium and no google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
AXE = (Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js").read_text("utf-8")
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
Visit = Callable[..., Any]


def faults(page: Any) -> list[str]:
    """What is wrong with a page as it is now: whether it scrolls sideways, what axe finds."""
    found = []
    page.evaluate("document.fonts.ready.then(() => null)")
    if page.evaluate("document.documentElement.scrollWidth") > page.viewport_size["width"]:
        found.append("scrolls sideways")
    if page.evaluate("document.querySelector('main.drawn') !== null"):
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        said = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found += [
            f"axe: {each['id']}: {each['nodes'][0]['html']}"
            for each in said["violations"]
            if each["impact"] in ("serious", "critical")
        ]
    return found


def answer(page: Any, text: str) -> None:
    page.locator("#text").fill(text)
    page.locator("#text").press("Control+Enter")
