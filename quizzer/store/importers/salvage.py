"""The events in a SQLite file whose pages no longer fit together, read from its bytes.

A row begins with a header that says how long its columns are, the first of them an id. Whatever is
found this way is then checked by its own hash: some of it may only look like an event. SQLite is
not asked, so nothing in the file is run. See https://www.sqlite.org/fileformat2.html, sections 1.6
and 2.1.
"""

import re
from collections.abc import Iterator
from mmap import mmap

_COLUMNS = 10
_BYTES, _TEXT = 12, 13
"""The serial types of a value of no bytes, and of a text of none. Each byte adds 2."""
_HEADERS = re.compile(
    b"[\\x%02x-\\x18](?=[\\x%02x\\x%02x])" % (1 + _COLUMNS, _BYTES + 2 * 16, _TEXT + 2 * 36)
)
"""The length of a header, and the type of an id: bytes, or a text in older formats."""
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of an integer, by its serial type; types 8 and 9 are 0 and 1 and take none."""
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))
_LONGEST = 10_000_000
Value = int | str | bytes


def rows(data: bytes | mmap) -> Iterator[tuple[Value, ...]]:
    """All that looks like a row of ten columns whose first is as long as an id."""
    size = _page_size(data)
    for found in _HEADERS.finditer(data):
        start = found.start()
        begin = start + data[start]
        types = _varints(data[start + 1 : begin])
        if len(types) == _COLUMNS and all(map(_is_known, types)):
            content = _content(data, start, begin, types, size)
            if content is not None:
                try:
                    yield tuple(_values(content, types))
                except UnicodeDecodeError:
                    continue


def _page_size(data: bytes | mmap) -> int:
    told = int.from_bytes(data[16:18], "big")
    size = 65536 if told == 1 else told
    return size if size in _PAGE_SIZES else 4096


def _varints(data: bytes) -> list[int]:
    found, value = [], 0
    for byte in data:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            found.append(value)
            value = 0
    return found


def _is_known(serial: int) -> bool:
    return serial in _INTEGERS or serial in (8, 9) or serial >= _BYTES


def _length(serial: int) -> int:
    return (serial - _BYTES) // 2 if serial >= _BYTES else _INTEGERS.get(serial, 0)


def _content(
    data: bytes | mmap, start: int, begin: int, types: list[int], size: int
) -> bytes | None:
    """The columns' bytes, those on overflow pages too."""
    header = begin - start
    payload = header + sum(map(_length, types))
    if payload > _LONGEST:
        return None
    most = size - 35
    local = payload
    if payload > most:
        least = (size - 12) * 32 // 255 - 23
        local = least + (payload - least) % (size - 4)
        local = local if local <= most else least
    found = bytearray(data[begin : start + local])
    page = int.from_bytes(data[start + local : start + local + 4], "big")
    while len(found) < payload - header:
        place = (page - 1) * size
        if not 0 < page <= len(data) // size:
            return None
        found += data[place + 4 : place + size][: payload - header - len(found)]
        page = int.from_bytes(data[place : place + 4], "big")
    return bytes(found)


def _values(content: bytes, types: list[int]) -> Iterator[Value]:
    place = 0
    for serial in types:
        part = content[place : place + _length(serial)]
        place += len(part)
        if serial >= _BYTES:
            yield part.decode() if serial % 2 else part
        else:
            yield serial - 8 if serial >= 8 else int.from_bytes(part, "big", signed=True)
