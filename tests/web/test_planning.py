"""The page of the plan: exams are set and removed through the functions of the command `exam`."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from site_of import Site, words

Open = Callable[..., Site]


def test_an_exam_is_set_and_removed_in_the_configuration_file(site: Open, home: Path) -> None:
    file = home / ".config/quizzer/config.toml"
    pages = site()
    assert "new_per_day 5" in words(pages.get("/plan"))
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


def test_a_configuration_with_a_fault_is_told_and_left_to_its_owner(site: Open, home: Path) -> None:
    pages = site()
    file = home / ".config/quizzer/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("new_per_day = 'five'\n", "utf-8")
    assert "`new_per_day` must be a whole number" in words(pages.get("/"))
    assert pages.status == 500
    assert file.read_text("utf-8") == "new_per_day = 'five'\n"
