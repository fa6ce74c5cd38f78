"""Random networks, and mixtures of them, by the structure that they have; a file for each generator."""
