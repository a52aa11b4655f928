"""Speaks with a child: what it is sent, what it may answer, and what that means."""
