"""Random concepts: trees, graphs and rules that lead to class distributions; one file per generator."""
