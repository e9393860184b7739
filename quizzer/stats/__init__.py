"""What was: the figures of a learner, and of a class."""
