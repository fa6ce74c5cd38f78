"""Bayesian networks learned by minimum message length: CaMML, `learn_network` and their results."""
