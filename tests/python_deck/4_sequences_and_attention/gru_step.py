"""One step of a gated recurrent unit; what the input contributes is given."""

import numpy as np

answers = {
    "da_z": "backward message to the update gate's inside",
    "da_r": "backward message to the reset gate's inside",
    "dh_prev": "backward message to the previous state",
}
sizes = {"D": ("h_prev", 0)}
symbols = {"h_prev": "h_{t-1}", "h": "h_t"}
hints = [
    "First find the messages to the arguments of the two sigmoids and the tanh.",
    "Along how many paths does the previous state reach the new one?",
]


def sample(rng):
    D = rng.integers(2, 6)
    vectors = {name: rng.standard_normal(D) for name in ("h_prev", "a_z", "a_r", "a_n")}
    matrices = {name: rng.standard_normal((D, D)) for name in ("W_z", "W_r", "W_n")}
    return vectors | matrices


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def parts(h_prev, a_z, a_r, a_n, W_z, W_r, W_n):
    """Update gate, reset gate and candidate."""
    r = sigmoid(a_r + W_r @ h_prev)
    return sigmoid(a_z + W_z @ h_prev), r, np.tanh(a_n + W_n @ (r * h_prev))


def let(h_prev, a_z, a_r, a_n, W_z, W_r, W_n):
    z, r, n = parts(h_prev, a_z, a_r, a_n, W_z, W_r, W_n)
    return {"z": z, "r": r, "n": n}


def forward(h_prev, a_z, a_r, a_n, W_z, W_r, W_n):
    z, _, n = parts(h_prev, a_z, a_r, a_n, W_z, W_r, W_n)
    return {"h": z * h_prev + (1 - z) * n}


def gate_turned_around(h_prev, a_z, a_r, a_n, W_z, W_r, W_n):
    z, _, n = parts(h_prev, a_z, a_r, a_n, W_z, W_r, W_n)
    return {"h": (1 - z) * h_prev + z * n}


def reset_after_the_weights(h_prev, a_z, a_r, a_n, W_z, W_r, W_n):
    z, r, _ = parts(h_prev, a_z, a_r, a_n, W_z, W_r, W_n)
    return {"h": z * h_prev + (1 - z) * np.tanh(a_n + r * (W_n @ h_prev))}


variants = {
    "Your update gate is flipped: on this card, z keeps the previous state.": gate_turned_around,
    "You applied the reset gate after the weights W_n, as some libraries do. On this card, it "
    "comes before them.": (reset_after_the_weights),
}


def to_candidate(dh, z, n):
    return dh * (1 - z) * (1 - n**2)


terms = {
    "dh_prev": {
        "the direct copy's term": lambda dh, z: dh * z,
        "the update gate's term": lambda dh, h_prev, z, n, W_z: (
            W_z.T @ (dh * (h_prev - n) * z * (1 - z))
        ),
        "the term of the product with the reset gate": lambda dh, z, r, n, W_n: (
            r * (W_n.T @ to_candidate(dh, z, n))
        ),
        "the reset gate's own term": lambda dh, h_prev, z, r, n, W_r, W_n: (
            W_r.T @ (W_n.T @ to_candidate(dh, z, n) * h_prev * r * (1 - r))
        ),
    }
}

U = "u = dh * (h_prev - n) * z * (1 - z)\n"
M = "q = W_n.T @ (dh * (1 - z) * (1 - n**2))\n"
V = "v = q * h_prev * r * (1 - r)\n"
U_BY_INDEX = "u[i] = dh[i] (h_prev[i] - n[i]) z[i] (1 - z[i])\n"
M_BY_INDEX = "q[j] = sum_i dh[i] (1 - z[i]) (1 - n[i]^2) W_n[i,j]\n"
V_BY_INDEX = "v[j] = q[j] h_prev[j] r[j] (1 - r[j])\n"
U_BY_MATRIX = r"u = dh \odot (h_{t-1} - n) \odot z \odot (1 - z)" + "\n"
M_BY_MATRIX = r"q = W_n^\top (dh \odot (1 - z) \odot (1 - n \odot n))" + "\n"
V_BY_MATRIX = r"v = q \odot h_{t-1} \odot r \odot (1 - r)" + "\n"

right = {
    "da_z": [
        "dh * (h_prev - n) * z * (1 - z)",
        "da_z[i] = dh[i] (h_prev[i] - n[i]) z[i] (1 - z[i])",
        r"da_z = dh \odot (h_{t-1} - n) \odot z \odot (1 - z)",
    ],
    "da_r": [
        M + V + "da_r = v",
        M_BY_INDEX + "da_r[j] = q[j] h_prev[j] r[j] (1 - r[j])",
        M_BY_MATRIX + r"da_r = q \odot h_{t-1} \odot r \odot (1 - r)",
    ],
    "dh_prev": [
        U + M + V + "dh_prev = dh * z + W_z.T @ u + r * q + W_r.T @ v",
        U_BY_INDEX + M_BY_INDEX + V_BY_INDEX + "dh_prev[j] = dh[j] z[j] + sum_i u[i] W_z[i,j]"
        " + r[j] q[j] + sum_i v[i] W_r[i,j]",
        U_BY_MATRIX
        + M_BY_MATRIX
        + V_BY_MATRIX
        + r"dh_prev = dh \odot z + W_z^\top u + r \odot q + W_r^\top v",
    ],
}

wrong = {
    "da_z": {
        "The gate also scales the candidate, by 1 - z: this part is missing.": (
            "dh * h_prev * z * (1 - z)"
        ),
        "The sign is flipped: a larger z means more of the previous state.": (
            "dh * (n - h_prev) * z * (1 - z)"
        ),
        "The slope of the sigmoid is missing: this is the message to the gate.": (
            "dh * (h_prev - n)"
        ),
        "Both terms of the new state depend on z, but 1 - z has slope -1: subtract n.": (
            "dh * (h_prev + n) * z * (1 - z)"
        ),
    },
    "da_r": {
        "The reset gate acts through the weights of the candidate: multiply by W_n transposed.": (
            "dh * (1 - z) * (1 - n**2) * h_prev * r * (1 - r)"
        ),
        "A message goes back through the transposed weights; you multiplied by W_n itself.": (
            "W_n @ (dh * (1 - z) * (1 - n**2)) * h_prev * r * (1 - r)"
        ),
        "The partner of the reset gate, the previous state, is missing.": M
        + "da_r = q * r * (1 - r)",
        "The slope of the tanh of the candidate is missing.": (
            "da_r = (W_n.T @ (dh * (1 - z))) * h_prev * r * (1 - r)"
        ),
        "The candidate enters with the weight 1 - z, which is missing.": (
            "da_r = (W_n.T @ (dh * (1 - n**2))) * h_prev * r * (1 - r)"
        ),
    },
    "dh_prev": {
        "You held the gates and the candidate fixed. All three depend on the previous state.": (
            "dh * z"
        ),
        "You held the gates fixed. Both depend on the previous state.": M
        + "dh_prev = dh * z + r * q",
        "The path through the reset gate is missing.": U
        + M
        + "dh_prev = dh * z + W_z.T @ u + r * q",
        "The path through the update gate is missing.": M
        + V
        + "dh_prev = dh * z + r * q + W_r.T @ v",
        "In the candidate, the previous state is multiplied by the reset gate: a factor of r is "
        "missing.": U + M + V + "dh_prev = dh * z + W_z.T @ u + q + W_r.T @ v",
    },
}
