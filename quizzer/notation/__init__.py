"""What the learner types, read into something that computes arrays."""
