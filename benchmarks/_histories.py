"""Decks and histories of learners of many years, written once and then measured."""

import os
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from deck import TEXT

from quizzer.stats.card_sums import CardSums
from quizzer.stats.report import Report, pseudonym, written
from quizzer.store import Store
from quizzer.store.codec import Row, body_of, kind_of, milliseconds
from quizzer.store.ids import next_id
from quizzer.store.integrity import hashed
from quizzer.values import Attempt, Fact, Rating, Review, State, Verdict

DUE = 200
"""Cards due today in a history that is kept up."""
ALL_OVERDUE = timedelta(days=200)
"""After so long away, every card of such a history is overdue."""
LINES = 20
"""Of a derivation that was typed."""


def write_cards(root: Path, cards: int) -> None:
    """So many cards in twenty folders."""
    for number in range(cards):
        path = root / f"course-{number % 20}" / f"card_{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = TEXT.format(number=number, course=number % 20, difficulty=number % 5 + 1)
        path.write_text(text, "utf-8")


def write_history(
    file: Path, root: Path, now: datetime, cards: int, reviews: int, attempts: int = 0
) -> None:
    """Each card comes again and again over years; the last time on one of the past 100 days."""
    done = sorted(_done(root, now, cards, reviews, attempts), key=lambda each: each[0])
    # Events of another device are taken as they are, which is far quicker than to rate each.
    with Store.open(file, now, backups=False) as store:
        store.take([*_rows(done, now)], now)


def _done(
    root: Path, now: datetime, cards: int, reviews: int, attempts: int
) -> Iterator[tuple[int, Fact]]:
    rng = Random(7)
    today = now.toordinal()
    for card in range(cards):
        last = today - rng.randint(1, 100)
        interval = today - last - rng.randint(0, 5) if card < DUE else today - last + 1
        times = (reviews + cards - 1 - card) // cards
        tries = (attempts + cards - 1 - card) // cards
        for number in range(times):
            passed = (times - 1 - number) * max(1, 1200 // times)
            newest = number == times - 1
            day = last - passed
            yield day, review(root, card, max(interval, 1) if newest else 60, rng, number == 0)
        for number in range(tries):
            day = last - number * max(1, 1200 // tries)
            verdict = Verdict.CORRECT if rng.random() < 0.7 else Verdict.WRONG
            said = "sign" if verdict is Verdict.WRONG else None
            steps = (f"= sum_n (y[n] - t[n]) * x[n, {n}] / N" for n in range(LINES))
            answer = "\n".join(steps)
            yield day, Attempt(f"card-{card}", "dw", answer, verdict, said, "index", 7, 240.0)


def write_reports(folder: Path, learners: int, cards: int) -> None:
    """What a class hands in."""
    folder.mkdir()
    rng = Random(8)
    for learner in range(learners):
        sums = {}
        for card in range(cards):
            own = sums[f"card-{card}"] = CardSums()
            for number in range(10):
                own.add(review(folder, card, 60, rng, first=number == 0))
            mistakes = rng.choices(["sign", "factor", "axis"], k=3)
            for said in mistakes:
                tried = Attempt(f"card-{card}", "dw", "", Verdict.WRONG, said)
                own.answer(tried, disputed=False)
        made = f"2026-11-{learner % 20 + 1:02}T09:00:00+00:00"
        report = Report(pseudonym(str(learner)), made, 13 * cards, sums)
        (folder / f"{learner}.json").write_bytes(written(report))


def review(
    root: Path, card: int, interval: int, rng: Random | None = None, first: bool = False
) -> Review:
    rating = rng.choices(list(Rating), (10, 10, 70, 10))[0] if rng else Rating.GOOD
    state = State.NEW if first else State.REVIEW
    path = f"{root}/course-{card % 20}/card_{card}.md"
    return Review(f"card-{card}", rating, interval, state, seconds=20.0, path=path)


def _rows(done: Iterable[tuple[int, Fact]], now: datetime) -> Iterator[Row]:
    device = next_id(None, 0, os.urandom)
    today, before = now.toordinal(), None
    for day, fact in done:
        at = milliseconds(now + timedelta(days=day - today))
        after, before = before or "", next_id(before, at, os.urandom)
        kind, body = kind_of(type(fact)), body_of(fact)
        yield hashed(Row(before, device, after, at, 0, day, kind, fact.card, body, ""))
