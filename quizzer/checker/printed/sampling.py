"""The function `sample` of a printed module: sizes, and inputs from their domains."""

from quizzer.checker.declared.values import Declaration, Domain, Input
from quizzer.checker.printed.sizes import source_of
from quizzer.checker.printed.values import literal

_TRIES_FOR_SIZES = 30

HELPERS = {
    "_mask": (
        'def _mask(rng, shape):\n    """Zeros and ones, at least one of each where it can."""\n'
        "    found = np.asarray(rng.integers(0, 2, shape))\n"
        "    if found.size > 1 and found.min() == found.max():\n"
        "        found.flat[int(rng.integers(found.size))] ^= 1\n"
        "    return found"
    ),
    "_onehot": (
        'def _onehot(rng, shape):\n    """A single 1 along the last axis."""\n'
        "    labels = np.asarray(rng.integers(0, shape[-1], shape[:-1]))\n"
        "    return (labels[..., None] == np.arange(shape[-1])).astype(int)"
    ),
    "_spd": (
        'def _spd(rng, shape):\n    """Symmetric and positive definite."""\n'
        "    a = rng.standard_normal(shape)\n"
        "    return a @ np.swapaxes(a, -1, -2) / shape[-1] + 0.5 * np.eye(shape[-1])"
    ),
    "_symmetric": (
        "def _symmetric(rng, shape):\n"
        "    a = rng.standard_normal(shape)\n"
        "    return (a + np.swapaxes(a, -1, -2)) / 2"
    ),
    "_lower": (
        'def _lower(rng, shape):\n    """Lower triangular with a positive diagonal."""\n'
        "    below = np.tril(rng.standard_normal(shape), -1)\n"
        "    return below + np.eye(shape[-1]) * rng.uniform(0.5, 2.0, shape)"
    ),
    "_unit": (
        'def _unit(rng, shape):\n    """Of length 1 along the last axis."""\n'
        "    a = rng.standard_normal(shape)\n"
        "    return a / np.sqrt(np.sum(a * a, axis=-1, keepdims=True))"
    ),
}

_OF_KIND = {
    "normal": "rng.standard_normal({shape})",
    "fixed": "rng.standard_normal({shape})",
    "positive": "rng.uniform(0.4, 2.5, {shape})",
    "sign": "2 * _mask(rng, {shape}) - 1",
    "mask": "_mask(rng, {shape})",
    "simplex": "rng.dirichlet(np.full({last}, 2.0), size={others})",
    "onehot": "_onehot(rng, {shape})",
    "spd": "_spd(rng, {shape})",
    "symmetric": "_symmetric(rng, {shape})",
    "lower": "_lower(rng, {shape})",
    "unit": "_unit(rng, {shape})",
    "orthogonal": "np.linalg.qr(rng.standard_normal({shape}))[0]",
    "sorted": "np.sort(rng.standard_normal({shape}), axis=-1)",
}


def sample_lines(declaration: Declaration, name: str) -> list[str]:
    """The function that draws inputs, as `name`."""
    lines = [f"def {name}(rng):"]
    lines += [f"    {line}" for line in _sizes(declaration)]
    first = declaration.limits
    for given in declaration.inputs:
        if given.name in first:
            lines.append(f"    {given.name} = int({_drawn(given, declaration.first_index)})")
    lines.append("    return {")
    asked = declaration.asked_inputs
    for given in declaration.inputs:
        drawn = _drawn(given, declaration.first_index)
        if given.name in first:
            drawn = given.name
        elif not given.shape:
            kind = "int" if given.domain.is_whole else "float"
            variable = given.name in asked and not given.domain.is_whole
            drawn = f"np.asarray({drawn})" if variable else f"{kind}({drawn})"
        lines.append(f'        "{given.name}": {drawn},')
    return [*lines, "    }"]


def _drawn(given: Input, first: int) -> str:
    domain = given.domain
    sizes = [source_of(size) for size in given.shape]
    shape = sizes[0] if len(sizes) == 1 else f"({', '.join(sizes)})"
    if len(sizes) == 1 and domain.kind in ("onehot", "unit", "spd", "symmetric", "lower"):
        shape = f"({sizes[0]},)"
    shape = shape if sizes else "()"
    if domain.kind == "between":
        return _call("rng.uniform", literal(domain.low), literal(domain.high), shape)
    if domain.kind == "integers":
        return _call("rng.integers", literal(domain.low), literal(domain.high + 1), shape)
    if domain.kind == "below":
        return _below(domain, shape, first)
    if not sizes and domain.kind in ("normal", "fixed"):
        return "rng.standard_normal()"
    if not sizes and domain.kind == "positive":
        return "rng.uniform(0.4, 2.5)"
    others = f"({', '.join(sizes[:-1])}{',' if len(sizes) == 2 else ''})"
    return _OF_KIND[domain.kind].format(shape=shape, last=sizes[-1] if sizes else "", others=others)


def _call(name: str, low: str, high: str, shape: str) -> str:
    return f"{name}({low}, {high})" if shape == "()" else f"{name}({low}, {high}, {shape})"


def _below(domain: Domain, shape: str, first: int) -> str:
    assert domain.below is not None
    source = source_of(domain.below)
    count = source if source.isidentifier() or source.isdigit() else f"max({source}, 1)"
    stop = count if not first else f"{count} + {first}"
    return _call("rng.integers", str(first), stop, shape)


def _sizes(declaration: Declaration) -> list[str]:
    """What draws the sizes: again until the axes have different lengths, where they can."""
    lines = []
    for rule in declaration.sizes:
        if rule.made is not None:
            lines.append(f"{rule.letter} = {source_of(rule.made)}")
        elif rule.low == rule.high:
            lines.append(f"{rule.letter} = {rule.low}")
        else:
            lines.append(f"{rule.letter} = int(rng.integers({rule.low}, {rule.high + 1}))")
    axes = {size.postfix: source_of(size) for given in declaration.inputs for size in given.shape}
    if len(axes) < 2:
        return lines
    different = f"if len({{{', '.join(axes.values())}}}) == {len(axes)}:"
    return [
        f"for _ in range({_TRIES_FOR_SIZES}):  # axes of different lengths, where there are some",
        *(f"    {line}" for line in lines),
        f"    {different}",
        "        break",
    ]
