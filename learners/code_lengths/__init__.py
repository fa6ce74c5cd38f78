"""Lengths of messages that state a model and then the data under it; pure functions.

In nats; lengths of trees, graphs and theories are in bits.
"""
