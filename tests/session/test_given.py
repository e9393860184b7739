"""How answers are read from arguments and from a text."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from quizzer.app.failure import Usage
from quizzer.cli.commands.verify import answers_in
from quizzer.session.given import AnswersError, Given, by_name, from_arguments


def test_an_argument_is_split_at_its_first_equals_sign() -> None:
    given = from_arguments(["dx = [i=j]", "y==3", "a= "])
    assert told(given) == [("dx", "[i=j]"), ("y", "=3"), ("a", "")]


@pytest.mark.parametrize("argument", ["dx", "=3", "  = 3", ""])
def test_an_argument_without_a_name_is_refused(argument: str) -> None:
    with pytest.raises(AnswersError, match="NAME=ANSWER"):
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
    assert told(answers_in(file)) == given


def test_a_text_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"# dx\n\xe9")
    (tmp_path / "empty").write_bytes(b" \n")
    for name, said in (("gone", "No such file"), ("latin", "UTF-8"), ("empty", "is empty")):
        with pytest.raises(Usage, match=said):
            answers_in(tmp_path / name)


@pytest.mark.parametrize("name", ["dx[i,j]", "dx_ij", "dx_{ij}", "dx [i, j]"])
def test_indices_of_a_name_stay_the_left_side_of_the_answer(name: str) -> None:
    assert judged([(name, "1")], ["d", "dx"]) == {"dx": f"{name} = 1"}


def test_an_unknown_name_is_left_to_the_judge() -> None:
    assert judged([("dz", "1"), ("∂L/∂x", "2")], ["dx"]) == {"dz": "1", "∂L/∂x": "2"}


def test_a_text_without_a_name_answers_the_only_question() -> None:
    assert judged([("", "1")], ["dx"]) == {"dx": "1"}
    with pytest.raises(AnswersError, match="asked: dx, db"):
        judged([("", "1")], ["dx", "db"])


def test_a_name_answered_twice_is_refused() -> None:
    for other in ("dx", "dx[i]"):
        with pytest.raises(AnswersError, match="`dx` is answered twice"):
            judged([("dx", "1"), (other, "2")], ["dx"])


@pytest.mark.parametrize(
    "source", ["dx_ij=α ?\nβ", "  dx_ij  =\n α ?\n  β", "dx=α ?\nβ", "def dx(): α ?\n β"]
)
def test_places_are_those_in_the_argument(source: str) -> None:
    (answer,) = by_name(from_arguments([source]), ["dx"]).values()
    check_places(answer, source)


@pytest.mark.parametrize(
    "source",
    ["# dx_ij\nα ?\n", "# dx_ij\n\n  α ?\nβ", "α ?\n β", "# y\nx\n# dx [i, j]\nα\n?\n# db\n1"],
)
def test_places_are_those_in_the_file(tmp_path: Path, source: str) -> None:
    file = tmp_path / "answers"
    file.write_bytes(f"\ufeff{source}".replace("\n", "\r\n").encode())
    given = answers_in(file)
    check_places(by_name(given, ["dx"] if len(given) == 1 else ["y", "dx"])["dx"], source)


def check_places(answer: Given, source: str) -> None:
    """Each sign of the answer and of its left side is found where the source has it."""
    lines = source.split("\n")
    for number, line in enumerate(answer.judged.split("\n"), start=1):
        for column, sign in enumerate(line, start=1):
            there, beside = answer.place(number, column)
            assert there is not None and beside is not None
            if number > 1 or not len(answer.left) - 3 < column <= len(answer.left):
                assert lines[there - 1][beside - 1] == sign


def test_a_place_that_is_not_known_is_not_made_up() -> None:
    indexed, plain = from_arguments(["dx_ij=\n1", "y=\n1"])
    named = by_name([indexed, plain], ["dx", "y"])
    assert named["dx"].place(None, None) == (None, None)
    # Line 1 holds the name and the beginning of the text, which stand on two lines.
    assert named["dx"].place(1, None) == (None, None)
    assert named["y"].place(1, None) == (2, None)


def told(given: Iterable[Given]) -> list[tuple[str, str]]:
    return [(answer.name, answer.text) for answer in given]


def judged(given: Iterable[tuple[str, str]], names: Sequence[str]) -> dict[str, str]:
    """What is judged of these names and texts."""
    answers = by_name([Given(name, text, text) for name, text in given], names)
    return {name: answer.judged for name, answer in answers.items()}
