from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from in_turn import InTurn
from samples import SettableClock

from quizzer.deck import load
from quizzer.judge.judges import Judge
from quizzer.plan.settings import Settings
from quizzer.session.daily import Session
from quizzer.store import Store

Start = Callable[..., InTurn]


@pytest.fixture
def store(tmp_path: Path, clock: SettableClock) -> Iterator[Store]:
    with Store.open(tmp_path / "history.db", clock()) as opened:
        yield opened


@pytest.fixture
def start(
    write_deck: Callable[[dict[str, str]], Path],
    clock: SettableClock,
    judge: Judge,
    store: Store,
) -> Start:
    """Start a session over these files."""

    def session(files: dict[str, str], settings: Settings | None = None, **options: Any) -> InTurn:
        options.setdefault("patience", None)
        return InTurn(
            Session(
                deck=load((write_deck(files),), None),
                store=store,
                judge=options.pop("judge", judge),
                settings=settings or Settings(),
                clock=clock,
                rng=Random(1),
                **options,
            )
        )

    return session
