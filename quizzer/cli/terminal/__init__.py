"""Asking and showing on a terminal."""
