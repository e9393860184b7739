"""What a memory model must offer to be fitted, and FSRS-6 as one.

A newer model needs its own walk through the histories and its own loss; packing, the minimiser,
the held-out comparison and the file of adopted parameters stay as they are.
"""

from collections.abc import Callable
from dataclasses import dataclass

from quizzer.schedule.fsrs import DEFAULT_PARAMETERS, Parameters
from quizzer.schedule.histories import Floats, Histories
from quizzer.schedule.limits import LOWER, NAME, SPREAD, UPPER
from quizzer.schedule.loss import loss_and_gradient
from quizzer.schedule.replay import Replay, replay


@dataclass(frozen=True, slots=True)
class Model:
    """A memory model with parameters w: how it foretells recall, and what is known of w."""

    name: str
    defaults: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    spread: tuple[float, ...]
    """How much each parameter differs between learners: a standard deviation."""
    replay: Callable[[Histories, Parameters], Replay]
    loss_and_gradient: Callable[[Histories, Floats, Parameters], tuple[float, Floats]]
    """The summed, weighted cross-entropy and its gradient; weights as packed."""


FSRS_6 = Model(
    name=NAME,
    defaults=DEFAULT_PARAMETERS,
    lower=LOWER,
    upper=UPPER,
    spread=SPREAD,
    replay=replay,
    loss_and_gradient=loss_and_gradient,
)
