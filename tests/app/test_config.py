"""The configuration file: what is wrong with it is told, what is right is kept."""

import os
from pathlib import Path

import pytest
from command_line import CommandLine


@pytest.fixture
def config(cli: CommandLine, home: Path) -> Path:
    path = Path(cli.ok("config", "--json").json["path"])
    assert path.is_relative_to(home)
    path.parent.mkdir(parents=True)
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("new_per_day = ", "not valid TOML"),
        ("new_per_dy = 5", "unknown key `new_per_dy`; did you mean `new_per_day`?"),
        ("colour = 1", "unknown key `colour`; known: bury_related, course, deck, desired"),
        ("new_per_day = '5'", "`new_per_day` must be a whole number from 0 to 9999"),
        ("new_per_day = true", "`new_per_day` must be a whole number"),
        ("new_per_day = 2.5", "`new_per_day` must be a whole number"),
        ("new_per_day = -1", "`new_per_day` must be a whole number from 0 to 9999"),
        ("bury_related = 1", "`bury_related` must be true or false"),
        ("easy_days = ['caturday']", "`easy_days` must be weekdays"),
        ("easy_days = [['monday']]", "`easy_days` must be weekdays"),
        ("easy_days = 'monday'", "`easy_days` must be weekdays"),
        ("easy_days = {sunday = 2}", "`easy_days.sunday` must be a number from 0 to 1"),
        ("forms = 'slip'", "`forms` must be a list of forms: worked, slip, missing, blank"),
        ("forms = []", "`forms` must be a list of forms"),
        ("forms = ['blanc']", "`forms` must be a list of forms"),
        ("forms = [['slip']]", "`forms` must be a list of forms"),
        ("minutes_per_day = 0", "`minutes_per_day` must be a whole number from 1 to 1440, or "),
        ("minutes_per_day = 'no'", '`minutes_per_day` must be a whole number from 1 to 1440, or "'),
        ("reviews_per_day = 10000", "`reviews_per_day` must be a whole number from 0 to 9999"),
        ("desired_retention = 90", "`desired_retention` must be a number from 0.7 to 0.99"),
        ("desired_retention = nan", "`desired_retention` must be a number from 0.7 to 0.99"),
        ("maximum_interval = 0", "`maximum_interval` must be a whole number from 1 to 36500"),
        ("idle_minutes = 0", "`idle_minutes` must be a whole number from 1 to 240"),
        ("idle_minutes = 241", "`idle_minutes` must be a whole number from 1 to 240"),
        ("rollover_hour = 24", "`rollover_hour` must be a whole number from 0 to 23"),
        ("deck = 3", "`deck` must be a list of folders"),
        ("deck = [3]", "`deck` must be a list of folders"),
        ("editor = ['vi']", "`editor` must be a string"),
        ("course = 3", "`course` must be a table for each course"),
        ("course.ML = 3", "`course` must be a table for each course"),
        ("[course.ML]\n[course.ml]", '`course."ML"` and `course."ml"` are one course'),
        (
            '[course."Übung é"]\n[course."U\u0308bung e\u0301"]',
            "appears twice, in two spellings that look alike and differ only in how accents are "
            "encoded; keep one table",
        ),
        ("[course.ML]\nnew_per_dy = 1", 'unknown key `course."ML".new_per_dy`; did you mean'),
        ("[course.ML]\nrollover_hour = 4", 'unknown key `course."ML".rollover_hour`'),
        ("[course.ML]\ndesired_retention = 2", '`course."ML".desired_retention` must be a number'),
    ],
)
def test_a_fault_names_the_file_the_key_and_what_is_right(
    cli: CommandLine, config: Path, text: str, said: str
) -> None:
    config.write_text(text, "utf-8")
    ran = cli("due")
    assert (ran.code, ran.out) == (2, "")
    assert str(config) in ran.err and said in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_that_is_no_text_is_told(cli: CommandLine, config: Path) -> None:
    config.write_bytes(b"\xff\xfe\x00")
    assert "save it as UTF-8" in cli("due").err
    config.unlink()
    config.mkdir()
    ran = cli("due")
    assert (ran.code, ran.out) == (2, "") and "cannot be read" in ran.err


