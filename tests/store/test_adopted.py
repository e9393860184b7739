from pathlib import Path

import pytest

from quizzer.schedule.fsrs import DEFAULT_PARAMETERS
from quizzer.store import StoreError, adopted
from quizzer.store.adopted import Adopted

OWN = Adopted((0.1, *DEFAULT_PARAMETERS[1:]), day=739_940, reviews=1234)


def test_adopted_parameters_are_read_as_they_were_written(tmp_path: Path) -> None:
    store = tmp_path / "history.db"
    path = adopted.write(store, OWN)
    assert adopted.read(store) == OWN
    assert path == tmp_path / "history-parameters.json"
    assert list(tmp_path.iterdir()) == [path]


def test_a_store_without_adopted_parameters_has_none(tmp_path: Path) -> None:
    assert adopted.read(tmp_path / "history.db") is None


def test_new_parameters_replace_the_old_ones(tmp_path: Path) -> None:
    store = tmp_path / "history.db"
    adopted.write(store, Adopted(DEFAULT_PARAMETERS, 739_000, 5))
    adopted.write(store, OWN)
    assert adopted.read(store) == OWN


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "does not hold memory parameters"),
        ("[]", "does not hold memory parameters"),
        ('{"model": "FSRS-6"}', "does not hold memory parameters"),
        ("[" * 100_000, "does not hold memory parameters"),
        (
            '{"model": "FSRS-7", "parameters": [1], "day": "2026-11-20", "reviews": 1}',
            "another model than FSRS-6",
        ),
        (
            '{"model": "FSRS-6", "parameters": [1], "day": "2026-11-20", "reviews": 1}',
            "outside the bounds",
        ),
        (
            f'{{"model": "FSRS-6", "parameters": {[*DEFAULT_PARAMETERS[:20], 9.9]}, '
            '"day": "2026-11-20", "reviews": 1}',
            "outside the bounds",
        ),
    ],
)
def test_a_file_that_holds_something_else_is_named_with_a_way_out(
    tmp_path: Path, text: str, said: str
) -> None:
    store = tmp_path / "history.db"
    adopted.beside(store).write_text(text, "utf-8")
    with pytest.raises(StoreError) as caught:
        adopted.read(store)
    assert said in str(caught.value)
    assert str(adopted.beside(store)) in str(caught.value)
    assert "Delete it" in str(caught.value)


def test_where_nothing_can_be_written_the_old_parameters_stand(tmp_path: Path) -> None:
    store = tmp_path / "history.db"
    adopted.write(store, OWN)
    (tmp_path / "history-parameters.new").mkdir()
    with pytest.raises(StoreError):
        adopted.write(store, Adopted(DEFAULT_PARAMETERS, 739_950, 9))
    assert adopted.read(store) == OWN
