"""What every learner promises; found through `learners.__all__`."""

import inspect
import pickle
import warnings
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import learners
from learners.base import ProbabilisticClassifier

CLASSIFIERS = [
    cls
    for name in learners.__all__
    if inspect.isclass(cls := getattr(learners, name)) and issubclass(cls, ClassifierMixin)
]
VARIANTS = [  # options that lead through other code than the defaults
    partial(learners.NaiveBayesClassifier, smoothing="n0"),
    partial(learners.NaiveBayesClassifier, alpha=0.5),
    partial(learners.TANClassifier, smoothing="laplace"),
    partial(learners.TANClassifier, smoothing="simple"),
    partial(learners.NaiveBayesClassifier, numeric="gaussian"),
    partial(learners.NaiveBayesClassifier, numeric="kernel"),
    partial(learners.NaiveBayesClassifier, numeric="mdlp"),
    partial(learners.AODEClassifier, smoothing="n0"),
    partial(learners.AODEClassifier, smoothing="m_estimate"),
    partial(learners.AODEClassifier, alpha=0.5),
    partial(learners.TANClassifier, structure="superparent"),
    partial(learners.TANClassifier, structure="superparent", smoothing="laplace"),
    partial(learners.AODEClassifier, weights="mutual_information"),
    partial(learners.AnDEClassifier, n=0),
    partial(learners.AnDEClassifier, n=1),
    partial(learners.AnDEClassifier, smoothing="n0"),
    partial(learners.AnDEClassifier, smoothing="m_estimate"),
    partial(learners.KDBClassifier, k=0),
    partial(learners.KDBClassifier, k=2),
    partial(learners.KDBClassifier, k=2, smoothing="laplace"),
    partial(learners.C45Classifier, prune=False),
    partial(learners.C45Classifier, single_precision=True),
    partial(learners.J48Classifier, prune=False),
    partial(learners.J48Classifier, prune=False, collapse=False),
    partial(learners.J48Classifier, raising=False),
    partial(learners.J48Classifier, min_weight=1, confidence=0.5),
    partial(learners.C50Classifier, probabilities="leaf"),
    partial(learners.C50Classifier, global_pruning=False),
    partial(learners.C50Classifier, trials=10),
    partial(learners.C45RulesClassifier, single_precision=True),
    partial(learners.OneRClassifier, missing_sets="program"),
    partial(learners.DecisionStumpClassifier, bins=4),
    partial(learners.DecisionStumpClassifier, split="binary"),
    partial(learners.FOILClassifier, negation=False),
    partial(learners.FOILClassifier, gain="1990", allowance=1.0, min_accuracy=0.85),
    partial(learners.InductRDRClassifier, statistic="hypergeometric"),
    partial(learners.InductDNFClassifier, statistic="hypergeometric", limit=0.5),
    partial(learners.MMLTreeClassifier, lookahead=2),
    partial(learners.MMLTreeClassifier, alpha="search", cut_code="uniform"),
    partial(learners.MMLGraphClassifier, joins=False),
    partial(learners.MMLGraphClassifier, joins="oliver", join_code="pattern", alpha=0.5),
]
AVERAGES = (learners.AODEClassifier, learners.AnDEClassifier)  # which are no network
MESSAGES = (learners.MMLTreeClassifier, learners.MMLGraphClassifier)  # nor these
# nor these; their leaves exclude classes
TREES = (learners.C45Classifier, learners.J48Classifier, learners.C50Classifier)
SETS_OF_RULES = (learners.FOILClassifier, learners.InductDNFClassifier)
ONE_ATTRIBUTE = (learners.OneRClassifier, learners.DecisionStumpClassifier)
RULES = (*SETS_OF_RULES, learners.InductRDRClassifier, learners.C45RulesClassifier)
FREQUENCIES = (  # whose answers may exclude a class
    *TREES,
    *ONE_ATTRIBUTE,
    learners.InductRDRClassifier,
    learners.C45RulesClassifier,
)
VOTES = [Learner for Learner in VARIANTS if Learner.keywords.get("trials", 1) > 1]


