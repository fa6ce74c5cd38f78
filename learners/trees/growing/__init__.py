"""Grow trees from training rows: the rows, the choice of a test, the loop over open nodes."""
