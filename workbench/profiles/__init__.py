"""Profiles: the inductive bias of a learner, measured on a suite of truths next to reference learners."""
