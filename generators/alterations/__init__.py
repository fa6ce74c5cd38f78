"""Truths that alter another truth and keep its probabilities exact; a file for each alteration."""
