"""The commands of a course that takes attempts: the book, hooks, tagged pushes."""
