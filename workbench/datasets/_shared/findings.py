"""What is found about a table when it is read and looked at: typed warnings, each with the way out."""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

__all__ = [
    "CodesForMissingWarning",
    "TableFinding",
    "GiveawayColumnWarning",
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
    "dropping",
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


class GiveawayColumnWarning(TableWarning):
    """A column alone predicts the class nearly without fault."""


@dataclass(frozen=True)
class TableFinding:
    """A warning before it is given."""

    kind: type[TableWarning]
    sentence: str


def listed(columns: Sequence[Hashable]) -> str:
    """Name columns or words as an option does, in a study and in Python."""
    more = ", ..." if len(columns) > MOST_LISTED else ""
    names = (json.dumps(str(name), ensure_ascii=False) for name in columns[:MOST_LISTED])
    return f"[{', '.join(names)}{more}]"


def dropping(columns: Sequence[Hashable]) -> str:
    """Return the option that leaves columns out, in brackets; nothing for the columns of an array."""
    return f" (drop = {listed(columns)})" if all(isinstance(name, str) for name in columns) else ""
