"""What crosses between processes: a JSON header, raw arrays behind it, and nothing that can run.

A frame is two little-endian 32-bit lengths, a JSON header, then the bytes of the arrays that the
header mentions, in its order. Whatever is read may have been forged by a card's code or by an
answer, so every size is checked before memory is taken, and values are built only by their types.
NumPy is imported with the first array.
"""

import json
import re
import struct
import types
from collections.abc import Callable
from functools import cache, lru_cache, partial
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from quizzer.sandbox.orders import MAX_BODY, MAX_HEADER
from quizzer.text import clean, cut

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]

_LENGTHS = struct.Struct("<II")
_DTYPES = frozenset(
    ("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8")
)
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
_PLAIN = frozenset((str, float, int, bool, type(None)))  # what JSON writes as it is
_ARRAY = ""  # the key that marks an array in the header; no name and no sentence is empty
_FRAME = " "  # the same of a frame within the frame
_LENGTH = re.compile("[0-9]{1,10}")
_KEPT_FRAMES = 16  # of one type, within others: a card has a few for each of its asked names
_KEPT_FORMS = 1_024  # of arrays: most have the kind and the shape of another
_MAX_ARRAYS = 1 << 16
_MAX_AXES = 32
_MAX_TEXT = 4_000  # characters of one text that is shown; no answer has more

T = TypeVar("T")

_Reader = Callable[[Any, "_Frame"], Any]
"""Makes a value of one type from its part of the header, strictly: nothing missing, nothing more.

Raises WireError for anything else."""


class WireError(Exception):
    """The bytes are no frame of ours, or the frame does not hold the value that was asked for."""


class Repeated(tuple[T, ...]):
    """A tuple that is sent again and again, unchanged: as a field of what is sent it is packed
    once, as a frame of its own, and a process that had it before need not read it again."""

    packed: bytes | None = None


_LISTS = frozenset((tuple, list, Repeated))
_READ: dict[Any, dict[int, tuple[bytearray, Any]]] = {}
"""The frames within others that were read last, by type and length, each with its value."""


def pack(value: object) -> bytes:
    """The frame of a value made of structs, dicts, tuples, arrays, texts and numbers.

    Raises WireError where the value is too large or holds something else.
    """
    arrays: list[bytes] = []
    header = _header(value, arrays).encode("utf-8", "replace")
    size = sum(map(len, arrays))
    if len(header) > MAX_HEADER or size > MAX_BODY:
        raise WireError(f"more than {MAX_BODY >> 20} MB of numbers, or too much text")
    return b"".join([_LENGTHS.pack(len(header), size), header, *arrays])


def unpack(kind: type[T], frame: bytes) -> T:
    """The value of type `kind` in a frame; raises WireError for all that is not exactly one.

    What it holds of `Repeated` tuples stays the same when they come again.
    """
    value: T = _unpacked(kind, frame, _sound, _known)
    return value


def unpack_foreign(kind: type[T], frame: bytes) -> T:
    """Like `unpack`, for what will be shown: every text cut, and made harmless for a terminal."""
    # Kept for this frame: the same few names stand in each of its instances.
    value: T = _unpacked(kind, frame, cache(lambda text: clean(cut(_sound(text), _MAX_TEXT))))
    return value


def first_frame(frames: bytes) -> bytes:
    """The first of several frames that stand one after the other. Raises WireError."""
    if len(frames) < _LENGTHS.size:
        raise WireError("no frame")
    return frames[: _LENGTHS.size + sum(_LENGTHS.unpack_from(frames))]


def _unpacked(
    kind: Any,
    frame: bytes | bytearray,
    text: Callable[[str], str],
    inner: Callable[[Any, bytearray], Any] | None = None,
) -> Any:
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
    read = _Frame(bytearray(memoryview(frame)[start:]), text, inner)
    value = _reader(kind)(header, read)
    if read.left:
        raise WireError("there are more bytes than the arrays need")
    return value


def _known(kind: Any, frame: bytearray) -> Any:
    """The value in a frame, as it was read before if it is one of the last few."""
    places = _READ.setdefault(kind, {})
    found = places.pop(len(frame), None)
    if found is None or found[0] != frame:
        found = frame, _unpacked(kind, frame, _sound)
    places[len(frame)] = found
    while len(places) > _KEPT_FRAMES:
        del places[next(iter(places))]
    return found[1]


