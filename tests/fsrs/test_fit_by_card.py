"""The backward pass of the fit against the starter deck's checkers, which the judge proves.

The cards derive one review; here their closed forms are chained through whole histories by hand.
"""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from quizzer.fsrs.histories import Floats, Histories, Reviews, pack
from quizzer.fsrs.limits import SPREAD
from quizzer.fsrs.loss import loss_and_gradient
from quizzer.fsrs.step import DEFAULT_PARAMETERS

TWINS = Path(__file__).parents[2] / "tests/python_deck/9_spaced_repetition"
AGAIN, GOOD = 1, 3


@pytest.fixture
def curve() -> ModuleType:
    return checker("forgetting_curve")


@pytest.fixture
def step() -> ModuleType:
    return checker("stability_step")


@pytest.mark.parametrize("seed", range(4))
def test_after_one_interval_the_gradient_is_that_of_the_card(curve: ModuleType, seed: int) -> None:
    """Cards seen twice: the loss reaches their first stabilities and the decay, nothing else."""
    rng = np.random.default_rng(seed)
    w, cards = near_the_defaults(rng), 40
    first = rng.integers(1, 5, cards)
    t = rng.integers(1, 60, cards)
    second = rng.choice([AGAIN, GOOD], cards)
    c = rng.uniform(0.25, 1, cards)
    histories, weights = packed([first, second], [t], [c])

    s = np.log(w[first - 1])
    found = asked(curve, s=s, t=t, y=(second > AGAIN).astype(int), c=c, w_20=w[20])
    loss, gradient = loss_and_gradient(histories, weights, w.tolist())

    expected = np.zeros(21)
    expected[:4] = np.bincount(first - 1, found["dL_ds"], 4) / w[:4]
    expected[20] = found["dL_dw_20"]
    assert loss == pytest.approx(float(found["L"]), rel=1e-12)
    assert gradient == pytest.approx(expected, rel=1e-10, abs=1e-12 * loss)


@pytest.mark.parametrize("seed", range(4))
def test_through_a_recall_the_message_goes_back_as_the_cards_say(
    curve: ModuleType, step: ModuleType, seed: int
) -> None:
    """Cards recalled once, then asked again: both reviews are scored."""
    rng = np.random.default_rng(seed)
    w, cards = near_the_defaults(rng), 40
    first = rng.integers(2, 4, cards)
    days = [rng.integers(1, 30, cards), rng.integers(1, 90, cards)]
    last = rng.choice([AGAIN, GOOD], cards)
    c = [rng.uniform(0.25, 1, cards), rng.uniform(0.25, 1, cards)]
    histories, weights = packed([first, np.full(cards, GOOD), last], days, c)

    s = np.log(w[first - 1])
    difficulty = w[4] - np.exp(w[5] * (first - 1)) + 1
    assert ((difficulty > 1) & (difficulty < 10)).all()
    state = {"s": s, "D": difficulty, "t": days[0], **{f"w_{n}": w[n] for n in (8, 9, 10, 20)}}
    after = step.forward(**state)["u"]
    ended = asked(curve, s=after, t=days[1], y=(last > AGAIN).astype(int), c=c[1], w_20=w[20])
    met = asked(curve, s=s, t=days[0], y=np.ones(cards, int), c=c[0], w_20=w[20])
    back = asked(step, **state, du=ended["dL_ds"])
    loss, gradient = loss_and_gradient(histories, weights, w.tolist())

    assert loss == pytest.approx(float(met["L"] + ended["L"]), rel=1e-12)
    by_s = met["dL_ds"] + back["ds"]
    close = {"rel": 1e-10, "abs": 1e-12 * loss}
    assert gradient[:4] == pytest.approx(np.bincount(first - 1, by_s, 4) / w[:4], **close)
    assert gradient[4] == pytest.approx(back["dD"].sum(), **close)
    slope = -(first - 1) * np.exp(w[5] * (first - 1))
    assert gradient[5] == pytest.approx((back["dD"] * slope).sum(), **close)
    assert gradient[9] == pytest.approx(back["dw_9"], **close)
    assert np.abs(gradient[[1, 2, 4, 5, 9]]).min() > 1e-4


def checker(stem: str) -> ModuleType:
    module = ModuleType(stem)
    path = TWINS / f"{stem}.py"
    exec(compile(path.read_text("utf-8"), path, "exec"), vars(module))
    return module


def asked(card: ModuleType, **names: Floats) -> dict[str, Floats]:
    """The card's forward message and what its reference says of these numbers."""
    names |= called(card.let, names)
    return called(card.forward, names) | called(card.reference, names)


def called(
    function: Callable[..., dict[str, Floats]], names: dict[str, Floats]
) -> dict[str, Floats]:
    wanted = function.__code__.co_varnames[: function.__code__.co_argcount]
    return function(**{name: names[name] for name in wanted})


def near_the_defaults(rng: np.random.Generator) -> Floats:
    """Difficulty and stability stay off their bounds, and w7 is off the first reviews."""
    moved = DEFAULT_PARAMETERS + np.array(SPREAD) * rng.uniform(-0.1, 0.1, 21)
    moved[:4] = np.array(DEFAULT_PARAMETERS[:4]) * rng.uniform(0.8, 1.25, 4)
    return np.asarray(moved)


def packed(
    ratings: list[Floats], days: list[Floats], weights: list[Floats]
) -> tuple[Histories, Floats]:
    """Histories of equal length, one a card, and the weights of their reviews as packed."""
    cards, reviews = len(ratings[0]), len(ratings)
    day = np.cumsum([np.zeros(cards, np.int64), *days], axis=0).ravel()
    log = Reviews(np.tile(np.arange(cards), reviews), np.concatenate(ratings), day)
    order = np.argsort(day, kind="stable")
    histories = pack(Reviews(log.history[order], log.rating[order], day[order]))
    as_logged = np.concatenate([np.zeros(cards), *weights])[order]
    return histories, as_logged[histories.place]
