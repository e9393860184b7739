"""A checker declared in math: text → `Declaration` → `Checker`. Nothing of it is executed."""
