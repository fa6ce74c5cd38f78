"""The pool: its members, weights, races and interruptions; that nothing leaks is in test_pooled_leaks.py."""

import pickle
import warnings
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import approx_fprime, minimize
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

import workbench
from learners import NaiveBayesClassifier
from learners.averages._shared.folds import folds
from learners.networks import progress
from workbench import PooledClassifier
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.base.identity import learner_identity
from workbench.estimators.early_stopped import early_stopped
from workbench.estimators.pooled import candidate as candidate_module
from workbench.estimators.pooled.frequent_values import FrequentValues
from workbench.estimators.pooled.log_pool import PRECISION, pool_weights, pooled
from workbench.estimators.pooled.members import members_of
from workbench.estimators.pooled.pooling import MembersLeftOutWarning

CHEAP = ["nb", "logistic"]
BOOSTING = early_stopped({"learner": "boosting", "max_iter": 20}, patience=5, refit=False)


class Spy(ClassifierMixin, BaseEstimator):
    """Count fits and forecasts of all its copies; forecast class frequencies, sharper where it errs."""

    calls: ClassVar[list[str]] = []

    def __init__(self, fails_at=None, error=None, useless=False, seconds=0):
        self.fails_at = fails_at
        self.error = error
        self.useless = useless
        self.seconds = seconds

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X, y):
        self.calls.append("fit")
        CLOCK.seconds += self.seconds
        if self.calls.count("fit") == self.fails_at:
            raise self.error or ValueError("no such rows")
        self.classes_, counts = np.unique(y, return_counts=True)
        self.share_ = counts / counts.sum()
        return self

    def predict_proba(self, X):
        self.calls.append("forecast")
        if self.useless:
            return np.random.default_rng(len(X)).dirichlet(np.full(len(self.classes_), 0.3), len(X))
        return np.tile(self.share_, (len(X), 1))


class Unweighted(DecisionTreeClassifier):
    """A tree that takes no weights."""

    def fit(self, X, y):
        return super().fit(X, y)


CLOCK = SimpleNamespace(seconds=0.0)


@pytest.fixture(autouse=True)
def _nobody_was_called() -> None:
    Spy.calls.clear()
    CLOCK.seconds = 0.0


