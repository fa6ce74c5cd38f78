"""A table is the same whatever dialect it is written in, and by whichever way its rows are read."""

import csv
import itertools
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from workbench.datasets import TableWarning, load_table
from workbench.datasets.delimited import reading

WORDS = (
    *(
        "red",
        "dark blue",
        "a, b",
        "c; d; e",
        "f|g",
        'say "so"',
        "it's",
        "two\nlines",
        "été",
        "10 €",
        "-",
        "#1",
    ),
    *(
        "x\ty",
        "C:\\new",
        "1.2.3",
        "12:30",
        "2024-01-31",
        "10-20",
        "192.168.0.1",
        "(3)",
        "a=b",
        "50 Hz",
        "'q'",
    ),
    *("#", "--", "(3 rows)", ";;", "||", "1 2 3", "%", '"', "z\n\n x", "sep=;", "x,,,", "=1"),
)
QUOTINGS = {"minimal": csv.QUOTE_MINIMAL, "all": csv.QUOTE_ALL, "nonnumeric": csv.QUOTE_NONNUMERIC}


def some_table(rng: np.random.Generator) -> pd.DataFrame:
    """Return columns of numbers and text, with holes, and a class."""
    n = int(rng.integers(3, 30))
    columns: dict[str, Any] = {}
    for j in range(int(rng.integers(1, 6))):
        kind = rng.integers(0, 4)
        name = ("a b", "größe", "x;y", "n", "p,q", 'in "')[j]
        if kind == 0:
            columns[name] = rng.integers(-50, 2000, n)
        elif kind == 1:
            columns[name] = rng.normal(size=n) * 10.0 ** rng.integers(-12, 25)
            columns[name] = np.round(columns[name], 2) if rng.random() < 0.5 else columns[name]
            columns[name][0] = 2.5  # whole numbers alone are integers
        else:
            words = rng.choice(len(WORDS), int(rng.integers(1, 6)))
            columns[name] = np.array([WORDS[k] for k in rng.choice(words, n)], dtype=object)
            columns[name][0] = "red"
        if kind != 0 and rng.random() < 0.5:
            columns[name][1:][rng.random(n - 1) < 0.2] = np.nan if kind == 1 else None
    columns["class"] = np.array(["yes", "no, not"], dtype=object)[np.arange(n) % 2]
    return pd.DataFrame({name: pd.Series(own, dtype=own.dtype) for name, own in columns.items()})


def read(path: Path) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        X, y = load_table(path, class_name="class")
    return X.assign(**{"class": y.astype(object)})


DIALECTS = list(
    itertools.product(
        (",", ";", "\t", "|"),
        (".", ","),
        QUOTINGS,
        ("utf-8", "utf-8-sig", "utf-16", "cp1252"),
        ("\n", "\r\n"),
        (False, True),
        ("csv", "csv.gz"),
    )
)


def written(table: pd.DataFrame, dialect: tuple[Any, ...], folder: Path) -> Path:
    sep, decimal, quoting, encoding, end, index, ending = dialect
    path = folder / f"t.{ending}"
    table.to_csv(
        path, sep=sep, decimal=decimal, quoting=QUOTINGS[quoting], encoding=encoding, lineterminator=end,
        index=index,
    )  # fmt: skip
    return path


@pytest.mark.parametrize("n_tables", [6, pytest.param(768, marks=pytest.mark.slow)])
def test_a_table_is_the_same_in_all_dialects_and_both_ways(n_tables, tmp_path: Path, monkeypatch) -> None:
    rng = np.random.default_rng(0)
    for k in rng.permutation(len(DIALECTS))[:n_tables]:
        table = some_table(rng)
        path = written(table, DIALECTS[k], tmp_path)
        found = read(path)
        plain = read(written(table, (",", ".", "minimal", "utf-8", "\n", False, "csv"), tmp_path))
        with monkeypatch.context() as patch:
            patch.setattr(reading, "regular_rows", lambda *_: None)
            slow = read(path)
        try:
            pd.testing.assert_frame_equal(plain, table, check_exact=True)
            pd.testing.assert_frame_equal(found, plain, check_exact=True)
            pd.testing.assert_frame_equal(slow, found, check_exact=True)
        except AssertionError as error:
            error.add_note(f"{DIALECTS[k]}\n{table.to_csv(index=False)}")
            raise
