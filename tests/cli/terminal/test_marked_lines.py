"""Marks stand at the right edge of the last row of a line, however long it is."""

import pytest

from quizzer.cli.terminal.marked_lines import at_edge
from quizzer.session.marks import MarkedLine

ROOM = 20


@pytest.mark.parametrize("length", range(45))
@pytest.mark.parametrize("edge", ["✓", "follows from 2"])
@pytest.mark.parametrize("free", [0, 1])
def test_a_mark_ends_at_the_edge_of_the_last_row(length: int, edge: str, free: int) -> None:
    text = "x" * length
    row = text + at_edge(text, MarkedLine(1, text, "right", edge), ROOM, free)
    assert len(row) % ROOM == (ROOM - free) % ROOM
    assert row.removeprefix(text).strip() == edge
    assert row[length] == " "
