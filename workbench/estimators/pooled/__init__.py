"""Classifiers pooled by how they forecast held-out rows."""
