"""Counts of training rows, which later rows and other parts of a data set can be added to."""
