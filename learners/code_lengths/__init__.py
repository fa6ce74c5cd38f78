"""Pure functions for lengths of messages that encode a model and then the data given it.

Lengths are in nats, those of trees, graphs and theories in bits.
"""
