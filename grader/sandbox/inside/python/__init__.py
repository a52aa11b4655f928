"""Makes the child an ordinary interpreter for the student's program; no part of the wall."""
