"""A paper's published values, described in TOML: tables, statistics, and the files of numbers."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.reproduction.printed.cells import DIGITS, contrasts, differences, levels, outcomes
from workbench.reproduction.printed.rows import PrintedNames, check_once, doubts_of, read_rows
from workbench.reproduction.printed.table import (
    COMPARING,
    DOUBTFUL,
    MISSING,
    STATISTICS,
    PrintedTable,
    ScoreAblation,
    check_keys,
    check_word,
    score_of,
)

__all__ = ["Printed"]

TOP = ("paper", "learners", "datasets", "tables", "ablations")
TABLE = ("name", "file", "columns", "where", "statistic", *ScoreKey._fields, "other", "units", "unit",
         "scale", "decimals", "digits", "doubtful", "doubts", "fact", "among", "missing", "near")  # fmt: skip
NEEDED = ("name", "file", "columns", "statistic")
COLUMNS = {"significance": ("dataset", "winner", "loser"), "size": ("dataset", "value")}
LEVELS = ("dataset", "learner", "value")
#: Which columns name the learners of a cell.
LEARNERS = {"significance": ("@winner", "@loser"), "size": ()}
#: Statistics without units, or with a fixed number.
UNITLESS = ("significance", "size")
MOST_DECIMALS = 17


@dataclass(frozen=True, eq=False)
class Printed:
    r"""The printed tables of a paper.

    Parameters
    ----------
    paper : str
        Authors and year of the paper.
    tables : tuple of PrintedTable
        The printed tables.
    ablations : tuple of ScoreAblation
        Other scores that some of the tables may contain.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "accuracy.csv").write_text("dataset,learner,mean\niris,NB,0.95\n")
    ...     _ = Path(folder, "paper.toml").write_text('''
    ... paper = "Somebody (1999)"
    ... [learners]
    ... "NB" = "nb"
    ... [[tables]]
    ... name = "Table 1"
    ... file = "accuracy.csv"
    ... columns = { dataset = "dataset", learner = "learner", value = "mean" }
    ... statistic = "mean"
    ... metric = "accuracy"
    ... units = 25
    ... ''')
    ...     printed = Printed.from_toml(Path(folder, "paper.toml"))
    >>> printed.tables[0].cells[["dataset", "learner", "low", "high"]].to_numpy().tolist()
    [['iris', 'nb', 0.945, 0.955]]
    """

    paper: str
    tables: tuple[PrintedTable, ...]
    ablations: tuple[ScoreAblation, ...] = ()

    @classmethod
    def from_toml(cls, path: str | Path) -> "Printed":
        """Read a file such as ``experiments/papers/korb2001/printed.toml``.

        Parameters
        ----------
        path : str or Path
            File names are relative to its folder.

        Returns
        -------
        Printed

        Raises
        ------
        WorkbenchError
            If the file does not exist or is not TOML, a key or word is unknown, a key is missing, a file of
            numbers or one of its columns is missing, a row does not have the fields of the header or repeats
            a cell, or a printed learner has no key.

        Notes
        -----
        The file has ``paper``, ``[learners]`` with lines "printed name = key of the study", ``[datasets]``
        with the same for data sets that have another name in the study, ``[[tables]]``, and optionally
        ``[[ablations]]``. A table has

        * ``name``.
        * ``file``: a CSV file with a header. Its path is relative to the folder of the TOML file.
        * ``columns``: the names of the file's columns for ``dataset``, ``learner`` and ``value``, and
          optionally ``doubt``. Tables of sizes need no ``learner``. Tables of tests have ``winner`` and
          ``loser`` instead of ``learner``.
        * ``where``: column = value, or a list of values, to use only some rows of the file.
        * ``statistic``: "mean", "half_width" (1.96 standard deviations), "correlation" (of the score with a
          second score, ``other``), "difference" (between the means of every two learners, for papers that
          discuss these pairs), "contrast" (the mean of a learner minus the mean of all learners of the data
          set, for means printed up to a constant per data set, so that of k cells k - 1 are free, and one
          unknown mean makes all unknown), "significance", "size".
        * ``metric``, ``prior``, ``rows``, ``cutoff``: the score, as for `Results.choose`.
        * ``unit``: the unit over which the published statistic is computed, "split", "replication" (the mean
          of its folds) or "half".
        * ``units``: the number of these units. Not needed for a single half, a test and a size.
        * ``scale``: the conversion of our values to the printed unit, "none", "nats", "nats_times_classes" or
          "percent".
        * ``decimals``: the number of printed decimals, if the file has another number.
        * ``digits``: "rounded" or "truncated".
        * ``doubtful``: "unknown" or "judged", the treatment of cells with a doubt.
        * ``[[tables.doubts]]``: ``where`` and ``why`` of doubts that are not in the file.
        * ``near``: the difference, in the printed unit, below which a cell that does not agree is near. The
          default is 0.02, for per cent 2. With 0 no cell is near. Not for tests and sizes.
        * ``fact``, for sizes: "n_train", "n_test", "n_attributes", "n_classes", "majority_share".
        * ``among``, for tests: a file of all compared learners by data set, in the paper's order.
        * ``missing``, for tests: the meaning of a pair that is not printed. "none": neither learner wins.
          "unknown_if_later": the learner earlier in the paper's order does not win, and a win of the later
          learner would not have been printed.

        An ablation has ``name``, ``tables`` (a list of names) and ``score``: the values of ``metric``,
        ``prior``, ``rows`` and ``cutoff`` that may be the real score of these tables.
        """
        path = Path(path)
        content = _content(path)
        check_keys(content, TOP, "a file of printed tables")
        for key in ("paper", "learners", "tables"):
            if key not in content:
                raise WorkbenchError(
                    f"{path} has no {key!r}: every such file needs paper, learners and tables"
                )
        names = PrintedNames(_mapping(content, "learners", path), _mapping(content, "datasets", path))
        tables = tuple(_table(entry, names, path.parent) for entry in _entries(content, "tables", path))
        _check_names([table.name for table in tables], "tables", path)
        ablations = tuple(ScoreAblation.of(entry, tables) for entry in _entries(content, "ablations", path))
        _check_names([ablation.name for ablation in ablations], "ablations", path)
        return cls(str(content["paper"]), tables, ablations)


def _content(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise WorkbenchError(f"there is no file {path}: expected the TOML of printed tables") from error
    except RecursionError as error:
        raise WorkbenchError(f"{path} cannot be read: its TOML is nested too deeply") from error
    except ValueError as error:  # of TOML, of its encoding, or of a number with thousands of digits
        raise WorkbenchError(f"{path} is not TOML: {error}") from error


def _mapping(content: Mapping[str, Any], key: str, path: Path) -> dict[str, str]:
    found = content.get(key, {})
    if not isinstance(found, Mapping) or not all(isinstance(value, str) for value in found.values()):
        raise WorkbenchError(f'{path} has {key} = {found!r}: expected lines such as "PRINTED" = "KEY"')
    return dict(found)


def _entries(content: Mapping[str, Any], key: str, path: Path) -> list[Mapping[str, Any]]:
    found = content.get(key, [])
    if not isinstance(found, list) or not all(isinstance(entry, Mapping) for entry in found):
        raise WorkbenchError(f"{path} has {key} = {found!r}: expected [[{key}]]")
    return found


def _check_names(names: Sequence[str], what: str, path: Path) -> None:
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise WorkbenchError(f"{path} has two {what} named {min(repeated)!r}: give each its own name")


def _table(entry: Mapping[str, Any], names: PrintedNames, folder: Path) -> PrintedTable:
    what = f"table {entry.get('name', '')!r}"
    check_keys(entry, TABLE, "a printed table")
    for key in NEEDED:
        if key not in entry:
            raise WorkbenchError(f"{what} has no {key!r}: every table needs {', '.join(NEEDED)}")
    for key in ("name", "file", "among"):
        if not isinstance(entry.get(key, ""), str):
            raise WorkbenchError(f"{what} has {key} = {entry[key]!r}: expected text in quotation marks")
    statistic = entry["statistic"]
    check_word(statistic, STATISTICS, "statistic", what)
    if "units" not in entry and statistic not in UNITLESS and entry.get("unit") != "half":
        raise WorkbenchError(
            f"{what} has no 'units': say how many splits or replications a printed {statistic} has, such as "
            "units = 25"
        )
    for key, known in (("digits", DIGITS), ("doubtful", DOUBTFUL), ("missing", MISSING)):
        if key in entry:
            check_word(entry[key], known, key, what)
    options = {key: entry[key] for key in ("units", "unit", "scale", "fact", "near") if key in entry}
    scored = statistic != "size"
    other = entry.get("other", {}) if statistic == "correlation" else None
    return PrintedTable(
        entry["name"],
        statistic,
        _cells(entry, names, folder, what),
        score_of(entry, what) if scored else None,
        None if other is None else score_of(other, f"`other` of {what}"),
        **options,
    )


def _cells(entry: Mapping[str, Any], names: PrintedNames, folder: Path, what: str) -> pd.DataFrame:
    """Read the file of a table and make its cells."""
    statistic = entry["statistic"]
    rows = _rows(entry, folder, what)
    check_once(rows, LEARNERS.get(statistic, ("@learner",)), names, what)
    doubtful = entry.get("doubtful", "unknown")
    if statistic in COMPARING and not rows["@dataset"].duplicated().any():
        raise WorkbenchError(f"{what} is of {statistic}s, but no data set has two learners to compare")
    if statistic == "significance":
        among = _among(entry, folder, what)
        check_once(among, ("@learner",), names, what)
        missing = entry.get("missing", "none")
        return outcomes(rows, among, names, what, missing=missing, doubtful=doubtful)
    decimals, digits = entry.get("decimals"), entry.get("digits", "rounded")
    if decimals is not None and (
        isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= MOST_DECIMALS
    ):
        raise WorkbenchError(
            f"{what} has decimals = {decimals!r}: expected a whole number up to {MOST_DECIMALS}, such as 3"
        )
    make = {"difference": differences, "contrast": contrasts}.get(statistic, levels)
    return make(rows, names, what, decimals=decimals, digits=digits, doubtful=doubtful)


def _rows(entry: Mapping[str, Any], folder: Path, what: str) -> pd.DataFrame:
    needed = COLUMNS.get(entry["statistic"], LEVELS)
    columns = entry["columns"]
    if not isinstance(columns, Mapping):
        raise WorkbenchError(f'{what} has columns = {columns!r}: expected {{ {needed[0]} = "COLUMN", ... }}')
    check_keys(columns, (*needed, "doubt"), f"the columns of {what}")
    for name in needed:
        if name not in columns:
            raise WorkbenchError(f"the columns of {what} have no {name!r}: expected {', '.join(needed)}")
    for name, column in columns.items():
        if not isinstance(column, str):
            raise WorkbenchError(f"the columns of {what} have {name} = {column!r}: expected a column's name")
    where = entry.get("where", {})
    if not isinstance(where, Mapping):
        raise WorkbenchError(f"{what} has where = {where!r}: expected {{ COLUMN = VALUE }}")
    rows = read_rows(folder / entry["file"], columns, where, what)
    return rows.assign(**{"@doubt": doubts_of(rows, entry.get("doubts", []), what)})


def _among(entry: Mapping[str, Any], folder: Path, what: str) -> pd.DataFrame:
    """Read which learners were compared on which data sets."""
    if "among" not in entry:
        raise WorkbenchError(
            f"{what} has no 'among': name a file with the columns dataset and learner, so that it is known "
            "which pairs are not printed"
        )
    return read_rows(folder / entry["among"], {"dataset": "dataset", "learner": "learner"}, {}, what)
