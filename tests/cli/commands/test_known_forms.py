"""`check --forms` works out which forms cards can have; `list` and `show` know it from then on."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from form.sheets import SIGMOID
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD

from quizzer.form import known as proving

FILES = {
    "gate.md": SIGMOID,
    "square.md": DERIVATION_CARD,
    "square.py": CHECKER,
    "choice.md": CHOICE_CARD,
}


def forms(cli: CommandLine, deck: Path) -> dict[str, list[str] | None]:
    return {row["id"]: row["forms"] for row in cli.ok("list", "--json", "--deck", deck).json}


def test_check_says_which_forms_a_card_can_have_and_list_keeps_it(
    cli: CommandLine, write_deck: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = write_deck(FILES)
    assert forms(cli, deck) == {"q-gate": None, "square": None, "choice": ["blank"]}
    checked = cli("check", "--forms", "--json", "--deck", deck).json["forms"]
    assert checked == {
        "q-gate": ["worked", "slip", "missing", "blank"],
        "square": ["worked", "blank"],
        "choice": ["blank"],
    }
    assert forms(cli, deck) == checked
    shown = cli.ok("show", "q-gate", "--json", "--deck", deck).json
    assert (shown["forms"], shown["declared"]) == (checked["q-gate"], True)
    monkeypatch.setattr(proving, "proven", lambda *_: pytest.fail("proven again"))
    assert "forms of square: worked, blank (" in cli("check", "--forms", "--deck", deck).err


def test_a_card_that_changed_is_proven_again(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    deck = write_deck({"gate.md": SIGMOID})
    cli("check", "--forms", "--deck", deck)
    whole = (deck / "gate.md").read_text("utf-8")
    begin, end = whole.index("# Solution"), whole.index("```checker")
    (deck / "gate.md").write_text(f"{whole[:begin]}# Solution\nThat.\n\n{whole[end:]}", "utf-8")
    assert forms(cli, deck) == {"q-gate": None}
    assert "forms of q-gate: " in cli("check", "--forms", "--deck", deck).err


def test_a_card_with_too_few_lines_is_told_without_working_out_any_forms(
    cli: CommandLine, write_deck: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = write_deck(FILES)
    monkeypatch.setattr(proving, "proven", lambda *_: pytest.fail("proven for its forms"))
    checked = cli.ok("check", "--json", "--deck", deck).json
    assert checked["forms"] == {"square": ["worked", "blank"], "choice": ["blank"]}
    assert checked["problems"] == []
    assert "q-gate" not in cli.ok("check", "--deck", deck).err
