"""Nothing of a fold's own rows, or of rows to be forecast, reaches what forecasts them; leaks are found."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

from learners.averages._shared.folds import folds
from workbench import PooledClassifier
from workbench.base.threads import one_library_thread
from workbench.estimators import early_stopped
from workbench.estimators.early_stopped import Rows
from workbench.estimators.pooled.candidate import Candidate, Training
from workbench.estimators.pooled.members import members_of

CLASSES = np.array(["a", "b", "c"])


@pytest.fixture(autouse=True)
def one_thread():
    """Fit members with one thread, as a pool does: threads that wait for each other take minutes."""
    with one_library_thread():
        yield


class Witness(ClassifierMixin, BaseEstimator):
    """Tell which rows it forecasts, and which it was fitted to, by the number in their first column."""

    told: ClassVar[list[tuple[set[float], set[float]]]] = []

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen_ = set(X[:, 0])
        return self

    def predict_proba(self, X):
        self.told.append((self.seen_, set(X[:, 0])))
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


def numbered_rows(n=150, seed=0):
    """Return rows with their numbers, a nominal column, one with holes, and classes that depend on both."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    height = y + rng.normal(0, 0.7, n)
    X = pd.DataFrame(
        {
            "row": np.arange(n, dtype=float),
            "color": pd.Categorical.from_codes((y + rng.integers(0, 2, n)) % 3, ["r", "g", "b"]),
            "height": np.where(rng.random(n) < 0.1, np.nan, height),
        }
    )
    return X, CLASSES[y]


def training_of(X, y):
    pool = PooledClassifier()
    table = pool._read_training(X, y)
    return Training(X, table.y, pool.classes_, None, list(folds(table, 5, 2500)))


# -- which rows a member is fitted to -------------------------------------------------------------


def rows_seen_and_forecast(X, y, weight=None):
    Witness.told.clear()
    PooledClassifier([Witness()]).fit(X, y, sample_weight=weight)
    return list(Witness.told)


def assert_no_row_is_forecast_by_what_saw_it() -> None:
    X, y = numbered_rows()
    told = rows_seen_and_forecast(X, y)
    assert len(told) == 5
    for seen, forecast in told:
        assert not seen & forecast
        assert seen | forecast == set(X["row"])
    assert sorted(row for _, forecast in told for row in forecast) == X["row"].tolist()


def test_no_row_is_forecast_by_what_saw_it() -> None:
    assert_no_row_is_forecast_by_what_saw_it()


# -- what a fold's own rows change ----------------------------------------------------------------

PROBED = ["logistic", "boosting", "nb", {"learner": "bn_ensemble", "n_members": 2}]


def fitted_to_first_fold(learner, training):
    """Return the model that a candidate fits when it forecasts the first fold."""
    models = []
    member = members_of([learner], 0, 1)[0]
    fresh = member.fresh

    def remembered():
        models.append(fresh())
        return models[-1]

    member.fresh = remembered
    Candidate(member).forecast_fold(training)
    return models[0]


def assert_own_rows_change_no_fit(learner, breaking=lambda training: None) -> None:
    """Give a fold's rows other cells and classes; what forecasts them must stay."""
    X, y = numbered_rows(200)
    X["wide"] = pd.Categorical([f"w{row % 120:03}" for row in X["row"].astype(int)])
    training = training_of(X.drop(columns="row"), y)
    own = training.folds[0].rows
    altered_X, altered_y = training.X.copy(), training.y.copy()
    altered_X.loc[own, "height"] = 1e4 * np.random.default_rng(1).normal(size=own.size)
    altered_X.loc[own, "wide"] = "w119"
    altered_X.loc[own, "color"] = altered_X.loc[own, "color"].to_numpy()[::-1]
    altered_y[own] = (altered_y[own] + 1) % 3
    probe = numbered_rows(120, seed=9)[0].drop(columns="row").assign(wide=X["wide"][:120])
    found = []
    for one in (training, training._replace(X=altered_X, y=altered_y)):
        breaking(one)
        found.append(fitted_to_first_fold(learner, one).forecasts(probe))
    for name, y_prob in found[0].items():
        np.testing.assert_array_equal(y_prob, found[1][name])


@pytest.mark.parametrize("learner", PROBED, ids=str)
def test_a_folds_own_rows_change_no_fit(learner) -> None:
    assert_own_rows_change_no_fit(learner)


