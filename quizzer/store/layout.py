"""How a store's file keeps events: ids and hashes as bytes, in half the space of their texts.

Each row still says all of its event. Damage to another row, or to another table, costs it nothing.
What is neither an id nor a hash as quizzer writes them is kept as it is, and its hash is the judge.
"""

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from quizzer.store.codec import Row

RawRow = tuple[Any, ...]
"""The columns of a row in the order that `Row` has, whatever their types."""

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}").fullmatch
_HASH = re.compile(r"[0-9a-f]{64}").fullmatch
_DIGITS = "[0-9a-f]"
_TEXT = "-".join(_DIGITS * count for count in (8, 4, 4, 4, 12))
KEPT_AS_TEXT = " OR ".join(f"{column} GLOB '{_TEXT}'" for column in ("id", "device", "after"))
"""In SQL, of an event whose ids are texts though quizzer keeps bytes: it is not found by them."""


class Layout(NamedTuple):
    """How a database keeps ids and rows: where to look for an id, and what was found there."""

    kept_id: Callable[[Any], Any]
    id_of: Callable[[Any], Any]
    hash_of: Callable[[Any], Any]
    rows: Callable[[Iterable[RawRow]], list[RawRow]]

    def ends(self, ids: Collection[str]) -> tuple[Any, Any]:
        """The least and the greatest of these ids, in the order of the database."""
        kept = sorted(map(self.kept_id, ids), key=lambda each: (type(each) is bytes, each))
        return kept[0], kept[-1]


def kept_id(text: Any) -> Any:
    """The id of an event or a device as bytes. A device that an import named stays text."""
    if text == "":
        return b""
    if isinstance(text, str) and _UUID(text):
        return bytes.fromhex(text.replace("-", ""))
    return text


def id_of(kept: Any) -> Any:
    """The id that was kept so."""
    if type(kept) is not bytes:
        return kept
    if len(kept) != 16:
        return kept or ""
    digits = kept.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def hash_of(kept: Any) -> Any:
    """The hash that was kept so."""
    return kept.hex() if type(kept) is bytes else kept


def kept(row: Row) -> RawRow:
    """The columns of a row as bytes, numbers and texts."""
    hash = bytes.fromhex(row.hash) if _HASH(row.hash) else row.hash
    return (kept_id(row.id), kept_id(row.device), kept_id(row.after), *row[3:9], hash)


def rows(found: Iterable[RawRow]) -> list[RawRow]:
    """Rows that were kept so; a column that is damaged may hold anything."""
    found = [*found]
    kept_ids = [row[0] for row in found]
    texts = _texts(kept_ids)
    ids = _Ids(zip(kept_ids, texts, strict=True))
    return [
        (
            id, ids[device], ids[after], at_ms, offset, day, kind, card, body,
            hash.hex() if type(hash) is bytes else hash,
        )
        for id, (_, device, after, at_ms, offset, day, kind, card, body, hash)
        in zip(texts, found, strict=True)
    ]  # fmt: skip


def _texts(kept: list[Any]) -> list[Any]:
    """The same as `id_of` of each, quicker where all are as they should be."""
    if {*map(type, kept)} != {bytes} or {*map(len, kept)} != {16}:
        return [*map(id_of, kept)]
    digits = b"".join(kept).hex()
    return [
        f"{digits[at : at + 8]}-{digits[at + 8 : at + 12]}-{digits[at + 12 : at + 16]}"
        f"-{digits[at + 16 : at + 20]}-{digits[at + 20 : at + 32]}"
        for at in range(0, len(digits), 32)
    ]


class _Ids(dict[Any, Any]):
    """The text of each id: a device comes again and again, and an event names the one before."""

    def __missing__(self, kept: Any) -> Any:
        found = self[kept] = id_of(kept)
        return found


def _same(value: Any) -> Any:
    return value


BYTES = Layout(kept_id, id_of, hash_of, rows)
TEXTS = Layout(_same, _same, _same, list)
"""As PostgreSQL keeps them, and exports."""
