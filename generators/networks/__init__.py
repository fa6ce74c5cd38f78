"""Truths of discrete variables, and exact computation with them: networks, mixtures, inference, patterns."""
