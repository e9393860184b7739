"""Folders become a deck: order, problems, the cache, lookup, filters, and which deck is meant."""

import copy
import errno
import os
import pickle
import select
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

import quizzer.deck.walk
from quizzer.card import Choice, Severity
from quizzer.deck import (
    Ambiguous,
    Asking,
    Deck,
    Entry,
    Filter,
    Located,
    NoDeck,
    NoSuchCard,
    Source,
    are_as_read,
    load,
    locate,
    reading,
    starter_deck,
    types_of,
)
from quizzer.deck.kept import KeptCards
from quizzer.plan.queue import plan
from quizzer.plan.settings import Settings
from quizzer.store import Done

GOOD = Path(__file__).parent / "decks" / "good"
MALFORMED = Path(__file__).parent / "decks" / "malformed"


def write(path: Path, id_: str = "", fields: str = "", question: str = "Why?") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    header = f"---\nid: {id_ or path.stem}\n{fields}---\n"
    path.write_text(f"{header}# Question\n{question}\n\n---\n# Solution\nSo.\n", "utf-8")
    return path


def ids(deck: Deck) -> list[str]:
    return [entry.id for entry in deck.entries]


def codes(deck: Deck) -> list[tuple[str, int, str]]:
    return [(problem.path.name, problem.line, problem.code) for problem in deck.problems]


def found(deck: Deck, key: str) -> Entry:
    entry = deck.find(key)
    assert isinstance(entry, Entry)
    return entry


def test_a_good_deck_loads_without_problems() -> None:
    deck = load([GOOD])
    assert deck.problems == ()
    assert deck.notes == 1
    assert ids(deck) == ["010", "jensen", "roc_curve", "cnn_004", "2025-01-22_05", "kedjeregeln"]


def test_what_a_card_lets_us_judge_decides_how_it_is_asked() -> None:
    assert {entry.id: entry.asking for entry in load([GOOD]).entries} == {
        "010": Asking.CHOICE,
        "jensen": Asking.REVEAL,
        "roc_curve": Asking.REVEAL,
        "cnn_004": Asking.CHECKER,
        "2025-01-22_05": Asking.NUMBER,
        "kedjeregeln": Asking.REVEAL,
    }


def test_a_malformed_deck_gives_every_problem_and_loads_the_rest() -> None:
    deck = load([MALFORMED])
    assert codes(deck) == [
        ("duplicate_2.md", 2, "duplicate-id"),
        ("info.json", 2, "info"),
        ("missing_picture.md", 7, "image"),
        ("never_closed.md", 1, "open-front-matter"),
        ("no_id.md", 1, "no-id"),
        ("no_solution.md", 5, "no-solution"),
        ("not_yaml.md", 3, "front-matter"),
        ("stray.py", 1, "lonely-checker"),
    ]
    assert ids(deck) == ["twice", "missing_picture", "no_solution"]
    assert found(deck, "twice").path.name == "duplicate_1.md"


def test_a_duplicate_id_names_both_places() -> None:
    (problem,) = (p for p in load([MALFORMED]).problems if p.code == "duplicate-id")
    assert problem.severity is Severity.ERROR
    assert problem.path.name == "duplicate_2.md"
    assert f"{MALFORMED / 'duplicate_1.md'}:2" in problem.message


def test_the_order_is_natural_whatever_the_case(tmp_path: Path) -> None:
    for name in ("b10.md", "B9.md", "a.md", "sub2/x.md", "sub10/y.md", "z.md"):
        write(tmp_path / name)
    assert ids(load([tmp_path])) == ["a", "B9", "b10", "z", "x", "y"]


def test_hidden_and_foreign_folders_are_not_walked(tmp_path: Path) -> None:
    for folder in (".git", ".venv", "node_modules", "__pycache__", "sub/.obsidian"):
        write(tmp_path / folder / "hidden.md")
    write(tmp_path / "environment" / "lib" / "inside.md")
    (tmp_path / "environment" / "pyvenv.cfg").touch()
    write(tmp_path / "card.md")
    assert ids(load([tmp_path])) == ["card"]


