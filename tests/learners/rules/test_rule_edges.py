"""Rule learners on tables with little or nothing in them, and on large ones."""

import numpy as np
import pandas as pd
import pytest

from learners import FOILClassifier, InductDNFClassifier, InductRDRClassifier
from learners.rules.growing.foil_clause import Clause
from learners.rules.growing.foil_search import ClauseSearch

EACH = pytest.mark.parametrize("Learner", [FOILClassifier, InductDNFClassifier, InductRDRClassifier])


@EACH
class TestNothingToLearn:
    @pytest.mark.parametrize(
        "X",
        [
            pd.DataFrame({"a": [np.nan] * 6, "b": pd.Categorical([None] * 6, categories=["x", "y"])}),
            pd.DataFrame({"a": [2.0] * 6, "b": ["x"] * 6}),
        ],
        ids=["all missing", "constant"],
    )
    def test_uninformative_attributes(self, Learner, X) -> None:
        learner = Learner().fit(X, list("aabbbb"))
        assert learner.predict(X).tolist() == ["b"] * 6
        if Learner is InductRDRClassifier:
            np.testing.assert_allclose(learner.predict_proba(X), [[2 / 6, 4 / 6]] * 6)
            assert learner.export_text() == "b by default  (4 of 6)"
        else:
            np.testing.assert_allclose(learner.predict_proba(X), [[3 / 8, 5 / 8]] * 6)
            assert not learner.predict_set(X).any()

    def test_rows_that_contradict_each_other(self, Learner) -> None:
        X, y = np.zeros((10, 3), dtype=int), [0, 1] * 5
        learner = Learner().fit(X, y)
        np.testing.assert_allclose(learner.predict_proba(X), 0.5)


@EACH
class TestLargeTables:
    @pytest.mark.filterwarnings("ignore::learners.tables.columns.IntegerColumnWarning")
    def test_many_values(self, Learner) -> None:
        rng = np.random.default_rng(0)
        X = np.column_stack([rng.integers(0, 1000, 4000), rng.integers(0, 3, 4000)])
        y = X[:, 1] == 2
        learner = Learner().fit(X, y)
        assert learner.score(X, y) == 1.0

    def test_as_many_numbers_as_rows(self, Learner) -> None:
        rng = np.random.default_rng(1)
        X = rng.normal(size=(3000, 6))
        y = (X[:, 0] > 0.5) & (X[:, 1] < 0.2)
        learner = Learner().fit(X, y)
        assert learner.score(X, y) > 0.99

    def test_weights_that_are_not_whole(self, Learner) -> None:
        rng = np.random.default_rng(2)
        X, weight = rng.normal(size=(300, 3)), rng.random(300) + 0.1
        y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)
        learner = Learner().fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(learner.predict_proba(X).sum(axis=1), 1)
        assert learner.score(X, y) > 0.95

    @pytest.mark.slow
    def test_hundreds_of_classes(self, Learner) -> None:
        X = np.repeat(np.arange(150.0), 6)[:, None]
        y = X[:, 0].astype(int)
        learner = Learner().fit(X, y)
        assert learner.score(X, y) > 0.99
        assert learner.predict_proba(X).shape == (900, 150)


@pytest.mark.slow
def test_foil_examines_few_clauses_of_ten_thousand_uninformative_values(monkeypatch) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": pd.Categorical(rng.integers(0, 10_000, 4_000)), "x": rng.normal(size=4_000)})
    searches: list[ClauseSearch] = []
    grow = ClauseSearch.grow

    def noted(search: ClauseSearch) -> Clause:
        searches.append(search)
        return grow(search)

    monkeypatch.setattr(ClauseSearch, "grow", noted)
    learner = FOILClassifier().fit(X, rng.integers(0, 3, 4_000))
    n_clauses = np.array([search.n_clauses for search in searches])
    n_examined = np.array([search.n_examined for search in searches])
    assert n_clauses.max() <= learner.max_clauses + 100  # no more than the last chain beyond it
    assert n_examined.max() < 400
    assert n_examined.sum() < 30_000
    assert learner.n_cut_searches_ == sum(search.was_cut for search in searches)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("Learner", "least"),
    [(FOILClassifier, 0.9), (InductDNFClassifier, 0.8), (InductRDRClassifier, 0.99)],
)
def test_adult_is_learned(Learner, least, shared) -> None:
    from workbench.datasets import load_dataset

    X, y = load_dataset("adult", data=shared)
    X, y = X.iloc[::4], y.iloc[::4]
    assert Learner().fit(X, y).score(X, y) > least
