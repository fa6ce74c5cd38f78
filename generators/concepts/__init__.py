"""Random concepts: trees, graphs and rules that lead to class distributions; a file for each generator."""
