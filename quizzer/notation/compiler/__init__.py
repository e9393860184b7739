"""A tree → a program: a list of NumPy calls for the shapes of a card."""