def _header(value: object, arrays: list[bytes]) -> str:
    kind: Any = type(value)
    names = _field_names(kind)
    if not names:
        return _ENCODE(_plain(value, arrays))
    parts = []
    for name in names:
        part = getattr(value, name)
        if isinstance(part, Repeated):
            parts.append(f'"{name}": {_repeated(part, arrays)}')
        elif type(part) is tuple and part and _repeats(part[0]):
            each = ", ".join(_header(item, arrays) for item in part)
            parts.append(f'"{name}": [{each}]')
        else:
            parts.append(f'"{name}": {_ENCODE(_plain(part, arrays))}')
    return f"{{{', '.join(parts)}}}"


def _repeats(value: object) -> bool:
    """Whether something in a struct is sent more than once."""
    kind: Any = type(value)
    return any(isinstance(getattr(value, name), Repeated) for name in _field_names(kind))


def _repeated(value: Repeated[Any], arrays: list[bytes]) -> str:
    if value.packed is None:
        value.packed = pack(tuple(value))
    arrays.append(value.packed)
    return _ENCODE({_FRAME: len(value.packed)})


def _plain(value: object, arrays: list[bytes]) -> object:
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if kind in _LISTS:
        return [_plain(item, arrays) for item in value]  # type: ignore[attr-defined]
    if kind is dict:
        return {str(key): _plain(item, arrays) for key, item in value.items()}  # type: ignore[attr-defined]
    if names := _field_names(kind):
        return {name: _plain(getattr(value, name), arrays) for name in names}
    return _plain_array(value, arrays)


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """Of a struct; empty for anything else."""
    names: tuple[str, ...] = getattr(kind, "__struct_fields__", ())
    return names


def _plain_array(value: object, arrays: list[bytes]) -> object:
    import numpy as np

    if not isinstance(value, np.ndarray):
        if isinstance(value, np.generic):
            return _plain(value.item(), arrays)
        raise WireError(f"a {type(value).__name__} cannot be sent")
    if value.dtype.byteorder == ">":
        value = value.astype(value.dtype.newbyteorder("<"))
    form = _form_of(value.dtype, value.shape)
    arrays.append(value.tobytes())
    return {_ARRAY: form}


@lru_cache(_KEPT_FORMS)
def _form_of(dtype: "np.dtype[Any]", shape: tuple[int, ...]) -> str:
    """How the header describes an array."""
    if dtype.str not in _DTYPES:
        raise WireError(f"an array of {dtype} cannot be sent")
    if len(shape) > _MAX_AXES:
        raise WireError(f"an array of {len(shape)} axes cannot be sent")
    return " ".join([dtype.str, *map(str, shape)])


@lru_cache(_KEPT_FORMS)
def _described(form: str) -> "tuple[Callable[[bytearray, int], Array], int]":
    """What makes an array of such a description from bytes and the place where its own begin, and
    how many it takes."""
    import numpy as np

    code, *lengths = form.split(" ")
    if code not in _DTYPES or len(lengths) > _MAX_AXES or not all(map(_LENGTH.fullmatch, lengths)):
        raise WireError("the header describes no array")
    shape = tuple(map(int, lengths))
    if max(shape, default=0) > MAX_BODY:
        raise WireError("an array has an impossible shape")
    dtype = np.dtype(code)
    array_of: Any = np.ndarray
    return partial(array_of, shape, dtype), prod(shape) * dtype.itemsize


class _Frame:
    """What is being read: the bytes behind the header, taken from the front, and what becomes of
    each text."""

    def __init__(
        self,
        data: bytearray,
        text: Callable[[str], str],
        inner: Callable[[Any, bytearray], Any] | None,
    ) -> None:
        """`inner` reads frames within this one, where there may be some."""
        self.data = data
        self.text = text
        self._inner = inner
        self._at = 0
        self._arrays = 0

    @property
    def left(self) -> int:
        return len(self.data) - self._at

    def take(self, size: int) -> int:
        """Where the next so many bytes begin."""
        at = self._at
        self._arrays += 1
        if self._arrays > _MAX_ARRAYS:
            raise WireError("there are too many arrays")
        if size > len(self.data) - at:
            raise WireError("an array says that it is larger than the frame")
        self._at = at + size
        return at

    def within(self, kind: Any, tree: dict[str, Any]) -> Any:
        """The value in a frame within this one."""
        size = tree.get(_FRAME)
        if self._inner is None or len(tree) != 1 or type(size) is not int or size < 0:
            raise WireError("list expected, dict found")
        at = self.take(size)
        return self._inner(kind, self.data[at : at + size])

    def first_of(self, readers: tuple[_Reader, ...], tree: object) -> Any:
        """What the first of the readers makes that can."""
        at, arrays = self._at, self._arrays
        for read in readers:
            try:
                return read(tree, self)
            except WireError:
                self._at, self._arrays = at, arrays
        raise WireError(f"nothing expected fits a {type(tree).__name__}")


