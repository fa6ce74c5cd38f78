"""Judge published values: draws of our statistic, tails, verdicts."""