def test_names_that_begin_with_underscore_or_dot_are_no_cards(tmp_path: Path) -> None:
    for name in ("_template.md", ".hidden.md", "CARD.MD"):
        write(tmp_path / name, id_=name)
    (tmp_path / "_helper.py").touch()
    deck = load([tmp_path])
    assert ids(deck) == ["CARD.MD"]
    assert (deck.notes, deck.problems) == (0, ())


def test_links_that_lead_in_a_circle_end(tmp_path: Path) -> None:
    write(tmp_path / "a" / "card.md")
    (tmp_path / "a" / "again").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "b").symlink_to(tmp_path / "a", target_is_directory=True)
    deck = load([tmp_path])
    assert ids(deck) == ["card"]
    assert deck.problems == ()


def test_a_folder_named_twice_counts_once(tmp_path: Path) -> None:
    write(tmp_path / "sub" / "card.md")
    deck = load([tmp_path / "sub", tmp_path, tmp_path / "sub"])
    assert ids(deck) == ["card"]
    assert deck.problems == ()


def test_what_cannot_be_read_is_a_problem_and_nothing_waits(tmp_path: Path) -> None:
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    os.mkfifo(tmp_path / "pipe.md")
    write(tmp_path / "card.md")
    deck = load([tmp_path, tmp_path / "no-such-folder"])
    assert ids(deck) == ["card"]
    assert [(path, code) for path, _, code in codes(deck)] == [
        ("gone.md", "unreadable"),
        ("no-such-folder", "unreadable"),
        ("pipe.md", "unreadable"),
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_a_problem(tmp_path: Path) -> None:
    folder = write(tmp_path / "closed" / "card.md").parent
    folder.chmod(0)
    deck = load([tmp_path])
    folder.chmod(0o700)
    assert codes(deck) == [("closed", 1, "unreadable")]


def test_a_file_too_large_for_a_card_is_not_read(tmp_path: Path) -> None:
    with write(tmp_path / "card.md").open("ab") as file:
        file.truncate(5_000_000)
    assert codes(load([tmp_path])) == [("card.md", 1, "too-large")]


def test_a_single_file_is_a_deck(tmp_path: Path) -> None:
    card = write(tmp_path / "one.md", question="![[pic.png]]")
    write(tmp_path / "two.md")
    (tmp_path / "one.py").touch()
    (tmp_path / "pic.png").touch()
    deck = load([card, card])
    assert ids(deck) == ["one"]
    assert deck.problems == ()
    assert deck.entries[0].checker == tmp_path / "one.py"


def test_images_are_found_by_name_anywhere_in_the_deck(tmp_path: Path) -> None:
    for name in ("a/Pic.png", "b/pic.png", "b/deep/pic.png", "c/two words.png"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    deck = load([tmp_path])
    assert deck.media("Pic.png") == tmp_path / "a" / "Pic.png"
    assert deck.media("pic.png") == tmp_path / "b" / "pic.png"
    assert deck.media("PIC.PNG") == tmp_path / "a" / "Pic.png"
    assert deck.media("../deep/pic.png") == tmp_path / "b" / "deep" / "pic.png"
    assert deck.media("PIC.png", beside=tmp_path / "b" / "card.md") == tmp_path / "b" / "pic.png"
    assert deck.media("two%20words.png") == tmp_path / "c" / "two words.png"
    assert deck.media("/etc/passwd") is None


def test_an_image_on_the_web_is_not_missing(tmp_path: Path) -> None:
    write(tmp_path / "card.md", question="![x](https://example.org/x.png) ![[gone.png]]")
    deck = load([tmp_path])
    assert codes(deck) == [("card.md", 5, "image")]
    assert "gone.png" in deck.problems[0].message


def test_python_files_away_from_cards_are_not_complained_of(tmp_path: Path) -> None:
    write(tmp_path / "cards" / "card.md")
    (tmp_path / "setup.py").touch()
    assert load([tmp_path]).problems == ()


@pytest.mark.parametrize(
    "info", ["[]", "{", '{"name": 3}', "[" * 100_000, "\udcff", '{"name": "' + "x" * 70_000 + '"}']
)
def test_an_info_file_that_cannot_be_used_is_a_warning(tmp_path: Path, info: str) -> None:
    write(tmp_path / "card.md")
    (tmp_path / "info.json").write_text(info, "utf-8", "surrogateescape")
    deck = load([tmp_path])
    assert codes(deck) == [("info.json", 1, "info")]
    assert ids(deck) == ["card"]


def test_a_folder_bears_the_name_that_its_info_file_gives_it() -> None:
    assert load([GOOD]).folders[GOOD / "cnn"].name == "Convolutional Networks"


def test_macros_hold_for_the_folders_below(tmp_path: Path) -> None:
    write(tmp_path / "sub" / "deep" / "card.md")
    (tmp_path / "macros.tex").touch()
    (tmp_path / "sub" / "deep" / "macros.tex").touch()
    deck = load([tmp_path])
    assert deck.macros(deck.entries[0]) == (
        tmp_path / "macros.tex",
        tmp_path / "sub" / "deep" / "macros.tex",
    )


def test_reading_an_entry_gives_the_file_as_it_is_now(tmp_path: Path) -> None:
    path = write(tmp_path / "card.md")
    deck = load([tmp_path])
    (entry,) = deck.entries
    write(path, question="Another?")
    card = deck.read(entry).card
    assert card is not None and card.question == "Another?"
    write(path, id_="other")
    assert [problem.code for problem in deck.read(entry).problems] == ["id"]
    path.unlink()
    assert [problem.code for problem in deck.read(entry).problems] == ["unreadable"]


def test_reading_an_entry_gives_its_choice() -> None:
    deck = load([GOOD])
    card = deck.read(found(deck, "010")).card
    assert card is not None and card.asks == Choice(frozenset("ABD"))


def test_a_card_is_found_by_id_before_file_before_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "one.md", id_="two.md")
    write(tmp_path / "two.md", id_="card_b")
    write(tmp_path / "three.md", id_="card_c")
    deck = load([tmp_path])
    monkeypatch.chdir(tmp_path)
    assert found(deck, "two.md").path.name == "one.md"
    assert found(deck, "./two.md").id == "card_b"
    assert found(deck, str(tmp_path / "three.md")).id == "card_c"
    assert found(deck, "two").id == "two.md"
    assert deck.find("card") == Ambiguous("card", ("card_c", "card_b"))


def test_ids_are_case_sensitive_and_near_misses_are_suggested(tmp_path: Path) -> None:
    write(tmp_path / "a.md", id_="Softmax")
    deck = load([tmp_path])
    for key in ("softmax", "Sotfmax", "max"):
        missing = deck.find(key)
        assert isinstance(missing, NoSuchCard)
        assert missing.near == ("Softmax",)
        assert "Softmax" in missing.message


def test_the_name_of_a_file_without_its_ending_suggests_the_card_in_it(tmp_path: Path) -> None:
    write(tmp_path / "ridge.md", id_="sml_04")
    missing = load([tmp_path]).find("ridge")
    assert isinstance(missing, NoSuchCard)
    assert missing.near == ("sml_04",)


@pytest.mark.parametrize("key", ["", "zzz", "\0", "x" * 5000, "~nobody/x"])
def test_a_key_that_fits_nothing_finds_nothing(key: str) -> None:
    missing = load([GOOD]).find(key)
    assert isinstance(missing, NoSuchCard) and missing.near == ()


def test_a_file_outside_the_deck_is_found_too(tmp_path: Path) -> None:
    path = write(tmp_path / "outside.md")
    (tmp_path / "outside.py").touch()
    deck = load([GOOD])
    for key in (path, path.with_suffix(".py")):
        entry = found(deck, str(key))
        assert (entry.id, entry.asking) == ("outside", Asking.CHECKER)


def test_a_file_that_is_no_card_says_why(tmp_path: Path) -> None:
    missing = load([GOOD]).find(str(MALFORMED / "no_id.md"))
    assert isinstance(missing, NoSuchCard)
    assert "line 1" in missing.message and "`id`" in missing.message


@pytest.mark.parametrize("written", ["NFC", "NFD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_filters_and_ids_match_however_their_accents_are_encoded(
    tmp_path: Path, written: str, typed: str
) -> None:
    def as_written(text: str) -> str:
        return unicodedata.normalize(written, text)

    def as_typed(text: str) -> str:
        return unicodedata.normalize(typed, text)

    folder = tmp_path / as_written("Théorie")
    fields = as_written("course: Maskininlärning\ntags: [mått]\n")
    path = write(folder / "card.md", as_written("été-1"), fields, as_written("Où ça?"))
    write(folder / "more.md", as_written("été-12"), fields)
    write(tmp_path / "other.md", "other", "course: Maskin\n")
    deck = load([tmp_path])
    for wanted in (
        Filter(courses=(as_typed("MASKININLÄRNING"),)),
        Filter(courses=(as_typed("théorie"),)),
        Filter(tags=(as_typed("Mått"),)),
    ):
        assert [entry.path.parent for entry in deck.entries if wanted.matches(entry)] == [
            folder,
            folder,
        ]
    found = deck.find(as_typed("été-1"))
    assert isinstance(found, Entry) and found.path == path
    assert found.id == as_written("été-1")
    assert isinstance(deck.find(as_typed("ét")), Ambiguous)
    searched = Filter(text=as_typed("OÙ ÇA"))
    assert [entry.path for entry in deck.entries if searched.matches(entry)] == [path]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (Filter(), {"010", "jensen", "roc_curve", "cnn_004", "2025-01-22_05", "kedjeregeln"}),
        (Filter(courses=("deep learning",)), {"cnn_004", "2025-01-22_05"}),
        (Filter(courses=("CNN",)), {"cnn_004", "2025-01-22_05"}),
        (Filter(courses=("convolutional networks", "språk")), {"cnn_004", "2025-01-22_05"}
         | {"kedjeregeln"}),
        (Filter(tags=("CNN", "微积分")), {"cnn_004", "2025-01-22_05", "kedjeregeln"}),
        (Filter(tags=("cnn",), difficulties=(2, 3)), {"cnn_004"}),
        (Filter(types=("multiple-choice", "proof")), {"010", "jensen"}),
        (Filter(types=("open",)), {"kedjeregeln"}),
        (Filter(types=("essay",)), {"kedjeregeln"}),
        (Filter(statuses=("to-learn",)), {"cnn_004", "roc_curve", "kedjeregeln"}),
        (Filter(cards=("jensen", "010")), {"010", "jensen"}),
        (Filter(text="CONCAVITY"), {"jensen"}),
        (Filter(text="производная"), {"kedjeregeln"}),
        (Filter(text="roc_c"), {"roc_curve"}),
        (Filter(courses=("cnn",), tags=("trees",)), set()),
    ],
)  # fmt: skip
def test_filters_take_any_value_of_an_option_and_every_option(
    chosen: Filter, expected: set[str]
) -> None:
    assert {entry.id for entry in load([GOOD]).entries if chosen.matches(entry)} == expected


