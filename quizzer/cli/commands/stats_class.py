"""What `stats --from` shows a teacher: which cards and which mistakes hurt, and no names."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from quizzer.app.failure import Usage, reading
from quizzer.app.workspace import Workspace
from quizzer.cli.commands import stats_csv
from quizzer.cli.terminal.output import id_width, print_json, print_line, print_note, screen_width
from quizzer.cli.terminal.waiting import busy
from quizzer.deck import Filter
from quizzer.stats.classroom import Classroom, added_up, classroom, of_totals
from quizzer.stats.report import handed_in
from quizzer.store.sync import course_sums, postgres
from quizzer.store.sync.address import is_address, shown
from quizzer.text import count, first_of, one_line

SHOWN = 20
"""Cards in the table; `--json` has all of them."""
SHOWN_OF_ALL = 10
"""Known mistakes, and lines, over all cards."""


def show(
    workspace: Workspace, place: str, courses: list[str] | None, as_json: bool, as_csv: bool
) -> None:
    """Print what all learners in a database or a folder of reports did with the cards meant."""
    chosen = Filter(courses=tuple(courses or ()))
    cards = {entry.id for entry in workspace.deck.entries if chosen.matches(entry)}
    if not cards:
        raise Usage(f"no card of the course {', '.join(courses or ())} in {workspace.deck_name}")
    with busy("adding up the reviews"):
        if is_address(place):
            found = _of_database(place, cards)
        else:
            found = _of_reports(workspace, place, cards)
    if as_json:
        print_json(_document(found, courses))
        return
    if as_csv:
        for line in stats_csv.text(found).splitlines():
            print_line(line)
        return
    name = ", ".join(courses) if courses else workspace.deck_name
    print_line(f"{name}: {count(found.learners, 'learner')}, {count(found.reviews, 'review')}")
    if not found.cards:
        print_note("Nobody has seen a card of it yet.")
        return
    for line in (*_cards(found), "", *_mistakes(found), *_known(found), *_lines(found)):
        print_line(line)
    if len(found.cards) > SHOWN:
        print_note(
            f"and {count(len(found.cards) - SHOWN, 'card')} that hurt less; all of them: --json"
        )


def _of_database(address: str, cards: set[str]) -> Classroom:
    """From the sums that the database keeps, else from every event."""
    found = course_sums.totals(address, cards)
    if found is None:
        print_note(
            "This database keeps no sums that you may read, so every event is gone through. Its "
            "owner adds them with: quizzer course init ADDRESS"
        )
        return classroom(postgres.all_events(address, cards), cards)
    if found.remark:
        print_note(found.remark)
    return of_totals(found)


def _of_reports(workspace: Workspace, place: str, cards: set[str]) -> Classroom:
    """What the reports in a folder add up to; those that cannot be used are told."""
    folder = _folder(place)
    if folder is None:
        raise Usage(
            f"--from {shown(place)}: name a course's database, postgresql://HOST/DATABASE, or a "
            "folder with reports"
        )
    with reading(workspace.short(folder)):
        handed = handed_in(folder)
    told = [f"left out: {workspace.short(file)} {why}" for file, why in handed.left_out]
    for line in first_of(told, SHOWN):
        print_note(line)
    return added_up(
        {card: sums for card, sums in report.cards.items() if card in cards}
        for report in handed.reports
    )


def _folder(place: str) -> Path | None:
    try:
        folder = Path(place).expanduser()
        return folder if folder.is_dir() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _cards(found: Classroom) -> Iterator[str]:
    shown = found.cards[:SHOWN]
    width = id_width((card.card for card in shown), most=28)
    yield _cut(
        f"{'card':<{width}} {'hurt':>4} {'learners':>8} {'reviews':>7} {'forgot':>6} {'min':>4} "
        f"{'disputed':>8}  mistakes"
    )
    for card in shown:
        forgot = "-" if card.forgotten is None else f"{card.forgotten:.0%}"
        minutes = "-" if card.seconds is None else f"{card.seconds / 60:.1f}"
        often = ", ".join(f"{code} {times}" for code, times in islice(card.mistakes.items(), 3))
        yield _cut(
            f"{card.card:<{width}} {card.hurt:>4.1f} {card.learners:>8} {card.reviews:>7} "
            f"{forgot:>6} {minutes:>4} {card.disputes or '-':>8}  {often}"
        )
    yield "hurt: wrong answers and reviews rated again, a learner; min: median a review"


def _mistakes(found: Classroom) -> Iterator[str]:
    if not found.mistakes:
        yield "no wrong answer yet"
        return
    yield f"{'mistake':<18} {'times':>5} {'learners':>8}  cards"
    for mistake in found.mistakes:
        line = f"{mistake.code:<18} {mistake.times:>5} {mistake.learners:>8}  "
        yield _cut(line + ", ".join(mistake.cards))


def _known(found: Classroom) -> Iterator[str]:
    """Which of the mistakes that the authors of the cards foresaw."""
    rows = [(n, said, card.card) for card in found.cards for said, n in card.known.items()]
    yield from _most_frequent("known mistake", rows)


def _lines(found: Classroom) -> Iterator[str]:
    """At which lines derivations break first."""
    rows = [(n, line, card.card) for card in found.cards for line, n in card.lines.items()]
    yield from _most_frequent("first wrong line", rows)


def _most_frequent(head: str, rows: Sequence[tuple[int, str, str]]) -> Iterator[str]:
    shown = sorted(rows, key=lambda row: (-row[0], row[1:]))[:SHOWN_OF_ALL]
    if not shown:
        return
    width = id_width((card for *_, card in shown), most=28)
    yield ""
    yield f"{'times':>5}  {'card':<{width}}  {head}"
    for times, what, card in shown:
        yield _cut(f"{times:>5}  {card:<{width}}  {one_line(what, 200)}")


def _cut(line: str) -> str:
    """Cut to the screen; columns are kept as they are."""
    room, line = screen_width(), line.replace("\n", " ")
    return line.rstrip() if len(line) <= room else line[: room - 1].rstrip() + "…"


def _document(found: Classroom, courses: Sequence[str] | None) -> dict[str, object]:
    return {
        "courses": list(courses or ()),
        "learners": found.learners,
        "reviews": found.reviews,
        "cards": [
            {
                "id": card.card,
                "hurt": card.hurt,
                "learners": card.learners,
                "reviews": card.reviews,
                "again": card.again,
                "forgotten": card.forgotten,
                "median_minutes": None if card.seconds is None else card.seconds / 60,
                "wrong": card.wrong,
                "disputed": card.disputes,
                "mistakes": dict(card.mistakes),
                "known_mistakes": dict(card.known),
                "lines": dict(card.lines),
            }
            for card in found.cards
        ],
        "mistakes": [
            {
                "code": mistake.code,
                "times": mistake.times,
                "learners": mistake.learners,
                "cards": list(mistake.cards),
            }
            for mistake in found.mistakes
        ],
    }
