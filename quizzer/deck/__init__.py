"""Folders → Deck: cards, checkers, media and every problem. The only room that walks folders."""

from quizzer.deck.kept import are_as_read, types_of
from quizzer.deck.load import load, with_folder
from quizzer.deck.locate import Located, NoDeck, Source, locate, starter_deck
from quizzer.deck.part import files_of, with_required
from quizzer.deck.values import (
    Ambiguous,
    Asking,
    Deck,
    Entry,
    Filter,
    Folder,
    NoSuchCard,
)
from quizzer.deck.walk import CHECKERS

__all__ = [
    "CHECKERS",
    "Ambiguous",
    "Asking",
    "Deck",
    "Entry",
    "Filter",
    "Folder",
    "Located",
    "NoDeck",
    "NoSuchCard",
    "Source",
    "are_as_read",
    "files_of",
    "load",
    "locate",
    "starter_deck",
    "types_of",
    "with_folder",
    "with_required",
]
