from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from in_browser import OPTIONS, PICTURE, PROGRAM, Visit, faults
from served import serving_here
from site_of import Site

from quizzer.app.workspace import Workspace
from quizzer.judge.judges import Judge


@pytest.fixture
def site(here: Path, deck: Path, judge: Judge, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """Open the pages over a deck, by default one card of each kind."""
    opened: list[Site] = []

    def open_site(root: Path = deck, **options: object) -> Site:
        opened.append(Site(root, tmp_path / "history.db", judge, **options))
        return opened[-1]

    yield open_site
    for each in opened:
        each.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def address(
    here: Path,
    files: dict[str, str],
    forms: str,
    home: Path,
    write_deck: Callable[[dict[str, str]], Path],
    judge: Judge,
    tmp_path: Path,
    forms_in_time: None,
) -> Iterator[str]:
    config = home / ".config" / "quizzer" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f"forms = {forms}\nnew_per_day = 9\n", "utf-8")
    deck = write_deck(files)
    (deck / "dot.png").write_bytes(PICTURE)
    workspace = Workspace(deck_option=(deck,), store_option=tmp_path / "h.db")
    with serving_here(workspace, judge, 8900) as found:
        yield found


@pytest.fixture
def visit(chromium: Any, address: str) -> Iterator[Visit]:
    """Open the printed address in a window of its own, which is watched to the end of the test."""
    wrong: list[str] = []
    open_windows = []
    own = address.partition("?")[0]

    def open_window(width: int = 1280, height: int = 800, **options: Any) -> Any:
        window = chromium.new_context(viewport={"width": width, "height": height}, **options)
        page = window.new_page()
        page.on("console", lambda said: wrong.append(f"console: {said.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("request", lambda sent: sent.url.startswith(own) or wrong.append(sent.url))
        page.set_default_timeout(30_000)
        if options.get("java_script_enabled", True):  # keys are heard once the script has run
            drawn = page.locator("main.drawn")
            page.add_locator_handler(page.locator("main:not(.drawn)"), lambda _: drawn.wait_for())
        open_windows.append(page)
        page.goto(address)
        return page

    yield open_window
    for page in open_windows:
        wrong += faults(page)
        page.context.close()
    assert wrong == []
