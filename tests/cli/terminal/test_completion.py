import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from quizzer.cli.terminal.completion import AnswerCompleter
from quizzer.session.completion import COMMANDS


def completions(text: str) -> list[str]:
    completer = AnswerCompleter(["x", "x_hat", "dy", "gamma"])
    found = completer.get_completions(Document(text), CompleteEvent(completion_requested=True))
    return [completion.text for completion in found]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("2 * x", ["x_hat"]),
        ("d", ["dy"]),
        ("\\delta", ["δ"]),
        ("W^\\to", ["⊤"]),
        ("dy \\od", ["⊙"]),
        ("2 * ", []),
        ("", []),
    ],
)
def test_tab_offers_names_and_signs(typed: str, offered: list[str]) -> None:
    assert completions(typed) == offered


def test_every_command_has_a_sign() -> None:
    for command in COMMANDS:
        (*_, sign) = completions(f"\\{command}")
        assert not sign.startswith("\\")
        assert len(sign.strip()) == 1
