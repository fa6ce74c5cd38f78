"""What is found about a table when it is read and looked at: typed warnings, each with the way out."""

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
    """Something about a table that a user should know; the base of all such warnings."""


class ReadAsWarning(TableWarning):
    """How a file of text was read, where it is not plain CSV."""


class LeadingZerosWarning(TableWarning):
    """Codes with leading zeros are read as numbers."""


class RowNamesWarning(TableWarning):
    """A column names rows, as numbers of patients and dates do."""


class WordsAmongNumbersWarning(TableWarning):
    """A few words keep a column from being one of numbers."""


class NumbersAsTextWarning(TableWarning):
    """A column holds numbers that are written as text."""


class CodesForMissingWarning(TableWarning):
    """A number stands apart from all others, as codes for missing values do."""


class OrderedColumnWarning(TableWarning):
    """The order that a categorical column declares is not used by learners of categories."""


class UninformativeColumnWarning(TableWarning):
    """A column has one value, or none."""


class SingleRowClassWarning(TableWarning):
    """A class has a single row."""


class RepeatedRowsWarning(TableWarning):
    """Rows are copies of others, or belong together."""


class LargeGroupWarning(TableWarning):
    """A group of rows that belong together has a large share of all rows."""


class GiveawayColumnWarning(TableWarning):
    """A column alone predicts the class nearly without fault."""


@dataclass(frozen=True)
class TableFinding:
    """A warning before it is given."""

    kind: type[TableWarning]
    sentence: str


def listed(columns: Sequence[Hashable]) -> str:
    """Name columns as an option does."""
    more = ", ..." if len(columns) > MOST_LISTED else ""
    names = [json.dumps(str(name), ensure_ascii=False) for name in columns[:MOST_LISTED]]
    return f"[{', '.join(names)}{more}]"


@dataclass(frozen=True)
class WaysOut:
    """What to do about a finding: an option of a file, or a method of a DataFrame."""

    of_file: bool

    def drop(self, columns: Sequence[Hashable]) -> str:
        """Return how to leave columns out, in brackets; nothing for the columns of an array."""
        if not all(isinstance(name, str) for name in columns):
            return ""
        return f" (drop = {listed(columns)})" if self.of_file else f" (.drop(columns={listed(columns)}))"

    def missing(self, words: Sequence[str]) -> str:
        """Return how to make words missing."""
        if self.of_file:
            return f"missing = {listed(words)} makes {'it' if len(words) == 1 else 'them'} missing"
        return "make these cells missing, as .replace(..., None) does"

    def nominal(self, column: Hashable) -> str:
        """Return how to say that numbers are codes."""
        return f"nominal = {listed([column])} says so" if self.of_file else 'dtype "category" says so'
