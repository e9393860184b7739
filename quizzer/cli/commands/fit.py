"""The command `fit`: memory parameters from the learner's own log, if they predict better."""

from typing import TYPE_CHECKING, Annotated

import typer

from quizzer.app.workspace import Workspace
from quizzer.cli.commands.copying import need_history
from quizzer.cli.options import AsJson
from quizzer.cli.terminal.output import print_json, print_note, print_text
from quizzer.cli.terminal.waiting import Line, busy
from quizzer.fsrs.limits import NAME
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.store.fitted import Fitted
from quizzer.text import iso_day
from quizzer.values import Fit as FitFact

if TYPE_CHECKING:
    from quizzer.fsrs.fit import Fit

MARGIN = 12


def fit(
    workspace: Workspace,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Fit and compare, but change nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Learn from your reviews how you forget.

    The new parameters are adopted if they predict held-out reviews better than those in use. Due
    days do not change; later ratings use the new parameters.
    """
    need_history(workspace)
    with busy("learning how you forget") as line:
        found, current = _fit(workspace, line)
        adopts = found.adopt and not dry_run
        if adopts:
            _adopt(workspace, found)
    if as_json:
        print_json(_document(workspace, found, current, adopts))
        return
    for label, text in _rows(found, current):
        print_text(f"{label:<{MARGIN}}{text}", indent=MARGIN)
    if adopts:
        print_text(f"{'kept in':<{MARGIN}}the history; quizzer undo takes them back", indent=MARGIN)
    if found.adopt and dry_run:
        print_note("Nothing was changed: without --dry-run they would be adopted.")


def _fit(workspace: Workspace, line: Line) -> "tuple[Fit, Fitted | None]":
    """The fit, and the one in force."""
    from quizzer.fsrs import fit as fitting
    from quizzer.fsrs.histories import told_one_by_one

    def progress(made: int, total: int) -> None:
        line.show(f"learning how you forget: {made} of {total} fits made")

    with workspace.open_store(read_only=True, newer=False) as store:
        known, current = store.brief_reviews(), store.fitted()
    reviews = told_one_by_one(
        (review.history, review.rating, review.day) for review in known if not review.short
    )
    if current is None:
        return fitting.fit(reviews, progress=progress), None
    return fitting.fit(reviews, current.parameters, current.day, progress=progress), current


def _adopt(workspace: Workspace, found: "Fit") -> None:
    """Record the parameters; the memory of all cards is computed again with them."""
    assert found.parameters is not None
    fact = FitFact(NAME, tuple(found.parameters), found.reviews)
    with workspace.open_store() as store:
        store.record(fact, at=workspace.now(), day=workspace.today())


def _rows(found: "Fit", current: Fitted | None) -> list[tuple[str, str]]:
    rows = [
        ("reviews", f"{found.reviews:,}, of which {found.scored:,} say something about forgetting"),
        ("in use", f"yours of {iso_day(current.day)}" if current else f"the defaults of {NAME}"),
    ]
    compared = found.held_out
    if compared is None:
        return [*rows, ("kept", _too_few(found, current))]
    rows.append(
        (
            "held out",
            f"{compared.reviews:,} reviews: log-loss {compared.current:.4f} as it is, "
            f"{compared.fitted:.4f} with a fit",
        )
    )
    margin = f"{abs(compared.gain):.4f} (give or take {compared.error:.4f})"
    if not found.adopt:
        how = "worse by" if compared.gain < 0 else "better only by"
        return [*rows, ("kept", f"those in use: the fit is {how} {margin}")]
    return [*rows, ("better by", margin)]


def _too_few(found: "Fit", current: Fitted | None) -> str:
    from quizzer.fsrs.fit import FEWEST

    since = f" since {iso_day(current.day)}" if current else ""
    return (
        f"those in use: a comparison needs {FEWEST} reviews that no fit has seen, "
        f"and there are {found.unseen:,}{since}"
    )


def _document(
    workspace: Workspace, found: "Fit", current: Fitted | None, adopts: bool
) -> dict[str, object]:
    compared = found.held_out
    return {
        "model": NAME,
        "reviews": found.reviews,
        "scored": found.scored,
        "unseen": found.unseen,
        "held_out": compared
        and {
            "reviews": compared.reviews,
            "current": compared.current,
            "fitted": compared.fitted,
            "gain": compared.gain,
            "error": compared.error,
        },
        "better": found.adopt,
        "adopted": adopts,
        "current": list(current.parameters if current else DEFAULT_PARAMETERS),
        "fitted": found.parameters and list(found.parameters),
        "file": str(workspace.store_path),
    }
