"""What crosses between processes: a JSON header, raw arrays behind it, and nothing that can run.

A frame is two little-endian 32-bit lengths, a JSON header, then the bytes of the arrays that the
header mentions, in its order. Whatever is read may have been forged by a card's code or by an
answer, so every size is checked before memory is taken, and values are built only by their types.
NumPy is imported with the first array.
"""

import dataclasses
import json
import struct
import types
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from quizzer.sandbox.orders import MAX_BODY, MAX_HEADER
from quizzer.text import clean, cut

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

_LENGTHS = struct.Struct("<II")
_DTYPES = frozenset(
    ("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8")
)
_ARRAY = ""  # the key that marks an array in the header; no name and no sentence is empty
_MAX_DEPTH = 16
_MAX_ARRAYS = 1 << 16
_MAX_AXES = 32
_MAX_TEXT = 4_000  # characters of one text that is shown; no answer has more

T = TypeVar("T")


class WireError(Exception):
    """The bytes are no frame of ours, or the frame does not hold the value that was asked for."""


def pack(value: object) -> bytes:
    """The frame of a value made of dataclasses, dicts, tuples, arrays, texts and numbers.

    Raises WireError where the value is too large or holds something else.
    """
    arrays: list[bytes] = []
    header = json.dumps(_plain(value, arrays), ensure_ascii=False).encode("utf-8", "replace")
    size = sum(map(len, arrays))
    if len(header) > MAX_HEADER or size > MAX_BODY:
        raise WireError(f"more than {MAX_BODY >> 20} MB of numbers, or too much text")
    return b"".join([_LENGTHS.pack(len(header), size), header, *arrays])


def unpack(kind: type[T], frame: bytes) -> T:
    """The value of type `kind` in a frame; raises WireError for all that is not exactly one."""
    if len(frame) < _LENGTHS.size:
        raise WireError("no frame")
    header_size, body_size = _LENGTHS.unpack_from(frame)
    if header_size > MAX_HEADER or body_size > MAX_BODY:
        raise WireError("the frame is too large")
    if len(frame) != _LENGTHS.size + header_size + body_size:
        raise WireError("the frame has another length than it says")
    start = _LENGTHS.size + header_size
    try:
        header = json.loads(frame[_LENGTHS.size : start])
    except (ValueError, RecursionError) as error:
        raise WireError("the header is no JSON") from error
    body = _Body(memoryview(frame)[start:])
    tree = _with_arrays(header, body, 0)
    if body.left:
        raise WireError("there are more bytes than the arrays need")
    built: T = _build(kind, tree)
    return built


def unpack_foreign(kind: type[T], frame: bytes) -> T:
    """Like `unpack`, for what will be shown: every text cut, and made harmless for a terminal."""
    built: T = _cleaned(unpack(kind, frame))
    return built


def _plain(value: object, arrays: list[bytes]) -> object:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        return value
    if isinstance(value, tuple | list):
        return [_plain(item, arrays) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item, arrays) for key, item in value.items()}
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {field.name: _plain(getattr(value, field.name), arrays) for field in fields}
    return _plain_array(value, arrays)


def _plain_array(value: object, arrays: list[bytes]) -> object:
    import numpy as np

    if isinstance(value, np.generic):
        return _plain(value.item(), arrays)
    if not isinstance(value, np.ndarray):
        raise WireError(f"a {type(value).__name__} cannot be sent")
    dtype = value.dtype.newbyteorder("<")
    if dtype.str not in _DTYPES:
        raise WireError(f"an array of {value.dtype} cannot be sent")
    if value.ndim > _MAX_AXES:
        raise WireError(f"an array of {value.ndim} axes cannot be sent")
    arrays.append(np.ascontiguousarray(value, dtype).tobytes())
    return {_ARRAY: [dtype.str, list(value.shape)]}


