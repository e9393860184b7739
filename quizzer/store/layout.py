"""How a store's file keeps events: ids and hashes as bytes, in half the space of their texts.

Each row still says all of its event. Damage to another row, or to another table, costs it nothing.
What is neither an id nor a hash as quizzer writes them is kept as it is, and its hash is the judge.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from quizzer.store.codec import Row

RawRow = tuple[Any, ...]
"""The columns of a row in the order that `Row` has, whatever their types."""

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}").fullmatch
_HASH = re.compile(r"[0-9a-f]{64}").fullmatch
_WRITTEN = "-".join("x" * count for count in (8, 4, 4, 4, 12))
_PLACES = [place for place, sign in enumerate(_WRITTEN) if sign == "x"]
"""Of the digits in a written id."""
_LINE = f"{_WRITTEN}\n".encode()
_TEXT = _WRITTEN.replace("x", "[0-9a-f]")
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


def are_ids(column: Collection[Any]) -> bool:
    """Whether `id_of` finds a text in each of these."""
    types = {*map(type, column)}
    if types == {bytes}:
        return {*map(len, column)} <= {0, 16}
    return types <= {str, bytes} and all(type(id_of(each)) is str for each in {*column})


def kept(row: Row) -> RawRow:
    """The columns of a row as bytes, numbers and texts."""
    hash = bytes.fromhex(row.hash) if _HASH(row.hash) else row.hash
    return (kept_id(row.id), kept_id(row.device), kept_id(row.after), *row[3:9], hash)


def rows(found: Iterable[RawRow]) -> list[RawRow]:
    """Rows that were kept so; a column that is damaged may hold anything."""
    *others, hashes = columns(found) or ((),)
    return [*zip(*others, map(hash_of, hashes), strict=True)]


def columns(found: Iterable[RawRow]) -> list[Sequence[Any]]:
    """The columns of such rows, ids as texts and hashes as they are kept; none without rows."""
    kept = [*zip(*found, strict=True)]
    return as_texts(kept) if kept else []


def as_texts(kept: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    """The same columns, ids as texts."""
    ids, devices, afters, *others = kept
    texts = _texts(ids)
    known = _Ids(zip(ids, texts, strict=True))
    named = [known[each] for each in devices]
    if afters[1:] == ids[:-1]:  # as nearly always in the log of one device
        return [texts, named, [known[afters[0]], *texts[:-1]], *others]
    return [texts, named, [known[each] for each in afters], *others]


def _texts(kept: Sequence[Any]) -> list[Any]:
    """The same as `id_of` of each, quicker where all are as they should be."""
    if {*map(type, kept)} != {bytes} or {*map(len, kept)} != {16}:
        return [*map(id_of, kept)]
    digits = b"".join(kept).hex().encode()
    found = bytearray(_LINE * len(kept))
    for number, place in enumerate(_PLACES):  # the first digit of all ids, then the second
        found[place :: len(_LINE)] = digits[number::32]
    return found.decode().split()


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
