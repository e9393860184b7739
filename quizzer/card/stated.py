"""What a card's question states in math, as `left = right` each.

Of the names that its checker does not have, it says what they are.
"""

import re
from functools import lru_cache

from quizzer.card.equations import equations
from quizzer.card.formulation import NAMELESS
from quizzer.card.values import Card

_KEPT = 128  # as many cards as a class is asked
_LONGEST = 1_000

_OBJECTIVE = re.compile(r"(?:maxim|minim)i[sz]es?\s+\$([^$=]*(?:\\sum|\+)[^$=]*)\$")


@lru_cache(_KEPT)
def stated_in(card: Card) -> tuple[str, ...]:
    """The equations of a card's question, and the objective that it states without a name."""
    every = [each.definition for each in equations(card.question, 1) if not each.condition]
    every += [f"{NAMELESS} = {formula}" for formula in _OBJECTIVE.findall(card.question)[:1]]
    return tuple(each for each in every if len(each) <= _LONGEST)