def counted() -> tuple[list[tuple[int, int]], Callable[[int, int], None]]:
    calls: list[tuple[int, int]] = []
    return calls, lambda done, total: calls.append((done, total))


def test_unchanged_files_are_not_read_again(tmp_path: Path) -> None:
    first, report = counted()
    cold = load([GOOD, MALFORMED], tmp_path, report)
    assert first == [(n, 14) for n in range(1, 15)]
    again, report = counted()
    warm = load([GOOD, MALFORMED], tmp_path, report)
    assert again == []
    assert (warm.entries, warm.problems, warm.notes) == (cold.entries, cold.problems, cold.notes)


def test_a_warm_cache_opens_no_card_and_needs_no_yaml(tmp_path: Path) -> None:
    load([GOOD], tmp_path)
    program = f"""
import sys
opened = []
sys.addaudithook(lambda event, args: event == "open" and opened.append(str(args[0])))
from pathlib import Path
from quizzer.deck import load
deck = load([Path({str(GOOD)!r})], Path({str(tmp_path)!r}))
assert len(deck.entries) == 6
assert not [name for name in opened if name.endswith(".md")]
assert not {{"yaml", "frontmatter", "numpy", "rich"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path / "deck" / "a.md")
    write(tmp_path / "deck" / "b.md")
    load([tmp_path / "deck"], tmp_path / "cache")
    write(path, id_="changed")
    calls, report = counted()
    assert ids(load([tmp_path / "deck"], tmp_path / "cache", report)) == ["changed", "b"]
    assert calls == [(1, 1)]


def test_a_file_of_the_same_size_and_time_but_replaced_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path / "deck" / "a.md", id_="one")
    load([tmp_path / "deck"], tmp_path / "cache")
    before = path.stat()
    write(path, id_="two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert ids(load([tmp_path / "deck"], tmp_path / "cache")) == ["two"]


def test_removed_files_are_forgotten_and_checkers_are_looked_up_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "deck" / "a.md")
    write(tmp_path / "deck" / "b.md")
    load([tmp_path / "deck"], tmp_path / "cache")
    path.unlink()
    (tmp_path / "deck" / "b.py").touch()
    (entry,) = load([tmp_path / "deck"], tmp_path / "cache").entries
    assert (entry.id, entry.asking) == ("b", Asking.CHECKER)


def _many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A deck whose eleven files are many, so that a second process helps to read them."""
    monkeypatch.setattr(reading, "MANY", 10)
    for number in range(10):
        write(tmp_path / "deck" / f"{number}.md", id_=f"c{number}", fields="requires: [c0]\n")
    (tmp_path / "deck" / "broken.md").write_text("---\nid: x\n", "utf-8")
    return tmp_path / "deck"


