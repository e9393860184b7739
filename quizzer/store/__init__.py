"""The append-only event log in SQLite; the only room that knows SQL."""

from quizzer.store.errors import StoreError
from quizzer.store.fitted import Fitted
from quizzer.store.restore import restore
from quizzer.store.review_columns import BriefReview, ReviewColumns
from quizzer.store.reviews import Done, Entered
from quizzer.store.store import Store

__all__ = [
    "BriefReview",
    "Done",
    "Entered",
    "Fitted",
    "ReviewColumns",
    "Store",
    "StoreError",
    "restore",
]
