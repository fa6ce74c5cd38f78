"""Estimators in studies: those of others, recalibrated or early stopped, the truth, and fits in batches."""