@pytest.mark.parametrize("files_of_the_helper", [5, 2, 0])
def test_many_files_are_read_by_two_processes_and_what_one_does_not_tell_by_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files_of_the_helper: int
) -> None:
    alone = load([_many(tmp_path, monkeypatch)])
    read_here: list[str] = []
    read_one = reading.read_one
    monkeypatch.setattr(
        reading, "read_one", lambda file: read_here.append(file.name) or read_one(file)
    )
    help_ = reading._help
    monkeypatch.setattr(
        reading, "_help", lambda files, pipe: help_(files[:files_of_the_helper], pipe)
    )
    calls, report = counted()
    shared = load([tmp_path / "deck"], None, report)
    assert list(shared.entries) == list(alone.entries)
    assert shared.problems == alone.problems
    assert len(read_here) == 11 - files_of_the_helper
    assert calls == [(number, 11) for number in range(1, 12)]


def test_files_are_read_by_one_process_where_no_other_can_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = _many(tmp_path, monkeypatch)

    def refused() -> int:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refused)
    assert len(load([deck]).entries) == 10


def test_the_second_process_ends_when_the_first_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = _many(tmp_path, monkeypatch)
    help_ = reading._help
    monkeypatch.setattr(reading, "_help", lambda files, pipe: help_(files * 10_000, pipe))
    ended, held = os.pipe()

    def killed(done: int, total: int) -> None:
        os._exit(0)

    if not (first := os.fork()):
        try:
            load([deck], None, killed)
        finally:
            os._exit(1)
    os.close(held)
    assert os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) == 0
    assert select.select([ended], [], [], 20)[0], "the second process still holds the pipe"
    os.close(ended)


