"""The events in a SQLite file whose pages no longer fit together, read from its bytes.

A row begins with its id, right after a header that says how long its columns are. Whatever is found
this way is then checked by its own hash: some of it may only look like an event. SQLite is not
asked, so nothing in the file is run. See https://www.sqlite.org/fileformat2.html, sections 1.6
and 2.1.
"""

import re
from collections.abc import Iterator

_ID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_COLUMNS = 10
_ID_TYPE = 13 + 2 * 36
"""The serial type of a text of as many bytes as an id."""
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of an integer, by its serial type; types 8 and 9 are 0 and 1 and take none."""
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))
_LONGEST = 10_000_000
Value = int | str


def rows(data: bytes) -> Iterator[tuple[Value, ...]]:
    """All that looks like a row of ten texts and integers whose first is an id."""
    size = _page_size(data)
    for found in _ID.finditer(data):
        header = _header(data, found.start())
        if header:
            start, types = header
            content = _content(data, start, found.start(), types, size)
            if content is not None:
                try:
                    yield tuple(_values(content, types))
                except UnicodeDecodeError:
                    continue


def _page_size(data: bytes) -> int:
    told = int.from_bytes(data[16:18], "big")
    size = 65536 if told == 1 else told
    return size if size in _PAGE_SIZES else 4096


def _header(data: bytes, end: int) -> tuple[int, list[int]] | None:
    """Where the header of the row begins whose columns begin at `end`, and their types."""
    for start in range(end - _COLUMNS - 1, max(0, end - 40), -1):
        if start >= 0 and data[start] == end - start and data[start + 1] == _ID_TYPE:
            types = _varints(data[start + 1 : end])
            if len(types) == _COLUMNS and all(_is_known(each) for each in types):
                return start, types
    return None


def _varints(data: bytes) -> list[int]:
    found, value = [], 0
    for byte in data:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            found.append(value)
            value = 0
    return found


def _is_known(serial: int) -> bool:
    return serial in _INTEGERS or serial in (8, 9) or (serial >= 13 and serial % 2 == 1)


def _length(serial: int) -> int:
    return (serial - 13) // 2 if serial >= 13 else _INTEGERS.get(serial, 0)


def _content(data: bytes, start: int, begin: int, types: list[int], size: int) -> bytes | None:
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
        if serial >= 13:
            yield part.decode()
        else:
            yield serial - 8 if serial >= 8 else int.from_bytes(part, "big", signed=True)
