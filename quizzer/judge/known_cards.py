"""What cards say of their problems, kept by what their files hold.

To read a card takes libraries for Markdown and YAML, whose import alone takes longer than most
answers. A file that is missing, damaged or of another program is made again, and a folder that
cannot be written only costs time.
"""

import hashlib
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from quizzer import files
from quizzer.card.formulation import Formulation
from quizzer.card.revision import revision
from quizzer.sandbox.wire import WireError, pack, unpack

_KEPT = 128  # as many cards as a class is asked
_DIGEST = hashlib.sha256().digest_size


class Stated(Struct, frozen=True):
    """What a card says of its problem, and the text of the declared checker in it."""

    formulation: Formulation
    fence: str | None = None
    line: int = 1
    equations: tuple[str, ...] = ()
    """What its question states in math."""


class KnownCards(Struct, frozen=True):
    """What is known of cards; without a folder, for as long as this lives."""

    folder: Path | None = None
    _read: dict[str, Stated] = field(default_factory=dict)

    def of(self, data: bytes, path: Path) -> Stated | None:
        """What the card in a file's content says; None where it is no card."""
        key = hashlib.sha256(revision().encode() + data).hexdigest()
        if known := self._read.get(key):
            return known
        found = self._kept(key)
        if found is None and (found := _stated(data, path)):
            self._keep(key, found)
        if found:
            if len(self._read) >= _KEPT:
                self._read.clear()
            self._read[key] = found
        return found

    def _kept(self, key: str) -> Stated | None:
        if self.folder is None:
            return None
        with suppress(OSError, WireError):
            kept = files.read(self.folder / key)
            if hashlib.sha256(kept[_DIGEST:]).digest() == kept[:_DIGEST]:
                return unpack(Stated, kept[_DIGEST:])
        return None

    def _keep(self, key: str, stated: Stated) -> None:
        if self.folder is None:
            return
        with suppress(OSError, WireError):
            packed = pack(stated)
            kept = hashlib.sha256(packed).digest() + packed
            files.write_private(self.folder / key, kept, durable=False)


def _stated(data: bytes, path: Path) -> Stated | None:
    from quizzer.card.formulating import formulation_of
    from quizzer.card.reader import parse
    from quizzer.card.stated import stated_in

    card = parse(data, path).card
    if card is None:
        return None
    formulation, equations = formulation_of(card), stated_in(card)
    if card.checker is None:
        return Stated(formulation, equations=equations)
    return Stated(formulation, card.checker.text, card.checker.line, equations)
