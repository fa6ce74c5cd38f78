"""Naive Bayes and its relatives: one learner a file; they count values and multiply probabilities."""
