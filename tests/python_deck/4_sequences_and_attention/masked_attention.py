"""Attention with a causal mask, from the scores on."""

import numpy as np

answers = {"dV": "backward message to the values", "dS": "backward message to the scores"}
sizes = {"T": ("V", 0), "E": ("V", 1)}
hints = ["Which weights depend on a score above the diagonal? What is the weight there?"]


def sample(rng):
    T, E = rng.choice([3, 4, 5, 6], size=2, replace=False)
    return {"S": rng.standard_normal((T, T)), "V": rng.standard_normal((T, E))}


def weights(S):
    """A softmax of every row up to the diagonal."""
    e = np.exp(S) * np.tril(np.ones(S.shape))
    return e / e.sum(axis=1, keepdims=True)


def forward(S, V):
    return {"O": weights(S) @ V}


def let(S):
    return {"P": weights(S)}


def softmax(S):
    e = np.exp(S)
    return e / e.sum(axis=1, keepdims=True)


def without_mask(S, V):
    return {"O": softmax(S) @ V}


def mask_after_the_softmax(S, V):
    return {"O": (softmax(S) * np.tril(np.ones(S.shape))) @ V}


def mask_of_the_past(S, V):
    e = np.exp(S) * np.triu(np.ones(S.shape))
    return {"O": e / e.sum(axis=1, keepdims=True) @ V}


variants = {
    "This is the gradient without a mask.": without_mask,
    "You set weights to 0 after the softmax. The mask comes before it, so that the rows sum to "
    "1.": (mask_after_the_softmax),
    "Your mask hides the past. A token may look back, not ahead.": mask_of_the_past,
}

terms = {
    "dS": {
        "the term of each weight's own upstream": lambda P, V, dO: P * (dO @ V.T),
        "the softmax's average": lambda P, V, dO: -P * (P * (dO @ V.T)).sum(axis=1, keepdims=True),
    }
}

right = {
    "dV": ["P.T @ dO", "dV[j,e] = sum_i P[i,j] dO[i,e]", r"dV = P^\top dO"],
    "dS": [
        "A = dO @ V.T\ndS = P * (A - (P * A).sum(axis=1, keepdims=True))",
        "P * (dO @ V.T - (O * dO).sum(axis=1, keepdims=True))",
        "A[i,j] = sum_e dO[i,e] V[j,e]\n"
        "dS[i,j] = [j<=i] P[i,j] (A[i,j] - sum_k [k<=i] P[i,k] A[i,k])",
        r"dS = P \odot (dO V^\top - (O \odot dO) \mathbf{1} \mathbf{1}^\top)",
    ],
}

wrong = {
    "dV": {
        "The weights of a query are a row of P, but a value collects messages over its column.": (
            "P @ dO"
        ),
        "You used the scores. The values are averaged with the weights.": "S.T @ dO",
        "The mask alone does not average: the messages from the outputs are weighted by P.": (
            "np.tril(np.ones((T, T))).T @ dO"
        ),
    },
    "dS": {
        "The attention weights share a denominator: subtract the average of the messages "
        "to the weights.": ("P * (dO @ V.T)"),
        "The average belongs to the softmax, so it is weighted by P. You summed the "
        "visible messages without weights.": (
            "A = np.tril(dO @ V.T)\ndS = P * (A - A.sum(axis=1, keepdims=True))"
        ),
        "The factor P in front is missing; a mask does not replace it.": (
            "A = dO @ V.T\ndS = np.tril(A - (P * A).sum(axis=1, keepdims=True))"
        ),
        "This is the message to the weights. It still has to pass through the softmax and its "
        "mask.": ("dO @ V.T"),
        "You used only the diagonal of the Jacobian of the softmax. Each score affects its "
        "whole row.": ("P * (1 - P) * (dO @ V.T)"),
        "The softmax runs along a row: average over the keys, not over the queries.": (
            "A = dO @ V.T\ndS = P * (A - (P * A).sum(axis=0))"
        ),
    },
}
