"""How answers are read from arguments and from a text."""

from pathlib import Path

import pytest

from quizzer.cli.failure import Usage
from quizzer.cli.given import by_name, from_arguments, from_file


def test_an_argument_is_split_at_its_first_equals_sign() -> None:
    assert from_arguments(["dx = [i=j]", "y==3", "a= "]) == [
        ("dx", "[i=j]"), ("y", "=3"), ("a", "")
    ]  # fmt: skip


@pytest.mark.parametrize("argument", ["dx", "=3", "  = 3", ""])
def test_an_argument_without_a_name_is_refused(argument: str) -> None:
    with pytest.raises(Usage, match="NAME=ANSWER"):
        from_arguments([argument])


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("2 * x\n", [("", "2 * x")]),
        ("# dx\n2 * x\n\n# db\nx\n", [("dx", "2 * x"), ("db", "x")]),
        ("\ufeff# dx\r\na\r\nb\r\n", [("dx", "a\nb")]),
        ("#dx[i, j]\n1\n", [("dx[i, j]", "1")]),
        ("# \\delta_{x,ij}\n1\n", [("\\delta_{x,ij}", "1")]),
        ("# dx\n# the upstream first\ns = dy\ns\n", [("dx", "# the upstream first\ns = dy\ns")]),
        ("# dx\n## dx\n1", [("dx", "## dx\n1")]),
        ("head\n# dx\n1", [("", "head"), ("dx", "1")]),
    ],
)
def test_a_text_holds_answers_under_lines_with_their_names(
    tmp_path: Path, text: str, given: list[tuple[str, str]]
) -> None:
    file = tmp_path / "answers"
    file.write_bytes(text.encode())
    assert from_file(file) == given


def test_a_text_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"# dx\n\xe9")
    (tmp_path / "empty").write_bytes(b" \n")
    for name, said in (("gone", "No such file"), ("latin", "UTF-8"), ("empty", "is empty")):
        with pytest.raises(Usage, match=said):
            from_file(tmp_path / name)


@pytest.mark.parametrize("name", ["dx[i,j]", "dx_ij", "dx_{ij}", "dx [i, j]"])
def test_indices_of_a_name_stay_the_left_side_of_the_answer(name: str) -> None:
    assert by_name([(name, "1")], ["d", "dx"]) == {"dx": f"{name} = 1"}


def test_an_unknown_name_is_left_to_the_judge() -> None:
    assert by_name([("dz", "1"), ("∂L/∂x", "2")], ["dx"]) == {"dz": "1", "∂L/∂x": "2"}


def test_a_text_without_a_name_answers_the_only_question() -> None:
    assert by_name([("", "1")], ["dx"]) == {"dx": "1"}
    with pytest.raises(Usage, match="asked: dx, db"):
        by_name([("", "1")], ["dx", "db"])


def test_a_name_answered_twice_is_refused() -> None:
    for other in ("dx", "dx[i]"):
        with pytest.raises(Usage, match="`dx` is answered twice"):
            by_name([("dx", "1"), (other, "2")], ["dx"])
