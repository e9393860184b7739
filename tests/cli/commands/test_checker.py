"""`checker`: a checker in math as Python."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import CHECKER, DERIVATION_CARD, card_text

DOUBLE = "x: N\ny_n = 2 x_n\nask dx: message\nright dx_n = 2 dy_n\n"


@pytest.fixture
def deck(write_deck: Callable[..., Path]) -> Path:
    return write_deck(
        {
            "square.md": DERIVATION_CARD,
            "square.py": CHECKER,
            "open.md": card_text("open"),
            "double.md": card_text("double"),
            "double.checker": DOUBLE,
            "word.md": card_text("word"),
            "word.checker": "lambda: N\ny = 2 lambda\n",
            "wrong.md": card_text("wrong"),
            "wrong.checker": "x: N\ny = 2 z\n",
        }
    )


def test_what_is_printed_takes_the_place_of_the_checker(cli: CommandLine, deck: Path) -> None:
    ran = cli("checker", "double", "--deck", deck)
    assert ran.code == 0
    assert "    # y_n = 2 x_n\n    y = 2 * x\n" in ran.out
    (deck / "double.checker").unlink()
    (deck / "double.py").write_text(ran.out, encoding="utf-8")
    assert cli("check", "--strict", deck / "double.md").code == 0
    assert cli("verify", "double", "dx = 2 δ", "--deck", deck).code == 0
    assert cli("verify", "double", "dx = δ", "--deck", deck).code == 1


@pytest.mark.parametrize(
    ("card", "code", "said"),
    [
        ("open", 2, "open has no checker"),
        ("square", 2, "is Python already"),
        ("word", 2, "line 1: `lambda` is a word of Python: rename it"),
        ("wrong", 4, "line 2: in `y = 2 z`: z is not a known name"),
        ("nothing", 5, "nothing"),
    ],
)
def test_where_there_is_nothing_to_print_it_says_why(
    cli: CommandLine, deck: Path, card: str, code: int, said: str
) -> None:
    ran = cli("checker", card, "--deck", deck)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
