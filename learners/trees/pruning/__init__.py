"""Simplify grown trees: error-based pruning, and C5.0's local and global steps."""
