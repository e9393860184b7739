"""The command `doctor`: whether history, deck and judging are in order."""

import platform
import shlex
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import typer
from msgspec import Struct

from quizzer.app.failure import Failure
from quizzer.app.workspace import Workspace, shortened
from quizzer.cli.options import AsJson
from quizzer.cli.terminal.output import print_json, print_line
from quizzer.cli.terminal.waiting import ProgressLine, busy
from quizzer.deck import load, starter_deck
from quizzer.deck.walk import walk
from quizzer.judge.judgement import Broken
from quizzer.store import Store, StoreError
from quizzer.store.copies import has_all, whole
from quizzer.store.errors import StoreDamagedError, StoreForeignError, StoreTooNewError
from quizzer.store.files import backups as backups_of
from quizzer.store.files import base_of, listed, unused
from quizzer.text import count, first_of, one_line

UNUSABLE = 6

SHOWN = 5
"""Faults that are listed one by one."""


_KEYS = {"sandbox": "walls"}  # what scripts know it by, since before it had its name


class Finding(Struct, frozen=True):
    """One thing that `doctor` looked at; `code` is the exit code that it asks for."""

    what: str
    says: str
    details: tuple[str, ...] = ()
    code: int = 0


def doctor(workspace: Workspace, as_json: AsJson = False) -> None:
    """Check that history, deck and judging are in order."""
    found = []
    if not as_json:
        print_line(f"{'python':<9} {platform.python_version()} on {sys.platform}")
    for finding in (look(workspace) for look in (_history, _deck, _judging, _sandbox)):
        found.append(finding)
        if not as_json:
            print_line(f"{finding.what:<9} {finding.says}")
            for detail in finding.details:
                print_line(f"{'':<9} {detail}")
    if as_json:
        print_json(
            {
                "python": platform.python_version(),
                "platform": sys.platform,
                **{
                    _KEYS.get(f.what, f.what): {
                        "ok": f.code == 0,
                        "says": f.says,
                        "details": list(f.details),
                    }
                    for f in found
                },
            }
        )
    raise typer.Exit(max(finding.code for finding in found))


def _history(workspace: Workspace) -> Finding:
    path = workspace.short(workspace.store_path)
    if not workspace.begun:
        return Finding("history", f"none yet; it will be {path}")
    try:
        with (
            workspace.open_store(read_only=True, damaged=True, newer=False) as store,
            busy("looking at every event") as line,
            ProgressLine("looking at every event", line) as step,
        ):
            found = store.examined(step=step)
        if found.memory and not found.faults:
            with workspace.open_store() as store:
                store.rebuild()
    except (StoreDamagedError, StoreForeignError) as error:
        what = shortened(f"{path} is damaged: {error.reason}")
        return Finding("history", what, tuple(_ways_back(workspace)), UNUSABLE)
    except StoreTooNewError as error:
        only = "Only if no newer quizzer has ever run here, the file is damaged, and this mends it:"
        ways = (only, *_ways_back(workspace))
        return Finding("history", shortened(str(error)), ways, UNUSABLE)
    except StoreError as error:
        return Finding("history", shortened(str(error)), code=UNUSABLE)
    if faults := found.faults:
        first = (one_line(fault, 160) for fault in first_of(faults, SHOWN))
        lines = (*first, *_ways_back(workspace))
        return Finding("history", f"{path} is damaged", lines, UNUSABLE)
    details = []
    if found.memory:
        details.append(
            f"the memory of {count(len(found.memory), 'card')} did not follow from it, and was "
            "rebuilt"
        )
    if found.missing.lost:
        lost = count(found.missing.lost, "event")
        details.append(f"{lost} lost to damage before an import or a sync")
    details.append(_kept(workspace, listed(workspace.store_path)))
    return Finding("history", f"{path}: {count(found.events, 'event')}, in order", tuple(details))


def _kept(workspace: Workspace, backups: Sequence[Path]) -> str:
    newest = f", the newest {workspace.short(backups[-1])}" if backups else ""
    return f"{count(len(backups), 'daily backup')}{newest}"


