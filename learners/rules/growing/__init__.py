"""Grow rules from training rows, condition by condition."""
