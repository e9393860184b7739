"""Pages of a long log: what columns tell of a page is what each of its rows tells alone."""

from collections.abc import Sequence
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from quizzer.store import layout, pages
from quizzer.store.codec import Row, has_types
from quizzer.store.integrity import hashed, is_as_written

IDS = [f"0190{number:04x}-0000-7000-8000-00000000000{number}" for number in range(4)]
PLAIN = Row(IDS[1], IDS[0], "", 1_700_000_000_000, 60, 7, "review", "a", "{}", "")
odd: st.SearchStrategy[Any] = st.sampled_from(
    [
        "",
        "é",
        '"',
        "\\",
        "\x7f",
        "\n",
        "\ud800",
        IDS[2].upper(),
        b"",
        b"\0",
        b"7" * 16,
        None,
        7,
        7.5,
    ]
)
values: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("id", "device", "after"), st.sampled_from(IDS)),
    "at_ms": st.integers(),
    "card": st.text(max_size=3),
    "body": st.text(max_size=3),
    "hash": st.sampled_from(["", "0" * 64]),
}
rows = st.fixed_dictionaries({}, optional=values).map(lambda changed: PLAIN._replace(**changed))
damaged = st.dictionaries(st.sampled_from(Row._fields), odd, max_size=1)


@st.composite
def kept_rows(draw: st.DrawFn) -> tuple[Any, ...]:
    """A row as it is kept: sound, with another hash, or with another value in any column."""
    row = draw(rows)
    row = row if row.hash else hashed(row)
    changed = draw(damaged)
    row = row._replace(**changed)
    if draw(st.booleans()) and has_types(row):
        row = hashed(row)
    return Row._make(layout.kept(row) if has_types(row) else row)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(kept_rows(), max_size=3))
@example([])
def test_a_page_is_as_it_was_written_where_each_of_its_rows_is(page: Sequence[Any]) -> None:
    told = [Row._make(row) for row in layout.rows(page)]
    expected = [is_as_written(row) for row in told]
    assert pages.kept_as_written(pages.Page(page)) == expected
    assert pages.as_written(told) == expected


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.lists(kept_rows(), max_size=3))
def test_a_page_is_told_in_texts_as_each_of_its_values_is(page: Sequence[Any]) -> None:
    assert layout.rows(page) == [
        (*map(layout.id_of, row[:3]), *row[3:9], layout.hash_of(row[9])) for row in page
    ]
    for column in ([row[place] for row in page] for place in range(3)):
        assert layout.are_ids(column) == all(type(layout.id_of(each)) is str for each in column)
