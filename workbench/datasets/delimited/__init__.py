"""Delimited text files: read once, with the detected options."""
