"""The maze kits: one per puzzle."""
