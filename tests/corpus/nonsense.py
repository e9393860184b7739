"""Random expressions over a problem's names, nearly all of them of the shape that is asked."""

import numpy as np

Shapes = dict[str, tuple[int, ...]]

_FUNCTIONS = ("np.tanh({})", "np.sin({})", "np.exp({})", "({})**2", "-{}", "np.abs({})")
_LETTERS = "ijklmn"


def in_numpy(shapes: Shapes, asked: tuple[int, ...], rng: np.random.Generator) -> str | None:
    """An expression in NumPy notation with two operations or more; None where none is found."""
    for _ in range(500):
        found = _grown(shapes, asked, int(rng.integers(2, 5)), rng)
        if found is not None and sum(found.count(sign) for sign in "+-*@(") >= 3:
            return found
    return None


def in_index_notation(
    shapes: Shapes, name: str, asked: tuple[int, ...], rng: np.random.Generator
) -> str:
    """A sum of products of indexed names, summed over the letters that are not on the left."""
    left = _LETTERS[: len(asked)]
    letters = {n: [c for c, m in zip(left, asked, strict=True) if m == n] for n in asked}
    terms = [_term(shapes, letters, rng) for _ in range(int(rng.integers(2, 4)))]
    signs = [str(rng.choice([" + ", " - "])) for _ in terms[1:]]
    right = terms[0] + "".join(s + t for s, t in zip(signs, terms[1:], strict=True))
    return f"{name}[{','.join(left)}] = {right}" if left else right


def _grown(
    shapes: Shapes, wanted: tuple[int, ...], depth: int, rng: np.random.Generator
) -> str | None:
    """An expression of this shape, or None where chance has led into a dead end."""
    leaves = [name for name, shape in shapes.items() if shape == wanted]
    if depth == 0:
        return str(rng.choice(leaves)) if leaves else None

    def grow(shape: tuple[int, ...]) -> str | None:
        return _grown(shapes, shape, depth - 1, rng)

    lengths = sorted({n for shape in shapes.values() for n in shape})
    length = int(rng.choice(lengths)) if lengths else 2
    match int(rng.integers(7)):
        case 0:
            return str(rng.choice(leaves)) if leaves else None
        case 1 | 2:
            sign = str(rng.choice(["+", "-", "*"]))
            return _joined(f"({{}} {sign} {{}})", grow(wanted), grow(wanted))
        case 3:
            return _joined(str(rng.choice(_FUNCTIONS)), grow(wanted))
        case 4 if wanted:
            inner = grow((wanted[0], length))
            return _joined("({} @ {})", inner, grow((length, *wanted[1:])))
        case 5 if len(wanted) == 2:
            if rng.random() < 0.5:
                return _joined("{}.T", grow(wanted[::-1]))
            return _joined("np.outer({}, {})", grow(wanted[:1]), grow(wanted[1:]))
        case 6:
            return _joined("{}.sum(axis=0)", grow((length, *wanted)))
    return None


def _joined(form: str, *parts: str | None) -> str | None:
    return None if None in parts else form.format(*parts)


def _term(shapes: Shapes, letters: dict[int, list[str]], rng: np.random.Generator) -> str:
    bound: dict[int, str] = {}
    factors = []
    for name in rng.choice(list(shapes), size=int(rng.integers(2, 4))):
        used = []
        for length in shapes[name]:
            fresh = bound.setdefault(length, "abcdefgh"[len(bound)])
            used.append(str(rng.choice([*letters.get(length, []), fresh])))
        factor = f"{name}[{','.join(used)}]" if used else str(name)
        factors.append(f"tanh({factor})" if rng.random() < 0.3 else factor)
    product = " ".join(factors)
    summed = [
        letter for letter in bound.values() if f"[{letter}" in product or f",{letter}" in product
    ]
    return f"sum({','.join(summed)}) {product}" if summed else product
