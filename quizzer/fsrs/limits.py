"""What the parameters of FSRS-6 may be, and how much they differ between learners.

As published by open-spaced-repetition: the bounds in py-fsrs 6, the standard deviations over many
learners in fsrs-optimizer 6.
"""

from math import isfinite

from quizzer.fsrs.step import Parameters

NAME = "FSRS-6"

LOWER: tuple[float, ...] = (
    *(0.001, 0.001, 0.001, 0.001),
    *(1.0, 0.001, 0.001, 0.001),
    *(0.0, 0.0, 0.001),
    *(0.001, 0.001, 0.001, 0.0),
    *(0.0, 1.0),
    *(0.0, 0.0, 0.0),
    0.1,
)
UPPER: tuple[float, ...] = (
    *(100.0, 100.0, 100.0, 100.0),
    *(10.0, 4.0, 4.0, 0.75),
    *(4.5, 0.8, 3.5),
    *(5.0, 0.25, 0.9, 4.0),
    *(1.0, 6.0),
    *(2.0, 2.0, 0.8),
    0.8,
)
SPREAD: tuple[float, ...] = (
    *(6.43, 9.66, 17.58, 27.85),
    *(0.57, 0.28, 0.6, 0.12),
    *(0.39, 0.18, 0.33),
    *(0.3, 0.09, 0.16, 0.57),
    *(0.25, 1.03),
    *(0.31, 0.32, 0.14),
    0.27,
)


def usable(parameters: Parameters) -> bool:
    """Whether a card could be scheduled with these parameters."""
    return len(parameters) == len(LOWER) and all(
        isfinite(value) and low <= value <= high
        for value, low, high in zip(parameters, LOWER, UPPER, strict=True)
    )
