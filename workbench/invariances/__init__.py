"""Invariances: what should not change a learner, and by how much it does."""
