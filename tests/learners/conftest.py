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
