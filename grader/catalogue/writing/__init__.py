"""Writes cases and answer keys, and proves them."""
