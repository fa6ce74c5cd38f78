"""Averages over assumptions of several kinds, one learner per file."""
