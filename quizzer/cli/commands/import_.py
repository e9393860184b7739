"""The command `import`: a log of our own, or the reviews that another program recorded."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from quizzer.app.failure import StoreUnusable, Usage, reading
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.output import print_line, print_note
from quizzer.cli.terminal.waiting import busy
from quizzer.store import Store, clock
from quizzer.store.codec import milliseconds
from quizzer.store.importers import csv_files, repetitions
from quizzer.store.importers.errors import ImportFileError, UnusableFileError
from quizzer.store.importers.quizzer_log import QuizzerLog
from quizzer.store.importers.read import reading_file
from quizzer.store.importers.repetitions import Matched, ProgramLog
from quizzer.store.importers.taking import Step, Taken, take
from quizzer.text import count, did_you_mean, first_of, one_line

SHOWN = 5
"""Cards that are named of those that were left out."""


def import_(
    workspace: Workspace,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A file from `export` or `backup`, an Anki collection or package, or a CSV of "
            "Anki's revlog or of FSRS.",
        ),
    ],
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--map",
            metavar="CSV",
            help="Two columns: a card's id, a note's guid or a field there; the id of a card here.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do.")] = False,
) -> None:
    """Add reviews from a file to the history.

    Reviews that are already there are not added again.
    """
    path = file.expanduser().absolute()
    with ExitStack() as reading_it:
        found = reading_it.enter_context(_found(workspace, path, mapping))
        with (
            workspace.open_store(read_only=dry_run, newer=False) as store,
            busy("importing") as line,
        ):
            with _told(workspace, path):
                taken = _taken(
                    workspace,
                    store,
                    found,
                    dry_run,
                    lambda done: line.show(f"importing: {count(done, 'event')}"),
                )
            missing = 0 if dry_run or isinstance(found, Matched) else store.accept_losses()
    verb = "would take" if dry_run else "took"
    already = f", {count(taken.known, 'event')} there already" if taken.known else ""
    print_line(f"{workspace.short(path)}: {verb} {count(taken.added, 'event')}{already}")
    if taken.cards:
        print_note(f"rescheduled {count(len(taken.cards), 'card')}")
    if odd := clock.warning_of_times(taken.ahead, workspace.now()):
        print_note(odd)
    if missing:
        print_note(
            f"The history lacks {count(missing, 'event')}. Another copy or machine may still "
            "have them: quizzer import, quizzer sync"
        )
    _report_damage(workspace.short(path), taken.faults)


@contextmanager
def _found(
    workspace: Workspace, path: Path, mapping: Path | None
) -> Iterator[QuizzerLog | Matched]:
    """What the file holds; reviews of another program by the cards of this deck."""
    with ExitStack() as reading_it:
        with _told(workspace, path):
            now = milliseconds(workspace.now())
            found = reading_it.enter_context(reading_file(path, now, workspace.store_path))
        if isinstance(found, QuizzerLog):
            if mapping:
                raise Usage(
                    "--map is for the reviews of another program; this file is quizzer's own"
                )
            yield found
            return
        ids = workspace.deck.by_id.keys()
        matched = repetitions.matched(found, _mapping(workspace, mapping), ids)
        _report_left_out(found, matched.unknown, "not in this deck; map them with --map CSV")
        _report_left_out(
            found,
            matched.ambiguous,
            "several cards there match one here; tell them apart with --map CSV",
        )
        yield matched


@contextmanager
def _told(workspace: Workspace, path: Path) -> Iterator[None]:
    """Say of a file that cannot be read what is wrong with it."""
    file = workspace.short(path)
    try:
        with reading(file):
            yield
    except (UnusableFileError, ImportFileError) as error:
        kind = StoreUnusable if isinstance(error, UnusableFileError) else Usage
        raise kind(f"{file}: {error}. Nothing was taken from it") from None


def _taken(
    workspace: Workspace, store: Store, found: QuizzerLog | Matched, dry_run: bool, step: Step
) -> Taken:
    """Add what the store lacks, or only count it."""
    now = workspace.now()
    if isinstance(found, Matched):
        rollover = workspace.settings.rollover_hour
        rows, known = repetitions.rows(found.repetitions, store.log, _instants(workspace), rollover)
        return replace(take(store, rows, now, dry_run, step), known=known)
    taken = take(store, found.rows, now, dry_run, step)
    # What the file lacks is not lost if the history has it.
    missing = found.missing.without(store.log.of(found.missing.named)).faults
    return replace(taken, faults=[*found.faults, *missing, *taken.faults])


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
