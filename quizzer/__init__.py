"""Spaced repetition for machine-learning derivations."""
