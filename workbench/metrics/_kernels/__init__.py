"""Compiled loops of the metrics: squares in cells, and isotonic regression."""
