"""Shared parts of the generators of numeric models."""
