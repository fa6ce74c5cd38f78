"""Generating models and exact computation with them: networks, mixtures, inference, patterns."""
