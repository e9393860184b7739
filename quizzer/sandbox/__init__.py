"""Runs the two sides of a check in other processes; the only room that knows about processes."""
