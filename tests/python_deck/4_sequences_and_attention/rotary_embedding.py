"""Rotary position embedding with learned angles; the pair is the last axis."""

import numpy as np

answers = {"dx": "backward message", "dtheta": "parameter message of the angles"}
sizes = {"T": ("x", 0), "K": ("x", 1)}
symbols = {"theta": "θ"}
hints = [
    "One pair is multiplied by a 2x2 matrix. Which matrix does its message pass?",
    "Differentiate the outputs with respect to the angle and compare the result with the outputs.",
]


def sample(rng):
    """Angles of both signs: the turn may go either way."""
    T, K = rng.choice([3, 4, 5, 6], size=2, replace=False)
    theta = rng.choice([-1, 1], size=K) * rng.uniform(0.2, 1.5, size=K)
    return {"x": rng.standard_normal((T, K, 2)), "theta": theta}


def let(x, theta):
    """Cosine and sine of t theta[k]."""
    angles = np.arange(x.shape[0])[:, None] * theta
    return {"C": np.cos(angles), "S": np.sin(angles)}


def turned(x, C, S):
    """Every pair of x turned by the angle whose cosine and sine are given."""
    a, b = x[:, :, 0], x[:, :, 1]
    return np.stack([a * C - b * S, a * S + b * C], axis=2)


def forward(x, theta):
    return {"y": turned(x, **let(x, theta))}


def counted_from_one(x, theta):
    angles = np.arange(1, x.shape[0] + 1)[:, None] * theta
    return {"y": turned(x, np.cos(angles), np.sin(angles))}


variants = {
    "Your positions begin at 1. On this card, the first position is 0, and its token "
    "is not rotated.": counted_from_one
}

terms = {
    "dx": {
        "the terms with the cosine": lambda dy, C: dy * C[:, :, None],
        "the terms with the sine": lambda dy, S: np.stack(
            [S * dy[:, :, 1], -S * dy[:, :, 0]], axis=2
        ),
    },
    "dtheta": {
        "the message from the first of each pair": lambda dy, y: (
            -np.arange(len(y)) @ (y[:, :, 1] * dy[:, :, 0])
        ),
        "the message from the second of each pair": lambda dy, y: (
            np.arange(len(y)) @ (y[:, :, 0] * dy[:, :, 1])
        ),
    },
}

PAIRS = "a = dy[:, :, 0]\nb = dy[:, :, 1]\n"

right = {
    "dx": [
        PAIRS + "dx = np.stack([C * a + S * b, C * b - S * a], axis=2)",
        "dx[t,k,c] = C[t,k] dy[t,k,c] + S[t,k] ([c=0] dy[t,k,1] - [c=1] dy[t,k,0])",
        "dx[t,k,c] = cos(t theta[k]) dy[t,k,c] + (1 - 2c) sin(t theta[k]) dy[t,k,1-c]",
    ],
    "dtheta": [
        "np.arange(T) @ (y[:, :, 0] * dy[:, :, 1] - y[:, :, 1] * dy[:, :, 0])",
        "dtheta[k] = sum_t t (y[t,k,0] dy[t,k,1] - y[t,k,1] dy[t,k,0])",
    ],
}

wrong = {
    "dx": {
        "You rotated the upstream further. A message passes through the transposed "
        "rotation, which rotates it back.": (
            PAIRS + "dx = np.stack([C * a - S * b, C * b + S * a], axis=2)"
        ),
        "Each input affects both outputs of its pair: the terms with the sine are missing.": (
            "dx = dy * C[:, :, None]"
        ),
        "You gave both sines the same sign. In a rotation, one of them is negative.": (
            PAIRS + "dx = np.stack([C * a + S * b, C * b + S * a], axis=2)"
        ),
        "You swapped the cosine and the sine.": (
            PAIRS + "dx = np.stack([S * a + C * b, S * b - C * a], axis=2)"
        ),
    },
    "dtheta": {
        "The angle is t times θ: its derivative has a factor of t, the position.": (
            "dtheta[k] = sum_t (y[t,k,0] dy[t,k,1] - y[t,k,1] dy[t,k,0])"
        ),
        "A rotation moves a point at right angles to its position vector. You took the part of the "
        "upstream along the output.": (
            "dtheta[k] = sum_t t (y[t,k,0] dy[t,k,0] + y[t,k,1] dy[t,k,1])"
        ),
        "The sign is flipped: the derivative of the first output of a pair is minus the "
        "second output, and that of the second is the first.": (
            "np.arange(T) @ (y[:, :, 1] * dy[:, :, 0] - y[:, :, 0] * dy[:, :, 1])"
        ),
        "The quarter turn is applied to the output. You applied it to the input.": (
            "np.arange(T) @ (x[:, :, 0] * dy[:, :, 1] - x[:, :, 1] * dy[:, :, 0])"
        ),
        "All positions share the angles: sum over them.": (
            "np.arange(T)[:, None] * (y[:, :, 0] * dy[:, :, 1] - y[:, :, 1] * dy[:, :, 0])"
        ),
    },
}
