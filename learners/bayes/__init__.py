"""Naive Bayes and its relatives: one learner per file; they count values and multiply probabilities."""
