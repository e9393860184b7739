"""A declared checker → the NumPy module that it means, for people to read. Nothing runs it here."""
