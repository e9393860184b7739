"""Measurement update of a Kalman filter: the gain, and the covariance after it."""

import numpy as np

answers = {"K": "gain", "P_new": "covariance after the update"}
sizes = {"D": ("H", 1), "M": ("H", 0)}
symmetric = ["P", "R"]
assume = "P and R are symmetric and positive definite"
hints = ["Write the error after the correction as a sum of two independent errors."]


def sample(rng):
    """Fewer measurements than states, so that H P H^T is invertible even without R."""
    M, D = np.sort(rng.choice([2, 3, 4, 5], size=2, replace=False))
    A, B = rng.standard_normal((D, D)), rng.standard_normal((M, M))
    return {
        "P": A @ A.T / D + 0.5 * np.eye(D),
        "H": rng.standard_normal((M, D)),
        "R": B @ B.T / M + 0.5 * np.eye(M),
    }


def let(P, H, R):
    return {"S": H @ P @ H.T + R}


def forward(P, H, R):
    """Both results are outputs, so that the answer to the second part may use the gain."""
    K = P @ H.T @ np.linalg.inv(H @ P @ H.T + R)
    return {"K": K, "P_new": P - K @ H @ P}


right = {
    "K": [
        "P @ H.T @ np.linalg.inv(S)",
        "np.linalg.solve(S, H @ P).T",
        r"K = P H^\top (H P H^\top + R)^{-1}",
        "K[i,m] = sum(j,l) P[i,j] H[l,j] inv(S)[l,m]",
    ],
    "P_new": [
        "P - P @ H.T @ np.linalg.solve(S, H @ P)",
        "J = np.eye(D) - K @ H\nP_new = J @ P @ J.T + K @ R @ K.T",
        "P_new = (I - K H) P",
        r"P_new = (I - P H^\top S^{-1} H) P",
        r"P_new = (P^{-1} + H^\top R^{-1} H)^{-1}",
    ],
}

wrong = {
    "K": {
        "The uncertainty of the prediction is missing: the innovation has covariance S, not R.": (
            "P @ H.T @ np.linalg.inv(R)"
        ),
        "The measurement noise is missing from the covariance of the innovation.": (
            "P @ H.T @ np.linalg.inv(H @ P @ H.T)"
        ),
        "The covariance of the prediction is missing in front.": "H.T @ np.linalg.inv(S)",
        "This is the transpose: the gain maps measurements to states.": (
            "np.linalg.inv(S) @ H @ P"
        ),
        "You multiplied by the covariance of the innovation. Multiply by its inverse.": (
            "P @ H.T @ S"
        ),
    },
    "P_new": {
        "The sign of the correction is flipped: with the best gain, a measurement cannot make "
        "the covariance larger.": "P + K @ H @ P",
        "The last factor, the covariance of the prediction, is missing.": ("np.eye(D) - K @ H"),
        "The gain passes on the noise: the term K R K^T is missing.": (
            "J = np.eye(D) - K @ H\nP_new = J @ P @ J.T"
        ),
        "The inverse of the covariance of the innovation is missing.": "P - P @ H.T @ H @ P",
    },
}
