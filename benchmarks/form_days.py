"""Twenty minutes a day on the starter deck: with the short forms, and on blank pages alone.

Learners of the memories in `_minds.py` study by the real queue and the rule of `plan/forms.py`. A
short form that went right strengthens the true memory by a share of what a blank page does: for
each share, the cards touched in the first two weeks, and how many of them would be derived whole
from a blank page after 60 days. How often a short form goes right nobody has measured: here, a
card is known in one with the chance of recall, and where it is not, half of the time still.

    python benchmarks/form_days.py [--learners N] [--minutes N] [--days N] [--share X...] [MIND...]
"""

import argparse
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean

from _minds import MINDS, Mind
from msgspec.structs import replace

from quizzer.deck import Deck, Entry
from quizzer.deck.load import load
from quizzer.fsrs.scheduler import schedule
from quizzer.plan.forms import ALL, FormHistory, form_for, may_have_forms, policy_for
from quizzer.plan.pace import BY_RULE
from quizzer.plan.queue import plan
from quizzer.plan.settings import Settings
from quizzer.store import Done
from quizzer.values import Form, Memory, Progress, Rating, study_day

FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)
BLANK = Settings(new_per_day=9999, reviews_per_day=9999, forms=(Form.BLANK,))
FORMS = replace(BLANK, forms=ALL)
FIRST_TIME = (25, 15, 50, 10)
AFTER_WORKED = 0.85
"""The chance of a right short form on the day after the worked solution, at the least."""
LUCKY = 0.5
MOST_IN_A_DAY = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("minds", nargs="*", default=["as believed", "ACT-R", "power law"])
    parser.add_argument("--learners", type=int, default=4)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--share", type=float, nargs="*", default=[0.3, 0.5, 0.7])
    wanted = parser.parse_args()
    deck = load([Path(__file__).parents[1] / "cards"])
    print(
        f"{wanted.learners} learners, {wanted.minutes:g} minutes a day, {len(deck.entries)} cards"
    )
    print(
        f"{'memory':<14}{'share':>7}{'in 14 days':>12}{'blank':>8}{'recalled':>10}{'blank':>8}"
        f"{'pages in 30':>13}{'blank':>8}"
    )
    for name in wanted.minds:
        for share in wanted.share:
            found = [
                [
                    study(deck, MINDS[name](Random(f"{number}")), settings, wanted, share, number)
                    for settings in (FORMS, BLANK)
                ]
                for number in range(wanted.learners)
            ]
            touched, recalled, pages = (
                [fmean(row[column][what] for row in found) for column in (0, 1)]
                for what in (0, 1, 2)
            )
            print(
                f"{name:<14}{share:>7.1f}{touched[0]:>12.0f}{touched[1]:>8.0f}"
                f"{recalled[0]:>10.1f}{recalled[1]:>8.1f}{pages[0]:>13.0f}{pages[1]:>8.0f}",
                flush=True,
            )


@dataclass
class Learner:
    """One learner's true memory and what the scheduler believes of it."""

    mind: Mind
    share: float
    progress: dict[str, Progress] = field(default_factory=dict)
    histories: dict[str, FormHistory] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    """The cards of which the true memory holds anything."""
    pages: int = 0
    """Reviews on a blank page so far."""

    def study(
        self, entry: Entry, form: Form, settings: Settings, now: datetime, luck: Random
    ) -> None:
        memory, day = self.progress.get(entry.id, Progress()).memory, study_day(now)
        history = self.histories.get(entry.id, FormHistory())
        rating = self.rating(entry.id, memory, form, history, day, luck)
        self.learn(entry.id, form, day, rating, luck)
        policy = policy_for(settings.policy("", day), form, history)
        after = schedule(entry.id, memory, rating, now, day, policy)
        self.progress[entry.id] = Progress(after)
        self.pages += form is Form.BLANK
        self.histories[entry.id] = history.after(form, after.interval, rating is Rating.AGAIN)

    def rating(
        self,
        card: str,
        memory: Memory | None,
        form: Form,
        history: FormHistory,
        day: int,
        luck: Random,
    ) -> Rating:
        if form is Form.WORKED:
            return Rating.GOOD
        if memory is None:
            return Rating(luck.choices((1, 2, 3, 4), FIRST_TIME)[0])
        recall = self.recall(card, day) if day > memory.day else 0.85
        if form is not Form.BLANK:
            recall += (1 - recall) * LUCKY
        if luck.random() >= recall:
            return Rating.AGAIN
        return Rating(luck.choices((2, 3, 4), (15, 75, 10))[0])

    def recall(self, card: str, day: int) -> float:
        """The chance that the card is derived from a blank page; 0 where nothing of it is left."""
        return self.mind.recall(card, day) if card in self.known else 0.0

    def learn(self, card: str, form: Form, day: int, rating: Rating, luck: Random) -> None:
        """A short form counts as a repetition with the chance of its share, as nothing otherwise.

        The first that counts is like a page that was not known, and was then read.
        """
        if form is not Form.BLANK and rating is not Rating.AGAIN and luck.random() >= self.share:
            return
        is_weak = card not in self.known and form is not Form.BLANK
        self.known.add(card)
        self.mind.learn(card, day, Rating.AGAIN if is_weak else rating)


def study(
    deck: Deck,
    mind: Mind,
    settings: Settings,
    wanted: argparse.Namespace,
    share: float,
    seed: int,
) -> tuple[int, float, int]:
    """The cards touched in two weeks, those recalled whole after all days, and the reviews on a
    blank page in the first thirty."""
    learner = Learner(mind, share)
    touched = pages = 0
    for number in range(wanted.days):
        now = FIRST + timedelta(number)
        pace = replace(BY_RULE, form_of=partial(form_of, learner, settings, now))
        queue = plan(deck, learner.progress, Done(), settings, now, pace=pace)
        live(learner, [*queue.steps, *queue.fresh], settings, now, wanted.minutes, seed)
        if number == 13:
            touched = len(learner.progress)
        if number == 29:
            pages = learner.pages
    last = study_day(FIRST) + wanted.days
    return touched, sum(learner.recall(card, last) for card in learner.progress), pages


def live(
    learner: Learner,
    coming: Collection[Entry],
    settings: Settings,
    now: datetime,
    minutes: float,
    seed: int,
) -> None:
    """One day's minutes; the first card always fits."""
    waiting, left, begun = [*coming], minutes, False
    times: dict[str, int] = {}
    while waiting:
        entry = waiting.pop(0)
        form = form_of(learner, settings, now, entry)
        cost = replace(BY_RULE, form_of=partial(form_of, learner, settings, now)).minutes(entry)
        if cost > left and begun:
            break
        luck = Random(f"{seed} {now} {entry.id} {times.get(entry.id, 0)}")
        learner.study(entry, form, settings, now, luck)
        begun, left = True, left - cost
        times[entry.id] = times.get(entry.id, 0) + 1
        memory = learner.progress[entry.id].memory
        if memory and not memory.interval and times[entry.id] < MOST_IN_A_DAY:
            waiting.append(entry)


def form_of(learner: Learner, settings: Settings, now: datetime, entry: Entry) -> Form:
    """The form in which a card comes next."""
    memory = learner.progress.get(entry.id, Progress()).memory
    available = ALL if may_have_forms(entry) else (Form.BLANK,)
    history = learner.histories.get(entry.id, FormHistory())
    return form_for(entry.id, history, available, settings, "", study_day(now), memory)


if __name__ == "__main__":
    main()
