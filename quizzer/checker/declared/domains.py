"""The domains that inputs are drawn from: their words, and the numbers that they give."""

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from quizzer.checker.declared.sizes import SizeError, read_size
from quizzer.checker.declared.values import Domain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Draw = Callable[["np.random.Generator", tuple[int, ...]], Array]

_NUMBER = r"[-+−]?\s*(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_BETWEEN = re.compile(rf"(?:in|∈)\s*[(\[]\s*({_NUMBER})\s*,\s*({_NUMBER})\s*[)\]]")
_WHOLE = re.compile(r"(?:integers?\s+)?([-−]?\d+)\s*(?:\.\.+|…)\s*([-−]?\d+)")
_BELOW = re.compile(r"(?:below|labels? below)\s+(.+)")
_MOST = 1_000_000


class DomainError(Exception):
    """A domain that cannot be read; the message says what there is."""


def read_domain(text: str) -> Domain:
    """The domain in what is written behind a shape. Raises DomainError."""
    plain = " ".join(text.split()).rstrip(".")
    if not plain:
        return Domain()
    if plain in WORDS:
        return Domain(WORDS[plain])
    if match := _BETWEEN.fullmatch(plain):
        low, high = (float(each.replace("−", "-").replace(" ", "")) for each in match.groups())
        if not low < high:
            raise DomainError(f"in ({match[1]}, {match[2]}) is empty: write the lower end first")
        return Domain("between", low, high)
    if match := _WHOLE.fullmatch(plain):
        low, high = (int(each.replace("−", "-")) for each in match.groups())
        if low > high or max(abs(low), abs(high)) > _MOST:
            raise DomainError(f"{plain} is no range of integers: write the lower end first")
        return Domain("integers", low, high)
    if match := _BELOW.fullmatch(plain):
        try:
            return Domain("below", below=read_size(match[1]))
        except SizeError as error:
            raise DomainError(f"`below {match[1]}`: {error}") from None
    near = get_close_matches(plain.lower(), WORDS, 1)
    meant = f"did you mean `{near[0]}`? " if near else ""
    raise DomainError(
        f"{plain[:40]!r} is no domain: {meant}There are {', '.join(dict.fromkeys(KINDS))}, "
        "`in (a, b)`, integers `2..5` and `below K`"
    )


def draw(
    domain: Domain,
    rng: "np.random.Generator",
    shape: tuple[int, ...],
    sizes: Mapping[str, int],
    first_index: int,
) -> "Array":
    """Numbers of a domain."""
    import numpy as np

    if domain.kind == "between":
        return np.asarray(rng.uniform(domain.low, domain.high, shape))
    if domain.kind == "integers":
        return np.asarray(rng.integers(int(domain.low), int(domain.high) + 1, shape))
    if domain.kind == "below":
        assert domain.below is not None
        count = max(domain.below.value(sizes), 1)
        return np.asarray(first_index + rng.integers(0, count, shape))
    return np.asarray(KINDS[domain.kind](rng, shape))


def square_kinds() -> tuple[str, ...]:
    """Domains of square matrices."""
    return ("spd", "symmetric", "orthogonal", "lower")


def has_one_sign(domain: Domain) -> bool:
    """Whether its numbers are never negative, or never positive, on purpose."""
    if domain.kind == "between":
        return domain.low >= 0 or domain.high <= 0
    return domain.kind in ("positive", "simplex")


def _normal(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    return rng.standard_normal(shape)


def _positive(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    return rng.uniform(0.4, 2.5, shape)


def _sign(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    return 2 * _mask(rng, shape) - 1


def _mask(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    """Zeros and ones, at least one of each where there is room."""
    import numpy as np

    found = np.asarray(rng.integers(0, 2, shape))
    if found.size > 1 and found.min() == found.max():
        found.flat[int(rng.integers(found.size))] ^= 1
    return found


def _simplex(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    import numpy as np

    return rng.dirichlet(np.full(shape[-1], 2.0), size=shape[:-1])


def _onehot(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    import numpy as np

    labels = np.asarray(rng.integers(0, shape[-1], shape[:-1]))
    return np.asarray(labels[..., np.newaxis] == np.arange(shape[-1])).astype(int)


def _spd(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    import numpy as np

    a = rng.standard_normal(shape)
    return a @ np.swapaxes(a, -1, -2) / shape[-1] + 0.5 * np.eye(shape[-1])


def _symmetric(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    import numpy as np

    a = rng.standard_normal(shape)
    return (a + np.swapaxes(a, -1, -2)) / 2


def _orthogonal(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    import numpy as np

    return np.linalg.qr(rng.standard_normal(shape))[0]


def _lower(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    """Lower triangular with a positive diagonal, as the Cholesky factor has."""
    import numpy as np

    below = np.tril(rng.standard_normal(shape), -1)
    return below + np.eye(shape[-1]) * rng.uniform(0.5, 2.0, shape)


def _unit(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    import numpy as np

    a = rng.standard_normal(shape)
    return np.asarray(a / np.sqrt(np.sum(a * a, axis=-1, keepdims=True)))


def _sorted(rng: "np.random.Generator", shape: tuple[int, ...]) -> "Array":
    import numpy as np

    return np.sort(rng.standard_normal(shape), axis=-1)


KINDS: "Mapping[str, Draw]" = {
    "normal": _normal,
    "positive": _positive,
    "sign": _sign,
    "mask": _mask,
    "simplex": _simplex,
    "onehot": _onehot,
    "spd": _spd,
    "symmetric": _symmetric,
    "orthogonal": _orthogonal,
    "lower": _lower,
    "unit": _unit,
    "sorted": _sorted,
    "fixed": _normal,
}
"""What draws each domain that is one word."""

WORDS = dict(zip(KINDS, KINDS, strict=True)) | {
    "signs": "sign",
    "mask 0/1": "mask",
    "one-hot": "onehot",
    "SPD": "spd",
    "lower triangular": "lower",
}
"""Every spelling of these."""
