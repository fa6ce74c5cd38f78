"""The base of recalibration maps."""
