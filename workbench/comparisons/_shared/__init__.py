"""Shared code of comparisons: checks of input, corrections for many tests, bootstrap, and posteriors."""