def test_a_scan_that_was_interrupted_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = _many(tmp_path, monkeypatch)

    def interrupted(done: int, total: int) -> None:
        if done == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load([deck], tmp_path / "cache", interrupted)
    calls, report = counted()
    assert ids(load([deck], tmp_path / "cache", report)) == ids(load([deck]))
    assert calls == [(1, 3), (2, 3), (3, 3)]


def _linked_elsewhere(deck: Path) -> None:
    (deck / "linked").unlink()
    (deck / "linked").symlink_to(deck.parent / "other")


CHANGES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda deck: None,
    "a card edited": lambda deck: write(deck / "sub" / "b.md", id_="edited"),
    "a card added": lambda deck: write(deck / "sub" / "c.md", id_="c"),
    "a card in a new folder": lambda deck: write(deck / "new" / "c.md", id_="c"),
    "a card removed": lambda deck: (deck / "a.md").unlink(),
    "a card renamed": lambda deck: (deck / "a.md").rename(deck / "z.md"),
    "a card that is a note now": lambda deck: (deck / "a.md").write_text("A note.\n", "utf-8"),
    "an id taken twice": lambda deck: write(deck / "sub" / "c.md", id_="a"),
    "a checker added": lambda deck: (deck / "a.py").touch(),
    "a checker removed": lambda deck: (deck / "sub" / "b.py").unlink(),
    "a picture added": lambda deck: (deck / "sub" / "new.png").touch(),
    "a picture removed": lambda deck: (deck / "picture.png").unlink(),
    "a folder renamed": lambda deck: (deck / "sub").rename(deck / "renamed"),
    "a folder hidden": lambda deck: (deck / "sub").rename(deck / ".sub"),
    "a folder's name": lambda deck: (deck / "info.json").write_text('{"name": "New"}', "utf-8"),
    "a folder's name spoilt": lambda deck: (deck / "info.json").write_text("{", "utf-8"),
    "macros added": lambda deck: (deck / "sub" / "macros.tex").touch(),
    "a link that leads elsewhere": _linked_elsewhere,
    "a link that leads nowhere": lambda deck: (deck / "dead.md").symlink_to(deck / "none"),
}