def mixed_rows(n=120, seed=0, classes=("a", "b", "c")):
    """Return a nominal column, a number with holes, a number of noise, and classes that depend on them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(classes), n)
    height = y + rng.normal(0, 0.7, n)
    X = pd.DataFrame(
        {
            "color": pd.Categorical.from_codes((y + rng.integers(0, 2, n)) % 3, ["red", "green", "blue"]),
            "height": np.where(rng.random(n) < 0.1, np.nan, height),
            "noise": rng.normal(size=n),
        }
    )
    return X, np.array(classes)[y]


def numbers(n=120, seed=0):
    X, y = mixed_rows(n, seed)
    return X[["height", "noise"]].fillna(0.0), y


# -- members --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("learners", "names"),
    [
        (["nb", "tan"], ["nb", "tan"]),
        (("nb", "nb"), ["nb", "nb'"]),
        ([GaussianNB(), ("mine", NaiveBayesClassifier())], ["GaussianNB", "mine"]),
        ({"one": "nb", "pool": GaussianNB()}, ["one", "pool'"]),
        ([{"learner": "nb", "alpha": 2.0}, {"key": "k", "learner": "nb"}], ["nb", "k"]),
    ],
    ids=["keys", "twice", "instances", "mapping", "tables"],
)
def test_members_are_keys_instances_and_tables(learners, names) -> None:
    X, y = numbers()
    pool = PooledClassifier(learners).fit(X, y)
    assert pool.weights_.index.tolist() == names
    assert pool.held_out_.index.tolist() == [*names, "pool"]
    np.testing.assert_allclose(pool.predict_proba(X).sum(axis=1), 1.0, atol=1e-12)
    assert pool.score(X, y) > 0.5


@pytest.mark.parametrize(
    ("learners", "said"),
    [
        ("nb", "learners is 'nb'"),
        (GaussianNB(), r"learners is GaussianNB\(\)"),
        (RandomForestClassifier(), r"learners is RandomForestClassifier\(\)"),
        ([], "empty"),
        ({}, "empty"),
        (["naive"], "naive"),
        (["boostin"], "boosting"),
        ([None], "None"),
        ([3], "3"),
        ([GaussianNB], r"GaussianNB\(\)"),
        ([LinearRegression()], "LinearRegression.*regressor"),
        ([{"learner": "nb", "beta": 1}], "beta"),
        ([{"alpha": 1}], "alpha"),
        ([SelectKBest()], "SelectKBest"),
    ],
)
def test_what_is_no_classifier_is_refused_in_a_sentence_that_names_it(learners, said) -> None:
    X, y = numbers(30)
    with pytest.raises(WorkbenchError, match=said) as caught:
        PooledClassifier(learners).fit(X, y)
    assert "\n" not in str(caught.value)
    assert "'of'" not in str(caught.value)


def test_a_package_that_is_not_installed_is_named(monkeypatch) -> None:
    key = next(
        (key for key in ("catboost", "lightgbm", "ebm") if catalogue.is_missing("learners", key)), None
    )
    if key is None:
        pytest.skip("all rivals are installed")
    with pytest.raises(WorkbenchError, match=key if key != "ebm" else "interpret") as caught:
        PooledClassifier(["nb", key]).fit(*numbers(30))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"n_folds": 1}, "n_folds"), ({"n_folds": 2.5}, "n_folds"), ({"racing": "yes"}, "racing"),
     ({"random_state": "x"}, "random_state"), ({"n_jobs": 0}, "n_jobs"), ({"progress": 3}, "progress")],
)  # fmt: skip
def test_options_out_of_range_are_refused(options, said) -> None:
    with pytest.raises(ValueError, match=said):
        PooledClassifier(["nb"], **options).fit(*numbers(30))


def test_an_instance_is_fitted_as_it_is() -> None:
    X, y = numbers()
    given = LogisticRegression(C=5.0)
    pool = PooledClassifier([given]).fit(X, y)
    (model,) = pool._models[0]
    np.testing.assert_allclose(
        model.forecasts(X)["LogisticRegression"], clone(given).fit(X, y).predict_proba(X)
    )
    assert not hasattr(given, "coef_")


def test_a_table_with_a_key_alone_is_that_key() -> None:
    X, y = mixed_rows(60)
    by_table = PooledClassifier([{"learner": "logistic"}]).fit(X, y)
    by_key = PooledClassifier(["logistic"]).fit(X, y)
    assert len(by_key.weights_) == 3
    np.testing.assert_array_equal(by_table.predict_proba(X), by_key.predict_proba(X))


def test_a_member_without_probabilities_and_a_pipeline_take_part() -> None:
    X, y = numbers()
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    learners = {"lines": Perceptron(), "chosen": make_pipeline(SelectKBest(k=1), GaussianNB())}
    pool = PooledClassifier({"chosen": learners["chosen"]}).fit(X, y, sample_weight=weight)
    (model,) = pool._models[0]
    want = (
        clone(learners["chosen"])
        .fit(X.to_numpy(), y, gaussiannb__sample_weight=weight)
        .predict_proba(X.to_numpy())
    )
    np.testing.assert_allclose(model.forecasts(X)["chosen"], want)
    both = PooledClassifier(learners).fit(X, y)
    assert both.weights_.index.tolist() == ["lines", "chosen"]
    assert np.isfinite(both.predict_log_proba(X)).all()


@pytest.mark.parametrize(
    "learner", [Unweighted(), KNeighborsClassifier(), make_pipeline(KNeighborsClassifier())]
)
def test_a_member_that_takes_no_weights_is_refused_by_name(learner) -> None:
    X, y = numbers()
    with pytest.raises(ValueError, match=f"^{type(learner).__name__} takes no sample_weight"):
        PooledClassifier(["nb", learner]).fit(X, y, sample_weight=np.arange(len(y)) % 3 + 1.0)
    PooledClassifier(["nb", learner]).fit(X, y, sample_weight=np.ones(len(y)))  # which are none


@pytest.mark.parametrize("fails_at", [1, 3, 6])
def test_a_member_that_fails_is_left_out_with_a_reason(fails_at) -> None:
    X, y = mixed_rows()
    with pytest.warns(MembersLeftOutWarning, match="Spy cannot be fitted.*no such rows") as caught:
        pool = PooledClassifier([Spy(fails_at), "nb"]).fit(X, y)
    assert caught[0].filename == __file__
    alone = PooledClassifier(["nb"]).fit(X, y)
    pd.testing.assert_series_equal(pool.weights_, alone.weights_)
    np.testing.assert_array_equal(pool.predict_proba(X), alone.predict_proba(X))
    assert pool.held_out_.index.tolist() == ["nb", "pool"]


def test_if_all_members_fail_their_error_is_raised() -> None:
    X, y = mixed_rows()
    with pytest.warns(MembersLeftOutWarning), pytest.raises(ValueError, match="no such rows"):
        PooledClassifier([Spy(1), Spy(2)]).fit(X, y)


def test_losers_of_the_race_return_when_winners_fail() -> None:
    X, y = mixed_rows(2200)
    with pytest.warns(MembersLeftOutWarning, match="NaiveBayesThatFails"):
        pool = PooledClassifier([NaiveBayesThatFails(), DummyClassifier()]).fit(X[["height"]].fillna(0), y)
    assert pool.weights_.index.tolist() == ["DummyClassifier"]
    assert np.isfinite(pool.held_out_["loss"]).all()


class NaiveBayesThatFails(GaussianNB):
    """Fails when it is fitted to all rows."""

    def fit(self, X, y, sample_weight=None):
        if len(X) == 2200:
            raise ZeroDivisionError
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize(
    ("error", "counts", "kinds"),
    [(ValueError("no"), [7, 6], ["logistic", "finish"]), (KeyboardInterrupt(), [7, 1], ["finish"])],
    ids=["fails", "Ctrl-C"],
)
def test_only_forecasts_that_are_fitted_have_weight_when_a_member_goes(
    error, counts, kinds, monkeypatch
) -> None:
    # with it, one kind of network alone has weight and is fitted; without it, others may have some
    asked = []

    def weights(logs, *rest):
        asked.append(len(logs))
        return np.array([0, 0, 0, 0, 0, 1, 1.0]) if len(logs) == 7 else np.full(len(logs), 0.2)

    monkeypatch.setattr("workbench.estimators.pooled.pooling.pool_weights", weights)
    X, y = mixed_rows(60)
    networks = {"learner": "bn_ensemble", "n_members": 1}
    with pytest.warns(MembersLeftOutWarning):
        pool = PooledClassifier([networks, Spy(6, error)]).fit(X, y)
    assert asked == counts
    assert sorted(set(pool.weights_)) == [0.2] if len(kinds) == 2 else [0.0, 0.2]
    np.testing.assert_allclose(pool.predict_proba(X).sum(axis=1), 1.0)
    ((model,),) = pool._models
    assert model.estimator.kinds == kinds if len(kinds) == 1 else set(model.estimator.kinds) == set(kinds)
    assert model.estimator.held_out_loss_.isna().all()  # no folds inside folds


@pytest.mark.parametrize("error", [AttributeError("lenght"), KeyError("k"), NameError("x"), ImportError("y")])
def test_a_mistake_in_a_member_is_raised(error) -> None:
    with pytest.raises(type(error)):
        PooledClassifier(["nb", Spy(2, error)]).fit(*mixed_rows())


# -- studies --------------------------------------------------------------------------------------


def test_two_pools_are_told_apart_and_each_stays_the_same() -> None:
    pools = [
        PooledClassifier(["nb", {"learner": "boosting"}]),
        PooledClassifier(["nb", {"learner": "boosting", "max_iter": 20}]),
        PooledClassifier(["nb", NaiveBayesClassifier(alpha=2.0)]),
        PooledClassifier(["nb", NaiveBayesClassifier()]),
        PooledClassifier(["nb"]),
        PooledClassifier(),
    ]
    identities = [str(learner_identity(pool)) for pool in pools]
    assert len(set(identities)) == len(pools)
    assert [str(learner_identity(clone(pool))) for pool in pools] == identities
    assert "0x" not in "".join(identities)


@pytest.mark.slow
def test_a_pool_in_a_comparison_and_in_a_study_file(tmp_path) -> None:
    X, y = mixed_rows(150)
    learners = {"pool": "pooled", "other": PooledClassifier(["nb", "logistic"]), "nb": "nb"}
    results = workbench.compare(learners, on=(X, pd.Series(y)), cv=2)
    assert results.answer()
    study = tmp_path / "study.toml"
    study.write_text(
        'name = "pools"\nseed = 1\n'
        '[[learners]]\nkey = "pool"\nlearner = "pooled"\nlearners = ["nb", {learner = "boosting"}]\n'
        '[[learners]]\nkey = "nb"\nlearner = "nb"\n'
        '[[sources]]\ngenerator = "tan"\nn_attributes = [3, 3]\narity = [2, 3]\nn_classes = [2, 2]\n'
        '[design]\nkind = "fresh_samples"\nsizes = [60]\nreplicates = 2\nn_test = 50\n'
    )
    store = tmp_path / "pools.db"
    workbench.run(workbench.read_study(study), store)
    cells = workbench.load(store).cells()
    assert set(cells["learner"]) == {"pool", "nb"}
    assert (cells["state"] == "done").all()


# -- weights --------------------------------------------------------------------------------------


def forecasts(n=150, n_members=4, seed=0):
    """Return log forecasts of a class, the better the later the member, and classes and weights."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    scores = rng.normal(size=(n_members, n, 3))
    scores[:, np.arange(n), y] += np.arange(n_members)[:, None] * 0.6
    logs = scores - np.log(np.exp(scores).sum(axis=2, keepdims=True))
    return logs, y, rng.random(n) * 2


