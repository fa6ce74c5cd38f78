"""The tables that the original programs were run on."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from workbench.datasets import load_arff


@pytest.fixture
def reference_table(golden: Path, request) -> Callable[[str], tuple[pd.DataFrame, pd.Series]]:
    """Give a function that reads a table: ours where it is small, else that of the data folder, or skip."""

    def read(name: str) -> tuple[pd.DataFrame, pd.Series]:
        path = golden / f"{name}.arff"
        if not path.is_file():
            path = request.getfixturevalue("shared") / "reference" / "data" / f"{name}.arff"
        if not path.is_file():
            pytest.skip(f"{path.name} is not in the data folder")
        return load_arff(path)

    return read
