"""`stats`, against a log that is counted by hand."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from pseudo_terminal import Terminal, environment
from samples import MORNING, card_text

from quizzer.store import Store
from quizzer.values import Attempt, Dispute, Rating, Review, State, Verdict


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


@pytest.mark.parametrize("odd", [1e308, -1e308, -5.0])
def test_times_that_nobody_takes_are_in_the_log_and_in_no_statistics(
    cli: CommandLine, log: Path, here: Path, odd: float
) -> None:
    path = here / "odd.db"
    cli.ok("rate", "open", "good", "--deck", log, "--store", path)
    with Store.open(path, MORNING) as store:
        day = MORNING.toordinal()
        for _ in range(2):
            fact = Review("open", Rating.GOOD, 1, State.REVIEW, seconds=odd)
            store.record(fact, at=MORNING, day=day)
    ran = cli.ok("stats", "--deck", log, "--store", path)
    assert "e+" not in ran.out
    assert cli.ok("stats", "--json", "--deck", log, "--store", path).json["seconds"] == {"open": 0}
    for command in (("due",), ("history", "open"), ("stats", "--ahead")):
        cli.ok(*command, "--deck", log, "--store", path)
    assert str(odd) in cli.ok("export", "-", "--store", path).out


def test_numbers_agree_with_the_log(cli: CommandLine, log: Path) -> None:
    stats = cli.ok("stats", "--json", "--deck", log).json
    assert (stats["cards"], stats["reviews"], stats["streak_days"]) == (4, 6, 3)
    retention = stats["retention"]
    assert (retention["true_30d"], retention["true_all"]) == (0.0, 0.0)
    assert 0 < retention["expected_30d"] == retention["expected_all"] < 1
    assert stats["per_day"] == {
        "2026-09-01": 1, "2026-11-18": 3, "2026-11-19": 1, "2026-11-20": 1
    }  # fmt: skip


def test_retention_counts_reviews_of_learned_cards_only(
    cli: CommandLine, log: Path, at: Callable[[str], None]
) -> None:
    at("2026-12-30T09:00:00+01:00")
    for card in ("number", "choice", "square"):
        cli.ok("rate", card, "hard", "--deck", log)
    retention = cli.ok("stats", "--json", "--deck", log).json["retention"]
    assert (retention["true_30d"], retention["true_all"]) == (1.0, 0.75)


def test_what_was_remembered_stands_above_what_was_expected(
    cli: CommandLine, deck: Path, log: Path, at: Callable[[str], None]
) -> None:
    lines = cli.ok("stats", "--deck", log).out.splitlines()
    above = next(n for n, line in enumerate(lines) if line.startswith("remembered"))
    assert lines[above] == "remembered  0% in 30 days, 0% in all; wanted 90%"
    assert re.fullmatch(r"expected    (\d\d)% in 30 days, \1% in all, by FSRS", lines[above + 1])
    at("2027-02-01T09:00:00+01:00")
    assert "expected    - in 30 days" in cli.ok("stats", "--deck", log).out


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
            Attempt("square", "dx", "y = 1", Verdict.WRONG, "sign", step="∂L/∂y"),
            Attempt("square", "dx", "y = 2", Verdict.WRONG, "sign", step="∂L/∂y"),
            Attempt("square", "dx", "2*x*dy", Verdict.CORRECT),
            Attempt("square", "dx", "2*x*(", Verdict.INVALID),
            Dispute("square", "dx", "2 dy x", Verdict.WRONG, 3),
            at=MORNING,
            day=MORNING.toordinal(),
        )
    stats = cli.ok("stats", "--json", "--deck", log).json
    assert stats["mistakes"] == {"sign": 4, "unexplained": 1}
    assert stats["broken_steps"] == [{"card": "square", "step": "∂L/∂y", "times": 2, "tries": 5}]
    assert [(one["card"], one["answer"]) for one in stats["disputes"]] == [("square", "2 dy x")]
    shown = cli.ok("stats", "--deck", log).out
    assert "sign" in shown and "2 dy x (was wrong)" in shown
    assert "2 of 5 wrong tries at square broke at ∂L/∂y" in shown


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


def test_ahead_shows_the_weeks_and_other_retentions_on_a_screen(
    cli: CommandLine, log: Path
) -> None:
    ran = cli.ok("stats", "--ahead", "--deck", log)
    lines = ran.out.splitlines()
    assert lines[0].startswith("ahead       90 days of study: ")
    assert "2026-11-20" in lines[2] and "█" in lines[2]
    assert [line.split()[1] for line in lines if line.startswith("  at ")] == [
        "80%", "85%", "90%", "95%"
    ]  # fmt: skip
    assert [line.endswith("as now") for line in lines if line.startswith("  at ")] == [
        False, False, True, False
    ]  # fmt: skip
    assert "At 85% you would " in ran.out and "At 95% you would " in ran.out
    assert max(map(len, lines)) <= 80


def test_ahead_can_be_drawn_in_ascii(
    process: Callable[..., subprocess.CompletedProcess[str]], log: Path
) -> None:
    ran = process("stats", "--ahead", "--deck", log, PYTHONIOENCODING="ascii")
    assert ran.returncode == 0, ran.stderr
    assert "#" in ran.stdout and ran.stdout.isascii()


def test_the_same_day_foretells_the_same(cli: CommandLine, log: Path) -> None:
    first, second = (cli.ok("stats", "--ahead", "--json", "--deck", log).json for _ in range(2))
    assert first == second


def test_ahead_adds_a_key_to_the_document(cli: CommandLine, log: Path) -> None:
    plain = cli.ok("stats", "--json", "--deck", log).json
    with_ahead = cli.ok("stats", "--ahead", "--json", "--deck", log).json
    ahead = with_ahead.pop("ahead")
    assert with_ahead == plain
    days = ahead["days"]
    assert len(days) == 90 and next(iter(days)) == "2026-11-20"
    assert all(set(day) == {"reviews", "new", "minutes"} for day in days.values())
    assert [(one["retention"], one["present"]) for one in ahead["year"]] == [
        (0.8, False), (0.85, False), (0.9, True), (0.95, False)
    ]  # fmt: skip
    assert all(0 < one["remembered"] <= one["cards"] == 4 for one in ahead["year"])


def test_a_course_is_looked_ahead_by_itself(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    cards = {f"a/{n}.md": card_text(f"a{n}", course="A") for n in range(3)}
    cards |= {f"b/{n}.md": card_text(f"b{n}", course="B") for n in range(9)}
    deck = write_deck(cards)
    cli.ok("rate", "b0", "good", "--deck", deck)
    both = cli.ok("stats", "--ahead", "--json", "--deck", deck).json["ahead"]
    alone = cli.ok("stats", "--ahead", "--json", "--course", "a", "--deck", deck).json["ahead"]
    assert [{one["cards"] for one in each["year"]} for each in (both, alone)] == [{12}, {3}]
    assert sum(day["new"] for day in alone["days"].values()) == 3


def test_a_course_named_leaves_out_the_exams_of_others(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    cards = {f"{course}.md": card_text(course, course=course) for course in ("aa", "bb")}
    deck = write_deck(cards)
    for course in ("aa", "bb"):
        cli.ok("exam", course, "2026-12-12", "--deck", deck)
    ran = cli.ok("stats", "--course", "BB", "--deck", deck)
    assert "bb: exam in 22 days" in ran.out and "aa: exam" not in ran.out
    exams = cli.ok("stats", "--json", "--course", "aa", "--deck", deck).json["exams"]
    assert [exam["course"] for exam in exams] == ["aa"]


def test_ahead_follows_the_plan_toward_an_exam(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    """Ten new cards in ten days: half of the days left before the last three are for them."""
    deck = write_deck({f"c{n}.md": card_text(f"c{n}", course="aa") for n in range(10)})
    path = Path(cli.ok("config", "--json").json["path"])
    path.parent.mkdir(parents=True)
    path.write_text('minutes_per_day = "none"\n', "utf-8")
    plain = cli.ok("stats", "--ahead", "--json", "--deck", deck).json["ahead"]["days"]
    cli.ok("exam", "aa", "2026-11-30", "--deck", deck)
    ran = cli.ok("stats", "--ahead", "--deck", deck)
    assert "exam" not in ran.err
    days = cli.ok("stats", "--ahead", "--json", "--deck", deck).json["ahead"]["days"]
    assert [day["new"] for day in plain.values()][:4] == [5, 5, 0, 0]
    assert [day["new"] for day in days.values()][:5] == [3, 3, 2, 1, 1]
    assert days["2026-11-29"]["reviews"] > plain["2026-11-29"]["reviews"]


def test_ahead_keeps_to_the_minutes_of_a_day(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    deck = write_deck({f"c{n}.md": card_text(f"c{n}") for n in range(90)})
    path = Path(cli.ok("config", "--json").json["path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("minutes_per_day = 1\n")
    days = cli.ok("stats", "--ahead", "--json", "--deck", deck).json["ahead"]["days"]
    assert all(day["reviews"] + day["new"] == 1 for day in list(days.values())[:9])
    ran = cli.ok("stats", "--ahead", "--deck", deck)
    assert "waiting after a year; a higher minutes_per_day" in ran.out


@pytest.mark.parametrize(
    ("limits", "advice"),
    [
        ("minutes_per_day = 600\nreviews_per_day = 1\n", "limit|a higher reviews_per_day or"),
        ("minutes_per_day = 1\nreviews_per_day = 900\n", "limit|a higher minutes_per_day or"),
        (
            "minutes_per_day = 1\nreviews_per_day = 2\n",
            "limits|a higher minutes_per_day and reviews_per_day, or",
        ),
    ],
)
def test_ahead_names_the_limit_that_leaves_cards_waiting(
    cli: CommandLine, write_deck: Callable[..., Path], limits: str, advice: str
) -> None:
    deck = write_deck({f"c{n}.md": card_text(f"c{n}") for n in range(60)})
    path = Path(cli.ok("config", "--json").json["path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(limits)
    told = " ".join(cli.ok("stats", "--ahead", "--deck", deck).out.split())
    kind, remedy = advice.split("|")
    leaves = rf"Your daily {kind} leaves? \d+ cards waiting after a year; {remedy} a lower desired"
    assert re.search(leaves, told)


def test_ahead_follows_the_configuration(cli: CommandLine, log: Path) -> None:
    path = Path(cli.ok("config", "--json").json["path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("desired_retention = 0.87\nreviews_per_day = 0\n")
    ran = cli.ok("stats", "--ahead", "--deck", log)
    assert "  at 87%" in ran.out
    assert "Your daily limit leaves" in ran.out
    ahead = cli.ok("stats", "--ahead", "--json", "--deck", log).json["ahead"]
    assert max(day["reviews"] for day in ahead["days"].values()) == 0


def test_what_is_told_of_a_course_is_about_its_cards_alone(cli: CommandLine, log: Path) -> None:
    cli.ok("exam", "ML", "2026-12-12", "--deck", log)
    of = ("stats", "--ahead", "--json", "--deck", log, "--course")
    statistics, ml = (cli.ok(*of, course).json for course in ("Statistics", "ML"))
    assert (statistics["cards"], ml["cards"]) == (1, 3)
    assert (statistics["reviews"], ml["reviews"]) == (3, 3)
    assert {one["cards"] for one in statistics["ahead"]["year"]} == {1}
    assert {one["cards"] for one in ml["ahead"]["year"]} == {3}
    assert [exam["course"] for exam in statistics["exams"]] == []
    assert [exam["course"] for exam in ml["exams"]] == ["ML"]


@pytest.mark.parametrize("ahead", [(), ("--ahead",)])
@pytest.mark.parametrize(
    ("courses", "said"),
    [
        (("nosuch",), "no course `nosuch` in {deck}; there are ML, Statistics\n"),
        (("ML", "Statistik"), "no course `Statistik` in {deck}; did you mean `Statistics`?\n"),
        (("derivationz",), "no course `derivationz` in {deck}; did you mean `derivations`?\n"),
    ],
)
def test_a_course_without_a_card_is_told(
    cli: CommandLine,
    log: Path,
    write_deck: Callable[..., Path],
    courses: tuple[str, ...],
    said: str,
    ahead: tuple[str, ...],
) -> None:
    write_deck({"derivations/more.md": card_text("more")})
    named = [word for course in courses for word in ("--course", course)]
    ran = cli("stats", *named, *ahead, "--deck", log)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(said.format(deck=log))
    assert cli.ok("stats", "--course", "derivations", *ahead, "--json", "--deck", log).json["cards"]


def test_ahead_of_an_empty_deck_is_nothing(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    ran = cli.ok("stats", "--ahead", "--deck", write_deck({"README.md": "A note.\n"}))
    assert ran.out == "ahead       nothing: no card is known, and no new one may come\n"


def test_ahead_tells_on_a_terminal_how_far_it_is_and_leaves_nothing_behind(
    log: Path, tmp_path: Path
) -> None:
    """With a blink that is over at once, or it would depend on the machine what is told."""
    out = tmp_path / "out.txt"
    program = (
        "import sys; from quizzer.cli import main; from quizzer.cli.terminal import waiting; "
        "waiting.BLINK = 0; "
        "sys.exit(main.main(sys.argv[1:]))"
    )
    words = [sys.executable, "-c", program, "stats", "--ahead", "--deck", str(log)]
    command = f"{shlex.join(words)} > {shlex.quote(str(out))}"
    with Terminal("-c", command, env=environment(tmp_path), program=["/bin/sh"]) as terminal:
        assert terminal.ends() == 0
    shown = [int(day) for day in re.findall(r"looking ahead, day: (\d+) of 365", terminal.raw)]
    assert shown == list(range(1, 366))
    assert "looking ahead" not in terminal.text
    assert "looking ahead" not in out.read_text()
