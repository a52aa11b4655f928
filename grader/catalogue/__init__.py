"""Reads cases and assignments from YAML."""
