"""Bases and parts of several rule learners: rules on one attribute, and unordered rules."""
