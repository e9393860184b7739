"""`exam`, and what other commands say of an exam ahead; the morning is that of 2026-11-20."""

import re
import subprocess
import tomllib
import unicodedata
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from command_line import CommandLine
from samples import MORNING, card_text

from quizzer.store import Store
from quizzer.values import Rating, Review, State, study_day


@pytest.fixture
def config(cli: CommandLine) -> Path:
    return Path(cli.ok("config", "--json").json["path"])


def without_limit(config: Path) -> None:
    config.parent.mkdir(parents=True, exist_ok=True)
    old = config.read_text("utf-8") if config.exists() else ""
    config.write_text(f'minutes_per_day = "none"\n{old}', "utf-8")


@pytest.fixture
def course(write_deck: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Thirty cards of one course in two folders, and one card of another course."""
    cards = {f"{f}/{n}.md": card_text(f"{f}{n}", course="Deep Learning") for f in "ab"
             for n in range(15)}  # fmt: skip
    cards |= {"a/info.json": '{"name": "Layers"}', "c/0.md": card_text("c0", course="Statistics")}
    root = write_deck(cards)
    monkeypatch.setenv("QUIZZER_DECK", str(root))
    return root


def test_a_date_is_kept_as_a_date_and_all_else_in_the_file_as_it_was(
    cli: CommandLine, course: Path, config: Path
) -> None:
    config.parent.mkdir(parents=True)
    before = '# mine\nnew_per_day = 7  # not more\n\n[course."deep learning"]  # hard\n'
    config.write_text(before + "reviews_per_day = 9\n", "utf-8")
    ran = cli.ok("exam", "DEEP LEARNING", "2026-12-12")
    assert ran.out.startswith("Deep Learning: exam in 22 days (2026-12-12); expected recall ")
    assert config.read_text("utf-8") == before + "reviews_per_day = 9\nexam = 2026-12-12\n"
    cli.ok("exam", "deep-learning", "2026-12-24")
    assert "exam = 2026-12-24" in config.read_text("utf-8")
    assert "back to normal scheduling" in cli.ok("exam", "Deep Learning", "--remove").err
    assert config.read_text("utf-8") == before + "reviews_per_day = 9\n"
    assert "has no exam date" in cli.ok("exam", "Deep Learning", "--remove").err
    assert "has no exam ahead" in cli.ok("exam", "Deep Learning").err


@pytest.mark.parametrize(
    "before",
    [
        "",
        "new_per_day = 7",
        '[course]\n"Deep Learning".new_per_day = 1\n',
        'course."deep learning".new_per_day = 1\r\nreviews_per_day = 30\r\n',
        'course = {"Deep Learning" = {new_per_day = 1}}\n',
        "course = {A = {new_per_day = 1}}\n",
        "course = {}\n",
        '[course.A]\nnew_per_day = 1\n\n[course."Deep Learning"]\nexam = 2026-12-01 # old\n',
    ],
)
def test_a_date_finds_its_place_however_the_file_is_written(
    cli: CommandLine, course: Path, config: Path, before: str
) -> None:
    config.parent.mkdir(parents=True)
    config.write_text(before, "utf-8", newline="")
    cli.ok("exam", "Deep Learning", "2026-12-12")
    shown = cli.ok("config", "--json").json
    assert shown["course"]["deep learning"]["exam"] == "2026-12-12"
    table = tomllib.loads(before)
    assert {key: table[key] for key in table if key != "course"}.items() <= shown.items()
    printed = cli.ok("config").out
    config.write_text(printed, "utf-8")
    assert cli.ok("config", "--json").json == shown


@pytest.mark.parametrize(
    "before",
    [
        "",
        "# mine\nnew_per_day = 7  # not more\n\n",
        "[course.A]\nnew_per_day = 1\n\n[easy_days]\nsunday = 0\n",
        "[course.A]\nexam = 2026-12-01\n\n[easy_days]\n\n[course.B]\nexam = 2026-12-01\n",
        '[course."Deep Learning"]  # hard\n',
        '[course."Deep Learning"]\n# hard\n',
        "[course]  # all\n\n",
    ],
)
def test_an_exam_removed_leaves_the_file_as_it_was(
    cli: CommandLine, course: Path, config: Path, before: str
) -> None:
    config.parent.mkdir(parents=True)
    config.write_text(before, "utf-8")
    cli.ok("exam", "Deep Learning", "2026-12-12")
    cli.ok("exam", "Deep Learning", "--remove")
    assert config.read_text("utf-8") == before


@pytest.mark.parametrize("card", ["NFC", "NFD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
@pytest.mark.parametrize("file", ["NFC", "NFD"])
def test_a_course_is_the_same_however_its_accents_are_encoded(
    cli: CommandLine,
    write_deck: Callable[..., Path],
    config: Path,
    card: str,
    typed: str,
    file: str,
) -> None:
    name = "Maskininlärning"
    course = unicodedata.normalize(card, name)
    deck = write_deck({f"{n}.md": card_text(f"{n}", course=course) for n in "abc"})
    config.parent.mkdir(parents=True)
    config.write_text(unicodedata.normalize(file, f'[course."{name}"]\nnew_per_day = 2\n'), "utf-8")
    said = unicodedata.normalize(typed, name)
    ran = cli.ok("exam", said, "2026-12-12", "--deck", deck)
    assert ran.out.startswith(f"{name}: exam in 22 days")
    assert config.read_text("utf-8").count("[course.") == 1
    assert len(cli.ok("due", "--json", "--deck", deck).json["new"]) == 2
    cli.ok("exam", said, "--remove", "--deck", deck)
    assert "exam" not in config.read_text("utf-8")


def test_a_folder_names_its_course_and_two_courses_are_told(
    cli: CommandLine, course: Path, config: Path
) -> None:
    assert cli.ok("exam", "layers", "2026-12-12").out.startswith("Deep Learning: exam")
    ran = cli("exam", "deck", "2026-12-24")
    assert ran.code == 2
    assert "cards of 2 courses: Deep Learning, Statistics. Name one" in ran.err
    assert "2026-12-24" not in config.read_text("utf-8")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("exam", "deap learning", "2026-12-12"), "did you mean `Deep Learning`?"),
        (("exam", "Botany", "2026-12-12"), "no course `Botany`"),
        (("exam", "Statistics", "2026-11-19"), "2026-11-19 is past"),
        (("exam", "Statistics", "2026-11-20"), "2026-11-20 is today"),
        (("exam", "Statistics", "2062-12-12"), "more than two years ahead"),
        (("exam", "Statistics", "12.12.2026"), "is not a date: write it as 2026-12-11"),
        (("exam", "Statistics", "2026-12-12", "--remove"), "not both"),
        (("exam", "--remove"), "name the course"),
    ],
)
def test_what_cannot_be_planned_is_refused_and_nothing_written(
    cli: CommandLine, course: Path, config: Path, argv: tuple[str, ...], said: str
) -> None:
    ran = cli(*argv)
    assert (ran.code, ran.out) == (2, "") and said in ran.err
    assert not config.exists()


@pytest.mark.parametrize("value", ["'2026-12-12'", "2026-12-12T09:00:00", "3"])
def test_a_date_written_by_hand_must_be_a_date(
    cli: CommandLine, course: Path, config: Path, value: str
) -> None:
    config.parent.mkdir(parents=True)
    config.write_text(f"[course.ML]\nexam = {value}\n", "utf-8")
    ran = cli("due")
    assert ran.code == 2 and '`course."ML".exam` must be a date without quotes' in ran.err
    assert cli("exam", "Statistics", "2026-12-12").code == 2
    assert config.read_text("utf-8") == f"[course.ML]\nexam = {value}\n"


def test_the_list_says_what_lies_ahead_and_what_is_over(
    cli: CommandLine, course: Path, at: Callable[[str], None]
) -> None:
    empty = cli.ok("exam")
    assert empty.out == "" and "Deep Learning, Statistics" in empty.err
    cli.ok("exam", "Deep Learning", "2026-12-12")
    cli.ok("exam", "Statistics", "2026-12-01")
    first, second = cli.ok("exam").out.splitlines()
    assert first.startswith("Statistics: exam in 11 days (2026-12-01)")
    assert second.startswith("Deep Learning: exam in 22 days (2026-12-12)")
    listed = cli.ok("exam", "--json").json
    assert [row["course"] for row in listed["exams"]] == ["Statistics", "Deep Learning"]
    assert listed["courses"] == ["Deep Learning", "Statistics"]
    at("2026-12-11T09:00:00+01:00")
    tomorrow, over = cli.ok("exam").out.splitlines()
    assert tomorrow.startswith("Deep Learning: exam tomorrow (2026-12-12)")
    assert over == "Statistics: the exam was on 2026-12-01"


def test_an_exam_of_which_nothing_can_be_foretold_is_told_with_the_reason(
    cli: CommandLine, course: Path, config: Path, at: Callable[[str], None]
) -> None:
    cli.ok("suspend", "c0")
    line = (
        "Statistics: exam on 2026-12-01, nothing to plan: its cards are all suspended or mastered"
    )
    for argv in (("Statistics", "2026-12-01"), ("Statistics",), ()):
        ran = cli.ok("exam", *argv)
        assert (ran.out, ran.err) == (line + "\n", "")
    at("2026-12-01T09:00:00+01:00")
    assert cli.ok("exam", "Statistics").out == "Statistics: the exam is today\n"
    at("2026-12-02T09:00:00+01:00")
    assert cli.ok("exam", "Statistics").out == "Statistics: the exam was on 2026-12-01\n"
    config.write_text("[course.Statistics]\nexam = 9999-12-31\n", "utf-8")
    cli.ok("unsuspend", "c0")
    assert "9999-12-31, more than two years ahead" in cli.ok("exam").out
    assert cli.ok("due", "--json").json["exams"] == []


def test_what_cannot_be_reached_is_told_with_what_would_do(
    cli: CommandLine, course: Path, config: Path
) -> None:
    cli.ok("exam", "Deep Learning", "2026-11-30")
    config.write_text("minutes_per_day = 6\n" + config.read_text("utf-8"), "utf-8")
    line = cli.ok("exam").out
    assert re.search(r", 20 of 30 seen by then; \d+ minutes a day would do\. By topic: ", line)
    assert cli.ok("due", "--json").json["exams"][0]["in_time"] is False


def test_no_more_minutes_are_asked_for_than_a_day_has(
    cli: CommandLine, write_deck: Callable[..., Path], config: Path
) -> None:
    cards = {f"{n}.md": card_text(f"c{n}", question="(60p) What is it?") for n in range(30)}
    deck = write_deck(cards)
    without_limit(config)
    line = cli.ok("exam", "ML", "2026-11-21", "--deck", deck).out
    assert "of 30 seen by then; more would take longer than a day has" in line
    assert "minutes a day" not in line
    (found,) = cli.ok("exam", "--json", "--deck", deck).json["exams"]
    assert found["seen"] <= 12 and not found["in_time"] and found["minutes_a_day_needed"] > 1440
    limited = config.read_text("utf-8").replace('"none"', "1440")
    config.write_text(limited, "utf-8")
    assert cli.ok("exam", "--deck", deck).out == line


def test_what_is_said_to_do_does_once_it_is_configured(
    cli: CommandLine, course: Path, config: Path
) -> None:
    cli.ok("exam", "Deep Learning", "2026-11-30")
    exam = config.read_text("utf-8")
    config.write_text("minutes_per_day = 6\n" + exam, "utf-8")
    (told,) = re.findall(r"; (\d+) minutes a day would do\. By", cli.ok("exam").out)
    config.write_text(f"minutes_per_day = {told}\n" + exam, "utf-8")
    enough = cli.ok("exam").out
    assert ", all 30 seen by then. By topic: " in enough
    (recall,) = re.findall(r"expected recall (\d+)%", enough)
    assert int(recall) >= 90


@pytest.mark.parametrize(
    ("general", "own", "said"),
    [
        ("", "new_per_day = 1", "10 of 30 seen by then; held back by its new_per_day = 1, see"),
        ("reviews_per_day = 0", "", "all 30 seen by then; held back by reviews_per_day = 0, see"),
        ("", "reviews_per_day = 0", "; held back by its reviews_per_day = 0, see quizzer config"),
        (
            "reviews_per_day = 0",
            "new_per_day = 1",
            "; held back by reviews_per_day = 0 and its new_per_day = 1, see quizzer config",
        ),
        ("", "new_per_day = 9", "all 30 seen by then. By topic: "),
    ],
)
def test_a_limit_that_holds_back_is_named(
    cli: CommandLine, course: Path, config: Path, general: str, own: str, said: str
) -> None:
    cli.ok("exam", "Deep Learning", "2026-11-30")
    exam = f"{config.read_text('utf-8')}{own}\n"
    config.write_text(f"{general}\nminutes_per_day = 300\n{exam}", "utf-8")
    assert said in cli.ok("exam").out
    found = cli.ok("exam", "--json").json["exams"][0]
    assert found["in_time"] is ("held back" not in said)
    assert found["held_back_by"] == re.findall("(new_per_day|reviews_per_day) =", said)
    assert found["minutes_a_day_needed"] is None
    config.write_text(f"{general}\nminutes_per_day = 1\n{exam}", "utf-8")
    few = cli.ok("exam").out
    assert re.search(r"; \d+ minutes a day would do", few)
    assert ("would do without " in few) is ("held back" in said)


def test_the_minutes_for_several_exams_are_said_to_be_for_all(
    cli: CommandLine, course: Path, config: Path
) -> None:
    without_limit(config)
    cli.ok("exam", "Deep Learning", "2026-11-30")
    assert re.search(r"about \d+ minutes a day\. By topic", cli.ok("exam").out)
    cli.ok("exam", "Statistics", "2026-11-30")
    assert all("minutes a day for all exams" in line for line in cli.ok("exam").out.splitlines())


def test_due_stats_and_the_first_screen_tell_of_an_exam_only_while_it_is_ahead(
    cli: CommandLine, course: Path, at: Callable[[str], None]
) -> None:
    def told() -> list[bool]:
        due, stats = cli.ok("due"), cli.ok("stats")
        return ["Deep Learning: exam" in text for text in (due.err, stats.out, cli.ok().out)]

    assert told() == [False] * 3
    assert cli.ok("due", "--json").json["exams"] == []
    cli.ok("exam", "Deep Learning", "2026-12-12")
    assert told() == [True] * 3
    new = cli.ok("due", "--json").json["new"]
    assert len(new) > 3 and "c0" in new
    (exam,) = cli.ok("stats", "--json").json["exams"]
    assert exam["date"] == "2026-12-12" and exam["cards"] == exam["seen"] == 30
    assert {topic["topic"] for topic in exam["topics"]} == {"Layers", "b"}
    assert "Layers" in cli.ok("stats").out
    at("2026-12-12T09:00:00+01:00")
    assert told() == [False] * 3


def test_the_weakest_topics_are_named_where_there_are_many(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    names = ("Losses", "Layers", "Optimisers", "Attention")
    root = write_deck({f"{name}/{name}.md": card_text(name) for name in names})
    cli.ok("rate", "Layers", "easy", "--deck", root)
    cli.ok("exam", "ML", "2026-11-21", "--deck", root)
    line = cli.ok("due", "--deck", root).err
    expected = cli.ok("exam", "--json", "--deck", root).json["exams"][0]["topics"]
    told = dict(re.findall(r"(\w+) (\d+)%", line.split(". Weakest: ")[1]))
    weakest = sorted(expected, key=lambda topic: topic["recall"])[:3]
    assert told == {topic["topic"]: f"{100 * topic['recall']:.0f}" for topic in weakest}
    assert "Layers" not in told


def test_the_picture_of_the_topics_fits_the_screen(cli: CommandLine, course: Path) -> None:
    cli.ok("exam", "Deep Learning", "2026-12-12")
    cli.ok("rate", "a0", "good")
    lines = cli.ok("stats").out.splitlines()
    assert max(map(len, lines)) <= 80
    bars = [line for line in lines if line.strip().startswith(("Layers", "b "))]
    assert len(bars) == 2 and all("%" in line and "█" in line for line in bars)


def test_no_rating_before_an_exam_leads_past_it(cli: CommandLine, course: Path) -> None:
    cli.ok("exam", "Deep Learning", "2026-11-24")
    assert cli.ok("rate", "a0", "easy", "--json").json["interval_days"] == 3
    assert cli.ok("rate", "c0", "easy", "--json").json["interval_days"] > 3


def test_a_card_taken_before_its_day_is_said_to_be_for_the_exam(
    cli: CommandLine, course: Path, at: Callable[[str], None]
) -> None:
    cli.ok("rate", "a0", "easy")
    cli.ok("exam", "Deep Learning", "2026-11-23")
    at("2026-11-22T09:00:00+01:00")
    line = next(line for line in cli.ok("due").out.splitlines() if line.startswith("a0"))
    assert "for the exam" in line
    document = cli.ok("due", "--json").json
    assert "a0" in [row["id"] for row in document["due"]]
    assert document["early"] == ["a0"] and document["counts"]["due"] == 0
    assert cli.ok().out.startswith("1 card early for the exam, ")


def test_due_shows_how_things_stand_until_somebody_makes_a_forecast(
    cli: CommandLine, course: Path, config: Path
) -> None:
    cli.ok("rate", "a0", "good")
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('[course."Deep Learning"]\nexam = 2026-11-30\n', "utf-8")
    told = (
        r"Deep Learning: exam in 10 days \(2026-11-30\); "
        r"recall 3% then if you review nothing more, 1 of 30 seen so far; "
        r"to foretell it: quizzer exam\. By topic: b 0%, Layers 5%"
    )
    assert re.search(told, cli.ok("due").err)
    assert "if you review nothing more" in cli.ok().out
    assert "if you review" in " ".join(cli.ok("stats").out.split())
    (exam,) = cli.ok("due", "--json").json["exams"]
    nobody_knows = {"seen", "recall", "marks", "in_time", "held_back_by", "as_of"}
    nobody_knows |= {"minutes_a_day", "minutes_a_day_needed"}
    uncorrected = {"foretold_so_far", "came_true_so_far"}
    uncorrected |= {"days_studied", "days_with_cards_due"}
    nobody_knows |= uncorrected
    assert {key for key in exam if exam[key] is None} == nobody_knows
    assert exam["seen_now"] == 1 and 0 < exam["recall_alone"] < 0.1
    foretold = cli.ok("exam", "--json").json["exams"][0]
    assert {key for key in foretold if foretold[key] is None} <= {
        "minutes_a_day_needed",
        "as_of",
        *uncorrected,
    }
    assert cli.ok("due", "--json").json["exams"] == [foretold]


def test_a_forecast_says_what_came_true_so_far_and_allows_for_it(
    cli: CommandLine, course: Path, at: Callable[[str], None]
) -> None:
    cli.ok("rate", "a0", "good")
    path = Path(cli.ok("config", "--json").json["store"])
    with Store.open(path, MORNING) as store:
        for day in range(1, 11):
            forgotten = [Review(f"a{n}", Rating.AGAIN, 1, State.REVIEW) for n in range(10)]
            now = MORNING + timedelta(days=day)
            store.record(*forgotten, at=now, day=study_day(now))
    at("2026-12-01T08:12:00+01:00")
    said = cli.ok("exam", "Deep Learning", "2026-12-12").out
    assert re.search(r"so far \d\d% was foretold and 0% came true, which this forecast", said)
    (exam,) = cli.ok("exam", "--json").json["exams"]
    assert exam["came_true_so_far"] == 0 < exam["foretold_so_far"]
    assert exam["recall"] < 0.5
    ahead = cli.ok("stats", "--ahead").out
    assert re.search(r"so far  +\d\d% was foretold and 0% came true, which this forecast", ahead)
    document = cli.ok("stats", "--ahead", "--json").json["ahead"]
    assert document["came_true_so_far"] == 0
    assert document["foretold_so_far"] == exam["foretold_so_far"]


def test_a_forecast_says_on_how_many_days_you_studied_and_allows_for_it(
    cli: CommandLine, course: Path, at: Callable[[str], None]
) -> None:
    for day in (20, 21, 23, 24, 27):
        at(f"2026-11-{day}T09:00:00+01:00")
        cli.ok("rate", f"a{day % 10}", "hard")
    at("2026-11-28T09:00:00+01:00")
    said = "by then; you studied on 5 of the last 8 days with cards due, which this forecast allows"
    assert said in cli.ok("exam", "Deep Learning", "2026-12-12").out
    assert said in cli.ok("due").err
    (exam,) = cli.ok("exam", "--json").json["exams"]
    assert (exam["days_studied"], exam["days_with_cards_due"]) == (5, 8)
    assert cli.ok("due", "--json").json["exams"] == [exam]
    ahead = " ".join(cli.ok("stats", "--ahead").out.split())
    assert "ahead 90 days: " in ahead
    assert "so far you studied on 5 of the last 8 days with cards due, which this" in ahead
    document = cli.ok("stats", "--ahead", "--json").json["ahead"]
    assert (document["days_studied"], document["days_with_cards_due"]) == (5, 8)


def test_a_forecast_that_is_out_of_date_is_shown_with_its_time(
    cli: CommandLine, course: Path, at: Callable[[str], None]
) -> None:
    at("2026-11-20T08:12:00+01:00")
    cli.ok("exam", "Deep Learning", "2026-12-12")
    (fresh,) = cli.ok("due", "--json").json["exams"]
    at("2026-11-20T11:00:00+01:00")
    assert "as of" not in cli.ok("due").err
    cli.ok("rate", "a0", "good")
    (older,) = cli.ok("due", "--json").json["exams"]
    assert older == fresh | {"as_of": "2026-11-20T08:12:00+01:00"}
    assert re.search(r"; expected recall \d+% \(as of 08:12\), all 30 seen", cli.ok("due").err)
    at("2026-11-21T11:00:00+01:00")
    line = cli.ok("due").err
    assert "exam in 21 days" in line and "% (as of 2026-11-20 08:12), all 30" in line
    assert "as of" not in cli.ok("exam").out


def test_due_needs_no_numpy_for_an_exam(
    course: Path, cli: CommandLine, process: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    cli.ok("exam", "Deep Learning", "2026-11-28")
    ran = process("due", PYTHONPROFILEIMPORTTIME="1")
    assert "Deep Learning: exam in 8 days" in ran.stderr
    assert re.search(r"\| +quizzer.forecast.kept\n", ran.stderr)
    lives_through_days = r"quizzer\.forecast\.(days|exam)"
    assert not re.search(rf"\| +(numpy|tomlkit|prompt_toolkit|{lives_through_days})\n", ran.stderr)
