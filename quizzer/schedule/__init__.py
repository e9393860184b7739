"""When to review: FSRS-6 and what is built on it."""
