"""A table of predictions as text, from any format."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.base.errors import WorkbenchError
from workbench.base.text import shown
from workbench.forecasts.files.printed_rows import at_line

__all__ = ["PredictionTable"]


@dataclass(frozen=True)
class PredictionTable:
    """A header, and rows of as many texts."""

    file: str
    header: Sequence[str]
    records: Sequence[tuple[int, Sequence[str]]]  # the line of each row, and its fields
    unit: str = "line"  # what the numbers of the rows count
    #: The values of columns, in the order in which the format declares them.
    declared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    folds: Sequence[int] | None = None  # of the rows

    def place(self, name: str) -> int:
        """Return the index of a column."""
        count = Counter(self.header)[name]
        if count != 1:
            raise WorkbenchError(
                f"{self.file} has {'no column' if not count else 'several columns'} {shown(name)}: it has "
                f"{self.columns}"
            )
        return list(self.header).index(name)

    @property
    def columns(self) -> str:
        """Names of the columns, for errors."""
        return ", ".join(map(repr, self.header))

    def error(self, line: int, what: str) -> WorkbenchError:
        """Return the error for a row."""
        return at_line(self.file, line, what, self.unit)
