"""Studies on disk: the SQLite file, how it is written and checked, and the results read from it."""
