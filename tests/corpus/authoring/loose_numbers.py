"""Calculations of the loose deck: the numbers are drawn, the answer is computed from them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Calculation:
    """A question with numbers, its answer, the unit of it, and the lines that lead there."""

    stem: str
    tags: str
    question: str
    answer: float
    steps: tuple[str, ...]
    unit: str = ""


def written(value: float) -> str:
    """A number as a student writes it: at most four decimals, none that are zeros."""
    return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".")


def convolution_parameters(rng: Random) -> Calculation:
    k, c, m = rng.choice([1, 3, 5, 7]), rng.randrange(1, 65), rng.randrange(8, 257)
    return Calculation(
        "conv_params",
        "cnn parameters",
        f"How many learnable parameters does a {k}x{k} conv layer have with {c} input channels,"
        f" {m} filters and one bias per filter?",
        (k * k * c + 1) * m,
        (f"per filter ${k} \\cdot {k} \\cdot {c} + 1 = {k * k * c + 1}$", f"times {m} filters"),
    )


def output_size(rng: Random) -> Calculation:
    k, s, p, out = rng.choice([3, 5, 7]), rng.choice([1, 2]), rng.randrange(3), rng.randrange(8, 65)
    n = (out - 1) * s + k - 2 * p
    return Calculation(
        "conv_output",
        "cnn shapes",
        f"Input ${n} \\times {n}$, kernel ${k} \\times {k}$, stride {s}, padding {p}."
        " Wie groot is de output (one side)?",
        out,
        (
            r"$o = \frac{n + 2p - k}{s} + 1$",
            f"$o = \\frac{{{n} + 2 \\cdot {p} - {k}}}{{{s}}} + 1 = {out}$",
        ),
    )


def bayes(rng: Random) -> Calculation:
    prior, sens, spec = (
        rng.choice([1, 2, 5, 10]),
        rng.randrange(80, 100),
        rng.randrange(80, 100),
    )
    hit, alarm = prior * sens, (100 - prior) * (100 - spec)
    return Calculation(
        "bayes_test",
        "probability bayes",
        f"{prior}% of people have a disease. A test has a sensitivity of {sens}% and a specificity"
        f" of {spec}%. What is P(disease | positive)? (4 decimals)",
        round(hit / (hit + alarm), 4),
        (
            r"$P(D|+) = \frac{P(+|D) P(D)}{P(+|D) P(D) + P(+|\neg D) P(\neg D)}$",
            f"numerator $0.{sens:02} \\cdot {written(prior / 100)} = {written(hit / 10000)}$",
            f"the other term ${written(1 - spec / 100)} \\cdot {written(1 - prior / 100)}"
            f" = {written(alarm / 10000)}$",
        ),
    )


def two_logits(rng: Random) -> Calculation:
    a, b = rng.randrange(-3, 4), rng.randrange(-3, 4)
    return Calculation(
        "two_logits",
        "softmax",
        f"Logits $({a}, {b})$. Probability of the first class? Round to 4 decimals.",
        round(1 / (1 + math.exp(b - a)), 4),
        (f"two classes: $\\sigma({a} - ({b})) = \\sigma({a - b})$",),
    )


def coin_entropy(rng: Random) -> Calculation:
    k = rng.randrange(2, 17)
    p = 1 / k
    h = -p * math.log2(p) - (1 - p) * math.log2(1 - p)
    return Calculation(
        "coin_entropy",
        "information-theory entropy",
        f"Entropy in bits of a coin with $P(\\text{{heads}}) = \\frac{{1}}{{{k}}}$?"
        " (round to 4 decimals)",
        round(h, 4),
        (r"$H = - p \log_2 p - (1 - p) \log_2 (1 - p)$",),
        "bits",
    )


def f1_score(rng: Random) -> Calculation:
    tp, fp, fn, tn = (rng.randrange(5, 60) for _ in range(4))
    return Calculation(
        "f1",
        "evaluation metrics",
        "Confusion matrix:\n\n| | predicted + | predicted - |\n|---|---|---|\n"
        f"| actual + | {tp} | {fn} |\n| actual - | {fp} | {tn} |\n\n"
        "Compute the F1 score (4 decimals).",
        round(2 * tp / (2 * tp + fp + fn), 4),
        (
            f"precision = {tp}/{tp + fp}, recall = {tp}/{tp + fn}",
            r"$F_1 = \frac{2 TP}{2 TP + FP + FN}$",
        ),
    )


def gradient_step(rng: Random) -> Calculation:
    a, w, eta = rng.randrange(1, 6), rng.randrange(1, 9), rng.choice([0.01, 0.05, 0.1])
    return Calculation(
        "gd_step",
        "optimisation gradient-descent",
        f"$f(w) = {a} w^2$, start at $w_0 = {w}$ with learning rate {eta}."
        " Value of $w$ after ONE step of gradient descent?",
        round(w - eta * 2 * a * w, 4),
        (
            f"$f'(w_0) = {2 * a} \\cdot {w} = {2 * a * w}$",
            f"$w_1 = {w} - {eta} \\cdot {2 * a * w}$",
        ),
    )


def api_price(rng: Random) -> Calculation:
    low, high = rng.choice([1, 2, 3, 5]), rng.choice([8, 10, 15, 25])
    m, n = rng.randrange(2, 40), rng.randrange(1, 20)
    return Calculation(
        "api_price",
        "llm costs",
        f"An API costs ${low} per million input tokens and ${high} per million output tokens. We"
        f" send {m} million and get {n} million. Total price in $?",
        low * m + high * n,
        (f"input: ${low} x {m} = ${low * m}", f"output: ${high} x {n} = ${high * n}"),
        "dollars",
    )


def fair_price(rng: Random) -> Calculation:
    stake, win = rng.randrange(1, 6), rng.randrange(7, 31)
    return Calculation(
        "fair_game",
        "probability expectation",
        f"A game costs $ {stake} to play. With a fair die you win $ {win} on a six and nothing"
        " otherwise. Expected profit per game (4 decimals)?",
        round(win / 6 - stake, 4),
        (f"{win}/6 - {stake}",),
    )


def halving(rng: Random) -> Calculation:
    eta, k, epochs = rng.choice([0.1, 0.2, 0.4, 0.8]), rng.randrange(2, 4), rng.choice([10, 20, 30])
    return Calculation(
        "lr_schedule",
        "optimisation schedule",
        f"The learning rate starts at {eta} and is halved every {epochs} epochs. Its value in"
        f" epoch {k * epochs + 1} (first epoch = 1)?",
        eta / 2**k,
        (f"halved {k} times: ${eta} / 2^{k}$",),
    )


def matrix_flops(rng: Random) -> Calculation:
    m, k, n = (rng.randrange(2, 30) for _ in range(3))
    return Calculation(
        "matmul_flops",
        "complexity",
        f"FLOPs of $({m} \\times {k}) \\cdot ({k} \\times {n})$, counting $2mkn$?",
        2 * m * k * n,
        (f"$2 \\cdot {m} \\cdot {k} \\cdot {n}$",),
    )


def sample_variance(rng: Random) -> Calculation:
    data = [rng.randrange(10) for _ in range(5)]
    mean = sum(data) / 5
    values = " | ".join(map(str, data))
    return Calculation(
        "variance",
        "statistics",
        "Five measurements:\n\n| n | 1 | 2 | 3 | 4 | 5 |\n|---|---|---|---|---|---|\n"
        f"| x | {values} |\n\n"
        "Maximum likelihood estimate of the variance (Gaussian)?",
        round(sum((x - mean) ** 2 for x in data) / 5, 4),
        (f"$\\bar{{x}} = {written(mean)}$", r"$\frac{1}{N} \sum_n (x_n - \bar{x})^2$ (not N-1)"),
    )


def model_memory(rng: Random) -> Calculation:
    millions, size = rng.randrange(5, 800), rng.choice([2, 4])
    return Calculation(
        "model_memory",
        "hardware parameters",
        f"How many MB (1 MB = $10^6$ byte) need {millions}M parameters in float{size * 8}?",
        millions * size,
        (f"{size} bytes each",),
        "MB",
    )


def moving_average(rng: Random) -> Calculation:
    v, g, beta = rng.randrange(1, 9), rng.randrange(1, 9), rng.choice([0.5, 0.8, 0.9])
    return Calculation(
        "momentum_value",
        "optimisation momentum",
        f"$v \\leftarrow \\beta v + (1 - \\beta) g$ with $\\beta = {beta}$, $v = {v}$, $g = {g}$."
        " Neues $v$?",
        round(beta * v + (1 - beta) * g, 4),
        (f"${beta} \\cdot {v} + {round(1 - beta, 1)} \\cdot {g}$",),
    )


def perplexity(rng: Random) -> Calculation:
    h = rng.randrange(1, 9)
    return Calculation(
        "perplexity",
        "nlp language-models",
        f"A language model has a cross-entropy of {h} bits per token. Perplexity?",
        2**h,
        (f"$2^{{{h}}}$",),
    )


def box_overlap(rng: Random) -> Calculation:
    w, h = rng.randrange(4, 12), rng.randrange(4, 12)
    dx, dy = rng.randrange(1, w), rng.randrange(1, h)
    both = (w - dx) * (h - dy)
    return Calculation(
        "iou",
        "detection metrics",
        f"Box A: corners $(0, 0)$ and $({w}, {h})$. Box B: the same, shifted by $({dx}, {dy})$."
        " IoU? (4 decimals)",
        round(both / (2 * w * h - both), 4),
        (
            f"intersection ${w - dx} \\cdot {h - dy} = {both}$",
            f"union $2 \\cdot {w * h} - {both} = {2 * w * h - both}$",
        ),
    )


def svm_margin(rng: Random) -> Calculation:
    a, b, c = rng.choice([(3, 4, 5), (6, 8, 10), (5, 12, 13), (8, 15, 17)])
    offset = rng.randrange(-9, 10)
    return Calculation(
        "svm_margin",
        "svm margin",
        f"Hard margin SVM with $w = ({a}, {b})^T$ and $b = {offset}$. Width of the margin (between"
        " both hyperplanes, 4 decimals)?",
        round(2 / c, 4),
        (rf"$\|w\| = {c}$", r"$2 / \|w\|$"),
    )


CALCULATIONS: tuple[Callable[[Random], Calculation], ...] = (
    convolution_parameters,
    output_size,
    bayes,
    two_logits,
    coin_entropy,
    f1_score,
    gradient_step,
    api_price,
    fair_price,
    halving,
    matrix_flops,
    sample_variance,
    model_memory,
    moving_average,
    perplexity,
    box_overlap,
    svm_margin,
)
