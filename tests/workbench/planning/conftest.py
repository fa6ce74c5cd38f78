import numpy as np
import pandas as pd
import pytest

from generators import random_tan
from workbench import plan


@pytest.fixture(scope="session")
def rows():
    """A table with categories, text, numbers, whole numbers and holes."""
    X, y = random_tan(n_attributes=4, arity=3, n_classes=2, random_state=3).sample(90, random_state=1)
    rng = np.random.default_rng(0)
    numbers = X["x0"].cat.codes + rng.normal(size=len(X)).round(3)
    table = pd.DataFrame(
        {
            "number": numbers.where(rng.random(len(X)) < 0.8),
            "whole": rng.integers(0, 40, size=len(X)),
            "text": X["x1"].astype(str).astype(object),
            "category": X["x2"],
        }
    )
    table.loc[y.to_numpy() == y.iloc[0], "text"] = None  # holes that depend on the class
    return table, pd.Series(np.asarray(y).astype(str), name="y")


@pytest.fixture(scope="session")
def found(rows):
    return plan(*rows, learners=["nb", "tan", "prior"], rows=[200, 360], seed=7, progress=False)
