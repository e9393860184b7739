"""LaTeX math as text: two-dimensional, or on one line."""
