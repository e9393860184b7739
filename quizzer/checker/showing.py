"""The instance whose numbers a question shows: small, certified, and telling mistakes apart."""

import numpy as np
from msgspec.structs import replace

from quizzer.checker.derivative import Uncertified
from quizzer.checker.instance import Instance, work_out
from quizzer.checker.load import Checker, CheckerError
from quizzer.checker.numbers import STRICT, Numbers, is_within
from quizzer.checker.sheet import Sheet
from quizzer.checker.truth import truths_of

_TRIES = 60
_MOST_DOUBTFUL = 20
"""How many problems are looked at for one that tells every mistake."""
_STREAM = 0x5E
_SMALL = (-2.0, -1.0, 1.0, 2.0)


def shown_instance(checker: Checker, sheet: Sheet, seed: int) -> Instance:
    """The same for a seed, each time. Raises CheckerError where none can be certified.

    Numbers at which a known mistake is right, or everything is zero, would accept what is wrong:
    others are drawn as long as there are some.
    """
    numbers = checker.numbers
    assert numbers is not None
    rng = np.random.default_rng([abs(seed), _STREAM])
    best: tuple[int, Instance] | None = None
    looked_at = 0
    problem = "none was drawn"
    for _ in range(_TRIES):
        try:
            instance = work_out(checker, numbers.draw(rng), rng)
            upstreams = {
                name: np.asarray(rng.choice(_SMALL, np.shape(value)))
                for name, value in instance.upstreams.items()
            }
            instance = replace(instance, upstreams=upstreams)
            instance = replace(instance, truths=truths_of(checker, sheet, instance))
        except Uncertified as error:
            problem = str(error)
            continue
        doubtful = _doubtful(numbers, sheet, instance)
        if best is None or doubtful < best[0]:
            best = doubtful, instance
        looked_at += 1
        if not doubtful or looked_at == _MOST_DOUBTFUL:
            break
    if best is None:
        raise CheckerError(
            f"no numbers to show could be certified in {_TRIES} draws; at the last one, {problem}"
        )
    return best[1]


def _doubtful(numbers: Numbers, sheet: Sheet, instance: Instance) -> int:
    """How much that is wrong would be accepted for these numbers."""
    count = 0
    for asked in sheet.asked:
        truth = instance.truths[asked].value
        tolerance = sheet.within.get(asked, STRICT)
        wide = replace(tolerance, size=2 * tolerance.size)
        count += is_within(np.zeros_like(truth), truth, wide)
        names = sheet.answer_names(instance, asked)
        for value in numbers.mistakes(asked, names):
            count += is_within(np.asarray(value, float), truth, wide)
    return count
