"""Random concepts (trees, graphs and rules with class distributions), one file per generator."""