IN_PLACE = ("a card edited", "a card that is a note now")


def _changeable(tmp_path: Path) -> Path:
    deck = tmp_path / "deck"
    write(deck / "a.md", id_="a")
    write(deck / "sub" / "b.md", id_="b")
    write(tmp_path / "one" / "d.md", id_="d")
    write(tmp_path / "other" / "e.md", id_="e")
    (deck / "sub" / "b.py").touch()
    (deck / "picture.png").touch()
    (deck / "info.json").write_text('{"name": "Old"}', "utf-8")
    (deck / "linked").symlink_to(tmp_path / "one")
    return deck


def _with_old_folders(tmp_path: Path) -> Path:
    """The same, its folders changed long enough ago for a glance."""
    deck = _changeable(tmp_path)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(quizzer.deck.walk, "_A_WHILE", -60_000_000_000)
        load([deck], tmp_path / "cache")
    return deck


@pytest.mark.parametrize("change", CHANGES)
def test_with_a_warm_index_every_change_is_seen(tmp_path: Path, change: str) -> None:
    deck = _changeable(tmp_path)
    for _ in range(2):
        load([deck], tmp_path / "cache")
    CHANGES[change](deck)
    for _ in range(2):
        warm, cold = load([deck], tmp_path / "cache"), load([deck])
        assert list(warm.entries) == list(cold.entries)
        assert dict(warm.by_id) == dict(cold.by_id)
        assert (warm.problems, warm.notes) == (cold.problems, cold.notes)
        assert (warm.folders, warm.pictures) == (cold.folders, cold.pictures)


