"""Judge printed cells: draws of our statistic, tails, verdicts."""
