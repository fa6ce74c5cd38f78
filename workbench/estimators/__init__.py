"""Estimators in studies: third-party ones, recalibrated ones, the truth, and fits in batches."""
