"""Compiled loops over rows, tests, branches and nodes."""
