"""Compiled loops of the recalibration maps."""
