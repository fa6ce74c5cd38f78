"""How every learner stands, as tables of words: by size for each kind of truth, or by data set."""

from collections.abc import Iterable, Iterator, Sequence

import pandas as pd

from workbench.analyses import Differences, Resampled, Standings
from workbench.analyses._shared.deciding import DECIDING
from workbench.report.table import Cell, Table, Tag

__all__ = ["standing_note", "standing_table", "standing_tables"]

MEANING = (
    "wins: significantly better than every other; leads: the best mean, but not significantly better than "
    "those tied with it; worse: significantly worse than the best"
)
HEAD = "Who wins on "


def standing_tables(tests: Sequence[Differences] | Sequence[Resampled]) -> tuple[Table, ...]:
    """Return for each kind of truth learners by size; on data sets one table, data sets by learner."""
    matrix = Standings.of(tests).matrix
    if matrix.columns.nlevels == 1:
        return (_by_data_set(matrix),)
    kinds = {one.experiment.source: one.experiment.kind for one in tests if isinstance(one, Differences)}
    return tuple(_by_size(matrix[source], kind) for source, kind in kinds.items())


def standing_table(tests: Sequence[Differences] | Sequence[Resampled]) -> Table:
    """Return all in one table, for a terminal."""
    tables = standing_tables(tests)
    if len(tables) == 1 and not isinstance(tests[0], Differences):
        return tables[0]
    columns = list(dict.fromkeys(column for table in tables for column in table.columns[1:]))
    rows = tuple(row for table in tables for row in _spread(table, columns))
    return Table("", ("on", "learner", *columns), rows, grouped=True)


def standing_note(tests: Sequence[Differences] | Sequence[Resampled]) -> str:
    """Explain the words, and say by which test they are decided."""
    first = tests[0]
    by = DECIDING[first.test if isinstance(first, Resampled) else "intervals"]
    return f"{MEANING}; by {by}."


def _by_size(matrix: pd.DataFrame, kind: str) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple((str(key), *_tags(row)) for key, row in matrix.iterrows())
    return Table(f"{HEAD}{kind}", ("learner", *[f"{size} rows" for size in matrix.columns]), rows)


def _by_data_set(matrix: pd.DataFrame) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple((str(key), *_tags(matrix[key])) for key in matrix.columns)
    return Table("", ("data set", *map(str, matrix.index)), rows)


def _spread(table: Table, columns: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    """Return a table's rows under the columns of all tables."""
    for learner, *cells in table.rows:
        known = dict(zip(table.columns[1:], cells, strict=True))
        yield table.title.removeprefix(HEAD), learner, *[known.get(column, "") for column in columns]


def _tags(standings: Iterable[object]) -> tuple[Tag, ...]:
    """Return words of standings as cells."""
    return tuple(Tag(str(word), str(word).replace(" ", "-")) for word in standings)
