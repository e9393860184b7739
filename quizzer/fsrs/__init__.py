"""FSRS-6: one step, a whole history, a fit. The only room that knows FSRS."""
