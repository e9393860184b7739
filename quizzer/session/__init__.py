"""The daily session and the quiz as values and transitions: no printing, no input."""
