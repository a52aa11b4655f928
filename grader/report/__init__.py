"""Shows a grade sheet to its reader."""