def _ways_back(workspace: Workspace) -> Iterator[str]:
    """What to type, word for word, to get a whole history back with all that is intact."""
    path = workspace.store_path
    place = ["--store", str(path)] if workspace.store_option else []
    backups = listed(path)
    yield _kept(workspace, backups)
    # Those of days to come were made while the clock was wrong: others may hold what is newer.
    today = date.fromordinal(workspace.today()).isoformat()
    until_now = [backup for backup in backups if backup.stem[-len(today) :] <= today]
    intact, damaged = _newest_intact(workspace, until_now)
    to_come, damaged_to_come = _newest_intact(workspace, backups[len(until_now) :])
    others = [*([to_come] if to_come else []), *damaged_to_come, *damaged]
    if intact is None and to_come:
        intact, others = to_come, others[1:]
    if intact:
        yield "Restore the newest intact one; it then says how to bring back what is newer:"
        yield shlex.join(["quizzer", "restore", str(intact), *place])
        if others:
            yield "Then bring back what is intact of newer ones:"
        for newer in others:
            yield shlex.join(["quizzer", "import", str(newer), *place])
        return
    aside = unused(path.with_name(f"{path.name}.damaged"))
    yield "None of them is intact. These commands keep what is intact of the history itself:"
    yield shlex.join(["mv", str(path), str(aside)])
    own = backups_of(path)
    moved = unused(Path(f"{own}.damaged"))
    for left in _of_this_history(path, backups):
        yield shlex.join(["mv", str(left), str(unused(Path(f"{left}.damaged")))])
    yield shlex.join(["quizzer", "import", str(aside), *place])
    for backup in others:
        if backup.parent == own:
            yield shlex.join(["quizzer", "import", str(moved / backup.name), *place])


def _newest_intact(
    workspace: Workspace, backups: Sequence[Path]
) -> tuple[Path | None, Sequence[Path]]:
    """The newest backup that is intact, and the newer ones that are to be imported too.

    Where all that changed is there, copies in between that build on the same one hold no more.
    """
    damaged, held = list[Path](), set[Path | None]()
    for backup in reversed(backups):
        if _is_sound(workspace, backup):
            return backup, damaged
        base = base_of(backup)
        if base is None or base not in held:
            damaged.append(backup)
            if has_all(backup):
                held.add(base)
    return None, damaged


def _of_this_history(path: Path, backups: Sequence[Path]) -> Iterator[Path]:
    """What to move away so that no backup of this history is left where one is looked for.

    An older quizzer kept the backups of all histories in one folder: there, each file alone.
    """
    own = backups_of(path)
    if any(backup.parent == own for backup in backups):
        yield own
    yield from (backup for backup in backups if backup.parent != own)


def _is_sound(workspace: Workspace, backup: Path) -> bool:
    try:
        with (
            whole(backup, workspace.store_path) as file,
            Store.open(file, workspace.now(), read_only=True) as store,
        ):
            found = store.examined(memory=False)
    except StoreError:
        return False
    return found.events > 0 and not found.faults  # no copy is made of an empty history


def _deck(workspace: Workspace) -> Finding:
    try:
        deck = workspace.deck
    except Failure as failure:
        return Finding("deck", str(failure), code=failure.exit_code)
    state = workspace.unread or ", in order"
    return Finding("deck", f"{workspace.deck_name}: {count(len(deck.entries), 'card')}{state}")


def _judging(_: Workspace) -> Finding:
    """Try a checker of the starter deck."""
    from quizzer.judge.judges import Judge

    cards = (file.path for file in walk((starter_deck(),)).files)
    entries = (entry for card in cards for entry in load((card,)).entries)
    checker = next((entry.checker for entry in entries if entry.checker), None)
    if checker is None:
        return Finding("judging", "the starter deck is missing; install quizzer again", code=4)
    with busy("trying a checker"), Judge() as judge:
        asked = judge.question(checker)
    if isinstance(asked, Broken):
        return Finding("judging", f"answers cannot be judged: {asked.message}", code=4)
    return Finding("judging", "works, in processes of its own")


def _sandbox(_: Workspace) -> Finding:
    """How the code of decks and answers is confined, tested by attacking ourselves."""
    from quizzer.sandbox import protection

    details = [
        f"{each.name:<12} {'active' if each.active else 'absent'}: {each.note}"
        for each in protection.protections()
    ]
    with busy("attacking the sandbox"):
        attacks = protection.attack()
    through = [f"NOT kept out: {each.name}: {each.note}" for each in attacks if not each.kept_out]
    held = len(attacks) - len(through)
    details += [f"{held} of {count(len(attacks), 'attack')} on ourselves kept out", *through]
    if not protection.enclosed():
        says = "not enough here: you are asked before a deck's code runs (quizzer trust)"
        return Finding("sandbox", says, tuple(details))
    return Finding(
        "sandbox",
        "deck code and answers run in a sandbox",
        tuple(details),
        code=4 if through else 0,
    )