def name_of(Learner: Any) -> str:
    if isinstance(Learner, type):
        return Learner.__name__
    return "-".join([Learner.func.__name__, *(f"{key}={value}" for key, value in Learner.keywords.items())])


def class_of(Learner: Any) -> type:
    return Learner if isinstance(Learner, type) else Learner.func


EACH = pytest.mark.parametrize("Learner", [*CLASSIFIERS, *VARIANTS], ids=name_of)
WEIGHTED = [
    Learner
    for Learner in (*CLASSIFIERS, *VARIANTS)
    if "sample_weight" in inspect.signature(Learner().fit).parameters
]
# CaMML tells whole rows
REAL_WEIGHTED = [Learner for Learner in WEIGHTED if Learner is not learners.CaMMLClassifier]
INCREMENTAL = [Learner for Learner in (*CLASSIFIERS, *VARIANTS) if hasattr(Learner(), "partial_fit")]
ARITIES = (3, 2, 4)


def differs_on_purpose(estimator: Any) -> dict[str, str]:
    if not isinstance(estimator, SETS_OF_RULES):
        return {}
    return {
        "check_classifiers_train": "predict names the class of the firing rules, else the most frequent one; "
        "predict_proba tells how often each class was right where training rows got the same set"
    }


@parametrize_with_checks(
    [Learner() for Learner in (*CLASSIFIERS, *VARIANTS)], expected_failed_checks=differs_on_purpose
)
@pytest.mark.filterwarnings("ignore:Column:UserWarning")  # integer frames of the checks are meant as numbers
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")  # the array API is not claimed
def test_scikit_learn_contract(estimator, check) -> None:
    check(estimator)


