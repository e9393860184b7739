"""Whether an answer is right, and if not, where and why."""
