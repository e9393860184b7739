"""NumPy notation: Python text, checked before it is run, and run in a confined process."""
