"""Functions around metrics: priors, sets, clipping, reliability tables, decompositions and scorers."""
