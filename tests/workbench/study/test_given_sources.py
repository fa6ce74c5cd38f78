"""The forms that `on=` takes are told apart."""

import pandas as pd
import pytest

from generators import random_tan
from workbench.base.errors import WorkbenchError
from workbench.study.dataset_source import DatasetSource
from workbench.study.given_sources import given_sources
from workbench.study.source import Source

TRUTH = random_tan(n_attributes=3, random_state=0)
OTHER = random_tan(n_attributes=3, random_state=1)
X, Y = pd.DataFrame({"a": [1.0, 2.0]}), pd.Series(["x", "y"])


def found(on):
    sources = given_sources(on, None, None)
    return [(type(one).__name__, one.key) for one in sources]


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        (TRUTH, [("Source", "truths")]),
        ([TRUTH, OTHER], [("Source", "truths")]),
        ((TRUTH, OTHER), [("Source", "truths")]),
        ((X, Y), [("DatasetSource", "rows")]),
        ((X, "a"), [("DatasetSource", "rows")]),
        ("iris", [("DatasetSource", "iris")]),
        (("iris", "glass"), [("DatasetSource", "iris"), ("DatasetSource", "glass")]),
        (("a.csv", "kind"), [("DatasetSource", "a")]),
        (("a.csv", "b.csv"), [("DatasetSource", "a"), ("DatasetSource", "b")]),
        ([("a.csv", "kind"), "iris"], [("DatasetSource", "a"), ("DatasetSource", "iris")]),
        ({"dataset": "a.csv", "class": "kind"}, [("DatasetSource", "a")]),
        ({"mine": (X, Y), "tan": [TRUTH]}, [("DatasetSource", "mine"), ("Source", "tan")]),
        (Source("own", "tan"), [("Source", "own")]),
        ({"other": DatasetSource("own", rows=(X, Y))}, [("DatasetSource", "other")]),
    ],
)
def test_each_form_is_told_from_the_others(on, expected):
    assert found(on) == expected


@pytest.mark.parametrize(
    ("on", "said"),
    [
        (3, "an int"),
        ({"x": None}, "a NoneType"),
        ([TRUTH, "iris"], "a str"),
        ([], "is empty"),
        ({}, "is empty"),
        ({"x": []}, "empty value for 'x'"),
        ({"dataset": "a.csv", "clas": "kind"}, "did you mean 'class'"),
    ],
)
def test_what_fits_no_form_is_one_sentence(on, said):
    with pytest.raises(WorkbenchError, match=said):
        given_sources(on, None, None)
