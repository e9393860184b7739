"""How people rate: the chances of Again, Hard, Good and Easy, each four adding up to 1.

They are the defaults of the simulator of FSRS, from many collections of Anki.
"""

FIRST = (0.24, 0.094, 0.495, 0.171)
"""A new card."""
STEP = (0.216, 0.064, 0.66, 0.06)
"""On the same day, after the ten minutes."""
RECALLED = (0.0, 0.224, 0.631, 0.145)
"""On a later day, when the card is remembered."""
