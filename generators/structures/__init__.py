"""Generators of random networks and mixtures of networks, one file per generator."""
