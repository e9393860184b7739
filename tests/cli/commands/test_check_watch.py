"""`check --watch`, with an author who saves files while it looks at them."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from command_line import CommandLine
from pseudo_terminal import CTRL_C, Terminal, environment
from samples import CHECKER, DERIVATION_CARD, card_text

from quizzer.app.workspace import Workspace
from quizzer.cli.commands import check_watch
from quizzer.cli.commands.check_watch import Checked, watch
from quizzer.deck import Deck, load

Deed = Callable[[], object]
LOOKS = 8
"""Looks between two deeds: more than it takes to notice one."""


def author(*deeds: Deed | None) -> Callable[[float], None]:
    """Sleeping: meanwhile one deed after the other is done; then Ctrl-C is pressed."""

    def doing() -> Iterator[None]:
        for deed in deeds:
            if deed:
                deed()
            yield
        raise KeyboardInterrupt

    done = doing()
    return lambda seconds: next(done)


def in_turn(*deeds: Deed) -> list[Deed | None]:
    """The deeds, each when the one before it was noticed."""
    nothing: list[Deed | None] = [None] * LOOKS
    return [each for deed in deeds for each in (deed, *nothing)]


Watching = Callable[..., list[str]]


@pytest.fixture
def watching(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Watching:
    """What is printed at the start, then after each save, while the deeds are done."""

    def run(*arguments: object, deeds: list[Deed | None]) -> list[str]:
        with monkeypatch.context() as patch:
            patch.setattr(check_watch, "watch", partial(watch, sleep=author(*deeds)))
            ran = cli("check", "--watch", *arguments)
        assert ran.code == 130, ran.err
        assert "\x1b" not in ran.out
        return BLOCK.findall(re.sub(r"(?m) +$", "", ran.out))

    return run


BLOCK = re.compile(r"(?ms).*?^\d\d:\d\d:\d\d  [^\n]*\n\n|.+")
NEW = "What is it, then?"


def changed(file: Path, old: str = "What is it?", new: str = NEW) -> Deed:
    return lambda: file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")


@pytest.fixture
def two(write_deck: Callable[..., Path]) -> Path:
    return write_deck({"a.md": card_text("a"), "b.md": card_text("b", question="$\\strange$")})


def test_the_start_checks_all_cards_and_a_save_shows_the_card_that_was_saved(
    watching: Watching, two: Path
) -> None:
    start, *shown = watching("--deck", two, deeds=in_turn(changed(two / "a.md")))
    assert "strange` is not known" in start and "What is it" not in start
    assert start.endswith("  2 cards, 0 checkers, 0 notes: 0 errors, 1 warning\n\n")
    assert len(shown) == 1
    assert shown[0].startswith(NEW) and "strange" not in shown[0]
    assert shown[0].endswith("  1 card, 0 checkers, 0 notes: 0 errors, 0 warnings\n\n")


def test_each_save_is_checked_until_the_card_is_right(watching: Watching, two: Path) -> None:
    card = two / "b.md"
    deeds = in_turn(
        changed(card, "\\strange", "\\stranger"),
        changed(card, "---\n\n# Q", "\n# Q"),
        changed(card, "status: to_learn\n\n", "status: to_learn\n---\n\n"),
        changed(card, "\\stranger", "\\alpha"),
    )
    start, unknown, unreadable, again, right = watching(card, deeds=deeds)
    assert start.startswith("\\strange\n")
    assert unknown.startswith("\\stranger\n") and "[tex-unknown]" in unknown
    assert unreadable.startswith(f"{card}:1: error: ") and "0 cards" in unreadable
    assert "[tex-unknown]" in again
    assert right.startswith("α\n") and "0 warnings" in right


def test_a_save_of_the_checker_shows_and_proves_its_card(watching: Watching, deck: Path) -> None:
    checker = deck / "square.py"
    deeds = in_turn(lambda: checker.write_text(CHECKER + 'right = {"dx": ["3 x dy"]}\n', "utf-8"))
    start, shown = watching("square", "--deck", deck, deeds=deeds)
    for block in (start, shown):
        assert "Derive its backward message." in block and "dx  " in block
    assert "0 errors" in start
    assert "[right-rejected]" in shown and "1 card, 1 checker, 0 notes: 1 error" in shown


def test_a_declared_checker_is_watched_beside_its_card(
    watching: Watching, deck: Path, cli: CommandLine
) -> None:
    declared = deck / "square.checker"
    (deck / "square.py").unlink()
    add = partial(declared.write_text, "x: D\ny_i = x_i^2\nask dx: message\n", "utf-8")
    both = partial((deck / "square.py").write_text, CHECKER, "utf-8")
    start, added, doubled = watching(deck / "square.md", "--deck", deck, deeds=in_turn(add, both))
    assert "0 checkers" in start and "1 checker," in added
    assert f"{declared}:1: warning: " in doubled and "[two-checkers]" in doubled
    assert "[two-checkers]" in cli("check", "square", "--deck", deck).out


def test_a_file_that_vanishes_while_it_is_saved_is_no_finding(
    watching: Watching, two: Path
) -> None:
    card = two / "a.md"
    deeds = [card.unlink, None, None, lambda: card.write_text(card_text("a", question=NEW))]
    _, *shown = watching("--deck", two, deeds=[*deeds, *[None] * LOOKS])
    assert len(shown) == 1 and shown[0].startswith(NEW) and "0 errors, 0 warnings" in shown[0]


def test_what_vanishes_while_it_is_checked_is_checked_when_it_is_back(
    write_deck: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    deck = write_deck({"a.md": card_text("a")})
    card = deck / "a.md"
    text = card_text("a", question=NEW)
    asked: list[Deck] = []

    def check(workspace: Workspace, cards: frozenset[Path] | None) -> Checked:
        asked.append(load([deck]))
        if len(asked) == 2:
            card.unlink()
        return Checked(load([deck]), [f"finding {len(asked)}"], "")

    deeds = [
        *in_turn(changed(card)),
        *in_turn(lambda: card.write_text(text, "utf-8")),
    ]
    with pytest.raises(KeyboardInterrupt):
        watch(Workspace((deck,), environ={}), [deck], check, author(*deeds))
    assert re.findall(r"finding \d", capsys.readouterr().out) == ["finding 1", "finding 3"]


def test_a_card_that_is_removed_is_told_and_others_are_still_watched(
    watching: Watching, two: Path
) -> None:
    deeds = in_turn((two / "b.md").unlink, changed(two / "a.md"))
    _, shown = watching("--deck", two, deeds=deeds)
    assert shown.startswith(f"{two / 'b.md'} is gone\n{NEW}\n")


def test_cards_that_are_saved_at_once_are_checked_without_their_questions(
    watching: Watching, two: Path
) -> None:
    def both() -> None:
        changed(two / "a.md")()
        changed(two / "b.md", "strange", "stranger")()

    _, shown = watching("--deck", two, deeds=in_turn(both))
    assert "2 cards" in shown and "stranger` is not" in shown and NEW not in shown


def test_a_card_of_another_deck_is_drawn_with_the_macros_of_its_own(
    watching: Watching, two: Path
) -> None:
    deeds = in_turn(
        changed(two / "b.md", "strange$", "strange + 1$"),
        lambda: (two / "macros.tex").write_text(r"\newcommand{\strange}{\beta}", "utf-8"),
    )
    _, without, drawn = watching(two, deeds=deeds)
    assert without.startswith("\\strange + 1\n") and "1 warning" in without
    assert drawn.startswith("β + 1\n") and "0 warnings" in drawn


def test_it_prints_no_json(cli: CommandLine, two: Path) -> None:
    ran = cli("check", "--watch", "--json", two)
    assert ran.code == 2 and "--watch" in ran.err


def test_check_takes_the_id_of_a_card_too(cli: CommandLine, two: Path) -> None:
    ran = cli.ok("check", "b", "--deck", two)
    assert "b.md:11: warning" in ran.out
    assert cli("check", "c", "--deck", two).code == 2


def test_a_terminal_shows_only_the_latest_save(home: Path, write_deck: Callable[..., Path]) -> None:
    deck = write_deck({"square.md": DERIVATION_CARD, "square.py": CHECKER})
    card = deck / "square.md"
    with Terminal("check", "--watch", card, env=environment(home)) as terminal:
        terminal.shows(r"0 errors, 0 warnings$")
        assert "dx  " in terminal.text
        changed(card, "The layer is", "Behold the layer")()
        terminal.until(lambda: "Behold" in terminal.text and "0 warnings" in terminal.text)
        assert "The layer is" not in terminal.text
        terminal.send(CTRL_C)
        assert terminal.ends() == 130
