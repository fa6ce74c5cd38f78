"""Friedman's tree, his smoothing, given structures, and which of them can go on."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest

from learners import TANClassifier


def test_the_published_smoothing_example() -> None:
    """P(overcast | no) at the root: no overcast among 5 rows of class no, 4 among all 14."""
    outlook = ["sunny"] * 5 + ["overcast"] * 4 + ["rainy"] * 5
    play = ["no"] * 3 + ["yes"] * 2 + ["yes"] * 4 + ["yes"] * 3 + ["no"] * 2
    X = pd.DataFrame({"outlook": pd.Categorical(outlook, categories=["sunny", "overcast", "rainy"])})
    tan = TANClassifier().fit(X, play)
    assert tan._tables[1, 0, 0] == pytest.approx(5 * (4 / 14) / (5 + 5))  # .1429


def test_a_chain_is_found() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 3000)
    columns = [rng.integers(0, 3, 3000)]
    for _ in range(3):
        columns.append(np.where(rng.random(3000) < 0.8, columns[-1], rng.integers(0, 3, 3000)))
    assert TANClassifier().fit(np.column_stack(columns), y).parents_ == (-1, 0, 1, 2)


def test_structure_by_name_equals_structure_by_index() -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 3, (50, 3)), columns=list("abc")).astype("category")
    y = rng.integers(0, 2, 50)
    by_name = TANClassifier(structure=["b", None, "a"]).fit(X, y)
    by_index = TANClassifier(structure=[1, -1, 0]).fit(X, y)
    assert by_name.parents_ == by_index.parents_ == (1, -1, 0)
    np.testing.assert_array_equal(by_name.predict_proba(X), by_index.predict_proba(X))


def test_bad_parameters_are_refused_in_one_sentence() -> None:
    for options, sentence in [
        ({"structure": [1, 0]}, r"parents.*0 -> 1 -> 0"),
        ({"structure": [5, -1]}, r"parent 5.*column.*X"),
        ({"structure": [-1]}, "2 columns"),
        ({"structure": "tree"}, "structure must be"),
        ({"structure": ["q", None]}, r"parent 'q'.*column.*X"),
        ({"structure": None}, "structure must be"),
        ({"structure": [0.7, None]}, r"parent 0.7.*column.*X"),
        ({"structure": [False, None]}, r"False.*X"),
        ({"smoothing": "none"}, "smoothing must be"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            TANClassifier(**options).fit(np.eye(2, dtype=int), [0, 1])


def test_a_declared_value_that_friedmans_smoothing_leaves_impossible_counts_as_missing() -> None:
    X = np.array([[0, 0], [1, 1], [0, 1], [1, 0]] * 3)
    tan = TANClassifier(arities=(3, 2)).fit(X, [0, 1] * 6)
    np.testing.assert_array_equal(tan.predict_proba([[2, 1]]), tan.predict_proba([[-1, 1]]))
    laplace = TANClassifier(arities=(3, 2), smoothing="laplace").fit(X, [0, 1] * 6)
    assert np.isfinite(laplace.predict_proba([[2, 1]])).all()


class TestSuperParentInBatches:
    def test_is_refused_with_the_reason(self) -> None:
        learner = TANClassifier(structure="superparent")
        assert not hasattr(learner, "partial_fit")
        with pytest.raises(AttributeError, match=r"scores.*training"):
            learner.partial_fit([[0]], [0], classes=[0, 1])
        learner.set_params(structure=np.array([-1]))
        assert learner.partial_fit([[0]], [0], classes=[0, 1]).parents_ == (-1,)

    def test_leaves_the_other_structures_a_method_that_can_be_asked_and_pickled(self) -> None:
        learner = TANClassifier()
        given = inspect.signature(learner.partial_fit).parameters
        assert list(given) == ["X", "y", "classes", "sample_weight"]
        assert inspect.getdoc(TANClassifier.partial_fit).startswith("Learn from further rows")
        again = pickle.loads(pickle.dumps(learner.partial_fit))
        assert again([[0], [1]], [0, 1], classes=[0, 1]).parents_ == (-1,)
