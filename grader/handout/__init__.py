"""Packs what leaves the course: the students' kit, the Gradescope upload."""
