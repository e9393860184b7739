"""Forwards of `cards/7_optimisation`."""
