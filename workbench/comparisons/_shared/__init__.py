"""What comparisons share: checks of input, corrections for many tests, bootstrap, and posteriors."""
