"""A checker whose card has another name."""
