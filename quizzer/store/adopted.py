"""The learner's own memory parameters: a small file beside the store, made by a fit.

Deleting it brings the default parameters back. It can always be made again from the log.
"""

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from quizzer.schedule.limits import NAME, usable
from quizzer.store.errors import StoreUnusableError, explained


@dataclass(frozen=True, slots=True)
class Adopted:
    """Parameters of FSRS-6 that were fitted on a study day to so many reviews."""

    parameters: tuple[float, ...]
    day: int
    reviews: int


def beside(store: Path) -> Path:
    """Where the parameters that belong to a store are kept."""
    return store.with_name(f"{store.stem}-parameters.json")


def read(store: Path) -> Adopted | None:
    """The parameters adopted for a store, None if there are none. Raises StoreError."""
    path = beside(store)
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise explained(error, path) from error
    try:
        table = json.loads(text)
        model = table["model"]
        found = Adopted(
            tuple(float(value) for value in table["parameters"]),
            date.fromisoformat(table["day"]).toordinal(),
            int(table["reviews"]),
        )
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise _unusable(path, "does not hold memory parameters") from error
    if model != NAME:
        raise _unusable(path, f"holds parameters of another model than {NAME}")
    if not usable(found.parameters):
        raise _unusable(path, f"holds parameters outside the bounds of {NAME}")
    return found


def write(store: Path, adopted: Adopted) -> Path:
    """Keep these parameters from now on; the old ones stand until the new ones are on the disk."""
    path = beside(store)
    table = {
        "model": NAME,
        "parameters": list(adopted.parameters),
        "day": date.fromordinal(adopted.day).isoformat(),
        "reviews": adopted.reviews,
    }
    new = path.with_suffix(".new")
    try:
        new.write_text(json.dumps(table, indent=2) + "\n", "utf-8")
        new.replace(path)
    except OSError as error:
        raise explained(error, path) from error
    return path


def _unusable(path: Path, what: str) -> StoreUnusableError:
    return StoreUnusableError.at(
        path, what, "Delete it to schedule with the default parameters, then run `quizzer fit`."
    )
