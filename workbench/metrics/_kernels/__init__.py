"""Compiled loops of the metrics: rewards, rows, cells, codes and isotonic regression."""