def dependent_rows(n: int = 120, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    a = (y + rng.integers(0, 2, n)) % ARITIES[0]
    b = (a + rng.integers(0, 2, n)) % ARITIES[1]
    c = (a + b + rng.integers(0, 3, n)) % ARITIES[2]
    X = pd.DataFrame(
        {
            name: pd.Categorical(
                [f"{name}{v}" for v in codes], categories=[f"{name}{v}" for v in range(arity)]
            )
            for name, codes, arity in zip("abc", (a, b, c), ARITIES, strict=True)
        }
    )
    return X, pd.Series(pd.Categorical.from_codes(y, categories=["k0", "k1", "k2"]))


@EACH
def test_rows_of_a_forecast_sum_to_one(Learner) -> None:
    X, y = dependent_rows()
    forecast = Learner().fit(X, y).predict_proba(X)
    np.testing.assert_allclose(forecast.sum(axis=1), 1, atol=1e-12)
    assert (forecast >= 0).all()
    assert class_of(Learner) in FREQUENCIES or (forecast > 0).all()


@EACH
def test_every_container_gives_the_same_forecast(Learner) -> None:
    X, y = dependent_rows()
    codes = np.column_stack([X[name].cat.codes for name in X]).astype(np.int64)
    want = Learner().fit(X, y).predict_proba(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = (
            Learner(arities=ARITIES).fit(codes, y).predict_proba(codes)
            if "arities" in Learner().get_params()
            else (Learner().fit(codes, y).predict_proba(codes))
        )
        text = Learner().fit(X.astype(object), y.astype(object)).predict_proba(X.astype(object))
    np.testing.assert_array_equal(got, want)
    np.testing.assert_allclose(text, want, atol=1e-12)


@EACH
def test_relabelled_classes_permute_the_forecast(Learner) -> None:
    X, y = dependent_rows()
    renamed = y.cat.rename_categories({"k0": "z", "k1": "m", "k2": "a"})
    before = Learner().fit(X, y).predict_proba(X)
    after = Learner().fit(X, renamed)
    np.testing.assert_array_equal(after.classes_, ["a", "m", "z"])
    np.testing.assert_allclose(after.predict_proba(X)[:, ::-1], before, atol=1e-12)


@EACH
def test_relabelled_states_leave_the_forecast(Learner) -> None:
    X, y = dependent_rows()
    turned = X.apply(lambda column: column.cat.reorder_categories(column.cat.categories[::-1]))
    np.testing.assert_allclose(
        Learner().fit(turned, y).predict_proba(turned), Learner().fit(X, y).predict_proba(X), atol=1e-12
    )


@pytest.mark.parametrize("Learner", WEIGHTED, ids=name_of)
def test_a_whole_weight_equals_repeating_the_row(Learner) -> None:
    X, y = dependent_rows()
    weight = np.random.default_rng(1).integers(0, 4, len(X))
    weighted = Learner().fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = (
        Learner().fit(X.loc[np.repeat(X.index, weight)], y.loc[np.repeat(y.index, weight)]).predict_proba(X)
    )
    np.testing.assert_allclose(weighted, repeated, atol=1e-12)


@pytest.mark.parametrize("Learner", REAL_WEIGHTED, ids=name_of)
def test_half_a_weight_twice_is_the_row_once(Learner) -> None:
    X, y = dependent_rows()
    X["height"] = y.cat.codes + np.random.default_rng(5).normal(0, 0.7, len(X)).round(2)
    twice = X.loc[np.repeat(X.index, 2)]
    halves = Learner().fit(twice, y.loc[twice.index], sample_weight=np.full(len(twice), 0.5))
    once = Learner().fit(X, y)
    np.testing.assert_allclose(halves.predict_proba(X), once.predict_proba(X), atol=1e-12)
    for name, cuts in getattr(once, "cut_points_", {}).items():
        np.testing.assert_array_equal(halves.cut_points_[name], cuts)


@pytest.mark.parametrize("Learner", INCREMENTAL, ids=name_of)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_batches", [2, 7, 120])
def test_batches_of_a_nominal_table_give_one_fit_to_the_bit(Learner, weighted, n_batches) -> None:
    X, y = dependent_rows()
    X = X.mask(np.random.default_rng(2).random(X.shape) < 0.1)
    order = np.argsort(X["c"].cat.codes, kind="stable")  # the values of c come one after the other
    codes = np.column_stack([X[name].cat.codes for name in X]).astype(np.int64)[order]
    text, labels = X.astype(object).iloc[order], y.astype(object).iloc[order]
    weight = np.random.default_rng(3).random(len(X)) if weighted else None
    for table in (codes, text):
        parts = Learner()
        for rows in np.array_split(np.arange(len(X)), n_batches):
            part = table[rows] if isinstance(table, np.ndarray) else table.iloc[rows]
            parts.partial_fit(
                part, labels.iloc[rows], ["k0", "k1", "k2"], None if weight is None else weight[rows]
            )
        once = Learner().fit(table, labels, sample_weight=weight)
        np.testing.assert_array_equal(parts.predict_proba(table), once.predict_proba(table))
        np.testing.assert_array_equal(parts.arities_, once.arities_)


@pytest.mark.parametrize(
    "Learner",
    # where no rule fires, rules answer with the training rows on which none did
    [
        Learner
        for Learner in (*CLASSIFIERS, *VARIANTS)
        if class_of(Learner) not in RULES and Learner not in VOTES
    ],
    ids=name_of,
)
def test_a_row_with_all_values_missing_gets_the_class_prior(Learner) -> None:
    X, y = dependent_rows()
    learner = Learner().fit(X, y)
    nothing = X.head(1).mask(X.head(1).notna())
    if hasattr(learner, "class_prior_"):
        want = learner.class_prior_
    else:  # of a network in which the class has parents, its marginal
        every = pd.MultiIndex.from_product([X[name].cat.categories for name in X], names=list(X)).to_frame()
        rows = every.apply(lambda column: pd.Categorical(column, categories=X[column.name].cat.categories))
        joint = [learner.network_.log_joint(rows, np.full(len(rows), label)) for label in learner.classes_]
        want = np.exp(joint).sum(axis=1)
    np.testing.assert_allclose(learner.predict_proba(nothing), [want], rtol=1e-12)


@EACH
def test_numbers_that_are_all_missing_leave_the_rest(Learner) -> None:
    X, y = dependent_rows()
    mixed = X.assign(height=y.cat.codes + np.random.default_rng(5).normal(0, 0.3, len(X)))
    learner = Learner().fit(mixed, y)
    nothing = mixed.head(1).mask(mixed.head(1).notna()).astype({"height": float})
    if hasattr(learner, "class_prior_") and class_of(Learner) not in RULES and Learner not in VOTES:
        np.testing.assert_allclose(learner.predict_proba(nothing), [learner.class_prior_], rtol=1e-12)


@EACH
def test_an_unseen_value_is_taken_as_missing(Learner) -> None:
    X, y = dependent_rows()
    learner = Learner().fit(X, y)
    strange = X.head(5).astype(object)
    strange.loc[:3, "b"] = "never declared"
    holes = X.head(5).copy()
    holes.loc[:3, "b"] = None
    np.testing.assert_array_equal(learner.predict_proba(strange), learner.predict_proba(holes))
    assert class_of(Learner) in FREQUENCIES or np.isfinite(learner.predict_log_proba(holes)).all()


@EACH
def test_holes_in_training_are_no_error(Learner) -> None:
    X, y = dependent_rows()
    rng = np.random.default_rng(3)
    holed = X.astype(object).mask(rng.random(X.shape) < 0.2)
    holed = holed.apply(lambda column: pd.Categorical(column, categories=X[column.name].cat.categories))
    forecast = Learner().fit(holed, y).predict_proba(holed)
    np.testing.assert_allclose(forecast.sum(axis=1), 1, atol=1e-12)


@EACH
def test_a_declared_class_without_rows_gets_a_probability(Learner) -> None:
    X, y = dependent_rows()
    wider = y.cat.add_categories("k3")
    learner = Learner().fit(X, wider)
    assert learner.classes_.tolist() == ["k0", "k1", "k2", "k3"]
    assert (learner.predict_proba(X)[:, 3] > 0).all() or class_of(Learner) in FREQUENCIES


@EACH
def test_one_class_is_no_error(Learner) -> None:
    X, _ = dependent_rows()
    forecast = Learner().fit(X, ["only"] * len(X)).predict_proba(X)
    np.testing.assert_array_equal(forecast, np.ones((len(X), 1)))


@EACH
def test_a_pickle_gives_the_same_forecast(Learner) -> None:
    X, y = dependent_rows()
    learner = Learner().fit(X, y)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(learner)).predict_proba(X), learner.predict_proba(X)
    )


