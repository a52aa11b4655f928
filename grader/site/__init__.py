"""Publishes the check as a static site: the same judges, in a browser's tab."""
