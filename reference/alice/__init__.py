"""Alice mazes: one puzzle, three written formats."""
