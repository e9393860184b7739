from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzer.sandbox.judge import Judge


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    with Judge() as judge:
        yield judge


@pytest.fixture(scope="session")
def checkers() -> Path:
    return Path(__file__).parent.parent / "check" / "checkers"
