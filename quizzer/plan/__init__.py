"""The rules of a day: what comes, in which order, within which limits."""
