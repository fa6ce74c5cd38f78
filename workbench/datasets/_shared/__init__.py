"""Shared code of readers of data sets: lines and numbers of text files, and the class column."""
