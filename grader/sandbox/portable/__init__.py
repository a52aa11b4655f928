"""Runs cases on any system that has Python: the sandbox of the students' kit."""