class _Body:
    """The bytes behind the header, taken from the front."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._arrays = 0

    @property
    def left(self) -> int:
        return len(self._data)

    def take(self, size: int) -> memoryview:
        self._arrays += 1
        if self._arrays > _MAX_ARRAYS:
            raise WireError("there are too many arrays")
        if size > len(self._data):
            raise WireError("an array says that it is larger than the frame")
        taken, self._data = self._data[:size], self._data[size:]
        return taken


def _with_arrays(tree: object, body: _Body, depth: int) -> object:
    if depth > _MAX_DEPTH:
        raise WireError("the header is nested too deeply")
    if isinstance(tree, list):
        return [_with_arrays(item, body, depth + 1) for item in tree]
    if isinstance(tree, str):
        return _sound(tree)
    if not isinstance(tree, dict):
        return tree
    if _ARRAY not in tree:
        return {_sound(key): _with_arrays(item, body, depth + 1) for key, item in tree.items()}
    match tree:
        case {"": [str(code), list(shape)]} if len(tree) == 1 and code in _DTYPES:
            pass
        case _:
            raise WireError("the header describes no array")
    if len(shape) > _MAX_AXES or not all(type(n) is int and 0 <= n <= MAX_BODY for n in shape):
        raise WireError("an array has an impossible shape")
    return _array(code, shape, body)


def _array(code: str, shape: list[int], body: _Body) -> "Array":
    import numpy as np

    dtype = np.dtype(code)
    data = body.take(prod(shape) * dtype.itemsize)
    try:
        return np.frombuffer(bytearray(data), dtype).reshape(shape)
    except ValueError as error:  # empty, and yet too large along its other axes
        raise WireError("an array has an impossible shape") from error


def _sound(text: str) -> str:
    """The text; raises WireError for half a character, which could neither be sent nor shown."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise WireError("the header holds no text") from error
    return text


@cache
def _parts(kind: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any] | None]:
    """The origin of a type, its arguments, and of a dataclass the types of its fields."""
    fields = None
    if dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        fields = {field.name: hints[field.name] for field in dataclasses.fields(kind)}
    return get_origin(kind), get_args(kind), fields


def _build(kind: Any, tree: Any) -> Any:
    """The tree as a value of `kind`, strictly: nothing missing, nothing more, nothing else."""
    origin, arguments, fields = _parts(kind)
    if origin in (types.UnionType, Union):
        return _first_that_fits(arguments, tree)
    if fields is not None and isinstance(tree, dict):
        if fields.keys() == tree.keys():
            return kind(**{name: _build(hint, tree[name]) for name, hint in fields.items()})
    elif origin is tuple and isinstance(tree, list):
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return tuple(_build(arguments[0], item) for item in tree)
        if len(arguments) == len(tree):
            return tuple(map(_build, arguments, tree))
    elif origin is dict and isinstance(tree, dict):
        return {key: _build(arguments[1], item) for key, item in tree.items()}
    elif kind is float and type(tree) in (int, float):
        try:
            return float(tree)
        except OverflowError as error:
            raise WireError("a number is too large") from error
    elif kind is type(None):
        if tree is None:
            return None
    elif type(tree) is kind or (origin is type(tree) is _ndarray()):
        return tree
    raise WireError(f"{getattr(kind, '__name__', kind)} expected, {type(tree).__name__} found")


@cache
def _ndarray() -> type:
    import numpy as np

    return np.ndarray


def _first_that_fits(kinds: tuple[Any, ...], tree: Any) -> Any:
    for kind in kinds:
        try:
            return _build(kind, tree)
        except WireError:
            continue
    raise WireError(f"nothing expected fits a {type(tree).__name__}")


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(cut(value, _MAX_TEXT))
    if isinstance(value, tuple):
        return tuple(map(_cleaned, value))
    if isinstance(value, dict):
        return {clean(cut(key, _MAX_TEXT)): _cleaned(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return type(value)(**{f.name: _cleaned(getattr(value, f.name)) for f in fields})
    return value
