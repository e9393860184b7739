"""Chains of events as the log keeps them."""

from quizzer.store.chain import START, sealed
from quizzer.store.codec import Row


def chained(count: int, device: str = "laptop", card: str = "a", before: str = START) -> list[Row]:
    """A chain whose ids are told apart by device, card and number."""
    found: list[Row] = []
    for seq in range(1, count + 1):
        id = f"0190abcd-0000-7000-8000-{device[0].encode().hex()}{card.encode().hex()}{seq:08x}"
        row = Row(id, device, seq, 1000 + seq, 60, 739_000, "bury", card, "{}", "")
        found.append(sealed(row, found[-1].hash if found else before))
    return found
