"""Whether a card and its checker are sound."""
