"""Numbers at most 1e-5 apart are never cut by C4.5, J48 and C4.5rules, with a warning."""

import warnings

import numpy as np
import pandas as pd
import pytest

from learners import C45Classifier, C45RulesClassifier, C50Classifier, J48Classifier
from learners.trees.growing.training_rows import CloseNumbersWarning

EACH = pytest.mark.parametrize("make", [C45Classifier, J48Classifier, C45RulesClassifier])
Y = list("ab") * 20


def uses_the_column(learner) -> bool:
    return "tiny" in learner.export_text()


def table(gap: float, n: int = 2) -> pd.DataFrame:
    return pd.DataFrame({"tiny": np.resize(np.arange(n) * gap, 40), "constant": 1.0})


@EACH
def test_a_column_without_a_gap_is_named_once(make) -> None:
    with pytest.warns(CloseNumbersWarning) as caught:
        learner = make().fit(table(1e-7), Y)
    assert [str(each.message) for each in caught] == [
        "Neighboring numbers of column 'tiny' are at most 1e-05 apart, which this learner treats as equal. "
        "Rescale it, for instance to a standard deviation of 1."
    ]
    assert caught[0].filename == __file__
    assert not uses_the_column(learner)


@EACH
def test_several_columns_are_named_in_one_sentence(make) -> None:
    X = table(1e-7).assign(other=lambda X: X["tiny"] + 1, number=np.arange(40.0))
    with pytest.warns(CloseNumbersWarning, match=r"'tiny'.*'other'") as caught:
        make().fit(X, Y)
    assert len(caught) == 1


@EACH
def test_a_column_with_a_gap_is_used_without_a_warning(make) -> None:
    assert uses_the_column(make().fit(table(1.2e-5), Y))


@EACH
def test_constant_empty_and_nominal_columns_are_no_reason_to_warn(make) -> None:
    X = pd.DataFrame({"constant": 1e-7, "missing": np.nan, "nominal": pd.Categorical(["p", "q"] * 20)})
    X.loc[0, "constant"] = np.nan
    make().fit(X, Y)


@EACH
def test_the_warning_is_true_at_the_limit(make) -> None:
    """It comes exactly where the only column is not used."""
    for gap in (0.9e-5, 1e-5, np.nextafter(1e-5, 1), 1.0001e-5, 1.1e-5):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            learner = make().fit(table(gap), Y)
        assert bool(caught) != uses_the_column(learner)


def test_c50_has_no_such_gap() -> None:
    assert uses_the_column(C50Classifier().fit(table(1e-7), Y))
