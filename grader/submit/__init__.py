"""Takes tagged pushes: from receipt through the book and the grading to the report."""
