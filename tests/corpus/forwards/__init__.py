"""Forwards of declared cards in autograd's NumPy, one module a folder of the starter deck."""
