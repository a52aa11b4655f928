"""Runs cases without a wall, on any system that has Python: in the students' package, and where no wall holds."""
