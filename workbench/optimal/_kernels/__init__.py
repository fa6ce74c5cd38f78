"""Compiled loops of the optimal forecasts."""
