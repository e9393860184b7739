"""The forms of a card: worked, find the slip, missing line, made from its own proven lines."""
