"""A switch of what is measured: some printed tables held against another score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.base.errors import WorkbenchError, nearest
from workbench.reproduction.printed_table import PrintedTable, ScoreWords, check_keys

__all__ = ["ScoreSwitch"]

KEYS = ("name", "tables", "score")


@dataclass(frozen=True)
class ScoreSwitch:
    """Another score than a paper seems to mean, for some of its tables.

    Parameters
    ----------
    name : str
    tables : tuple of str
        The names of the printed tables that it is of.
    score : mapping of str to str
        Of ``metric``, ``prior``, ``rows`` and ``cutoff`` those that are other words than the tables'.

    Examples
    --------
    >>> import pandas as pd
    >>> table = PrintedTable("Table 1", "mean", pd.DataFrame(), ScoreWords("ir_b", cutoff="2002"))
    >>> ScoreSwitch("no cut-off", ("Table 1",), {"cutoff": "none"}).turned(table).score
    ScoreWords(metric='ir_b', prior=None, rows=None, cutoff='none')
    """

    name: str
    tables: tuple[str, ...]
    score: Mapping[str, str]

    @classmethod
    def of(cls, entry: object, tables: Sequence[PrintedTable]) -> "ScoreSwitch":
        """Take a switch out of a table of TOML."""
        if not isinstance(entry, Mapping):
            raise WorkbenchError(f"a switch is {entry!r}: expected [[switches]] with {', '.join(KEYS)}")
        check_keys(entry, KEYS, "a switch")
        for key in KEYS:
            if key not in entry:
                raise WorkbenchError(f"a switch has no {key!r}: every switch needs {', '.join(KEYS)}")
        name, of, score = (entry[key] for key in KEYS)
        if not isinstance(name, str):
            raise WorkbenchError(f"a switch has name = {name!r}: expected words")
        scored = [table.name for table in tables if table.score is not None]
        if not isinstance(of, list) or not of:
            raise WorkbenchError(f"the switch {name!r} has tables = {of!r}: expected a list of tables' names")
        for one in of:
            if one not in scored:
                raise WorkbenchError(
                    f"the switch {name!r} is of the table {one!r}, and there is none with a score of this "
                    f"name: {nearest(one, scored)}"
                )
        if not isinstance(score, Mapping) or not score:
            raise WorkbenchError(f'the switch {name!r} has score = {score!r}: expected {{ metric = "KEY" }}')
        check_keys(score, ScoreWords.KEYS, f"the score of the switch {name!r}")
        for key, word in score.items():
            if not isinstance(word, str):
                raise WorkbenchError(f"the switch {name!r} has {key} = {word!r}: expected a word")
        return cls(name, tuple(of), dict(score))

    def turned(self, table: PrintedTable) -> PrintedTable:
        """Return a table of the paper with the other score; of a correlation the first is another."""
        assert table.score is not None  # of sizes there is no switch
        return replace(table, score=replace(table.score, **self.score))
