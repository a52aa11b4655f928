"""Runs a case in a browser: the child's half in a worker of its own, the supervisor's half beside the judge."""
