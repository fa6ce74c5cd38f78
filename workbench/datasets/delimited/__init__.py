"""Delimited text as programs and people write it: read once, with what was found out about it."""