def _sound(text: str) -> str:
    """The text; raises WireError for half a character, which could neither be sent nor shown."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise WireError("the header holds no text") from error
    return text


@cache
def _reader(kind: Any) -> _Reader:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (types.UnionType, Union):
        return _reader_of_one(arguments)
    if _field_names(kind):
        return _reader_of_struct(kind)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return _reader_of_many(kind, _reader(arguments[0]))
    if origin is tuple:
        return _reader_of_tuple(tuple(map(_reader, arguments)))
    if origin is dict:
        value = _reader(arguments[1])
        return lambda tree, frame: {
            frame.text(key): value(item, frame) for key, item in _are(dict, tree).items()
        }
    if kind is float:
        return _float
    if kind is str:
        return lambda tree, frame: frame.text(_are(str, tree))
    if kind in (int, bool, type(None)):
        return lambda tree, frame: _are(kind, tree)
    return _array


def _are(kind: type[T], tree: object) -> T:
    if type(tree) is not kind:
        raise WireError(f"{kind.__name__} expected, {type(tree).__name__} found")
    return tree


def _reader_of_struct(kind: Any) -> _Reader:
    hints = get_type_hints(kind)
    parts = [(name, _reader(hints[name])) for name in _field_names(kind)]
    names = {name for name, _ in parts}

    def read(tree: Any, frame: _Frame) -> Any:
        if type(tree) is not dict or tree.keys() != names:
            raise WireError(f"{kind.__name__} expected, {type(tree).__name__} found")
        return kind(**{name: part(tree[name], frame) for name, part in parts})

    return read


def _reader_of_many(kind: Any, each: _Reader) -> _Reader:
    def read(tree: Any, frame: _Frame) -> Any:
        if type(tree) is dict:
            return frame.within(kind, tree)
        return tuple([each(item, frame) for item in _are(list, tree)])

    return read


def _reader_of_tuple(parts: tuple[_Reader, ...]) -> _Reader:
    def read(tree: Any, frame: _Frame) -> Any:
        if len(_are(list, tree)) != len(parts):
            raise WireError(f"{len(parts)} values expected, {len(tree)} found")
        return tuple([part(item, frame) for part, item in zip(parts, tree, strict=True)])

    return read


def _reader_of_one(kinds: tuple[Any, ...]) -> _Reader:
    """Reads one of several types: the first that fits, of those that the kind of JSON allows."""
    by_json: dict[type, list[_Reader]] = {}
    for kind in kinds:
        for json_type in _json_types(kind):
            by_json.setdefault(json_type, []).append(_reader(kind))
    readers = {json_type: tuple(found) for json_type, found in by_json.items()}
    single = {json_type: found[0] for json_type, found in readers.items() if len(found) == 1}

    def read(tree: Any, frame: _Frame) -> Any:
        only = single.get(type(tree))
        if only is not None:
            return only(tree, frame)
        return frame.first_of(readers.get(type(tree), ()), tree)

    return read


def _json_types(kind: Any) -> tuple[type, ...]:
    """How a value of this type is written in the header."""
    if kind is float:
        return (int, float)
    if kind in (int, bool, str, type(None)):
        return (kind,)
    return (list,) if get_origin(kind) is tuple else (dict,)


def _float(tree: Any, frame: _Frame) -> float:
    if type(tree) is not float and type(tree) is not int:
        raise WireError(f"float expected, {type(tree).__name__} found")
    try:
        return float(tree)
    except OverflowError as error:
        raise WireError("a number is too large") from error


def _array(tree: Any, frame: _Frame) -> "Array":
    form = tree.get(_ARRAY) if type(tree) is dict and len(tree) == 1 else None
    if type(form) is not str:
        raise WireError("the header describes no array")
    made, size = _described(form)
    try:
        array = made(frame.data, frame.take(size))
    except ValueError as error:  # empty, and yet too large along its other axes
        raise WireError("an array has an impossible shape") from error
    return array if array.flags.aligned else array.copy()
