"""Conditions, rules and sets of rules: what learners return, simplify, count in bits and show."""
