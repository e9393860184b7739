"""The table of symbols: what to type, and in which shape."""

from pathlib import Path

import pytest
from samples import card_text

from quizzer.card import Card, parse
from quizzer.card.table import size, typed_names


def card(*rows: str, head: str = "symbol | typed | shape") -> Card:
    table = [f"| {head} |", "|---|---|---|", *(f"| {row} |" for row in rows)]
    parsed = parse(card_text("a", question="\n".join(table)).encode(), Path("a.md")).card
    assert parsed is not None
    return parsed


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ("number", ()),
        ("a number", ()),
        ("$N$", ("N",)),
        (r"$N \times D$", ("N", "D")),
        (r"$H \times W$, both even", ("H", "W")),
        (r"$(H - 1)/2 \times M Q$", ("(H - 1)/2", "M Q")),
        ("a list", None),
        (r"$\mathbb{R}^N$", None),
        ("", None),
    ],
)
def test_a_shape_is_read_where_it_is_written_as_sizes(
    shape: str, axes: tuple[str, ...] | None
) -> None:
    (typed,) = typed_names(card(f"$x$ | `x` | {shape}"))
    assert (typed.name, typed.axes) == ("x", axes)


def test_names_of_one_row_share_its_shape_and_a_row_may_point_to_another() -> None:
    rows = typed_names(card("$a_i$, $b_i$ | `a`, `b` | $D$", r"$\delta$ | `dy` | as $a$"))
    assert [(row.name, row.axes) for row in rows] == [(name, ("D",)) for name in ("a", "b", "dy")]
    assert rows[2].line == rows[0].line + 1


def test_another_table_is_no_table_of_symbols() -> None:
    assert typed_names(card("conv | `3` | $N$", head="layer | kernel | shape")) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("s (D - 1) + K", 17),
        ("2N", 8),
        ("(H-1)/2", 2),
        ("H/2", 2.5),
        ("Z", None),
        ("N / (N - 4)", None),
        ("9**9**9", None),
        ("N +", None),
    ],
)
def test_a_size_is_worked_out_from_its_letters(text: str, value: float | None) -> None:
    assert size(text, {"s": 2, "D": 8, "K": 3, "N": 4, "H": 5}) == value