def loss_of(shares, logs, y, weight, beforehand):
    """Return what weights of a pool minimize, row by row."""
    total = 0.5 * PRECISION * ((shares - beforehand) ** 2).sum()
    for i, (own, w) in enumerate(zip(y, weight, strict=True)):
        scores = sum(share * member[i] for share, member in zip(shares, logs, strict=True))
        total += w * (np.log(np.exp(scores).sum()) - scores[own])
    return total


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_where_another_method_finds_them_from_anywhere(seed) -> None:
    problem = (*forecasts(60, seed=seed), np.full(4, 0.25))
    found = pool_weights(*problem)
    start = np.random.default_rng(seed).random(4) * 2
    other = minimize(loss_of, start, problem, "SLSQP", bounds=[(0, None)] * 4, options={"ftol": 1e-12}).x
    np.testing.assert_allclose(found, np.where(other < 0.01, 0, other), atol=2e-3)
    slopes = approx_fprime(found, loss_of, 1e-6, *problem)
    assert (np.abs(slopes[found > 0]) < 0.05).all()
    assert (slopes[found == 0] > -1.0).all()  # up to weights that are too small to keep
    assert (found >= 0).all()


def test_few_rows_leave_the_weights_near_those_beforehand_and_many_do_not() -> None:
    beforehand = np.array([0.7, 0.1, 0.1, 0.1])
    none, few, many = (pool_weights(*forecasts(n), beforehand) for n in (0, 5, 3000))
    np.testing.assert_allclose(none, beforehand)
    assert np.abs(few - beforehand).sum() < np.abs(many - beforehand).sum() / 2
    assert many[0] < 0.1
    assert many[3] > 0.5


