"""alterations."""
