"""Compiled loops over conditions, rules and the rows that they cover."""
