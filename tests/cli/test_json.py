"""Every document that scripts read: its keys and the types of its values, as promised."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine
from samples import card_text

TEXT, MAYBE_TEXT, NUMBER, MAYBE_NUMBER, WHOLE, MAYBE_WHOLE = (
    (str,), (str, type(None)), (float, int), (float, int, type(None)), (int,), (int, type(None))
)  # fmt: skip

ROW = {
    "id": TEXT, "path": TEXT, "course": MAYBE_TEXT, "tags": [TEXT], "difficulty": MAYBE_WHOLE,
    "type": TEXT, "status": TEXT, "points": MAYBE_NUMBER, "checker": (bool,), "state": TEXT,
    "due": MAYBE_TEXT, "stability": MAYBE_NUMBER, "difficulty_fsrs": MAYBE_NUMBER,
    "reviews": WHOLE, "lapses": WHOLE, "leech": (bool,),
}  # fmt: skip
SHOW = ROW | {
    "question": TEXT, "options": {str: TEXT}, "solution": MAYBE_TEXT, "correct_answer": MAYBE_TEXT,
    "steps": [TEXT], "related": [TEXT], "images": [TEXT],
    "asks": [{"name": TEXT, "label": TEXT, "shape": [TEXT], "names": [TEXT]}],
}  # fmt: skip
DUE = {
    "now": TEXT, "day": TEXT, "deck": [TEXT],
    "counts": {"due": WHOLE, "new": WHOLE, "learning": WHOLE},
    "due": [{"id": TEXT, "course": MAYBE_TEXT, "type": TEXT, "due": TEXT, "state": TEXT}],
    "new": [TEXT], "minutes": NUMBER,
}  # fmt: skip
VERIFY = {
    "card": TEXT, "verdict": TEXT, "seed": WHOLE, "missing": [TEXT], "suggested_rating": MAYBE_TEXT,
    "answers": [{
        "name": TEXT, "verdict": TEXT, "notation": MAYBE_TEXT, "message": TEXT,
        "diagnosis": (dict, type(None)), "shape": (list, type(None)),
        "expected_shape": (list, type(None)), "view": (dict, type(None)),
    }],
}  # fmt: skip
CHECK = {
    "forms": {str: [TEXT]}, "cards": WHOLE, "checkers": WHOLE, "notes": WHOLE,
    "problems": [
        {"path": TEXT, "line": WHOLE, "severity": TEXT, "code": TEXT, "message": TEXT}
    ],
}  # fmt: skip
RATE = {
    "card": TEXT, "rating": TEXT, "due": TEXT, "interval_days": WHOLE, "stability": NUMBER,
    "difficulty_fsrs": NUMBER, "leech": (bool,),
}  # fmt: skip
STATS = {
    "cards": WHOLE, "reviews": WHOLE, "streak_days": WHOLE,
    "retention": {"true_30d": MAYBE_NUMBER, "true_all": MAYBE_NUMBER},
    "per_day": {str: WHOLE}, "forecast": {str: WHOLE}, "mistakes": {str: WHOLE},
    "leeches": [TEXT],
}  # fmt: skip
EVENT = {"id": TEXT, "at": TEXT, "day": TEXT, "kind": TEXT, "undone": (bool,)}
CONFIG = {
    "path": TEXT, "exists": (bool,), "deck": [TEXT], "deck_from": TEXT, "store": TEXT,
    "cache": TEXT, "editor": MAYBE_TEXT, "new_per_day": WHOLE, "reviews_per_day": WHOLE,
    "minutes_per_day": (int, type(None)), "desired_retention": NUMBER,
    "maximum_interval": WHOLE, "learning_steps": WHOLE, "relearning_steps": WHOLE,
    "rollover_hour": WHOLE, "idle_minutes": WHOLE,
    "bury_related": (bool,), "load_balance": (bool,), "easy_days": (dict, type(None)),
}  # fmt: skip
FOUND = {"ok": (bool,), "says": TEXT, "details": [TEXT]}
DOCTOR = {"python": TEXT, "platform": TEXT, "history": FOUND, "deck": FOUND, "judging": FOUND}


@pytest.fixture
def reviewed(cli: CommandLine, deck: Path, at: Callable[[str], None]) -> Path:
    """A deck with a due card, a card in its step, a broken file and a missing picture."""
    (deck / "no_id.md").write_text("---\ncourse: x\n---\n# Question\nWho?\n", "utf-8")
    (deck / "picture.md").write_text(card_text("picture", question="![[none.png]] (4p)"), "utf-8")
    cli.ok("rate", "open", "good", "--deck", deck)
    at("2026-12-24T09:00:00+01:00")
    cli.ok("rate", "number", "again", "--deck", deck)
    at("2026-12-24T09:20:00+01:00")
    return deck


@pytest.mark.parametrize(
    ("argv", "shape"),
    [
        (["due"], DUE),
        (["list"], [ROW]),
        (["show", "square"], SHOW),
        (["show", "choice"], SHOW),
        (["show", "picture", "--question"], SHOW),
        (["verify", "square", "dx=2*x"], VERIFY),
        (["verify", "choice", "choice=B"], VERIFY),
        (["verify", "number", "number=1/4"], VERIFY),
        (["check"], CHECK),
        (["rate", "square", "good"], RATE),
        (["stats"], STATS),
        (["history", "open"], [EVENT]),
        (["config"], CONFIG),
        (["doctor"], DOCTOR),
    ],
)
def test_a_document_has_the_promised_keys_and_types(
    cli: CommandLine, reviewed: Path, argv: list[str], shape: object
) -> None:
    document = cli(*argv, "--json", "--deck", reviewed).json
    assert document
    assert_shape(document, shape, argv[0])


def test_absent_values_are_null_and_times_carry_their_offset(
    cli: CommandLine, reviewed: Path
) -> None:
    rows = {row["id"]: row for row in cli.ok("list", "--json", "--deck", reviewed).json}
    assert [rows["square"][key] for key in ("due", "stability", "difficulty_fsrs")] == [None] * 3
    assert rows["number"]["due"] == "2026-12-24T09:10:00+01:00"
    assert rows["open"]["due"].endswith("T04:00:00+01:00")
    assert rows["picture"]["points"] == 4
    assert (
        cli.ok("show", "open", "--json", "--question", "--deck", reviewed).json["solution"] is None
    )


def test_numbers_that_change_come_with_the_seed_that_judges_by_them(
    cli: CommandLine, deck: Path
) -> None:
    (deck / "open.checker").write_text("x: number 2..9\ny = x^2\nshow x\nask y\n", "utf-8")
    numbers = cli.ok("show", "open", "--json", "--deck", deck).json["numbers"]
    (x,) = numbers["given"]["x"]
    assert numbers["values"] == {"y": [str(int(x) ** 2)]}
    answer = f"y={int(x) ** 2}"
    assert cli("verify", "open", answer, "--seed", numbers["seed"], "--deck", deck).code == 0
    asked = cli.ok("show", "open", "--json", "--question", "--deck", deck).json["numbers"]
    assert asked == numbers | {"values": None}
    assert cli.ok("show", "square", "--json", "--deck", deck).json["numbers"] is None


def test_messages_never_mix_with_the_document(cli: CommandLine, reviewed: Path) -> None:
    ran = cli("due", "--json", "--deck", reviewed)
    assert "1 file cannot be used" in ran.err
    assert ran.json["counts"] == {"due": 2, "new": 3, "learning": 1}


def assert_shape(value: Any, shape: Any, where: str) -> None:
    """`[…]` is a list of such, `{str: …}` a table of such, a dict has at least these keys."""
    if isinstance(shape, tuple):
        assert isinstance(value, shape) and (bool in shape or not isinstance(value, bool)), where
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for item in value:
            assert_shape(item, shape[0], f"{where}[]")
    elif str in shape:
        for key, item in value.items():
            assert_shape(item, shape[str], f"{where}.{key}")
    else:
        assert shape.keys() <= value.keys(), where
        for key, inner in shape.items():
            assert_shape(value[key], inner, f"{where}.{key}")