def test_a_member_that_knows_takes_over_and_a_copy_changes_little() -> None:
    logs, y, weight = forecasts(600)
    known = np.log(np.where(np.arange(3) == y[:, None], 1 - 2e-6, 1e-6))
    shares = pool_weights(np.array([*logs[:2], known]), y, weight, np.full(3, 1 / 3))
    assert shares[2] > 0.3
    assert shares[:2].max() < shares[2]
    assert (pooled(np.array([*logs[:2], known]), shares).argmax(axis=1) == y).all()
    copied = np.array([*logs, logs[3]])
    before = pooled(logs, pool_weights(logs, y, weight, np.full(4, 0.25)))
    after = pooled(copied, pool_weights(copied, y, weight, np.full(5, 0.2)))
    assert np.abs(before - after).max() < 0.05


def smoothed(y_prob, counts):
    """Return forecasts as if one more row had shown the frequencies of the classes."""
    share, prior = 1 / (counts.sum() + 1), (counts + 0.5) / (counts.sum() + 0.5 * counts.size)
    return (1 - share) * y_prob + share * prior


def test_held_out_losses_are_those_computed_by_hand() -> None:
    X, y = mixed_rows(90)
    y[0] = "A"  # before the others, and not in every fold
    weight = np.random.default_rng(3).integers(1, 3, len(y)).astype(float)
    weight[0] = 1.0
    pool = PooledClassifier(["nb", "tan"]).fit(X, y, sample_weight=weight)
    table = pool._read_training(X, y, weight)
    logs, own, weights = [], [], []
    for fold in folds(table, 5, 2500):
        model = NaiveBayesClassifier().fit(X.iloc[fold.seen], y[fold.seen], sample_weight=fold.seen_weight)
        y_prob = np.zeros((fold.rows.size, 4))
        y_prob[:, 4 - len(model.classes_) :] = model.predict_proba(X.iloc[fold.rows])
        counts = np.bincount(table.y[fold.seen], fold.seen_weight, 4)
        logs.append(np.log2(smoothed(y_prob, counts)))
        own.append(table.y[fold.rows])
        weights.append(fold.weight)
    y_own, weights = np.concatenate(own), np.concatenate(weights)
    found = np.concatenate(logs)[np.arange(y_own.size), y_own]
    np.testing.assert_allclose(pool.held_out_.loc["nb", "loss"], -np.average(found, weights=weights))
    assert pool.n_held_out_ == y_own.size
    assert weights.sum() == pytest.approx(weight.sum())


@pytest.mark.parametrize(("n_folds", "n_models"), [(5, 5), (3, 3), (2, 1)])
def test_boosting_is_the_mean_of_the_models_of_folds_where_there_are_some(n_folds, n_models) -> None:
    X, y = mixed_rows(100)
    pool = PooledClassifier([BOOSTING], n_folds=n_folds).fit(X, y)
    (models,) = pool._models
    assert len(models) == n_models
    mean = np.mean([one.estimator.predict_proba(X) for one in models], axis=0)
    want = smoothed(mean, np.unique(y, return_counts=True)[1].astype(float)) ** pool.weights_.iloc[0]
    np.testing.assert_allclose(pool.predict_proba(X), want / want.sum(axis=1, keepdims=True))
    assert {one.estimator.refit for one in models} == {n_models == 1}  # one model learns from all rows


