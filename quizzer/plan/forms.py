"""In which form a card comes, and what a right short form counts. Pure.

A new card comes as a worked solution, then in a short form, then on a blank page. From there on, at
least every third review is a blank page; shortly before an exam every one is. After three right
results in a row without a line on the way one line is asked for, so that nobody learns a formula by
heart.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from hashlib import sha256
from math import floor

from msgspec import Struct
from msgspec.structs import replace

from quizzer.deck import Asking, Entry
from quizzer.fsrs.scheduler import Policy
from quizzer.fsrs.step import SHORT_SHARE
from quizzer.plan.pace import ENOUGH_OF_TYPE, Pace, median
from quizzer.plan.settings import Settings
from quizzer.store import Entered, Store
from quizzer.values import Form, Memory, Progress, Rating

ALL = tuple(Form)
TESTS = (Form.SLIP, Form.MISSING)
"""The short forms that ask for something."""
MOST_SHORT = 2
"""Reviews in a short form between two blank pages."""
MOST_BARE = 3
"""Right results without a line on the way, until a line is asked for."""
BLANK_DAYS = 14
"""Days before an exam in which every card comes on a blank page."""
FIRST_DAYS = 4
"""The longest interval after a right short form until there was a blank page."""
LONGEST = 1.5
"""The longest interval of a short form, as a multiple of the one after the last blank page."""


class FormHistory(Struct, frozen=True):
    """The forms in which a card has come so far: as much as decides which comes next."""

    short: int = 0
    """Short forms since the last blank page, or since the card was new."""
    right: int = 0
    """How many of them asked for something and were not rated Again."""
    blank: int | None = None
    """The interval that the last blank page earned; None before the first one."""
    bare: int = 0
    """Blank pages in a row that were right by their results alone, since a line was asked for."""

    def after(
        self, form: Form, interval: int, again: bool = False, bare: bool = False
    ) -> "FormHistory":
        """The same after one more review."""
        if form is Form.BLANK:
            return FormHistory(0, 0, interval, self.bare + 1 if bare else 0)
        right = self.right + (form in TESTS and not again)
        asked = form is Form.MISSING
        return replace(self, short=self.short + 1, right=right, bare=0 if asked else self.bare)


def form_history(reviews: Iterable[Entered], memory: Memory | None) -> FormHistory:
    """In which forms a card came, from its reviews since it was new; if none are given, all were
    blank pages."""
    history = FormHistory(blank=memory.interval if memory else None)
    for number, review in enumerate(reviews):
        before = history if number else FormHistory()
        again = review.rating == Rating.AGAIN
        history = before.after(review.form, review.interval, again, review.bare)
    return history


def forms_next(
    entered: Callable[[str], Sequence[Entered]],
    progress: Callable[[str], Progress],
    settings: Settings,
    day: int,
) -> Callable[[Entry], Form]:
    """In which form each card comes next, as far as that can be told before its lines are proven.

    `entered` tells the reviews of a card that ever came in a short form; both are asked only of
    cards that may.
    """
    known: dict[str, Form] = {}

    def form(entry: Entry) -> Form:
        if not may_have_forms(entry):
            return Form.BLANK
        if entry.id not in known:
            memory = progress(entry.id).memory
            history = form_history(entered(entry.id), memory)
            course = entry.header.course
            known[entry.id] = form_for(entry.id, history, ALL, settings, course, day, memory)
        return known[entry.id]

    return form


def in_forms(
    pace: Pace, store: Store, settings: Settings, day: int, only: Form | None = None
) -> Pace:
    """The pace that knows in which form each card comes next; `only`: the one for all that can."""
    if only is None and not comes_short(settings):
        return pace
    pace = replace(pace, by_form=minutes_by_form(store.short_times()))
    if only is not None:
        return replace(pace, form_of=lambda e: only if may_have_forms(e) else Form.BLANK)
    return replace(pace, form_of=forms_next(store.entered, store.progress_of, settings, day))


def may_have_forms(entry: Entry) -> bool:
    """Whether a card may have short forms: one whose answers a checker judges. Whether it has some
    is known when its lines are proven."""
    return entry.asking is Asking.CHECKER


def minutes_by_form(seconds: Iterable[tuple[Form, float]]) -> dict[Form, float]:
    """The median minutes of each short form that was timed often enough."""
    times = defaultdict[Form, list[float]](list)
    for form, taken in seconds:
        times[form].append(taken / 60)
    return {form: median(taken) for form, taken in times.items() if len(taken) >= ENOUGH_OF_TYPE}


def comes_short(settings: Settings) -> bool:
    """Whether any card comes in a short form."""
    return any(form is not Form.BLANK for form in settings.forms)


def form_for(
    card: str,
    history: FormHistory,
    available: Collection[Form],
    settings: Settings,
    course: str,
    day: int,
    memory: Memory | None,
) -> Form:
    """The form in which a card comes."""
    can = {form for form in available if form in settings.forms}
    if not can - {Form.BLANK} or is_soon(settings.exam_ahead(course, day), day):
        return Form.BLANK
    tests = [form for form in TESTS if form in can]
    draw = _draw(card, memory.reviews if memory else 0)
    in_step = memory is not None and not memory.interval
    if history.blank is None:
        if not history.short and Form.WORKED in can:
            return Form.WORKED
        return _one_of(tests, draw) if tests and not history.right else Form.BLANK
    if not tests or history.short >= MOST_SHORT:
        return Form.BLANK
    if history.bare >= MOST_BARE and Form.MISSING in can:
        return Form.MISSING
    if not in_step and draw * (MOST_SHORT + 1 - history.short) < 1:
        return Form.BLANK
    return _one_of(tests, draw * 7 % 1)


def is_soon(exam_day: int | None, day: int) -> bool:
    """Whether an exam is so near that a card comes on a blank page only."""
    return exam_day is not None and exam_day - day <= BLANK_DAYS


def policy_for(policy: Policy, form: Form, history: FormHistory) -> Policy:
    """How a review in this form is scheduled: a short one adds less, for a shorter interval."""
    if form is Form.BLANK:
        return policy
    if form is Form.WORKED:
        longest = 1
    elif history.blank is None:
        longest = FIRST_DAYS
    else:
        longest = max(1, floor(LONGEST * history.blank))
    longest = min(longest, policy.maximum_interval)
    return replace(policy, share=SHORT_SHARE, maximum_interval=longest)


def _one_of(forms: list[Form], draw: float) -> Form:
    return forms[min(len(forms) - 1, floor(draw * len(forms)))]


def _draw(card: str, times: int) -> float:
    """A number in [0, 1), always the same for this review: asked again, the form is the same."""
    digest = sha256(f"form\n{card}\n{times}".encode("utf-8", "surrogatepass")).digest()
    return (int.from_bytes(digest[:7], "big") >> 3) / 2**53
