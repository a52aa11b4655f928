"""Names a beginner's mistake in one sentence, where the program and its run prove it."""
