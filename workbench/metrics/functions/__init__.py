"""Functions around metrics: priors, sets, clipping, tables, decompositions and scorers."""
