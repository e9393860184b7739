"""The append-only event log in SQLite; the only room that knows SQL."""
