"""The tables that the programs were run on."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from workbench.datasets import load_arff

Table = tuple[pd.DataFrame, pd.Series]


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
