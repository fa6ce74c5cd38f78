"""Parts of the Bayesian learners: densities of numbers, smoothing, trees of attributes, counts of triples."""
