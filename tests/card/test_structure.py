"""Tables, fences and list items as later readers of a card find them."""

from quizzer.card.scanner import formulas, scan
from quizzer.card.structure import Fence, Row, Table, fences, items, tables

CARD = r"""Words.

| symbol | typed | shape |
|---|---|---|
| $|x|_{ij}$ | `x` | $H \times W$ |
| $f$ | `f` |

1. First (2p)
   $$ a $$
   - inner $b$
2) Second

```checker
ask dx
```
"""


def test_a_table_is_rows_of_cells_with_their_lines() -> None:
    assert list(tables(scan(CARD, 10))) == [
        Table(
            Row(("symbol", "typed", "shape"), 12),
            (
                Row((r"$|x|_{ij}$", "`x`", r"$H \times W$"), 14),
                Row(("$f$", "`f`", ""), 15),
            ),
        )
    ]


def test_two_tables_are_two() -> None:
    text = "|a|\n|-|\n|b|\n\n|c|\n|-|"
    assert [(t.head.cells, len(t.rows)) for t in tables(scan(text))] == [(("a",), 1), (("c",), 0)]


def test_a_fence_has_its_info_and_its_line() -> None:
    assert list(fences(scan(CARD, 10))) == [Fence("checker", "ask dx\n", 22)]


def test_items_know_their_marker_their_depth_and_what_they_hold() -> None:
    found = list(items(scan(CARD, 10)))
    assert [(item.marker, item.depth, item.line) for item in found] == [
        ("1.", 0, 17),
        ("-", 1, 19),
        ("2)", 0, 20),
    ]
    held = [[token.content.strip() for token in formulas(item.tokens)] for item in found]
    assert held == [["a"], ["b"], []]
    assert found[0].stop == 20
