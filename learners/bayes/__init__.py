"""Naive Bayes and related learners, which count values and multiply probabilities. One learner per file."""
