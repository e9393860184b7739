"""`stats`, against a log that is counted by hand."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine

from quizzer.review import Attempt, Dispute, Verdict
from quizzer.store import Store


@pytest.fixture
def log(cli: CommandLine, deck: Path, at: Callable[[str], None]) -> Path:
    """Reviews on four days: a gap after the first, one of the others in the night before 4."""
    for moment, card, rating in (
        ("2026-09-01T09:00:00+02:00", "open", "good"),
        ("2026-11-18T09:00:00+01:00", "open", "again"),  # learned: forgotten
        ("2026-11-18T09:20:00+01:00", "open", "good"),  # in its step: no retention
        ("2026-11-18T09:30:00+01:00", "number", "easy"),
        ("2026-11-20T01:00:00+01:00", "choice", "good"),  # still the 19th
        ("2026-11-20T09:00:00+01:00", "square", "good"),
    ):
        at(moment)
        cli.ok("rate", card, rating, "--deck", deck)
    cli.ok("rate", "square", "again", "--deck", deck)
    cli.ok("undo", "--deck", deck)
    return deck


def test_numbers_agree_with_the_log(cli: CommandLine, log: Path) -> None:
    stats = cli.ok("stats", "--json", "--deck", log).json
    assert (stats["cards"], stats["reviews"], stats["streak_days"]) == (4, 6, 3)
    assert stats["retention"] == {"true_30d": 0.0, "true_all": 0.0}
    assert stats["per_day"] == {
        "2026-09-01": 1, "2026-11-18": 3, "2026-11-19": 1, "2026-11-20": 1
    }  # fmt: skip


def test_retention_counts_reviews_of_learned_cards_only(
    cli: CommandLine, log: Path, at: Callable[[str], None]
) -> None:
    at("2026-12-30T09:00:00+01:00")
    for card in ("number", "choice", "square"):
        cli.ok("rate", card, "hard", "--deck", log)
    assert cli.ok("stats", "--json", "--deck", log).json["retention"] == {
        "true_30d": 1.0, "true_all": 0.75
    }  # fmt: skip


def test_the_forecast_is_when_cards_are_due(
    cli: CommandLine, log: Path, at: Callable[[str], None]
) -> None:
    rows = cli.ok("list", "--json", "--deck", log).json
    forecast = cli.ok("stats", "--json", "--deck", log).json["forecast"]
    assert next(iter(forecast)) == "2026-11-20" and len(forecast) == 31
    for row in rows:
        assert forecast.get(row["due"][:10], 1) >= 1
    assert sum(forecast.values()) == sum(row["due"] < "2026-12-21" for row in rows)
    at("2027-06-01T09:00:00+02:00")
    later = cli.ok("stats", "--json", "--deck", log).json["forecast"]
    assert later["2027-06-01"] == 4


def test_mistakes_are_counted_by_their_diagnosis_and_disputes_listed(
    cli: CommandLine, log: Path
) -> None:
    from samples import MORNING

    path = Path(cli.ok("config", "--json", "--deck", log).json["store"])
    with Store.open(path, MORNING) as store:
        store.record(
            Attempt("square", "dx", "-2*x", Verdict.WRONG, "sign"),
            Attempt("square", "dx", "-2*x*dy", Verdict.WRONG, "sign"),
            Attempt("square", "dx", "7", Verdict.WRONG),
            Attempt("square", "dx", "2*x*dy", Verdict.CORRECT),
            Attempt("square", "dx", "2*x*(", Verdict.INVALID),
            Dispute("square", "dx", "2 dy x", Verdict.WRONG, 3),
            at=MORNING,
            day=MORNING.toordinal(),
        )
    stats = cli.ok("stats", "--json", "--deck", log).json
    assert stats["mistakes"] == {"sign": 2, "unexplained": 1}
    assert [(one["card"], one["answer"]) for one in stats["disputes"]] == [("square", "2 dy x")]
    shown = cli.ok("stats", "--deck", log).out
    assert "sign" in shown and "2 dy x (was wrong)" in shown


def test_the_table_fits_the_screen_and_begins_helpfully(
    cli: CommandLine, deck: Path, log: Path
) -> None:
    lines = cli.ok("stats", "--deck", log).out.splitlines()
    assert lines[0].split() == ["reviews", "6,", "3", "days", "in", "a", "row"]
    assert max(map(len, lines)) <= 80


def test_without_a_review_stats_say_how_to_begin(cli: CommandLine, deck: Path) -> None:
    ran = cli.ok("stats", "--deck", deck)
    assert "nothing in the next 30 days" in ran.out
    assert "quizzer review" in ran.err
