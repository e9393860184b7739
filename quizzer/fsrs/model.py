"""What a memory model must offer to be fitted, and FSRS-6 as one.

A newer model needs its own walk through the histories and its own loss; packing, the minimiser
and the held-out comparison know no more of a model than what stands here.
"""

from collections.abc import Callable

from msgspec import Struct

from quizzer.fsrs.histories import Floats, Histories
from quizzer.fsrs.limits import LOWER, NAME, SPREAD, UPPER
from quizzer.fsrs.loss import loss_and_gradient
from quizzer.fsrs.replay import replay
from quizzer.fsrs.step import DEFAULT_PARAMETERS, Parameters

WIDER = 1.4
"""By how much the prior is wider than published: so it foretells most real logs a bit better."""


class Model(Struct, frozen=True):
    """A memory model with parameters w: how it foretells recall, and what is known of w."""

    name: str
    defaults: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    spread: tuple[float, ...]
    """How much each parameter may differ between learners: the standard deviation of the prior."""
    recall: Callable[[Histories, Parameters], Floats]
    """The chance of recall at each review, in the order of the log."""
    loss_and_gradient: Callable[[Histories, Floats, Parameters], tuple[float, Floats]]
    """The summed, weighted cross-entropy and its gradient; weights as packed."""


def _recall(histories: Histories, parameters: Parameters) -> Floats:
    return replay(histories, parameters).recall


FSRS_6 = Model(
    name=NAME,
    defaults=DEFAULT_PARAMETERS,
    lower=LOWER,
    upper=UPPER,
    spread=tuple(WIDER * each for each in SPREAD),
    recall=_recall,
    loss_and_gradient=loss_and_gradient,
)
