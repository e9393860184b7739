"""Which deck, store, settings and judge: what a face opens once."""
