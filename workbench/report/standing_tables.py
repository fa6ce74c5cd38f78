"""How every learner stands, as tables of words: by size for each kind of truth, or by data set."""

from collections.abc import Iterable, Iterator, Sequence

import pandas as pd

from workbench.analyses import Comparison, LearnerRanking
from workbench.base.names import learner_name
from workbench.report.table import Cell, Table, Tag

__all__ = ["standing_note", "standing_table", "standing_tables"]

MEANING = (
    "Wins: significantly better than every other compared learner. Leads: the best mean, but not "
    "significantly different from those that are tied. Worse: significantly worse than the best."
)
HEAD = "Winners on "


def standing_tables(tests: Sequence[Comparison]) -> tuple[Table, ...]:
    """Return for each kind of truth learners by size; of data sets one table, learners down if it is one."""
    matrix = LearnerRanking.of(tests).matrix
    if matrix.columns.nlevels == 1:
        return (_by_source(matrix, tests[0].scores.by.source),)
    return tuple(_by_size(matrix[one.scores.source], one.scores.kind) for one in tests)


def standing_table(tests: Sequence[Comparison]) -> Table:
    """Return all in one table, for a terminal."""
    tables = standing_tables(tests)
    if not tests[0].scores.by.has_sizes:
        return tables[0]
    columns = list(dict.fromkeys(column for table in tables for column in table.columns[1:]))
    rows = tuple(row for table in tables for row in _spread(table, columns))
    return Table("", ("on", "learner", *columns), rows, grouped=True)


def standing_note(tests: Sequence[Comparison]) -> str:
    """Explain the words, and say by which test they are decided."""
    stricter = (
        " Holm's test in the tables of differences is less strict, so it can find more differences."
        if tests[0].scores.test.by_intervals
        else ""
    )
    return f"{MEANING} The test: {tests[0].deciding}.{stricter}"


def _by_size(matrix: pd.DataFrame, kind: str) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (learner_name(str(key)), *_tags(row)) for key, row in matrix.iterrows()
    )
    return Table(f"{HEAD}{kind}", ("learner", *[f"{size} rows" for size in matrix.columns]), rows)


def _by_source(matrix: pd.DataFrame, source: str) -> Table:
    matrix = matrix.rename(index=learner_name)
    if len(matrix.columns) == 1:
        matrix, source = matrix.T, "learner"
    rows: tuple[tuple[Cell, ...], ...] = tuple((str(key), *_tags(matrix[key])) for key in matrix.columns)
    return Table("", (source, *map(str, matrix.index)), rows)


def _spread(table: Table, columns: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    """Return a table's rows under the columns of all tables."""
    for learner, *cells in table.rows:
        known = dict(zip(table.columns[1:], cells, strict=True))
        yield table.title.removeprefix(HEAD), learner, *[known.get(column, "") for column in columns]


def _tags(standings: Iterable[object]) -> tuple[Tag, ...]:
    """Return words of standings as cells."""
    return tuple(Tag(str(word), str(word).replace(" ", "-")) for word in standings)