@pytest.mark.parametrize("Forest", [RandomForestClassifier, ExtraTreesClassifier])
def test_a_forest_forecasts_a_row_by_the_trees_that_did_not_draw_it(Forest) -> None:
    X, y = numbered_rows()
    X = X.fillna({"height": 0.0})
    forest = Forest(30, bootstrap=True, max_depth=4, random_state=3)
    X["color"] = X["color"].cat.codes.astype(float)
    training = training_of(X, y)
    candidate = Candidate(members_of([forest], 0, 1)[0])
    candidate.forecast_fold(training)
    fitted = candidate.models[0].estimator
    votes, total = np.zeros((len(y), 3)), np.zeros(len(y))
    for tree, drawn in zip(fitted.estimators_, fitted.estimators_samples_, strict=True):
        left = np.setdiff1d(np.arange(len(y)), drawn)
        votes[left] += tree.predict_proba(X.to_numpy()[left])
        total[left] += 1
    for fold, held in zip(training.folds, candidate.held_out, strict=True):
        counts = np.bincount(training.y[fold.seen], minlength=3)
        share, prior = 1 / (counts.sum() + 1), (counts + 0.5) / (counts.sum() + 1.5)
        want = np.log((1 - share) * votes[fold.rows] / total[fold.rows, None] + share * prior)
        np.testing.assert_allclose(next(iter(held.values())), want, atol=1e-12)
    assert PooledClassifier([("forest", forest)]).fit(X, y).held_out_.loc["forest", "loss"] < np.log2(3)


def test_rows_that_all_trees_drew_are_forecast_by_the_frequencies_of_the_classes() -> None:
    X, y = numbered_rows(60)
    training = training_of(X, y)
    candidate = Candidate(members_of([RandomForestClassifier(2, random_state=0)], 0, 1)[0])
    candidate.forecast_fold(training)
    together = np.exp(np.concatenate([next(iter(held.values())) for held in candidate.held_out]))
    np.testing.assert_allclose(together.sum(axis=1), 1.0)


# -- rows to be forecast --------------------------------------------------------------------------


def test_a_row_is_forecast_the_same_whatever_comes_with_it() -> None:
    X, y = numbered_rows(120)
    X = X.drop(columns="row")
    boosting = early_stopped.early_stopped({"learner": "boosting", "max_iter": 20}, refit=False)
    pool = PooledClassifier(["logistic", "nb", boosting]).fit(X[:80], y[:80])
    together = pool.predict_proba(X[80:90])
    alone = np.vstack([pool.predict_proba(X[i : i + 1]) for i in range(80, 90)])
    np.testing.assert_allclose(together, alone, atol=1e-12)


# -- noise ----------------------------------------------------------------------------------------


def assert_noise_is_not_forecast() -> None:
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(400, 4)), columns=list("abcd"))
    y = np.where(rng.random(400) < 0.3, "yes", "no")
    pool = PooledClassifier(["nb", "logistic", ("memory", KNeighborsClassifier(1)), "boosting"]).fit(X, y)
    share = np.mean(y == "yes")
    entropy = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    # so many weights that are set by the rows gain about half a nat each
    assert pool.held_out_.loc["pool", "loss"] > entropy - 6 / 400
    assert pool.weights_["memory"] < 0.1


def test_noise_is_not_forecast_and_memory_gets_no_weight() -> None:
    assert_noise_is_not_forecast()


# -- leaks on purpose -----------------------------------------------------------------------------


def _all_rows(self, fold):
    return self.all()


def test_a_leak_of_all_rows_into_the_folds_is_found(monkeypatch) -> None:
    monkeypatch.setattr(Training, "seen", _all_rows)
    with pytest.raises(AssertionError):
        assert_no_row_is_forecast_by_what_saw_it()
    with pytest.raises(AssertionError):
        assert_noise_is_not_forecast()


@pytest.mark.parametrize("learner", PROBED, ids=str)
def test_a_leak_of_all_rows_into_a_fit_is_found(learner, monkeypatch) -> None:
    monkeypatch.setattr(Training, "seen", _all_rows)
    with pytest.raises(AssertionError):
        assert_own_rows_change_no_fit(learner)


def test_a_leak_into_the_scales_of_the_logistic_regression_is_found(monkeypatch) -> None:
    from workbench.estimators.pooled.members import Logistic

    fit, given = Logistic.fit, []

    def leaking(self, rows):
        fit(self, rows)
        self._scaler.fit(self._input.rows(given[-1].X))
        return self

    monkeypatch.setattr(Logistic, "fit", leaking)
    with pytest.raises(AssertionError):
        assert_own_rows_change_no_fit("logistic", given.append)


def test_a_leak_into_the_rounds_of_boosting_is_found(monkeypatch) -> None:
    search, usual = early_stopped._of_sklearn, 100
    given = []

    def leaking(of, first, held, patience):
        own = given[-1].folds[0].rows
        return search(of, first, Rows(given[-1].X.iloc[own], given[-1].y[own], None), patience)

    monkeypatch.setattr(early_stopped, "_search_of", lambda of: (leaking, usual))
    with pytest.raises(AssertionError):
        assert_own_rows_change_no_fit("boosting", given.append)


def test_a_forest_that_asks_all_trees_is_found_by_noise(monkeypatch) -> None:
    from workbench.estimators.pooled.members import Forest

    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(300, 4)))
    y = rng.integers(0, 2, 300)
    forest = RandomForestClassifier(20, random_state=0)
    honest = PooledClassifier([forest]).fit(X, y).held_out_.loc["pool", "loss"]
    assert honest > 0.98

    def all_trees(self):
        return {self.name: self.estimator.predict_proba(self._input.rows(X))}

    monkeypatch.setattr(Forest, "left_out", all_trees)
    assert PooledClassifier([forest]).fit(X, y).held_out_.loc["pool", "loss"] < 0.5
