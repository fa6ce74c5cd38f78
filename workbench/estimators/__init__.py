"""Estimators that a study makes ready: other people's, recalibrated ones, the truth, and fits in batches."""
