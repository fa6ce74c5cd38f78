"""Reading classes and weights."""

import numpy as np
import pandas as pd
import pytest

from learners import NaiveBayesClassifier, PriorClassifier, TANClassifier
from learners.base import code_classes
from learners.counts.class_prior import class_prior


def test_classes_are_sorted_whatever_order_is_declared() -> None:
    y = pd.Series(pd.Categorical(["low", "high", "low"], categories=["low", "mid", "high"], ordered=True))
    classes, codes, declared = code_classes(y)
    assert classes.tolist() == ["high", "low", "mid"]
    assert codes.tolist() == [1, 0, 1]
    assert classes[declared].tolist() == ["low", "mid", "high"]


@pytest.mark.parametrize(
    "labels", [[3, 1, 3], [-5, 2000, -5], ["b", "a", "b"], [True, False, True], [1.0, 0.0, 1.0]]
)
def test_every_kind_of_label_is_coded(labels) -> None:
    classes, codes, _ = code_classes(np.array(labels))
    assert classes[codes].tolist() == labels
    assert classes.tolist() == sorted(set(labels))


def test_rows_of_weight_zero_are_as_good_as_absent() -> None:
    X, y = np.array([[0], [1], [2]]), [0, 1, 1]
    learner = NaiveBayesClassifier().fit(X, y, sample_weight=[1, 1, 0])
    assert learner.arities_.tolist() == [2]
    with pytest.raises(ValueError, match="zero in every row"):
        NaiveBayesClassifier().fit(X, y, sample_weight=[0, 0, 0])


@pytest.mark.filterwarnings("error")
def test_weights_whose_sum_is_no_number_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="sample_weight"):
        NaiveBayesClassifier().fit(np.array([[0], [1]]), [0, 1], sample_weight=[1e308, 1e308])


def test_the_prior_learner_repeats_the_prior_function_to_the_bit() -> None:
    y = np.array([0, 2, 2, 1, 2])
    forecast = PriorClassifier().fit(np.zeros((5, 1)), y).predict_proba(np.zeros((2, 1)))
    np.testing.assert_array_equal(forecast, [class_prior([1, 1, 3])] * 2)


def test_a_missing_y_is_named() -> None:
    with pytest.raises(ValueError, match=r"y.*y.*None"):
        PriorClassifier().fit([[0.0]], None)


def test_an_earlier_fit_leaves_no_cuts_behind() -> None:
    learner = TANClassifier().fit(np.array([[0.5], [1.5]]), [0, 1])
    assert list(learner.cut_points_) == [0]
    assert not hasattr(learner.fit(np.array([[0], [1]]), [0, 1]), "cut_points_")
