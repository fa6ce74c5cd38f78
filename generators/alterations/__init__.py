"""Truths that alter another truth and keep its probabilities exact; one file per alteration."""
