"""What every face says at the end of a session."""

from collections.abc import Iterator

from quizzer.session.better import Better, Gain
from quizzer.session.summary import Summary
from quizzer.stats.streak import in_words
from quizzer.text import about, count, iso_day, minutes, one_line, sentence

MOST = 3
"""So many cards that got better are named."""
_OF_A_TITLE = 40


def summary(done: Summary) -> Iterator[str]:
    """What the session came to."""
    if done.rated:
        retention = f", {done.retention:.0%} remembered" if done.retention is not None else ""
        yield (
            f"{count(done.rated, 'rating')} on {count(done.cards, 'card')} "
            f"in {minutes(done.seconds)}{retention}. All saved."
        )
    else:
        yield _nothing(done)
    for gain in Gain:
        if cards := [better for better in done.better if better.gain is gain]:
            yield sentence(f"{gain.value}: {_named(cards)}")
    if done.waiting:
        yield f"{count(done.waiting, 'card')} to be repeated today."
    if done.left and done.asked:
        yield f"Left for today: {count(done.left, 'card')}, {about(done.left_minutes)}."
    yield _tomorrow(done)
    if done.seen_by:
        yield f"At this pace you will have seen every card by {iso_day(done.seen_by)}."
    if done.rated and done.streak.days > 1:
        kept = in_words(done.streak)
        yield f"{kept[0].upper()}{kept[1:]}."


def _named(cards: list[Better]) -> str:
    """The first few of these cards, and how many more there are."""
    named = [
        one_line((better.entry.title or better.entry.id).removesuffix("."), _OF_A_TITLE)
        + (f" ({count(better.days, 'day')})" if better.days else "")
        for better in cards[:MOST]
    ]
    more = len(cards) - len(named)
    return f"{', '.join(named)}{f' and {more} more' if more else ''}"


def _tomorrow(done: Summary) -> str:
    new = f", {done.tomorrow_new} new" if done.tomorrow_new else ""
    time = f", {about(done.tomorrow_minutes)}" if done.tomorrow_minutes else ""
    return f"Tomorrow: {count(done.tomorrow, 'card')} due{new}{time}."


def _nothing(done: Summary) -> str:
    """Why there was no rating."""
    if done.asked:
        return "Nothing was rated."
    if done.left:
        cards = count(done.left, "card")
        return f"Today's minutes are spent; {cards}, {about(done.left_minutes)} left."
    if done.beyond:
        return f"Today's limit leaves {count(done.beyond, 'card')} for later."
    return "Nothing is due now."
