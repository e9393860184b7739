"""Loading a deck of 10,000 cards: the first scan, and with a warm index.

Run: .venv/bin/python benchmarks/deck.py
"""

import tempfile
import time
from pathlib import Path

from quizzer.deck import load

CARDS = 10_000
TEXT = """---
id: card-{number}
course: Course {course}
tags: [one, two, three]
difficulty: {difficulty}
type: derivation
status: to_learn
---

# Question
(5p) Given $f(x) = \\max_i x_i$ and its upstream $\\delta$, derive the backward message
$$ \\frac{{\\partial L}}{{\\partial x_i}} $$
of card {number}.

---
# Solution
**Short Answer:** the maximum gets it all.

### Steps / Derivation
1. Look for the maximum.
2. Pass the upstream on to it.

## Related Concepts
- [[max-pooling]]
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder, "deck"), Path(folder, "cache")
        write_deck(root)
        print(f"{CARDS} cards {'':>20} {'s':>6} {'ms a card':>10}")
        for name in ("first scan", "warm index", "warm index again"):
            began = time.perf_counter()
            deck = load((root,), cache)
            taken = time.perf_counter() - began
            assert len(deck.entries) == CARDS
            print(f"{name:<32} {taken:6.2f} {taken / CARDS * 1e3:10.3f}")


def write_deck(root: Path) -> None:
    """10,000 cards in twenty folders."""
    for number in range(CARDS):
        path = root / f"course-{number % 20}" / f"card_{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = TEXT.format(number=number, course=number % 20, difficulty=number % 5 + 1)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
