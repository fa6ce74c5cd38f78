"""The rivals of today, with their real packages, on the tables that people have; see `benchmarks.rivals`."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import workbench
from benchmarks.rivals import QUICK, states, tables, wrapped
from generators import random_tan
from tests.marks import need
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.base.threads import one_inner_thread
from workbench.estimators.early_stopped import early_stopped
from workbench.estimators.fair_fit import FairFit
from workbench.estimators.rivals import RIVALS, readied
from workbench.study.learner_spec import LearnerSpec

#: What scikit-learn says of a class with fewer rows than folds, which `recalibrated` does without.
TOO_FEW = "ValueError: Requesting 2-fold cross-validation but provided less than 2 examples"
OF_PACKAGES = ("catboost", "lightgbm", "xgboost", "ebm")
BOOSTING = ("catboost", "lightgbm", "xgboost", "boosting")
#: What libraries say of tables this small: "fit" of a search leaves out the fold without a class.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The least populated class in y"),
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
    pytest.mark.filterwarnings("ignore:The number of unique classes is greater"),
    pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true"),
]


@pytest.fixture(autouse=True)
def _as_in_a_worker():
    with one_inner_thread():
        yield


def parametrized(keys):
    return pytest.mark.parametrize("key", keys)


def quick(key, **parameters):
    """Return a rival that is quick."""
    return LearnerSpec(key, learner=key, parameters={**QUICK[key], **parameters}).build()


@pytest.mark.slow
@parametrized(RIVALS)
@pytest.mark.filterwarnings("ignore")
def test_every_table_is_learned_bare_and_wrapped(key):
    need(key)
    found = states([key])
    one_class, rare = found.pop("one class"), found.pop("rare class")
    assert (found == "ok").all(axis=None), found.T.to_string()
    assert set(one_class) <= {"ok", "refused"}
    for (_, form), cause in rare.items():
        assert cause.startswith(TOO_FEW) if form == "calibrated" else cause == "ok"


@parametrized(RIVALS)
@pytest.mark.parametrize("kind", ["missing", "class absent", "bool labels", "odd names"])
def test_a_bare_one_learns_the_tables_on_which_they_differ(key, kind):
    need(key)
    train, test, classes = tables()[kind]
    y_prob = FairFit(quick(key), classes).fit(*train).forecast(test[0])
    assert y_prob.shape == (len(test[0]), len(classes))
    absent = ~np.isin(classes, train[1])
    assert (y_prob[:, absent] == 0).all()
    assert (y_prob[:, ~absent] > 0).any(axis=0).all()


def as_text(X):
    """Return rows as people give them to CatBoost, with the names of their categories."""
    nominal = list(X.select_dtypes("category"))
    return X.assign(**{c: X[c].astype(object).where(X[c].notna(), "").astype(str) for c in nominal}), nominal


@parametrized(OF_PACKAGES)
def test_forecasts_are_those_of_the_package_by_itself(key):
    need(key)
    (X, y), (X_test, _), classes = tables()["missing"]
    found = FairFit(quick(key), classes).fit(X, y).forecast(X_test)
    options, labels = {}, y
    if key == "xgboost":
        labels = y.map({label: code for code, label in enumerate(classes)})
    if key == "catboost":
        (X, nominal), (X_test, _) = as_text(X), as_text(X_test)
        options = {"cat_features": nominal}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what EBM says of missing values
        y_prob = quick(key).fit(X, labels, **options).predict_proba(X_test)
    np.testing.assert_allclose(found, y_prob, rtol=0, atol=1e-6)


@parametrized(RIVALS)
def test_columns_are_those_of_their_classes(key):
    need(key)
    X = pd.DataFrame({"a": np.repeat([0.0, 1.0, 2.0], 40), "b": pd.Categorical(list("uvw") * 40)})
    y = np.repeat(["x", "y", "z"], 40)
    parameters = {"min_child_samples": 5} if key == "lightgbm" else {}
    y_prob = FairFit(quick(key, **parameters), ("z", "other", "x", "y")).fit(X, pd.Series(y)).forecast(X)
    assert np.array(["z", "other", "x", "y"])[y_prob.argmax(axis=1)].tolist() == y.tolist()


@parametrized(RIVALS)
def test_one_is_named_by_key_everywhere(key):
    need(key)
    truth = random_tan(n_attributes=3, arity=3, n_classes=2, random_state=3)
    X, y = truth.sample(120, random_state=1)
    if key in ("random_forest", "logistic", "boosting"):
        results = workbench.compare([key, "nb"], on=(X, y), cv=2, metrics="log_loss")
        assert set(results.cells()["state"]) == {"done"}
        study = f'name = "n"\nseed = 1\nlearners = ["{key}"]\n[[sources]]\ngenerator = "tan"'
        assert workbench.read_study(study).learners[0].key == key
    else:
        assert LearnerSpec(key, learner=key).made is not None


@pytest.mark.slow
def test_checks_of_invariances_take_them():
    need("xgboost")
    checked = workbench.check_invariances({"xgboost": quick("xgboost")}, max_seconds=20)
    assert "Unchanged by a refit" in str(checked)


@parametrized(OF_PACKAGES)
def test_a_missing_package_is_one_sentence_with_how_to_install_it(key, monkeypatch):
    place = catalogue.Elsewhere(f"not_there_{key}:Thing")
    monkeypatch.setattr(catalogue, "_own", lambda family: {key: place})
    catalogue.find.cache_clear()
    with pytest.raises(WorkbenchError) as caught:
        catalogue.find("learners", key)
    catalogue.find.cache_clear()
    assert re.fullmatch(
        rf"learner '{key}' needs the package not_there_{key}, .* pip install .*", str(caught.value)
    )
    assert "://" not in str(caught.value)


@pytest.mark.parametrize("named", [["a"], [1], np.array(["a"]), None], ids=str)
def test_catboost_may_name_its_categories(named):
    need("catboost")
    from catboost import CatBoostClassifier

    X = pd.DataFrame({"x": [0.5, 1.5, 2.5, 3.5] * 10, "a": pd.Categorical(list("uvuw") * 10)})
    y = pd.Series(list("pqpq") * 10)
    made = CatBoostClassifier(iterations=3, cat_features=named)
    for learner in (made, make_pipeline(made), GridSearchCV(made, {"depth": [2]}, cv=2)):
        y_prob = FairFit(LearnerSpec("c", estimator=learner).build(), ("p", "q")).fit(X, y).forecast(X)
        assert (y_prob.argmax(axis=1) == (y == "q")).all()


def test_a_number_that_catboost_is_told_to_take_as_a_category_is_one():
    need("catboost")
    from catboost import CatBoostClassifier

    X = pd.DataFrame({"zip": [1000, 2000, np.nan, 4000] * 10, "x": np.arange(40.0)})
    y = pd.Series(list("pqpq") * 10)
    made = CatBoostClassifier(iterations=3, cat_features=["zip"])
    fit = FairFit(LearnerSpec("c", estimator=made).build(), ("p", "q")).fit(X, y)
    assert fit.learner.estimator_.fitted_.get_cat_feature_indices() == [0]
    wrong = LearnerSpec("c", estimator=CatBoostClassifier(iterations=3, cat_features=["none"])).build()
    with pytest.raises(ValueError, match="cat_features names 'none', which is no column"):
        FairFit(wrong, ("p", "q")).fit(X, y)


def test_catboost_neither_prints_nor_writes(capfd, tmp_path, monkeypatch):
    need("catboost")
    from catboost import CatBoostClassifier

    monkeypatch.chdir(tmp_path)
    train, test, classes = tables()["categories"]
    FairFit(CatBoostClassifier(iterations=3), classes).fit(*train).forecast(test[0])
    assert capfd.readouterr().out == ""
    assert not any(tmp_path.iterdir())


def test_a_search_of_xgboost_meets_folds_without_a_class():
    need("xgboost")
    train, test, classes = tables()["rare class"]
    search = GridSearchCV(quick("xgboost"), {"max_depth": [2]}, cv=2, error_score="raise", scoring="accuracy")
    y_prob = FairFit(search, classes).fit(*train).forecast(test[0])
    assert y_prob.shape == (90, 3)


def test_what_is_frozen_stays_fitted():
    need("lightgbm")
    X, y = pd.DataFrame({"x": np.arange(60.0)}), np.arange(60) // 30
    frozen = FrozenEstimator(quick("lightgbm").fit(X, y))
    assert readied(frozen) is frozen


def test_estimators_without_rivals_stay_the_same_objects():
    learner = make_pipeline("passthrough", quick("random_forest"))
    assert readied(learner) is learner


def test_a_reader_has_the_parameters_of_its_estimator():
    need("xgboost")
    reader = readied(quick("xgboost"))
    copied = clone(reader).set_params(max_depth=7)
    assert copied.get_params()["max_depth"] == 7
    assert reader.get_params()["max_depth"] is None


# ---- early stopping


@pytest.mark.filterwarnings("ignore:early_stopped.*boosting still improved in the last of its 4 rounds")
@parametrized(BOOSTING)
def test_early_stopping_keeps_fewer_rounds_and_says_how_many(key):
    need(key)
    rounds = {"catboost": "iterations", "boosting": "max_iter"}.get(key, "n_estimators")
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": pd.Categorical(rng.choice(list("uv"), 150)), "b": rng.normal(size=150)})
    y = pd.Series(np.where(rng.random(150) < 0.3, X["a"].astype(str), rng.choice(list("uv"), 150)))
    y[0], X.loc[::10] = "rare", np.nan
    stopped = early_stopped({"learner": key, rounds: 300}, patience=5, random_state=1)
    fit = FairFit(clone(stopped), ("rare", "u", "v")).fit(X, y)
    assert 1 <= fit.learner.n_rounds_ < 300
    assert fit.learner.fitted_.estimator.get_params()[rounds] == fit.learner.n_rounds_
    again = FairFit(clone(stopped), ("rare", "u", "v")).fit(X, y)
    np.testing.assert_allclose(again.forecast(X), fit.forecast(X))
    changed = clone(stopped).set_params(**{f"of__{rounds}": 4, "fraction": 0.3})
    assert FairFit(changed, ("rare", "u", "v")).fit(X, y).learner.n_rounds_ <= 4


@parametrized(BOOSTING)
def test_boosting_that_reaches_its_ceiling_warns(key):
    need(key)
    rounds = {"catboost": "iterations", "boosting": "max_iter"}.get(key, "n_estimators")
    X = pd.DataFrame({"x": np.arange(200.0)})
    y = pd.Series(np.where(X["x"] < 100, "a", "b"))
    with pytest.warns(ConvergenceWarning, match=f"in the last of its 3 rounds: raise {rounds}"):
        early_stopped({"learner": key, rounds: 3}, random_state=1).fit(X, y)


@parametrized(BOOSTING)
def test_a_key_alone_may_make_a_thousand_rounds(key):
    need(key)
    name, given = "max_iter" if key == "boosting" else "n_estimators", early_stopped(key).of.get_params()
    assert given.get(name, given.get("iterations")) in (1000, *([None] if key == "catboost" else []))


def rows_to_stop_by(n=200):
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    return X, pd.Series(np.where(X["a"] + rng.normal(size=n) > 0, "yes", "no"))


def test_without_a_refit_it_forecasts_as_in_the_best_round():
    X, y = rows_to_stop_by()
    boosting = HistGradientBoostingClassifier(max_iter=100, random_state=0)
    stopped = early_stopped(boosting, patience=10, refit=False, random_state=1).fit(X, y)
    held = stopped._held_out((y == "yes").to_numpy().astype(int))
    plain = clone(boosting).set_params(early_stopping=False).fit(X[~held], y[~held])
    own = (y[held] == "yes").to_numpy().astype(int)
    losses = [
        -np.log(y_prob[np.arange(own.size), own]).mean() for y_prob in plain.staged_predict_proba(X[held])
    ]
    assert stopped.n_rounds_ == np.argmin(losses) + 1 < 100
    best = list(plain.staged_predict_proba(X))[stopped.n_rounds_ - 1]
    np.testing.assert_allclose(stopped.predict_proba(X), best)
    assert stopped.predict(X).tolist() == stopped.classes_[best.argmax(axis=1)].tolist()


def test_weights_count_in_the_rounds_and_in_the_fit_without_a_refit():
    X, y = rows_to_stop_by()
    stopped = early_stopped(
        {"learner": "boosting", "max_iter": 100}, patience=10, refit=False, random_state=1
    )
    plain, ones, heavy = (
        clone(stopped).fit(X, y, sample_weight=weight).predict_proba(X)
        for weight in (None, np.ones(len(y)), np.where(y == "yes", 9.0, 1.0))
    )
    np.testing.assert_allclose(plain, ones)
    assert heavy[:, 1].mean() > plain[:, 1].mean() + 0.2


@pytest.mark.parametrize("as_array", [False, True])
def test_a_column_without_numbers_is_no_obstacle_to_early_stopping(as_array):
    X, y = rows_to_stop_by(60)
    X["nothing"] = np.nan
    X.loc[3, "nothing"] = 1.0  # which may be held out
    stopped = early_stopped({"learner": "boosting", "max_iter": 5}, patience=5, refit=False, random_state=1)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*still improved")
        for given in (X, X.assign(nothing=np.nan)):
            rows = given.to_numpy() if as_array else given
            assert stopped.fit(rows, y).score(rows, y) > 0.55


@parametrized(BOOSTING)
@pytest.mark.filterwarnings("ignore:.*still improved in the last")
def test_in_a_pool_a_key_stops_early_takes_weights_and_gives_the_mean_of_the_folds(key):
    need(key)
    X, y = rows_to_stop_by(150)
    X["color"] = pd.Categorical(np.where(X["a"] > 0.5, "red", "blue"))
    X.loc[::9, "b"] = np.nan
    weight = np.random.default_rng(0).integers(1, 4, 150).astype(float)
    pool = workbench.PooledClassifier(["prior", key]).fit(X, y, sample_weight=weight)
    assert pool.weights_[key] > 0.5
    (models,) = [own for own in pool._models if own[0].name == key]
    assert len(models) == 5
    assert all(one.estimator.n_rounds_ < 300 for one in models)
    assert pool.held_out_.loc[key, "loss"] < 0.95
    strange = X.head(4).assign(color=["green", "red", None, "blue"], a=np.nan)
    np.testing.assert_allclose(pool.predict_proba(strange).sum(axis=1), 1.0)


def test_of_one_class_or_single_rows_nothing_is_held_out():
    X, y = pd.DataFrame({"x": np.arange(6.0)}), pd.Series(list("aaaaaa"))
    stopped = early_stopped({"learner": "boosting", "max_iter": 2})
    assert stopped.fit(X, y).n_rounds_ is None
    assert stopped.fit(X, pd.Series(list("abcdef"))).n_rounds_ is None


@pytest.mark.filterwarnings("ignore:.*still improved in the last")  # by the split, which is drawn
def test_early_stopping_takes_arrays_and_stands_in_a_search():
    X, y = np.random.default_rng(0).normal(size=(80, 2)), np.arange(80) % 2
    search = GridSearchCV(
        early_stopped({"learner": "boosting", "max_iter": 5}), {"of__max_depth": [2]}, cv=2
    ).fit(X, y)
    assert search.best_estimator_.n_rounds_ >= 1


@pytest.mark.parametrize(
    "options, words",
    [
        (
            {"of": "nb"},
            "got a NaiveBayesClassifier: expected an unfitted CatBoost.*, or a key",
        ),
        ({"of": None}, "got no learner"),
        ({"of": "boosting", "fraction": 1}, "fraction is 1: expected a number between 0 and 1"),
        ({"of": "boosting", "patience": 0}, "patience is 0"),
    ],
)
def test_early_stopping_refuses_what_it_cannot_do_in_a_sentence(options, words):
    X, y = pd.DataFrame({"x": [0.0, 1.0]}), pd.Series(["a", "b"])
    with pytest.raises(WorkbenchError, match=words):
        early_stopped(**options).fit(X, y)


def test_early_stopping_of_what_is_no_boosting_is_refused_before_any_fit():
    boosting = HistGradientBoostingClassifier()
    for of in (make_pipeline(StandardScaler(), boosting), RandomForestClassifier(), None):
        for learner in (early_stopped(of), make_pipeline(StandardScaler(), early_stopped(of))):
            with pytest.raises(
                WorkbenchError, match=r"got .*make_pipeline\(prep, early_stopped\(booster\)\)"
            ):
                LearnerSpec("e", estimator=learner)
    LearnerSpec("e", estimator=make_pipeline(StandardScaler(), early_stopped(boosting)))


def test_early_stopping_is_a_line_of_a_study():
    line = '{key = "stopped", learner = "early_stopped", of = {learner = "boosting", max_iter = 20}}'
    study = workbench.read_study(
        f'name = "n"\nseed = 2\nlearners = [{line}]\n[[sources]]\ngenerator = "tan"\nn_attributes = 2\n'
        "[design]\nreplicates = 1\nsizes = [60]\nn_test = 20"
    )
    assert workbench.read_study(workbench.write_study(study)) == study
    assert workbench.run(study).cells()["state"].tolist() == ["done"]


def test_every_wrapping_is_tried():
    assert {"bare", "pipeline", "grid", "calibrated", "recalibrated", "early_stopped"} == set(
        wrapped("boosting")
    )