@EACH
def test_mixed_columns_are_read_by_dtype(Learner) -> None:
    X, y = dependent_rows()
    mixed = X.assign(height=y.cat.codes + np.random.default_rng(5).normal(0, 0.3, len(X)))
    learner = Learner().fit(mixed, y)
    missing = mixed.assign(height=np.nan)
    assert np.isfinite(learner.predict_proba(missing)).all()
    if class_of(Learner) not in (learners.PriorClassifier, *ONE_ATTRIBUTE):
        assert learner.score(mixed, y) > 0.9


@EACH
def test_ties_go_to_the_class_declared_first(Learner) -> None:
    y = pd.Series(pd.Categorical(["b", "a"] * 10, categories=["b", "a"]))
    X = pd.DataFrame({"same": pd.Categorical(["v"] * 20)})
    assert set(Learner().fit(X, y).predict(X)) == {"b"}


@EACH
@pytest.mark.parametrize(
    ("X", "y", "error", "sentence"),
    [
        (np.array([[0, -2], [1, 0]]), [0, 1], ValueError, "between 0 and 65,535 .* but X holds -2"),
        (np.array([[0, 70_000], [1, 0]]), [0, 1], ValueError, "but X holds 70000"),
        (
            np.array([[{}, 1], [2, 3]], dtype=object),
            [0, 1],
            TypeError,
            "must be a string or a number, not 'dict'",
        ),
        (
            pd.DataFrame({"a": [{}, "b"]}),
            [0, 1],
            TypeError,
            "'a': argument must be a string or a number, not 'dict'",
        ),
        (np.eye(2, dtype=int), ["a", None], ValueError, "1 of 2 rows have no class .*row 1"),
        (np.eye(2, dtype=int), [0.0, np.nan], ValueError, "1 of 2 rows have no class"),
        (np.eye(2, dtype=int), pd.Categorical(["a", None]), ValueError, "1 of 2 rows have no class"),
        (np.empty((0, 2), dtype=int), [], ValueError, "0 sample"),
        (pd.DataFrame({"a": pd.Categorical([])}), [], ValueError, "0 sample"),
    ],
    ids=[
        "code -2",
        "code 70000",
        "dict",
        "dict in a frame",
        "None class",
        "NaN class",
        "NaN declared",
        "no rows",
        "no rows, frame",
    ],
)
def test_bad_input_is_refused_in_one_sentence(Learner, X, y, error, sentence) -> None:
    with pytest.raises(error, match=sentence) as caught:
        Learner().fit(X, y)
    assert "\n" not in str(caught.value)


