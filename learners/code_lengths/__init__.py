"""Lengths of messages that state a model and then the data under it; pure functions.

In nats; those of trees, graphs and theories, whose codes are counted in yes and no, in bits.
"""
