"""Forwards of `cards/4_sequences_and_attention`."""

import autograd.numpy as np


def word2vec(v, u, Z):
    return {"L": np.log(1 + np.exp(-(u @ v))) + np.sum(np.log(1 + np.exp(Z @ v)))}


def linear_attention(Q, K, V):
    return {"O": Q @ K.T @ V}


def backpropagation_through_time(h_0, x_1, x_2, x_3, W):
    states = [h_0]
    for x in (x_1, x_2, x_3):
        states.append(np.tanh(W @ states[-1] + x))
    return dict(zip(("h_1", "h_2", "h_3"), states[1:], strict=True))


def lstm_weights(h_prev, c_prev, F, W, G, b_f, b_w, b_g):
    forget = 1 / (1 + np.exp(-(F @ h_prev + b_f)))
    write = 1 / (1 + np.exp(-(W @ h_prev + b_w)))
    return {"c": forget * c_prev + write * np.tanh(G @ h_prev + b_g)}


def additive_attention(q, K, V, W, U, v):
    weights = np.exp(np.tanh(W @ q + K @ U.T) @ v)
    return {"o": weights @ V / np.sum(weights)}


def multi_head_attention(Q, K, V, W):
    weights = np.exp(np.einsum("hni,hmi->hnm", Q, K) / np.sqrt(Q.shape[2]))
    weights = weights / np.sum(weights, axis=2, keepdims=True)
    return {"Y": np.einsum("hnm,hme,hec->nc", weights, V, W)}


def padding_mask(S, V, m):
    weights = m * np.exp(S)
    found = weights @ V / np.sum(weights, axis=1, keepdims=True)
    return {"y": m @ found / np.sum(m)}


def relative_position_bias(C, b):
    places = np.arange(len(C))
    weights = np.exp(C + b[places[:, None] - places + len(C) - 1])
    return {"P": weights / np.sum(weights, axis=1, keepdims=True)}


def pre_norm_block(x, W, V):
    centred = x - np.mean(x)
    normalised = centred / np.sqrt(np.mean(centred**2))
    return {"y": x + V @ np.maximum(0, W @ normalised)}


def mixture_of_experts(Z, U):
    weights = np.exp(Z) / np.sum(np.exp(Z), axis=1, keepdims=True)
    chosen = np.max(Z, axis=1, keepdims=True) == Z
    return {
        "y": np.sum(weights * chosen, axis=1)[:, None] * U,
        "b": Z.shape[1] * np.sum(np.mean(chosen, axis=0) * np.mean(weights, axis=0)),
    }


def linear_recurrence(x, a):
    states = [x[0]]
    for kept, added in zip(a[1:], x[1:], strict=True):
        states.append(kept * states[-1] + added)
    return {"h": np.array(states)}


def online_softmax(m, l, o, z, u):  # noqa: E741, as the card writes it
    old, new = l * np.exp(m), np.exp(z)
    return {
        "k": (old + new) / np.exp(np.maximum(m, z)),
        "q": (old * o + new * u) / (old + new),
    }


def attention_by_hand(q, K, v):
    weights = np.exp(K @ q / np.sqrt(len(q)))
    return {"p": weights / np.sum(weights), "y": weights @ v / np.sum(weights)}


def key_value_cache(n, k, d, t):
    numbers = 2 * k * d * n * (1000 * t)
    return {"C": 2 * numbers / 1e6}
