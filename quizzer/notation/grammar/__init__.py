"""Tokens → a tree: index and matrix notation, left sides, definitions, the lines of an answer."""
