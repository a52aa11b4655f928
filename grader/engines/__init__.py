"""Feeds many requests to sandboxes."""
