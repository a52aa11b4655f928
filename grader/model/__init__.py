"""Plain values that flow between the rooms."""
