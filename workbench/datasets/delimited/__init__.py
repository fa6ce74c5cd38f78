"""Delimited text as programs and people write it: read once, with what was found out about it."""

from workbench.datasets.delimited.content import Content, content_of
from workbench.datasets.delimited.options import MISSING, SEPARATORS, TextOptions, words_of
from workbench.datasets.delimited.reading import Fields, TextTable, lines_of_rows, read_fields, read_text

__all__ = [
    "MISSING",
    "SEPARATORS",
    "Content",
    "Fields",
    "TextOptions",
    "TextTable",
    "content_of",
    "lines_of_rows",
    "read_fields",
    "read_text",
    "words_of",
]
