"""The harness of maze-grader: runs students' solutions and judges them."""

__version__ = "0.1.0"
