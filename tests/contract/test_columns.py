"""Every entrance of a table gives its labels the same codes."""

import numpy as np
import pandas as pd
import pytest

from generators import Network
from generators.tables.columns import Column
from learners import NaiveBayesClassifier
from learners.tables.attributes import Schema
from workbench.datasets.dataset import Dataset, declare, shown_columns
from workbench.estimators.inputs import FittedInput

#: Columns of training rows, columns of rows to forecast, and the codes of the latter.
COLUMNS = {
    "text": (["b", "a", "b"], ["a", "new", None, "b"], [0, -1, -1, 1]),
    "objects": (
        pd.Series(["b", "a", "b"], dtype=object),
        pd.Series(["a", "new", np.nan, "b"], dtype=object),
        [0, -1, -1, 1],
    ),
    "strings": (
        pd.Series(["b", "a", pd.NA], dtype="string"),
        pd.Series(["a", "new", pd.NA, "b"], dtype="string"),
        [0, -1, -1, 1],
    ),
    "declared": (
        pd.Categorical(["b", "a", "b"], ["c", "b", "a"]),
        pd.Categorical(["a", None, "c", "b"], ["c", "b", "a"]),
        [2, -1, 0, 1],
    ),
    "declared in another order": (
        pd.Categorical(["b", "a", "b"], ["c", "b", "a"]),
        pd.Categorical(["a", None, "new", "b"], ["a", "b", "new"]),
        [2, -1, -1, 1],
    ),
    "declared strings": (
        pd.Series(["b", "a", pd.NA], dtype="string").astype("category"),
        pd.Series(["a", "new", pd.NA, "b"], dtype="string"),
        [0, -1, -1, 1],
    ),
    "declared numbers": (
        pd.Categorical([3, 1, 3]),
        pd.Series([1.0, 2.0, np.nan, 3.0]),
        [0, -1, -1, 1],
    ),
    "bools": ([True, False, True], [False, True, True, False], [0, 1, 1, 0]),
    "bools as numbers": ([True, False, True], pd.Series([0, 1, 2, 1]), [0, 1, -1, 1]),
    "bools with holes": (
        pd.Series([True, False, None], dtype=object),
        pd.Series([None, True, "new", False], dtype=object),
        [-1, 1, -1, 0],
    ),
    "text and numbers": (
        pd.Series(["a", 1, 2.5], dtype=object),
        pd.Series([1, "a", "1", 2.5], dtype=object),
        {"learner": [1, 2, -1, 0], "pandas": [0, 2, -1, 1]},
    ),
}


def by_variables(train: pd.DataFrame, rows: pd.DataFrame) -> np.ndarray:
    states = Column.of("a", train["a"]).states
    network = Network(("a",), (states,), ((),), (np.full(len(states), 1 / len(states)),))
    return network._columns(rows, None)[0]


def by_learners(train: pd.DataFrame, rows: pd.DataFrame) -> np.ndarray:
    schema = Schema.fit_code(train)[0]
    codes = schema.code(rows).codes[0].astype(int)
    return np.where(codes == schema.arities[0], -1, codes)


def by_dataset(train: pd.DataFrame, rows: pd.DataFrame) -> np.ndarray:
    content = Dataset.of(train, ["x", "y", "x"], "it").X
    declared = declare(rows, shown_columns(content))
    return Column.of("a", content["a"]).positions(declared["a"])


def by_input(train: pd.DataFrame, rows: pd.DataFrame) -> np.ndarray:
    codes = FittedInput.of(train, None, form="codes").rows(rows)[:, 0]
    return np.where(np.isnan(codes), -1, codes)


@pytest.mark.parametrize("entrance", [by_variables, by_learners, by_dataset, by_input])
@pytest.mark.parametrize("kind", COLUMNS)
def test_every_entrance_codes_a_column_alike(entrance, kind):
    train, rows, codes = COLUMNS[kind]
    if isinstance(codes, dict):  # labels that do not compare are sorted by type, or as pandas does
        codes = codes["learner" if entrance is by_learners else "pandas"]
    assert entrance(pd.DataFrame({"a": train}), pd.DataFrame({"a": rows})).tolist() == codes


@pytest.mark.parametrize(
    "entrance",
    [
        lambda twice: by_variables(pd.DataFrame({"a": ["u"]}), twice),
        lambda twice: NaiveBayesClassifier().fit(twice, ["x", "y", "x"]),
        lambda twice: by_dataset(twice, twice),
    ],
    ids=["variables", "learners", "dataset"],
)
def test_two_columns_of_one_name_are_refused(entrance):
    with pytest.raises(ValueError, match=r"columns (of the same name|named 'a')"):
        entrance(pd.DataFrame([["u", "v"]] * 3, columns=["a", "a"]))