@EACH
def test_another_number_of_columns_is_refused(Learner) -> None:
    X, y = dependent_rows()
    codes = np.column_stack([X[name].cat.codes for name in X]).astype(np.int64)
    learner = Learner().fit(codes, y)
    with pytest.raises(ValueError, match=r"X has 2 features, but .* is expecting 3"):
        learner.predict_proba(codes[:, :2])


@EACH
@pytest.mark.parametrize(
    "change",
    [lambda X: X[["b", "a", "c"]], lambda X: X.rename(columns={"a": "q"}), lambda X: X.drop(columns="a")],
    ids=["another order", "another name", "one less"],
)
def test_other_columns_than_in_fit_are_refused(Learner, change) -> None:
    X, y = dependent_rows()
    learner = Learner().fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        learner.predict_proba(change(X))


@EACH
def test_a_column_that_is_all_missing_is_no_error(Learner) -> None:
    X, y = dependent_rows()
    for empty in (
        pd.Categorical([None] * len(X)),
        np.full(len(X), None, dtype=object),
        np.full(len(X), np.nan),
    ):
        forecast = Learner().fit(X.assign(b=empty), y).predict_proba(X.assign(b=empty))
        np.testing.assert_allclose(forecast.sum(axis=1), 1, atol=1e-12)


@EACH
def test_classes_of_different_types_are_refused(Learner) -> None:
    X, _ = dependent_rows(n=2)
    with pytest.raises(ValueError, match="y declares classes that cannot be sorted"):
        Learner().fit(X, pd.Categorical([1, "a"], categories=[1, "a"]))


@pytest.mark.parametrize(
    "Learner",
    [
        learners.NaiveBayesClassifier,
        learners.TANClassifier,
        learners.CaMMLClassifier,
        learners.KDBClassifier,
        *(v for v in VARIANTS if v.func not in (*AVERAGES, *MESSAGES, *FREQUENCIES, *RULES)),
    ],
    ids=name_of,
)
def test_the_learned_network_gives_the_forecast(Learner) -> None:
    X, y = dependent_rows()
    learner = Learner().fit(X, y.rename("target"))
    network = learner.network_
    assert network.names == ("a", "b", "c", "target")
    holed = X.mask(np.random.default_rng(2).random(X.shape) < 0.3)
    for rows in (X, holed):
        np.testing.assert_allclose(network.posterior(rows), learner.predict_proba(rows), atol=1e-12)


@EACH
def test_parameters_survive_a_clone(Learner) -> None:
    assert clone(Learner()).get_params() == Learner().get_params()
    assert isinstance(Learner(), ProbabilisticClassifier)