def _rows_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The places in the index of the cards that are read from now on."""
    read: list[int] = []
    row = KeptCards.row
    monkeypatch.setattr(
        KeptCards, "row", lambda cards, place: read.append(place) or row(cards, place)
    )
    return read


def test_of_an_unchanged_deck_only_the_cards_asked_for_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load([GOOD], tmp_path)
    read = _rows_read(monkeypatch)
    deck = load([GOOD], tmp_path)
    first, *others = deck.by_id
    assert [entry.header.id for entry in deck.without(set(others))] == [first]
    assert deck.by_id[first] is deck.by_id[first]
    assert (len(read), len(deck.entries)) == (1, 6)


def test_choosing_the_new_cards_of_a_day_reads_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        write(tmp_path / "deck" / f"{number}.md", id_=f"c{number}")
    cold = load([tmp_path / "deck"], tmp_path / "cache")
    read = _rows_read(monkeypatch)
    warm = load([tmp_path / "deck"], tmp_path / "cache")
    now = datetime(2026, 11, 20, 9, tzinfo=UTC)
    today = plan(warm, {}, Done(), Settings(), now)
    assert len(today.new) == 5
    assert len(read) <= 6
    assert today == plan(cold, {}, Done(), Settings(), now)


def test_the_types_of_all_cards_are_those_of_each(tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    write(deck / "a.md", fields="type: proof\n")
    write(deck / "b.md")
    cold, warm = (load([deck], tmp_path / "cache") for _ in range(2))
    assert types_of(cold.by_id) == types_of(warm.by_id) == {e.id: e.type for e in cold.entries}


def test_what_a_list_shows_of_many_cards_is_read_of_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold = load([GOOD], tmp_path)
    monkeypatch.setattr("quizzer.deck.kept.FEW", 0)
    read = _rows_read(monkeypatch)
    warm = load([GOOD], tmp_path)
    assert are_as_read(warm.entries)
    for before, entry in zip(cold.entries, warm.entries, strict=True):
        told = (entry.title, entry.type, entry.kind, entry.points, entry.asking)
        assert told == (before.title, before.type, before.kind, before.points, before.asking)
    assert read == []
    assert list(warm.entries) == list(cold.entries)


def test_an_entry_of_the_index_can_be_copied_changed_and_sent(tmp_path: Path) -> None:
    cold = load([GOOD], tmp_path)
    for before, entry in zip(cold.entries, load([GOOD], tmp_path).entries, strict=True):
        assert pickle.loads(pickle.dumps(entry)) == copy.copy(entry) == entry == before
        assert replace(entry, title="other") == replace(before, title="other") != entry
        assert hash(entry) == hash(before)


@pytest.mark.parametrize("change", sorted(CHANGES.keys() - {"nothing", *IN_PLACE}))
def test_a_glance_sees_what_came_or_went(tmp_path: Path, change: str) -> None:
    deck = _with_old_folders(tmp_path)
    CHANGES[change](deck)
    glanced, cold = load([deck], tmp_path / "cache", glance=True), load([deck])
    assert list(glanced.entries) == list(cold.entries)
    assert glanced.problems == cold.problems


@pytest.mark.parametrize("few", [0, 250])
@pytest.mark.parametrize("change", IN_PLACE)
def test_after_a_glance_the_cards_themselves_tell_that_they_were_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, few: int
) -> None:
    deck = _with_old_folders(tmp_path)
    assert are_as_read(load([deck], tmp_path / "cache", glance=True).entries)
    CHANGES[change](deck)
    glanced = load([deck], tmp_path / "cache", glance=True)
    monkeypatch.setattr("quizzer.deck.kept.FEW", few)
    assert not are_as_read(glanced.entries)
    changed = [entry.path.name for entry in glanced.entries if not are_as_read([entry])]
    assert changed == ["b.md" if change == "a card edited" else "a.md"]


def test_folders_that_changed_just_now_are_not_trusted_to_a_glance(tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    write(deck / "a.md", id_="a")
    load([deck], tmp_path / "cache")
    before = deck.stat()
    write(deck / "b.md", id_="b")
    # As if both had come within one tick of the file system's clock.
    os.utime(deck, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert ids(load([deck], tmp_path / "cache", glance=True)) == ["a", "b"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-10],
        lambda data: data.replace(b"jensen", b"jansen"),
        lambda data: b"00000000\n{}",
        lambda data: b"\xff\x00" * 50,
    ],
)
def test_a_damaged_cache_is_ignored_and_replaced(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    expected = load([GOOD], tmp_path).entries
    (file,) = tmp_path.iterdir()
    sound = file.read_bytes()
    file.write_bytes(damage(sound))
    assert load([GOOD], tmp_path).entries == expected
    assert file.read_bytes() == sound


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    assert len(load([GOOD], occupied).entries) == 6
    assert len(load([GOOD], occupied / "below").entries) == 6


def test_each_set_of_roots_has_its_own_cache_file(tmp_path: Path) -> None:
    load([GOOD], tmp_path)
    load([MALFORMED], tmp_path)
    load([GOOD, MALFORMED], tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def located(
    cwd: Path,
    explicit: tuple[str, ...] = (),
    variable: str = "",
    configured: tuple[Path, ...] = (),
) -> Located | NoDeck:
    environ = {"QUIZZER_DECK": variable}
    return locate([Path(path) for path in explicit], environ, configured, cwd, starter_deck())


def test_the_deck_is_named_by_option_environment_configuration_folder_in_this_order(
    tmp_path: Path,
) -> None:
    here = write(tmp_path / "here" / "deep" / "card.md").parents[1]
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    variable = f"{one}{os.pathsep}{two}"
    assert located(here, ("../one",), variable, (two,)) == Located(
        (here / ".." / "one",), Source.OPTION
    )
    assert located(here, (), variable, (two,)) == Located((one, two), Source.ENVIRONMENT)
    assert located(here, (), "", (two,)) == Located((two,), Source.CONFIGURATION)
    assert located(here) == Located((here,), Source.CURRENT_FOLDER)


def test_a_folder_without_cards_gives_the_starter_deck(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# No card\nid: x\n", "utf-8")
    (tmp_path / "blog.md").write_text("---\ntitle: x\n---\nid: y\n", "utf-8")
    write(tmp_path / "_template.md")
    write(tmp_path / ".git" / "card.md")
    assert located(tmp_path) == Located((starter_deck(),), Source.STARTER)


def test_the_search_for_cards_in_the_current_folder_is_bounded(tmp_path: Path) -> None:
    for number in range(1001):
        (tmp_path / f"{number}").mkdir()
    write(tmp_path / "zzz" / "card.md")
    answer = located(tmp_path)
    assert answer == Located((starter_deck(),), Source.STARTER, cut_short=True)
    write(tmp_path / "card.md")
    assert located(tmp_path) == Located((tmp_path,), Source.CURRENT_FOLDER)


@pytest.mark.parametrize("name", ["gone", "text.txt"])
def test_a_named_deck_that_is_not_there_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.txt").touch()
    for answer in (
        located(tmp_path, (name,)),
        located(tmp_path, variable=str(tmp_path / name)),
        located(tmp_path, configured=(tmp_path / name,)),
    ):
        assert isinstance(answer, NoDeck)
        assert str(tmp_path / name) in answer.message


def test_a_single_card_may_be_named_as_deck(tmp_path: Path) -> None:
    card = write(tmp_path / "card.md")
    assert located(tmp_path, ("card.md",)) == Located((card,), Source.OPTION)


def test_the_starter_deck_lies_beside_the_package_or_in_it() -> None:
    assert starter_deck().name == "cards" and starter_deck().is_dir()
