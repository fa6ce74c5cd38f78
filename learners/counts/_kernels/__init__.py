"""Compiled loops that count values and pairs of values."""
