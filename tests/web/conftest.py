from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from site_of import Site

from quizzer.judge.judges import Judge
from quizzer.session.short_form import ShortForms


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


@pytest.fixture
def forms_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every card waits for its short form, however busy the machine is."""
    take = ShortForms.take
    monkeypatch.setattr(ShortForms, "take", lambda *each: take(*each[:3], seconds=None))
    monkeypatch.setattr(ShortForms, "is_ready", lambda *_: True)
