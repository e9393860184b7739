"""How the functions of formulas are written in NumPy, and the helpers that a module needs."""

ELEMENTWISE = {
    **{name: f"np.{name}" for name in ("exp", "log", "sqrt", "tanh", "sinh", "cosh", "arctan")},
    **{name: f"np.{name}" for name in ("sin", "cos", "tan", "arcsin", "arccos", "abs", "sign")},
    "floor": "np.floor",
    "ceil": "np.ceil",
    "ln": "np.log",
    "sgn": "np.sign",
    "sec": "_sec",
    "sech": "_sech",
    "erf": "_erf",
    "Φ": "_normal_cdf",
    "lgamma": "_lgamma",
    "digamma": "_digamma",
    "sigmoid": "_sigmoid",
    "sigma": "_sigmoid",
    "σ": "_sigmoid",
    "relu": "_relu",
    "softplus": "_softplus",
    "sigmoid'": "_sigmoid_slope",
    "tanh'": "_tanh_slope",
    "relu'": "_relu_slope",
    "softplus'": "_sigmoid",
    "Φ'": "_normal_density",
}
WHOLE = {
    "softmax": "_softmax",
    "logsumexp": "_logsumexp",
    "norm": "np.linalg.norm",
    "tr": "np.trace",
    "det": "np.linalg.det",
    "inv": "np.linalg.inv",
    "diag": "np.diag",
    "expm": "_expm",
    "logdet": "_logdet",
    "chol": "np.linalg.cholesky",
    "pinv": "np.linalg.pinv",
    "eigenvalues": "_eigenvalues",
    "eigenvectors": "_eigenvectors",
    "sum": "np.sum",
    "prod": "np.prod",
    "mean": "np.mean",
    "max": "np.max",
    "min": "np.min",
}
TO_A_NUMBER = frozenset(
    {"logsumexp", "norm", "tr", "det", "logdet", "sum", "prod", "mean", "max", "min"}
)

HELPERS = {
    "_sec": "def _sec(x):\n    return 1 / np.cos(x)",
    "_sech": "def _sech(x):\n    return 1 / np.cosh(x)",
    "_erf": "_erf = np.vectorize(math.erf, otypes=[float])",
    "_normal_cdf": (
        "def _normal_cdf(x):\n"
        "    return 0.5 * (1 + np.vectorize(math.erf, otypes=[float])(x / np.sqrt(2)))"
    ),
    "_normal_density": (
        "def _normal_density(x):\n    return np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi)"
    ),
    "_lgamma": "_lgamma = np.vectorize(math.lgamma, otypes=[float])",
    "_digamma": (
        'def _digamma(x):\n    """The derivative of log Γ: shifted to 10, then its series."""\n'
        "    z, shift = np.asarray(x, float), 0.0\n"
        "    for _ in range(10):\n"
        "        shift = shift + np.where(z < 10, 1 / z, 0.0)\n"
        "        z = np.where(z < 10, z + 1, z)\n"
        "    terms = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)\n"
        "    series = sum(c / z ** (2 * k + 2) for k, c in enumerate(terms))\n"
        "    return np.log(z) - 0.5 / z - series - shift"
    ),
    "_sigmoid": (
        'def _sigmoid(x):\n    """1 / (1 + exp(-x)), without overflow."""\n'
        "    return 0.5 * (1 + np.tanh(0.5 * x))"
    ),
    "_sigmoid_slope": ("def _sigmoid_slope(x):\n    return 0.25 * (1 - np.tanh(0.5 * x) ** 2)"),
    "_tanh_slope": "def _tanh_slope(x):\n    return 1 / np.cosh(x) ** 2",
    "_relu": "def _relu(x):\n    return np.maximum(x, 0)",
    "_relu_slope": "def _relu_slope(x):\n    return 1.0 * (x > 0)",
    "_softplus": (
        'def _softplus(x):\n    """log(1 + exp(x)), without overflow."""\n'
        "    return np.logaddexp(0, x)"
    ),
    "_softmax": (
        'def _softmax(x):\n    """Along the last axis."""\n'
        "    powers = np.exp(x - np.max(x, axis=-1, keepdims=True))\n"
        "    return powers / np.sum(powers, axis=-1, keepdims=True)"
    ),
    "_logsumexp": (
        "def _logsumexp(x):\n    top = np.max(x)\n    return np.log(np.sum(np.exp(x - top))) + top"
    ),
    "_logdet": "def _logdet(a):\n    return np.linalg.slogdet(a)[1]",
    "_eigenvalues": (
        'def _eigenvalues(a):\n    """Of the symmetric part, in ascending order."""\n'
        "    return np.linalg.eigvalsh((a + a.T) / 2)"
    ),
    "_eigenvectors": (
        'def _eigenvectors(a):\n    """Of the symmetric part, as columns."""\n'
        "    return np.linalg.eigh((a + a.T) / 2)[1]"
    ),
    "_expm": (
        'def _expm(a):\n    """The matrix exponential: its series for a / 2^k, squared."""\n'
        "    k = max(0, int(np.ceil(np.log2(np.abs(a).sum(axis=1).max() + 1e-300))) + 2)\n"
        "    power = total = np.eye(len(a))\n"
        "    for order in range(1, 14):\n"
        "        power = power @ (a / 2.0**k / order)\n"
        "        total = total + power\n"
        "    for _ in range(k):\n"
        "        total = total @ total\n"
        "    return total"
    ),
    "_at": (
        'def _at(array, *places):\n    """The elements at these places; 0 outside the array."""\n'
        "    inside = _inside(array, *places)\n"
        "    kept = tuple(np.where(inside, place, 0).astype(int) for place in places)\n"
        "    return np.where(inside, array[kept], 0.0)"
    ),
    "_inside": (
        'def _inside(array, *places):\n    """Where these places are within the array."""\n'
        "    within = [(place >= 0) & (place < n) for place, n in zip(places, array.shape)]\n"
        "    return np.all(np.broadcast_arrays(*within), axis=0)"
    ),
}
"""Helper functions, by name: what a module defines only where it uses them."""

NEEDS = {"_at": ("_inside",)}
