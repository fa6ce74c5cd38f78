"""Bayesian networks of shortest message: CaMML, `learn_network` and what they report."""
