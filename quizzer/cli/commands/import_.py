"""The command `import`: a log of our own, or the reviews that another program recorded."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import StoreUnusable, Usage, reading
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.cli.terminal.waiting import busy
from quizzer.store import Store, clock, merge
from quizzer.store.codec import milliseconds
from quizzer.store.importers import csv_files, repetitions
from quizzer.store.importers.errors import ImportFileError, UnusableFileError
from quizzer.store.importers.quizzer_log import QuizzerLog
from quizzer.store.importers.read import read_file
from quizzer.store.importers.repetitions import Matched, ProgramLog
from quizzer.store.merge import Sound
from quizzer.text import count, did_you_mean, first_of, one_line

SHOWN = 5
"""Cards that are named of those that were left out."""


def import_(
    workspace: Workspace,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="What `export` or `backup` wrote, an Anki collection or package, or a CSV of "
            "Anki's revlog or for FSRS.",
        ),
    ],
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--map",
            metavar="CSV",
            help="Two columns: a card's id, note's guid or field there, a card's id here.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do.")] = False,
) -> None:
    """Add reviews from a file to the history.

    What is there already is not added again.
    """
    path = file.expanduser().absolute()
    found = _found(workspace, path, mapping)
    with workspace.open_store(read_only=dry_run) as store, busy("importing"):
        sound, known = _lacking(workspace, store, found)
        cards = frozenset[str]() if dry_run else store.take(sound.rows, workspace.now())
        missing = 0 if dry_run or isinstance(found, Matched) else store.accept_losses()
    verb = "would take" if dry_run else "took"
    already = f", {count(known, 'event')} there already" if known else ""
    print_line(f"{workspace.short(path)}: {verb} {count(len(sound.rows), 'event')}{already}")
    if cards:
        print_note(f"rescheduled {count(len(cards), 'card')}")
    if odd := clock.warning_of(sound.rows, workspace.now()):
        print_note(odd)
    if missing:
        print_note(
            f"The history lacks {count(missing, 'event')}. Another copy or machine may still "
            "have them: quizzer import, quizzer sync"
        )
    _report_damage(workspace.short(path), sound.faults)


def _found(workspace: Workspace, path: Path, mapping: Path | None) -> QuizzerLog | Matched:
    """What the file holds; reviews of another program by the cards of this deck."""
    found = _read(workspace, path)
    if isinstance(found, QuizzerLog):
        if mapping:
            raise Usage("--map is for the reviews of another program; this file is quizzer's own")
        return found
    matched = repetitions.matched(found, _mapping(workspace, mapping), workspace.deck.by_id.keys())
    _report_left_out(found, matched.unknown, "not in this deck; map them with --map CSV")
    _report_left_out(
        found,
        matched.ambiguous,
        "several cards there match one here; tell them apart with --map CSV",
    )
    return matched


def _read(workspace: Workspace, path: Path) -> QuizzerLog | ProgramLog:
    file = workspace.short(path)
    try:
        with reading(file):
            return read_file(path, milliseconds(workspace.now()))
    except (UnusableFileError, ImportFileError) as error:
        kind = StoreUnusable if isinstance(error, UnusableFileError) else Usage
        raise kind(f"{file}: {error}. Nothing was taken from it") from None


def _lacking(workspace: Workspace, store: Store, found: QuizzerLog | Matched) -> tuple[Sound, int]:
    """What the store lacks, and how many events it has already."""
    there = store.log.hashes()
    if isinstance(found, Matched):
        rollover = workspace.settings.rollover_hour
        rows, known = repetitions.rows(found.repetitions, store.log, _instants(workspace), rollover)
        return merge.sound(rows, there), known
    sound = merge.sound(found.rows, there)
    known = len({row.id for row in found.rows} & there.keys())
    # What the file lacks is not lost if the history has it.
    missing = found.missing.without(there.keys()).faults
    return Sound(sound.rows, [*found.faults, *missing, *sound.faults]), known


def _mapping(workspace: Workspace, file: Path | None) -> Mapping[str, str]:
    if file is None:
        return {}
    name = workspace.short(file.expanduser().absolute())
    try:
        with reading(name):
            mapping = csv_files.mapping(file.expanduser())
    except ImportFileError as error:
        raise Usage(f"{name}: {error}") from None
    deck = workspace.deck.by_id
    for ours in mapping.values():
        if ours not in deck:
            hint = did_you_mean(ours, deck) or f" (deck: {workspace.deck_name})"
            raise Usage(f"{name}: no card `{one_line(ours)}`{hint}")
    return mapping


def _report_left_out(found: ProgramLog, left: Counter[str], why: str) -> None:
    if not left:
        return
    cards, reviews = count(len(left), "card"), count(left.total(), "review")
    print_note(f"left out: {reviews} of {cards}: {why}")
    for card, times in left.most_common(SHOWN):
        names = found.names.get(card, (card,))
        field = f"  {one_line(names[3], 40)}" if len(names) > 3 else ""
        print_note(f"  {one_line(card, 40)}{field}  {count(times, 'review')}")
    if len(left) > SHOWN:
        print_note(f"  and {len(left) - SHOWN} more")


def _report_damage(file: str, faults: Sequence[str]) -> None:
    """Name what is damaged. Raises StoreUnusable if there is anything."""
    if not faults:
        return
    print_note("left out, damaged:")
    for each in first_of(faults, SHOWN):
        print_note(f"  {one_line(each, 120)}")
    raise StoreUnusable(
        f"{file} is damaged. What is intact was taken from it; what was left out may still be "
        "found with `quizzer import` of another copy, or `quizzer sync` with another machine."
    )


def _instants(workspace: Workspace) -> repetitions.At:
    """The learner's zone: that of this machine at that time, or the offset of QUIZZER_NOW."""
    zone = workspace.now().tzinfo if workspace.environ.get("QUIZZER_NOW") else None
    return lambda ms: (
        datetime.fromtimestamp(ms // 1000, zone)
        .astimezone(zone)
        .replace(microsecond=ms % 1000 * 1000)
    )
