"""The page of the plan: exams are set and removed through the functions of the command `exam`."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from samples import card_text
from site_of import Site, words

Open = Callable[..., Site]


def test_an_exam_is_set_and_removed_in_the_configuration_file(site: Open, home: Path) -> None:
    file = home / ".config/quizzer/config.toml"
    pages = site()
    assert 'value="5"' in pages.get("/plan")
    page = pages.send("/plan/exam", course="ML", day="2026-12-12")
    assert "ML: exam in 22 days (2026-12-12)" in words(page)
    assert str(tomllib.loads(file.read_text("utf-8"))["course"]["ML"]["exam"]) == "2026-12-12"
    assert "ML: exam in 22 days" in words(pages.get("/"))
    page = pages.send("/plan/exam", course="ML", day="")
    assert "exam in" not in words(page) and "exam" not in file.read_text("utf-8")


def test_a_day_that_cannot_be_and_a_course_that_is_not_there_are_refused(
    site: Open, home: Path
) -> None:
    pages = site()
    for course, day, said in (
        ("ML", "2026-11-20", "is today; an exam must be in the future"),
        ("ML", "soon", "`soon` is not a date"),
        ("Zoology", "2026-12-12", "no course `Zoology`"),
    ):
        assert said in words(pages.send("/plan/exam", course=course, day=day))
        assert pages.status == 422
    assert not (home / ".config/quizzer/config.toml").exists()


MINE = """# what I found out by trying
new_per_day = 7  # more is too much
easy_days = ["sunday"]
editor = "nano"

[course."ML"]
desired_retention = 0.95  # the exam matters
"""


@pytest.fixture
def file(home: Path) -> Path:
    file = home / ".config/quizzer/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(MINE, "utf-8")
    return file


def test_settings_are_changed_and_all_else_in_the_file_stays(site: Open, file: Path) -> None:
    pages = site()
    assert 'name="new_per_day" type="number"' in pages.get("/plan")
    pages.send("/plan/day", minutes_per_day="45", new_per_day="9", desired_retention="90")
    written = file.read_text("utf-8")
    assert "new_per_day = 9  # more is too much" in written
    kept = [line for line in MINE.splitlines() if "new_per_day" not in line]
    assert [line for line in written.splitlines() if line in kept] == kept
    assert pages.desk.workspace.settings.minutes_per_day == 45
    pages.send("/plan/day", minutes_per_day="")
    assert pages.desk.workspace.settings.minutes_per_day is None
    assert 'minutes_per_day = "none"' in file.read_text("utf-8")
    pages.send("/plan/day", saturday="25")
    assert tomllib.loads(file.read_text("utf-8"))["easy_days"] == {"saturday": 0.25, "sunday": 0.5}
    pages.send("/plan/day", saturday="100", sunday="100")
    assert "easy_days" not in tomllib.loads(file.read_text("utf-8"))
    before = file.read_text("utf-8")
    pages.send("/plan/day", new_per_day="9", reviews_per_day="40")
    assert file.read_text("utf-8") == before, "what is not changed is not written"


def test_a_setting_that_cannot_be_is_refused_with_the_rule_of_the_file(
    site: Open, file: Path
) -> None:
    pages = site()
    for fields, said in (
        ({"new_per_day": "-1"}, "`new_per_day` must be a whole number from 0 to 9999"),
        ({"new_per_day": "2.5"}, "`new_per_day` must be a whole number"),
        ({"new_per_day": ""}, "is not a number"),
        ({"desired_retention": "30"}, "`desired_retention` must be a number from 0.7 to 0.99"),
        ({"monday": "150"}, "`easy_days.monday` must be a number from 0 to 1"),
        ({"monday": "much"}, "the share of a day is a number"),
    ):
        assert said in words(pages.send("/plan/day", **fields)), fields
        assert pages.status == 422
    assert file.read_text("utf-8") == MINE


def test_another_deck_is_used_from_then_on(
    site: Open, file: Path, write_deck: Callable[..., Path]
) -> None:
    pages, other = site(), write_deck({"other.md": card_text("other")}, "other")
    page = pages.send("/plan/deck", folders=f"{other}\n")
    assert "But the option --deck is set" in words(page)
    assert tomllib.loads(file.read_text("utf-8"))["deck"] == [str(other)]
    assert "# the exam matters" in file.read_text("utf-8")
    pages.desk.workspace.deck_option = ()
    assert "1 card" in words(pages.get("/plan"))
    for folders, said in (("", "Name a folder"), ("cards", "full path"), ("/no", "no such folder")):
        assert said in words(pages.send("/plan/deck", folders=folders))
        assert pages.status == 422


def test_a_configuration_with_a_fault_is_told_and_left_to_its_owner(site: Open, home: Path) -> None:
    pages = site()
    file = home / ".config/quizzer/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("new_per_day = 'five'\n", "utf-8")
    assert "`new_per_day` must be a whole number" in words(pages.get("/"))
    assert pages.status == 500
    assert file.read_text("utf-8") == "new_per_day = 'five'\n"
