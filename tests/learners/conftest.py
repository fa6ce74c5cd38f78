"""The tables that the original programs were run on, and small tables with everything in them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from workbench.datasets import load_arff

Table = tuple[pd.DataFrame, pd.Series]


@pytest.fixture
def reference_table(golden: Path, request) -> Callable[[str], Table]:
    """Return a function that reads a table: ours where it is small, else that of the data folder, or skip."""

    def read(name: str) -> Table:
        path = golden / f"{name}.arff"
        if not path.is_file():
            path = request.getfixturevalue("shared") / "reference" / "data" / f"{name}.arff"
        if not path.is_file():
            pytest.skip(f"{path.name} is not in the data folder")
        return load_arff(path)

    return read


@pytest.fixture
def table(golden: Path, request) -> Callable[..., Table]:
    """Return a function that reads a table as the programs were given it: rows and classes in their order."""

    def read(name: str, part: str = "data") -> Table:
        file = f"{name}.{part}" if name in ("golf", "monk1", "monk3") else f"{name}.arff"
        folder = golden
        if not (golden / file).is_file():
            folder = request.getfixturevalue("shared") / "reference" / "data"
        if not (folder / file).is_file():
            pytest.skip(f"{file} is not in the data folder")
        return load_arff(folder / file) if file.endswith(".arff") else read_c45(folder / name, part)

    return read


@pytest.fixture
def mixed_table() -> Callable[..., Table]:
    """Return a function that makes rows of nominal and numeric columns with holes."""

    def make(n: int = 200, seed: int = 0, holes: float = 0.1, n_classes: int = 3) -> Table:
        rng = np.random.default_rng(seed)
        y = rng.integers(0, n_classes, n)
        codes = {
            "sky": pd.Categorical.from_codes((y + rng.integers(0, 2, n)) % 3, list("abc")),
            "wind": pd.Categorical.from_codes(rng.integers(0, 5, n), list("vwxyz")),
            "height": y + rng.normal(0, 0.8, n).round(1),
            "age": rng.integers(0, 9, n).astype(float),
        }
        X = pd.DataFrame(codes)
        X = X.mask(rng.random(X.shape) < holes)
        return X, pd.Series(pd.Categorical.from_codes(y, [f"k{c}" for c in range(n_classes)]))

    return make


def read_c45(stem: Path, part: str) -> Table:
    """Read a table in Quinlan's format: the .names file declares classes and attributes."""
    lines = [
        line.split("|")[0].strip().rstrip(".") for line in stem.with_suffix(".names").read_text().split("\n")
    ]
    classes, *attributes = [line for line in lines if line]
    declared = {
        name.strip(): [value.strip() for value in values.split(",")]
        for name, values in (line.split(":") for line in attributes)
    }
    rows = [
        [cell.strip() for cell in line.split(",")]
        for line in stem.with_suffix(f".{part}").read_text().splitlines()
        if line.strip()
    ]
    cells = pd.DataFrame(rows, columns=[*declared, "class"])
    X = {
        name: cells[name].astype(float) if values == ["continuous"] else pd.Categorical(cells[name], values)
        for name, values in declared.items()
    }
    y = pd.Categorical(cells["class"], [name.strip() for name in classes.split(",")])
    return pd.DataFrame(X), pd.Series(y)
