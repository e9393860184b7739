"""Rows of the log as a store keeps them."""

from quizzer.store.codec import Row
from quizzer.store.integrity import hashed


def device_rows(count: int, device: str = "laptop", card: str = "a", after: str = "") -> list[Row]:
    """Rows of one device, each after the one before; ids tell device, card and number."""
    found: list[Row] = []
    for number in range(1, count + 1):
        id = f"0190abcd-0000-7000-8000-{device[0].encode().hex()}{card.encode().hex()}{number:08x}"
        row = Row(id, device, after, 1000 + number, 60, 739_000, "bury", card, "{}", "")
        found.append(hashed(row))
        after = id
    return found
