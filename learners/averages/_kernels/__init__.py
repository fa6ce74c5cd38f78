"""Compiled loops of penalized logistic models."""
