"""The first screen, and what is due."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from command_line import CommandLine
from form.sheets import SIGMOID
from samples import MORNING, card_text

from quizzer.store import Store


def test_on_a_fresh_machine_three_lines_lead_on(cli: CommandLine) -> None:
    ran = cli.ok()
    first, second, third = ran.out.splitlines()
    assert "new cards today" in first and "quizzer review" in first
    assert "the starter deck" in second and "cards" in second
    assert "quizzer use FOLDER" in third and "quizzer init FOLDER" in third
    assert ran.err == ""
    assert max(map(len, ran.out.splitlines())) <= 80


def test_in_a_folder_with_cards_the_first_screen_names_it(
    cli: CommandLine, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (deck / "bad.md").write_text("---\nid: \n---\n", "utf-8")
    monkeypatch.chdir(deck)
    cli.ok("rate", "open", "again")
    assert cli.ok().out.splitlines() == [
        "3 new cards today, about 15 min. Start with: quizzer review",
        f"Deck: {deck}, 4 cards (1 file cannot be used: quizzer check)",
        "More: quizzer --help",
    ]


def test_when_nothing_is_due_the_first_screen_offers_practice(
    cli: CommandLine, deck: Path, here: Path
) -> None:
    for card in ("open", "number", "square", "choice"):
        cli.ok("rate", card, "easy", "--deck", deck)
    assert cli.ok("--deck", deck).out.startswith("Nothing is due.")
    (here / "empty").mkdir()
    assert "quizzer new" in cli.ok("--deck", "empty").out


def test_a_limit_that_is_reached_is_told_instead_of_a_review_that_would_find_nothing(
    cli: CommandLine, write_deck: Callable[..., Path], at: Callable[[str], None]
) -> None:
    deck = write_deck({f"{n}.md": card_text(f"card{n}") for n in range(3)})
    config = Path(cli.ok("config", "--json").json["path"])
    config.parent.mkdir(parents=True)
    config.write_text("reviews_per_day = 1\nnew_per_day = 0\n", "utf-8")
    for card in ("card0", "card1", "card2"):
        cli.ok("rate", card, "good", "--deck", deck)
    at("2027-01-20T09:00:00+01:00")
    within = "3 cards due today; 1 card within its limits, about 3 min. Start with: quizzer review"
    assert cli.ok("--deck", deck).out.startswith(within)
    cli.ok("rate", "card0", "good", "--deck", deck)
    reached = "Today's limit is reached, see quizzer config\n"
    assert cli.ok("--deck", deck).out.startswith(f"2 cards due today. {reached}")
    assert cli.ok("due", "--deck", deck).err.endswith(reached)


def test_due_tells_how_late_each_card_is(
    cli: CommandLine, deck: Path, at: Callable[[str], None]
) -> None:
    cli.ok("rate", "open", "again", "--deck", deck)
    cli.ok("rate", "number", "easy", "--deck", deck)
    at("2026-11-20T09:11:00+01:00")
    first = cli.ok("due", "--deck", deck)
    assert first.out.splitlines()[0].split()[:3] == ["open", "due", "today"]
    at("2026-11-22T09:00:00+01:00")
    assert cli.ok("due", "--deck", deck).out.splitlines()[0].split()[:4] == [
        "open", "2", "days", "late"
    ]  # fmt: skip


def test_a_card_in_a_step_that_may_come_in_a_short_form_is_counted_with_its_minutes(
    cli: CommandLine, write_deck: Callable[..., Path], at: Callable[[str], None]
) -> None:
    """In which form it comes is asked of the history after the day was planned."""
    deck = write_deck({"gate.md": SIGMOID})
    path = Path(cli.ok("config", "--json", "--deck", deck).json["path"])
    path.parent.mkdir(parents=True)
    path.write_text('forms = ["worked", "slip", "missing", "blank"]\n', "utf-8")
    cli.ok("rate", "q-gate", "again", "--deck", deck)
    at("2026-11-20T10:00:00+01:00")
    assert cli.ok("--deck", deck).out.startswith("1 card due today, about ")
    document = cli.ok("due", "--json", "--deck", deck).json
    assert document["counts"]["learning"] == 1 and document["minutes"] > 0
    assert cli.ok("due", "--deck", deck).out.startswith("q-gate")


def test_due_counts_steps_reviews_and_new_cards_apart(
    cli: CommandLine, write_deck: Callable[..., Path], at: Callable[[str], None]
) -> None:
    deck = write_deck({f"{n}.md": card_text(f"card{n}") for n in range(12)})
    for card in ("card0", "card1", "card2"):
        cli.ok("rate", card, "good", "--deck", deck)
    cli.ok("suspend", "card1", "--deck", deck)
    at("2027-01-20T09:00:00+01:00")
    cli.ok("rate", "card3", "again", "--deck", deck)
    document = cli.ok("due", "--json", "--deck", deck).json
    assert document["counts"] == {"due": 2, "new": 4, "learning": 1}
    assert {row["id"] for row in document["due"]} == {"card0", "card2"}
    assert "card3" not in document["new"]
    at("2027-01-20T09:10:01+01:00")
    later = cli.ok("due", "--json", "--deck", deck).json
    assert later["counts"] == {"due": 3, "new": 4, "learning": 1}
    assert [row["state"] for row in later["due"]] == ["learning", "review", "review"]
    assert {row["due"] for row in later["due"] if row["id"] == "card3"} == {
        "2027-01-20T09:10:00+01:00"
    }


def test_cards_beyond_the_daily_limit_are_counted_and_told(
    cli: CommandLine, deck: Path, at: Callable[[str], None]
) -> None:
    for card in ("open", "number", "square"):
        cli.ok("rate", card, "good", "--deck", deck)
    path = Path(cli.ok("config", "--json", "--deck", deck).json["path"])
    path.parent.mkdir(parents=True)
    path.write_text("reviews_per_day = 1\nnew_per_day = 0\n", "utf-8")
    at("2027-01-20T09:00:00+01:00")
    assert cli.ok("due", "--json", "--deck", deck).json["counts"] == {
        "due": 3, "new": 0, "learning": 0
    }  # fmt: skip
    assert "2 of them beyond today's limit" in cli.ok("due", "--deck", deck).err


@pytest.mark.parametrize(
    ("limits", "beyond", "named"),
    [
        ("minutes_per_day = 5", 1, "minutes_per_day"),
        ("reviews_per_day = 1\nminutes_per_day = 600", 2, "reviews_per_day"),
        ("reviews_per_day = 2\nminutes_per_day = 1", 2, "reviews_per_day and minutes_per_day"),
    ],
)
def test_only_those_limits_are_named_that_leave_cards_out(
    cli: CommandLine, deck: Path, at: Callable[[str], None], limits: str, beyond: int, named: str
) -> None:
    for card in ("open", "number", "choice"):
        cli.ok("rate", card, "good", "--deck", deck)
    path = Path(cli.ok("config", "--json", "--deck", deck).json["path"])
    path.parent.mkdir(parents=True)
    path.write_text(limits, "utf-8")
    at("2027-01-20T09:00:00+01:00")
    told = cli.ok("due", "--deck", deck).err
    assert f"{beyond} of them beyond today's limit: {named}, see quizzer config" in told


def test_due_tells_how_long_what_is_listed_will_take(cli: CommandLine, deck: Path) -> None:
    # A derivation of 4 points, a choice, a calculation and an open question.
    assert cli.ok("due", "--json", "--deck", deck).json["minutes"] == 8 + 1 + 3 + 3
    assert "4 new cards today, about 15 min. Start with" in cli.ok("due", "--deck", deck).err


def test_the_first_screen_and_due_know_in_which_form_cards_come(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    deck = write_deck({"gate.md": SIGMOID})
    assert cli.ok("due", "--json", "--deck", deck).json["minutes"] == 8
    path = Path(cli.ok("config", "--json", "--deck", deck).json["path"])
    path.parent.mkdir(parents=True)
    path.write_text('forms = ["worked", "slip", "missing", "blank"]\n', "utf-8")
    assert cli.ok("due", "--json", "--deck", deck).json["minutes"] == 2
    assert cli.ok("--deck", deck).out.startswith("1 new card today, about 2 min. ")


def test_due_cards_beyond_the_days_minutes_are_counted(
    cli: CommandLine, deck: Path, at: Callable[[str], None]
) -> None:
    for card in ("open", "number", "square"):
        cli.ok("rate", card, "good", "--deck", deck)
    path = Path(cli.ok("config", "--json", "--deck", deck).json["path"])
    path.parent.mkdir(parents=True)
    path.write_text("minutes_per_day = 7\n", "utf-8")
    at("2027-01-20T09:00:00+01:00")
    assert "1 of them beyond today's limit" in cli.ok("due", "--deck", deck).err
    document = cli.ok("due", "--json", "--deck", deck).json
    assert (document["counts"]["due"], document["counts"]["new"]) == (3, 0)


def test_due_tells_how_many_cards_wait_beside_related_ones(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    linked = card_text("b", solution="That.\n\n## Related Concepts\n- [[a]]")
    deck = write_deck({"a.md": card_text("a"), "b.md": linked})
    ran = cli.ok("due", "--deck", deck)
    assert "1 card linked to a card of today: tomorrow" in ran.err
    assert cli.ok("due", "--json", "--deck", deck).json["new"] == ["a"]


def test_a_course_with_its_own_limit_has_its_own_new_cards(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    cards = {f"{c}{n}.md": card_text(f"{c}{n}", course=c) for c in ("A", "B") for n in range(9)}
    deck = write_deck(cards)
    path = Path(cli.ok("config", "--json", "--deck", deck).json["path"])
    path.parent.mkdir(parents=True)
    path.write_text('new_per_day = 2\n[course."B"]\nnew_per_day = 3\n', "utf-8")
    new = cli.ok("due", "--json", "--deck", deck).json["new"]
    assert new == ["A0", "B0", "A1", "B1", "B2"]


def test_buried_cards_are_back_on_the_next_day(
    cli: CommandLine, deck: Path, at: Callable[[str], None]
) -> None:
    cli.ok("bury", "open", "number", "--deck", deck)
    assert cli.ok("due", "--json", "--deck", deck).json["new"] == ["square", "choice"]
    at("2026-11-21T04:00:00+01:00")
    assert len(cli.ok("due", "--json", "--deck", deck).json["new"]) == 4


def test_lines_fit_the_screen_and_show_formulas_as_signs(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    long = "Let $\\alpha \\in \\mathbb{R}^n$ be given, and " + "much more " * 20
    deck = write_deck(
        {
            "a.md": card_text("a", question=long),
            "b.md": card_text("an-id-that-is-much-longer-than-others-are-" + "x" * 30),
        }
    )
    for command in ("due", "list"):
        first, second = cli.ok(command, "--deck", deck).out.splitlines()
        assert "Let α ∈ ℝⁿ" in first and len(first) <= 80
        assert "x" * 30 in second


def test_prices_in_a_title_are_left_alone(cli: CommandLine, deck: Path) -> None:
    question = "What is better, $5 now or \\$6 with odds $o$?"
    (deck / "a.md").write_text(card_text("a", question=question), "utf-8")
    assert "What is better, $5 now or $6 with odds o?" in cli.ok("list", "--deck", deck).out


def test_to_look_leaves_the_history_as_it_is(cli: CommandLine, deck: Path, tmp_path: Path) -> None:
    history = tmp_path / "other.db"
    Store.open(history, MORNING, backups=False).close()
    with closing(sqlite3.connect(history)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")  # as a writer would set it back
    before = history.read_bytes()
    cli.ok("due", "--deck", deck, "--store", history)
    assert history.read_bytes() == before
