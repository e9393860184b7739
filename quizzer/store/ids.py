"""Event ids: UUIDs of version 7 (RFC 9562), which sort as text in the order they were made."""

from collections.abc import Callable

Randomness = Callable[[int], bytes]
"""So many random bytes: `os.urandom`."""

_TAIL_BITS = 74
_GREATEST = (1 << 122) - 1


def next_id(previous: str | None, ms: int, randomness: Randomness) -> str:
    """A new id of this millisecond since 1970, always greater than `previous`.

    In one millisecond, or when the clock went back, it counts on from `previous` by a random
    step. Raises OverflowError after the last id there is.
    """
    tail = int.from_bytes(randomness(10), "big") & ((1 << _TAIL_BITS) - 1)
    value = min(max(ms, 0), (1 << 48) - 1) << _TAIL_BITS | tail
    if previous is not None and value <= (last := _value(previous)):
        value = last + 1 + int.from_bytes(randomness(4), "big")
    if value > _GREATEST:
        raise OverflowError("no event id is left")
    return _text(value)


def least_id(ms: int) -> str:
    """No id of this millisecond or a later one is less."""
    return _text(min(max(ms, 0), (1 << 48) - 1) << _TAIL_BITS)


def milliseconds_of(event_id: str) -> int:
    """The millisecond since 1970 in which the id was made, at the earliest. Raises ValueError."""
    return _value(event_id) >> _TAIL_BITS


def _text(value: int) -> str:
    """The 122 free bits with version 7 and variant 2 put between them."""
    ms, a, b = value >> _TAIL_BITS, value >> 62 & 0xFFF, value & ((1 << 62) - 1)
    digits = f"{ms << 80 | 7 << 76 | a << 64 | 2 << 62 | b:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _value(text: str) -> int:
    number = int(text.replace("-", ""), 16)
    return number >> 80 << _TAIL_BITS | (number >> 64 & 0xFFF) << 62 | number & ((1 << 62) - 1)
