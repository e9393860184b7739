import pytest

from quizzer.app.editor import editor_command
from quizzer.app.failure import Usage


def test_the_configuration_comes_before_visual_and_editor() -> None:
    environ = {"VISUAL": "one --wait", "EDITOR": "two"}
    assert editor_command(environ, "three -x") == ["three", "-x"]
    assert editor_command(environ, None) == ["one", "--wait"]
    assert editor_command({"VISUAL": " ", "EDITOR": "two"}, None) == ["two"]


def test_an_editor_that_cannot_be_read_is_told_in_a_sentence() -> None:
    with pytest.raises(Usage, match="EDITOR"):
        editor_command({"EDITOR": "vim 'x"}, None)
