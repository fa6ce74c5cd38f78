"""Estimators in studies: of other packages, recalibrated or early stopped, the truth, and batch fits."""
