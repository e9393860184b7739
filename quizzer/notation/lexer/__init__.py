"""What was typed → tokens: signs, spellings, names, and the place of every character."""
