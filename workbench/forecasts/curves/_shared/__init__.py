"""_shared."""
