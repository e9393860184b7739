"""Files that can be imported: our own, which may be damaged, and those of other programs."""
