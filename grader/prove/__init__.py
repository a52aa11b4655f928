"""Proves that a catalogue tells right solutions from wrong ones."""
