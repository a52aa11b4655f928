"""Turns facts into verdicts."""
