"""A checker's source → its problem, instances and certified truth; runs behind the sandbox."""
