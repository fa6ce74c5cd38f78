"""Compiled loops of the Bayesian learners."""
