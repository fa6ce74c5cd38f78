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
    """Warning of a property of a data set that a user should know. The base class of all such warnings."""


class ReadAsWarning(TableWarning):
    """Warning of how a file of text was read, if it is not plain CSV."""


class LeadingZerosWarning(TableWarning):
    """Warning that codes with leading zeros are read as numbers."""


class RowNamesWarning(TableWarning):
    """Warning that a column identifies rows, as patient numbers and dates do."""


class WordsAmongNumbersWarning(TableWarning):
    """Warning that a few words keep a column from being numeric."""


class NumbersAsTextWarning(TableWarning):
    """Warning that a column has numbers that are written as text."""


class CodesForMissingWarning(TableWarning):
    """Warning of a number far from all others that may be a code for missing values."""


class OrderedColumnWarning(TableWarning):
    """Warning that learners of categories ignore the order that a categorical column declares."""


class UninformativeColumnWarning(TableWarning):
    """Warning that a column has one value, or none."""


class SingleRowClassWarning(TableWarning):
    """Warning that a class has a single row."""


class RepeatedRowsWarning(TableWarning):
    """Warning that rows are copies of others, or belong together."""


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
