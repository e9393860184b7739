"""Loading a deck: every card that can be used, and every problem, never stopping at the first."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from os.path import lexists
from pathlib import Path

from quizzer import files
from quizzer.card import Image, Problem, Severity
from quizzer.deck import cache as index
from quizzer.deck.cache import Index, KnownFile
from quizzer.deck.linked import with_easier
from quizzer.deck.own_problem import OwnProblem
from quizzer.deck.reading import read_each
from quizzer.deck.values import (
    Asking,
    Deck,
    Entry,
    Folder,
    runs_by_ease,
)
from quizzer.deck.walk import CardFile, Listing, listing, natural, walk
from quizzer.text import clean, composed, folded

Progress = Callable[[int, int], None]
"""Called with the number of files read so far, and of those that must be read."""

_Keep = Callable[[Sequence[tuple[CardFile, KnownFile]]], None]
"""What to do with files that were read before the learner interrupted it."""

MAX_INFO_BYTES = 64 * 1024
_NO_PICTURE = "image"


def load(
    roots: Sequence[Path],
    cache: Path | None = None,
    progress: Progress | None = None,
    *,
    glance: bool = False,
) -> Deck:
    """The deck of these folders or single card files.

    With a folder `cache`, a file that has not changed since the last time is not read again. A
    `glance` looks at the folders alone: a card that was written to in place is as it was before,
    and whoever shows it asks `are_as_read` first.
    """
    roots = tuple(dict.fromkeys(root.absolute() for root in roots))
    kept = index.read(cache, roots) if cache else None
    if kept and glance and (deck := kept.glanced()):
        return deck
    # Taken before anything is read: what changes meanwhile is found the next time.
    listed = listing(roots) if cache else Listing("", [], "")
    if kept and (deck := kept.whole(listed)):
        return deck
    walked = walk(roots)

    def keep(found: Sequence[tuple[CardFile, KnownFile]]) -> None:
        if cache:
            index.write_part(cache, roots, found)

    known, read = _known(walked.files, kept, progress, keep)
    problems = list(walked.problems)
    folders = {path: _folder(path, problems) for path in walked.folders}
    where = _names(folders, walked.files)
    entries: list[Entry] = []
    pictured: list[tuple[Entry, Image]] = []
    for file, facts in zip(walked.files, known, strict=True):
        problems += facts.problems
        if facts.header is not None:
            checker = file.checker or (file.path if facts.fence else None)
            asking = Asking.CHECKER if checker else facts.asking
            names = where[file.folder]
            entry = Entry(file.path, file.root, facts.header, asking, checker, names, facts.title)
            entries.append(entry)
            problems += _unused(file, facts)
            pictured += [(entry, image) for image in facts.images]
    by_id = with_easier(_by_id(entries, problems))
    deck = Deck(
        roots=roots,
        entries=tuple(by_id.values()),
        notes=sum(facts.is_note for facts in known),
        problems=(),
        folders=folders,
        pictures=_pictures(walked.media),
        by_id=by_id,
        ease=runs_by_ease(by_id.values()),
    )
    problems += _missing_pictures(deck, pictured)
    problems += _lonely(walked.lonely, {entry.path.parent for entry in entries})
    deck = deck.with_problems(sorted(problems, key=lambda p: (natural(str(p.path)), p.line)))
    if cache and (read or kept is None or kept.fingerprint != listed.fingerprint):
        index.write(cache, listed, deck, zip(walked.files, known, strict=True))
    return deck


def with_folder(deck: Deck, root: Path) -> Deck:
    """The deck with the cards of one more folder. Only that folder is read, and only its problems
    are in the result."""
    more = load((root,))
    problems = [each for each in more.problems if each.code != _NO_PICTURE]
    by_id = _by_id([*deck.entries, *more.entries], problems)
    pictures = {name: list(paths) for name, paths in deck.pictures.items()}
    for name, paths in more.pictures.items():
        pictures.setdefault(name, []).extend(paths)
    whole = Deck(
        roots=(*deck.roots, *more.roots),
        entries=tuple(by_id.values()),
        notes=deck.notes + more.notes,
        problems=(),
        folders={**deck.folders, **more.folders},
        pictures=pictures,
        by_id=by_id,
    )
    cards = ((entry, deck.read(entry).card) for entry in more.entries)
    pictured = [(entry, image) for entry, card in cards if card for image in card.images]
    return whole.with_problems([*problems, *_missing_pictures(whole, pictured)])


def _known(
    files: Sequence[CardFile], kept: Index | None, progress: Progress | None, keep: _Keep
) -> tuple[list[KnownFile], int]:
    """What is known of each file, from what was kept or by reading it, and how many were read."""
    known: list[KnownFile | None] = kept.known(files) if kept else [None] * len(files)
    places = [place for place, facts in enumerate(known) if facts is None]
    try:
        for read, (number, facts) in enumerate(read_each([files[p] for p in places]), start=1):
            known[places[number]] = facts
            if progress:
                progress(read, len(places))
    except KeyboardInterrupt:
        keep([(file, facts) for file, facts in zip(files, known, strict=True) if facts])
        raise
    return [facts for facts in known if facts], len(places)


def _unused(file: CardFile, facts: KnownFile) -> Iterable[Problem]:
    """Checkers of a card that has another one: most likely one was forgotten."""
    if file.checker is None:
        return
    used = clean(file.checker.name)
    if file.unused:
        message = f"the checker in use is {used}, beside this one; delete one of them"
        yield Problem(file.unused, 1, Severity.WARNING, "two-checkers", message)
    if facts.fence:
        message = f"the checker in use is {used}, not this fence; delete one of them"
        yield Problem(file.path, facts.fence - 1, Severity.WARNING, "two-checkers", message)


def _by_id(entries: Iterable[Entry], problems: list[Problem]) -> dict[str, Entry]:
    """The entries by id; of several with one id the first serves."""
    by_id: dict[str, Entry] = {}
    for entry in entries:
        first = by_id.setdefault(entry.id, entry)
        if first is not entry:
            message = (
                f"the id {entry.id} is taken by {first.path}:{first.header.line}, which is the "
                "one in use; give this card an id of its own"
            )
            line = entry.header.line
            problems.append(
                Problem(entry.path, line, Severity.ERROR, "duplicate-id", clean(message))
            )
    return by_id


def _pictures(media: Iterable[Path]) -> dict[str, list[str]]:
    pictures: dict[str, list[str]] = {}
    for path in media:
        pictures.setdefault(folded(path.name), []).append(str(path))
    return pictures


def _missing_pictures(deck: Deck, pictured: Iterable[tuple[Entry, Image]]) -> Iterable[Problem]:
    for entry, image in pictured:
        is_address = "://" in image.name or image.name.startswith("data:")
        if not is_address and deck.media(image.name, entry.path) is None:
            message = f"no file {image.name} in the deck; add the image, or mend its name here"
            yield Problem(entry.path, image.line, Severity.WARNING, _NO_PICTURE, message)


def _lonely(checkers: Iterable[Path], card_folders: set[Path]) -> Iterable[Problem]:
    """Checkers among cards that belong to none: most likely a name is mistyped."""
    for path in checkers:
        if path.parent in card_folders:
            message = (
                f"no card {clean(path.stem)}.md stands beside this checker; give both the same "
                "name, or begin the name of a helper with `_`"
            )
            yield Problem(path, 1, Severity.WARNING, "lonely-checker", message)


def _names(
    folders: Mapping[Path, Folder], files: Iterable[CardFile]
) -> dict[Path, tuple[str, ...]]:
    """For each folder with cards: the names of itself and its parents up to the root."""
    names: dict[Path, tuple[str, ...]] = {}
    for file in files:
        own = file.folder
        if own in names:
            continue
        chain = [folder for folder in (own, *own.parents) if folder.is_relative_to(file.root)]
        found: list[str] = []
        for folder in reversed(chain):
            found += [folder.name, folders[folder].name if folder in folders else ""]
        names[own] = tuple(dict.fromkeys(composed(clean(name)) for name in found if name))
    return names


def _folder(path: Path, problems: list[Problem]) -> Folder:
    """The folder with what its `info.json` says of it, and its macros if they can be read."""
    info, macros = path / "info.json", path / "macros.tex"
    name, found = "", None
    if lexists(info):
        with OwnProblem(info, problems, Severity.WARNING):
            name = _name(info, problems)
    if lexists(macros):
        with OwnProblem(macros, problems, Severity.WARNING):
            files.read(macros)
            found = macros
    return Folder(path, name, found)


def _name(file: Path, problems: list[Problem]) -> str:
    """The name that a file gives its folder; none, and a problem, where it is not as it should."""
    line, said = 1, "it cannot be used"
    try:
        info = json.loads(files.read_text(file, MAX_INFO_BYTES))
        if isinstance(info, dict) and isinstance(name := info.get("name", ""), str):
            return " ".join(composed(clean(name)).split())
    except json.JSONDecodeError as error:
        line, said = error.lineno, f"this is not JSON ({error.msg})"
    except (files.TooLargeError, ValueError, RecursionError):
        pass
    problems.append(Problem(file, line, Severity.WARNING, "info", f"{said}; write {_INFO_EXAMPLE}"))
    return ""


_INFO_EXAMPLE = '`{"name": "…", "description": "…"}` in UTF-8'
