"""Compiled loops of the recalibration maps, row by row."""
