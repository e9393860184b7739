"""A derivation's lines worked out on a card's instances."""
