"""Keeping one history on several machines, by way of a file or a PostgreSQL database."""
