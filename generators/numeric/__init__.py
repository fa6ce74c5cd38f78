"""Generators of models with numeric attributes, one file per generator."""