def test_a_pool_is_no_worse_than_its_best_member_by_more_than_what_it_knew_beforehand() -> None:
    for seed in range(3):
        X, y = mixed_rows(100, seed)
        pool = PooledClassifier(["nb", "tan", GaussianNBOfNumbers(), "logistic"]).fit(X, y)
        losses = pool.held_out_["loss"]
        assert losses["pool"] <= losses.drop("pool").min() + PRECISION / len(y) / np.log(2)
        assert (pool.weights_ >= 0).all()


class GaussianNBOfNumbers(GaussianNB):
    """Takes missing values as 0."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X, y, sample_weight=None):
        return super().fit(np.nan_to_num(X), y, sample_weight)

    def predict_proba(self, X):
        return super().predict_proba(np.nan_to_num(X))


def test_members_that_all_mislead_leave_the_frequencies_of_the_classes(monkeypatch) -> None:
    monkeypatch.setattr(
        "workbench.estimators.pooled.pooling.pool_weights", lambda logs, *rest: np.zeros(len(logs))
    )
    X, y = mixed_rows(2200)
    y[:1200] = "a"
    pool = PooledClassifier(["nb"]).fit(X, y)
    counts = np.unique(y, return_counts=True)[1]
    np.testing.assert_allclose(pool.predict_proba(X[:2]), [(counts + 0.5) / (len(y) + 1.5)] * 2)
    entropy = -(counts / len(y)) @ np.log2(counts / len(y))
    assert pool.held_out_.loc["pool", "loss"] == pytest.approx(entropy, abs=0.01)
    assert pool.held_out_["loss"].notna().all()


# -- Ctrl-C and progress --------------------------------------------------------------------------


@pytest.mark.parametrize("fails_at", [3, 6], ids=["in a fold", "with all rows"])
def test_ctrl_c_keeps_the_members_that_are_done_and_names_the_others(fails_at) -> None:
    X, y = mixed_rows()
    with pytest.warns(MembersLeftOutWarning, match=r"goes on without slow\.") as caught:
        pool = PooledClassifier([("quick", "nb"), ("slow", Spy(fails_at, KeyboardInterrupt()))]).fit(X, y)
    assert caught[0].filename == __file__
    alone = PooledClassifier([("quick", "nb")]).fit(X, y)
    assert pool.weights_.index.tolist() == ["quick"]
    np.testing.assert_array_equal(pool.predict_proba(X), alone.predict_proba(X))


@pytest.mark.parametrize("fails_at", [1, 3, 6])
def test_ctrl_c_before_a_member_is_done_ends_the_fit(fails_at) -> None:
    with pytest.raises(KeyboardInterrupt):
        PooledClassifier([("slow", Spy(fails_at, KeyboardInterrupt())), "nb"]).fit(*mixed_rows())


def test_a_second_ctrl_c_keeps_the_members_that_are_fitted_by_then() -> None:
    X, y = mixed_rows()
    Interrupted.fits.clear()
    learners = {"quick": "nb", "late": Interrupted(fails_at=6), "slow": Spy(3, KeyboardInterrupt())}
    with pytest.warns(MembersLeftOutWarning) as caught:
        pool = PooledClassifier(learners).fit(X, y)
    said = [str(one.message).split()[-1] for one in caught]
    assert said == ["slow.", "late."]
    np.testing.assert_array_equal(
        pool.predict_proba(X), PooledClassifier({"quick": "nb"}).fit(X, y).predict_proba(X)
    )


def test_ctrl_c_keeps_members_that_need_no_fit_to_all_rows() -> None:
    X, y = mixed_rows()
    forest = RandomForestClassifier(20, random_state=0)
    with pytest.warns(MembersLeftOutWarning, match=r"goes on without Spy\."):
        pool = PooledClassifier([Spy(6, KeyboardInterrupt()), ("forest", forest)]).fit(X, y)
    assert pool.weights_.index.tolist() == ["forest"]
    assert pool.score(X, y) > 0.9


@pytest.mark.parametrize("fails_at", [3, 6], ids=["in a fold", "with all rows"])
def test_ctrl_c_does_not_blame_those_that_lost_the_race(fails_at) -> None:
    X, y = mixed_rows(2200)
    Interrupted.fits.clear()
    lost = ("lost", Spy(useless=True))
    with pytest.warns(MembersLeftOutWarning, match=r"goes on without slow\."):
        pool = PooledClassifier([lost, "nb", ("slow", Interrupted(fails_at=fails_at))]).fit(X, y)
    assert pool.weights_.index.tolist() == ["lost", "nb"]
    assert pool.weights_["lost"] == 0


class Interrupted(GaussianNBOfNumbers):
    """Gets Ctrl-C in one of its fits."""

    fits: ClassVar[list[int]] = []

    def __init__(self, fails_at=1):
        self.fails_at = fails_at
        super().__init__()

    def fit(self, X, y, sample_weight=None):
        self.fits.append(len(X))
        if len(self.fits) == self.fails_at:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


def test_progress_says_member_fold_and_time_left(monkeypatch) -> None:
    clock = SimpleNamespace(monotonic=lambda: CLOCK.seconds)
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr(candidate_module, "time", clock)
    lines = []
    learners = {"slow": Spy(seconds=10), "other": Spy(seconds=4)}
    pool = PooledClassifier(learners, progress=lines.append).fit(*mixed_rows())
    assert lines[0] == "pooling 2 learners"
    left = [line for line in lines if "left" in line]
    assert any("slow, fold 3 of 5" in line for line in left)
    assert left[0].endswith("slow, fold 3 of 5, about 1:04 left")
    assert left[-1].endswith("other, all rows, about 0:05 left")
    seconds = [60 * int(time[0]) + int(time[2:]) for time in (line[-9:-5] for line in left)]
    assert seconds == sorted(seconds, reverse=True)
    assert pool.held_out_.loc["slow", "seconds"] == 60
    silent = PooledClassifier(CHEAP, progress=False).fit(*mixed_rows())
    assert silent.progress is False


# -- races ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "racing", "fits"), [(2200, True, 1), (2200, False, 5), (300, True, 5)], ids=str
)
def test_a_useless_member_is_fitted_once_where_the_first_fold_is_large(n, racing, fits) -> None:
    X, y = mixed_rows(n)
    pool = PooledClassifier(["nb", Spy(useless=True)], racing=racing).fit(X, y)
    assert pool.weights_["Spy"] == 0
    assert Spy.calls.count("fit") == fits  # not to all rows
    assert np.isnan(pool.held_out_.loc["Spy", "loss"]) == (fits == 1)
    asked = Spy.calls.count("forecast")
    pool.predict_proba(X)
    assert Spy.calls.count("forecast") == asked


def test_racing_changes_no_forecast_of_those_that_stay() -> None:
    X, y = mixed_rows(2200)
    with_race, without = (
        PooledClassifier(["nb", Spy(useless=True)], racing=racing).fit(X, y).predict_proba(X)
        for racing in (True, False)
    )
    np.testing.assert_allclose(with_race, without, atol=0.01)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Column:UserWarning")
@pytest.mark.filterwarnings("ignore::workbench.MembersLeftOutWarning")
def test_forests_and_boosting_keep_scikit_learns_contract() -> None:
    pool = PooledClassifier([RandomForestClassifier(20, random_state=0), BOOSTING])
    drawn = "trees draw rows, and boosting leaves rows out, by their number and not by their weight"
    expected = {"check_sample_weight_equivalence_on_dense_data": drawn}
    check_estimator(pool, expected_failed_checks=expected, on_skip=None)


# -- seeds, threads, pickles ----------------------------------------------------------------------


def test_the_seed_decides() -> None:
    X, y = numbers(60)
    one, again, other, own = (
        PooledClassifier([DecisionTreeClassifier(max_features=1, random_state=own)], random_state=seed)
        .fit(X, y)
        .predict_proba(X)
        for seed, own in ((0, None), (0, None), (1, None), (1, 0))
    )
    np.testing.assert_array_equal(one, again)
    np.testing.assert_array_equal(one, own)
    assert np.abs(one - other).max() > 1e-4


@pytest.mark.slow
def test_threads_change_nothing_in_the_default_pool() -> None:
    X, y = mixed_rows(200)
    one, two = (PooledClassifier(n_jobs=n).fit(X, y).predict_proba(X) for n in (1, 2))
    np.testing.assert_allclose(one, two, atol=1e-9)


def test_threads_and_seeds_reach_what_keys_stand_for_and_leave_instances() -> None:
    given = RandomForestClassifier(n_jobs=3, random_state=5)
    *keys, instance = members_of(["bn_ensemble", "random_forest", "extra_trees", "boosting", given], 7, 2)
    for member in keys:
        own = member.estimator.get_params()
        assert own["random_state"] == own.get("of__random_state", 7) == 7
        assert own.get("n_jobs", 2) == 2
    assert (instance.estimator.n_jobs, instance.estimator.random_state) == (3, 5)


def test_a_pool_pickles_with_its_progress_and_without_held_out_forecasts() -> None:
    X, y = mixed_rows(1000)
    pool = PooledClassifier(CHEAP, progress=lambda line: None)
    assert callable(clone(pool).progress)
    assert pickle.loads(pickle.dumps(pool)).progress is None
    pool.fit(X, y)
    found = pickle.dumps(pool)
    np.testing.assert_array_equal(pickle.loads(found).predict_proba(X), pool.predict_proba(X))
    assert len(found) < 40_000
    assert callable(pool.progress)


def test_learners_are_searched_like_any_parameter() -> None:
    X, y = mixed_rows(90)
    search = GridSearchCV(
        PooledClassifier(["prior"]), {"learners": [["prior"], CHEAP]}, scoring="neg_log_loss", cv=3
    ).fit(X, y)
    assert search.best_params_["learners"] == CHEAP
    assert clone(search.best_estimator_).get_params()["learners"] == CHEAP


# -- rows and classes -----------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [[0, 1], [False, True], ["no", "yes"], [1.0, -1.0], [10, 2]], ids=str)
def test_labels_of_any_kind(labels) -> None:
    X, y = mixed_rows(80, classes=(0, 1))
    own = np.array(labels)[y]
    pool = PooledClassifier([*CHEAP, RandomForestClassifier(5, random_state=0)]).fit(X, own)
    assert pool.classes_.tolist() == sorted(labels)
    assert pool.score(X, own) > 0.8


def test_columns_of_bools_and_of_several_types_reach_members_as_text() -> None:
    X, y = mixed_rows(90)
    X = X.assign(mixed=[1, "1", None] * 30, bools=pd.Series([True, False, None] * 30, dtype=object))
    with warnings.catch_warnings():
        warnings.simplefilter("error", MembersLeftOutWarning)
        pool = PooledClassifier(["logistic", BOOSTING]).fit(X, y)
    assert np.isfinite(pool.predict_proba(X)).all()


def test_the_default_has_four_members_that_see_so_many_values_of_a_column() -> None:
    found = {member.name: member.most_values for member in members_of("default", 0, 1)}
    assert found == {"logistic": 100, "bn_ensemble": np.inf, "random_forest": 100, "boosting": 250}


def test_no_more_folds_are_forecast_than_hold_2500_rows() -> None:
    X, y = mixed_rows(4000)
    assert PooledClassifier(["nb"]).fit(X, y).n_held_out_ == 3200


def test_of_a_few_rows_weights_are_near_those_of_the_networks() -> None:
    X, y = mixed_rows(12)
    y = np.random.default_rng(1).permutation(y)
    weights = PooledClassifier(["logistic", "bn_ensemble"]).fit(X, y).weights_
    of_networks = weights[weights.index.str.startswith("bn_ensemble")].sum()
    assert of_networks > 2 * (weights.sum() - of_networks)


def test_rows_of_weight_zero_are_no_rows() -> None:
    X, y = mixed_rows(120)
    weight = np.where(np.arange(120) < 80, 1.0, 0.0)
    weighted = PooledClassifier(CHEAP).fit(X, y, sample_weight=weight)
    without = PooledClassifier(CHEAP).fit(X[:80], y[:80])
    np.testing.assert_allclose(weighted.predict_proba(X), without.predict_proba(X), atol=1e-12)


def test_weights_give_no_row_away() -> None:
    # the class is noise: a row of weight 10 that were dealt as ten rows would be learned by heart
    X, _ = mixed_rows(150)
    y = (np.random.default_rng(3).random(150) < 0.3).astype(int)
    pool = PooledClassifier(["nb", ExtraTreesClassifier(20, random_state=0)])
    pool.fit(X, y, sample_weight=np.where(y == 1, 10.0, 4.0))
    share = 10 * y.sum() / (10 * y.sum() + 4 * (1 - y).sum())
    entropy = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    assert pool.held_out_["loss"].min() > entropy - 0.05


def test_rows_of_more_weight_count_more_for_the_weights_of_members() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 1)), np.arange(200) % 2
    members = {"first": GaussianNB(priors=[0.9, 0.1]), "second": GaussianNB(priors=[0.1, 0.9])}
    even, heavy = (
        PooledClassifier(members).fit(X, y, sample_weight=np.where(y == 1, weight, 1.0)).weights_
        for weight in (1.0, 9.0)
    )
    assert abs(even["first"] - even["second"]) < 0.1
    assert heavy["second"] > heavy["first"] + 0.5


def test_a_forest_takes_weights() -> None:
    X, y = mixed_rows(100)
    pool = PooledClassifier([RandomForestClassifier(20, max_depth=2, random_state=0)])
    plain, heavy = (
        clone(pool).fit(X, y, sample_weight=weight)._models[0][0].estimator.oob_decision_function_[:, 1]
        for weight in (None, np.where(y == "b", 5.0, 1.0))
    )
    assert heavy.mean() > plain.mean() + 0.2


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_a_handful_of_rows_is_enough(n, weighted) -> None:
    X, y = mixed_rows(n, seed=1)
    y[:] = np.array(["a", "b", "c"])[np.arange(n) % 3]
    learners = [*CHEAP, BOOSTING, RandomForestClassifier(3, random_state=0)]
    weight = np.linspace(0.5, 2.0, n) if weighted else None
    pool = PooledClassifier(learners).fit(X, y, sample_weight=weight)
    y_prob = pool.predict_proba(X)
    np.testing.assert_allclose(y_prob.sum(axis=1), 1.0)
    assert (y_prob > 0).all()
    assert pool.weights_.notna().all()


def test_declared_classes_without_rows_get_a_probability_whatever_the_members() -> None:
    X, _ = mixed_rows(40)
    only = pd.Series(pd.Categorical(["b"] * 40, categories=["a", "b"]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pool = PooledClassifier([*CHEAP, BOOSTING]).fit(X, only)
    y_prob = pool.predict_proba(X)
    assert (y_prob[:, 1] > 0.9).all()
    assert (y_prob[:, 0] > 0).all()
    assert pool.weights_.empty
    assert pool.plot().get_yticks().size == 1


def test_a_rare_class_that_folds_do_not_see_keeps_a_probability() -> None:
    X, y = mixed_rows(60)
    y[0] = "z"
    pool = PooledClassifier([*CHEAP, RandomForestClassifier(4, random_state=0), BOOSTING]).fit(X, y)
    assert (pool.predict_proba(X) > 0).all()
    assert np.isfinite(pool.held_out_["loss"]).all()


@pytest.mark.parametrize("learners", [CHEAP, [BOOSTING], [DummyClassifier()]], ids=str)
def test_columns_are_taken_by_name_or_place(learners) -> None:
    X, y = mixed_rows(60)
    pool = PooledClassifier(learners).fit(X, y)
    assert pool.feature_names_in_.tolist() == list(X)
    with pytest.raises(ValueError, match="feature names"):
        pool.predict_proba(X[["noise", "color", "height"]])
    array = PooledClassifier(learners).fit(X[["height", "noise"]].to_numpy(), y)
    assert array.predict_proba(X[["height", "noise"]].to_numpy()).shape == (60, 3)


def test_columns_that_are_empty_in_training_are_no_obstacle() -> None:
    X, y = mixed_rows(60)
    empty = X.assign(nothing=np.nan, same=1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pool = PooledClassifier([*CHEAP, BOOSTING]).fit(empty, y)
        y_prob = pool.predict_proba(empty.assign(nothing=3.0, same=1e9))
    assert np.isfinite(y_prob).all()
    assert pool.score(empty, y) > 0.5


def test_numbers_far_beyond_those_seen_and_missing_everywhere_get_a_forecast() -> None:
    X, y = mixed_rows(80)
    pool = PooledClassifier(CHEAP).fit(X, y)
    strange = X.assign(height=1e300, noise=np.nan, color=pd.Categorical([None] * 80))
    y_prob = pool.predict_proba(strange)
    assert np.isfinite(y_prob).all()
    np.testing.assert_allclose(y_prob, y_prob[:1].repeat(80, axis=0))
    regression = PooledClassifier(["logistic"]).fit(X, y)
    largest, beyond = (
        regression.predict_proba(X.head(5).assign(height=one)) for one in (X["height"].max(), 1e9)
    )
    np.testing.assert_allclose(largest, beyond)


def test_the_picture_shows_each_forecast_the_pool_first() -> None:
    X, y = mixed_rows(2200)
    ax = PooledClassifier(["nb", Spy(useless=True)]).fit(X, y).plot()
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["Spy", "nb", "pool"]
    texts = [text.get_text() for text in ax.texts]
    assert texts[0] == "0"
    assert texts[-1] == "weight"
    ax.figure.canvas.draw()


def test_names_that_forecasts_have_are_refused():
    with pytest.raises(WorkbenchError, match="give 'logistic 1' another name"):
        members_of(["logistic", ("logistic 1", "nb")], 0, 1)
    assert len(members_of(["nb", ("nb 1", "nb")], 0, 1)) == 2  # it has one forecast


def test_rare_values_of_a_wide_column_are_missing():
    X = pd.DataFrame({"a": pd.Categorical(list("abcabcaad")), "b": range(9)})
    found = FrequentValues(X, None, 2)
    assert list(found.rows(X)["a"].cat.categories) == ["a", "b"]
    assert found.rows(X.iloc[6:])["a"].tolist()[:2] == ["a", "a"]
    assert found.rows(X)["a"].isna().sum() == 3
    weighted = FrequentValues(X, np.arange(9.0), 2)  # d has the last row
    assert list(weighted.rows(X)["a"].cat.categories) == ["a", "d"]
    assert FrequentValues(X, None, 4).rows(X) is X
