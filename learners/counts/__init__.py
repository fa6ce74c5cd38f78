"""Counts of training rows, to which later rows and other parts of a data set can be added."""
