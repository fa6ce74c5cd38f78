"""Equivalence classes of networks, found by a search or in a sample."""
