"""Alterations of a truth that keep its probabilities exact, one file per alteration."""
