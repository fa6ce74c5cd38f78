"""A study on disk: the SQLite file, how it is written and checked, and the results that are read from it."""
