"""Findings about data sets: typed warnings, each with a remedy."""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

__all__ = [
    "CodesForMissingWarning",
    "TableFinding",
    "GiveawayColumnWarning",
    "LargeGroupWarning",
    "LeadingZerosWarning",
    "NumbersAsTextWarning",
    "OrderedColumnWarning",
    "ReadAsWarning",
    "RepeatedRowsWarning",
    "RowNamesWarning",
    "SingleRowClassWarning",
    "TableWarning",
    "UninformativeColumnWarning",
    "WordsAmongNumbersWarning",
    "WaysOut",
    "listed",
]

#: Columns that an option names in a sentence.
MOST_LISTED = 20


class TableWarning(UserWarning):
    """Warning about a property of a data set. The base class of all warnings about data sets."""


class ReadAsWarning(TableWarning):
    """Warning that a text file is not plain CSV, with a description of how it was read."""


class LeadingZerosWarning(TableWarning):
    """Warning that codes with leading zeros are read as numbers."""


class RowNamesWarning(TableWarning):
    """Warning that a column identifies rows, as patient numbers and dates do."""


class WordsAmongNumbersWarning(TableWarning):
    """Warning that a column of numbers also has a few words, so that learners treat it as categories."""


class NumbersAsTextWarning(TableWarning):
    """Warning that the numbers of a column are in a notation that is read as text."""


class CodesForMissingWarning(TableWarning):
    """Warning that a number far from all others in its column may be a code for missing values."""


class OrderedColumnWarning(TableWarning):
    """Warning that the learners ignore the declared order of an ordered categorical column."""


class UninformativeColumnWarning(TableWarning):
    """Warning that a column has only one value, or only missing values."""


class SingleRowClassWarning(TableWarning):
    """Warning that a class occurs in a single row."""


class RepeatedRowsWarning(TableWarning):
    """Warning that rows are copies of other rows, or that several rows may belong together."""


class LargeGroupWarning(TableWarning):
    """Warning that a group of rows that belong together has a large share of all rows."""


class GiveawayColumnWarning(TableWarning):
    """Warning that a single column predicts the class almost perfectly."""


@dataclass(frozen=True)
class TableFinding:
    """A warning before it is issued."""

    kind: type[TableWarning]
    sentence: str


def listed(columns: Sequence[Hashable]) -> str:
    """Name columns as an option does."""
    more = ", ..." if len(columns) > MOST_LISTED else ""
    names = [json.dumps(str(name), ensure_ascii=False) for name in columns[:MOST_LISTED]]
    return f"[{', '.join(names)}{more}]"


@dataclass(frozen=True)
class WaysOut:
    """The remedies of a finding: an option of a file, or a method of a DataFrame."""

    of_file: bool

    def drop(self, columns: Sequence[Hashable]) -> str:
        """Return how to leave columns out, in brackets, or nothing for the columns of an array."""
        if not all(isinstance(name, str) for name in columns):
            return ""
        return f" (drop = {listed(columns)})" if self.of_file else f" (.drop(columns={listed(columns)}))"

    def missing(self, words: Sequence[str]) -> str:
        """Return how to make words missing."""
        if self.of_file:
            return f"missing = {listed(words)} makes {'it' if len(words) == 1 else 'them'} missing"
        return "make these cells missing, as .replace(..., None) does"

    def nominal(self, column: Hashable) -> str:
        """Return how to declare that numbers are codes."""
        return f"use nominal = {listed([column])}" if self.of_file else 'use the dtype "category"'
