from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from site_of import Site

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
