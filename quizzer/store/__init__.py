"""The append-only event log in SQLite; the only room that knows SQL."""

from quizzer.store.errors import StoreError
from quizzer.store.restore import restore
from quizzer.store.reviewed import Reviewed
from quizzer.store.standing import Done
from quizzer.store.store import Store

__all__ = ["Done", "Reviewed", "Store", "StoreError", "restore"]