def test_values_are_read_and_shown(cli: CommandLine, config: Path) -> None:
    config.write_text(
        "\ufeffnew_per_day = 7\neditor = 'nano'\n[course.ML]\nreviews_per_day = 3\n", "utf-8"
    )
    shown = cli.ok("config", "--json").json
    assert (shown["new_per_day"], shown["editor"], shown["exists"]) == (7, "nano", True)
    assert shown["course"] == {"ml": {"reviews_per_day": 3}}
    assert "new_per_day = 7" in cli.ok("config").out


def test_what_config_prints_is_a_configuration(cli: CommandLine, config: Path) -> None:
    config.write_text(
        "new_per_day = 7\nminutes_per_day = 45\neditor = 'nano'\n"
        "bury_related = true\neasy_days = ['sunday']\n"
        "[course.'M \"L']\nnew_per_day = 3\n",
        "utf-8",
    )
    first = cli.ok("config", "--json").json
    config.write_text(cli.ok("config").out, "utf-8")
    assert cli.ok("config", "--json").json == first


def test_easy_days_are_named_or_given_their_share(cli: CommandLine, config: Path) -> None:
    config.write_text("easy_days = ['saturday', 'sunday']\n", "utf-8")
    shown = cli.ok("config", "--json").json
    assert shown["easy_days"] == {"saturday": 0.5, "sunday": 0.5}
    config.write_text("easy_days = {monday = 0}\n", "utf-8")
    assert cli.ok("config", "--json").json["easy_days"] == {"monday": 0.0}
    config.write_text("easy_days = []\n", "utf-8")
    assert cli.ok("config", "--json").json["easy_days"] is None


def test_use_keeps_comments_and_all_other_keys(
    cli: CommandLine, config: Path, deck: Path, here: Path
) -> None:
    config.write_text(
        '# mine\nnew_per_day = 7  # not more\ndeck = ["/old"] # once\r\n\n'
        '[course."ML"]  # hard\nnew_per_day = 1\n',
        "utf-8",
        newline="",
    )
    ran = cli.ok("use", deck, here)
    assert ran.out.endswith(", 4 cards\n")
    assert config.read_bytes().decode() == (
        f'# mine\nnew_per_day = 7  # not more\ndeck = ["{deck}", "{here}"] # once\r\n\n'
        '[course."ML"]  # hard\nnew_per_day = 1\n'
    )


def test_use_puts_its_key_above_the_tables(cli: CommandLine, config: Path, deck: Path) -> None:
    config.write_text("[course.ML]\nnew_per_day = 1\n", "utf-8")
    cli.ok("use", deck)
    shown = cli.ok("config", "--json").json
    assert shown["deck"] == [str(deck)]
    assert shown["course"] == {"ml": {"new_per_day": 1}}


def test_use_writes_through_a_link(cli: CommandLine, config: Path, deck: Path, here: Path) -> None:
    (here / "dotfile.toml").write_text("new_per_day = 7\n", "utf-8")
    config.symlink_to(here / "dotfile.toml")
    cli.ok("use", deck)
    assert config.is_symlink()
    assert "deck" in (here / "dotfile.toml").read_text("utf-8")


def test_use_keeps_the_file_as_private_as_it_was(
    cli: CommandLine, config: Path, deck: Path
) -> None:
    config.write_text('sync = "postgresql://me:secret@host/course"\n', "utf-8")
    config.chmod(0o600)
    cli.ok("use", deck)
    assert "deck = " in config.read_text("utf-8")
    assert config.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_stays_as_it_is(
    cli: CommandLine, config: Path, deck: Path
) -> None:
    config.write_text("new_per_day = 7\n", "utf-8")
    config.chmod(0o400)
    ran = cli("use", deck)
    assert ran.code == 2 and "cannot be written: Permission denied" in ran.err
    assert config.read_text("utf-8") == "new_per_day = 7\n"
    assert [each.name for each in config.parent.iterdir()] == [config.name]


def test_use_refuses_what_is_no_folder_and_leaves_a_faulty_file_alone(
    cli: CommandLine, config: Path, deck: Path
) -> None:
    assert cli("use", deck / "open.md").code == 2
    assert not config.exists()
    config.write_text("new_per_dy = 7\n", "utf-8")
    assert cli("use", deck).code == 2
    assert config.read_text("utf-8") == "new_per_dy = 7\n"


def test_use_says_when_something_stronger_names_another_deck(
    cli: CommandLine, deck: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.ok("use", deck).err == ""
    monkeypatch.setenv("QUIZZER_DECK", str(here))
    assert "QUIZZER_DECK is set" in cli.ok("use", deck).err
