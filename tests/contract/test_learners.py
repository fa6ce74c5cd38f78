"""What every learner promises; learners are found by folder, so a new one is tested without a line here."""

import importlib
import pickle
import pkgutil
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import learners
from learners.base import ProbabilisticClassifier
from learners.facts import LearnerFacts
from workbench import PooledClassifier

FAMILIES = ("bayes", "trees", "rules", "averages")  # every file in these folders is a learner
FILES = [
    *(
        module.name
        for family in FAMILIES
        for module in pkgutil.iter_modules(
            importlib.import_module(f"learners.{family}").__path__, f"learners.{family}."
        )
        if not module.ispkg
    ),
    "learners.networks.camml",
    "learners.networks.gaussian_camml",
]


def classes_in(file: str) -> list[type]:
    """List the learners that a file defines."""
    return [
        member
        for member in vars(importlib.import_module(file)).values()
        if isinstance(member, type)
        and issubclass(member, ProbabilisticClassifier)
        and member.__module__ == file
    ]


CLASSIFIERS = [cls for file in FILES for cls in classes_in(file) if "facts" in vars(cls)]
#: Options that lead through other code than the defaults, by the key of the learner.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "nb": [
        {"smoothing": "friedman"},
        {"smoothing": "backoff", "numeric": "mdlp"},
        {"alpha": 0.5},
        {"numeric": "gaussian"},
        {"numeric": "kernel"},
        {"numeric": "mdlp"},
    ],
    "nb_m_estimate": [{"m": 2.5}, {"m": 0}, {"numeric": "mdlp"}, {"missing": "left_out", "small": 3}],
    "tan": [
        {"smoothing": "laplace"},
        {"smoothing": "simple"},
        {"smoothing": "backoff"},
        {"structure": "superparent"},
        {"structure": "superparent", "smoothing": "laplace"},
    ],
    "averaged_tan": [{"alpha": 0.5}],
    "averaged_assumptions": [
        {"assumptions": ("naive_bayes", "tan")},
        {"assumptions": ("tan", "kdb", "dag"), "weights": (1, 2, 3), "alpha": 0.5, "max_parents": 1},
    ],
    "aode": [
        {"smoothing": "friedman"},
        {"smoothing": "backoff"},
        {"smoothing": "m_estimate"},
        {"alpha": 0.5},
        {"weights": "mutual_information"},
    ],
    "ande": [
        {"n": 0},
        {"n": 1},
        {"smoothing": "friedman"},
        {"smoothing": "m_estimate"},
        {"smoothing": "backoff"},
    ],
    "kdb": [{"k": 0}, {"k": 2}, {"k": 2, "smoothing": "laplace"}, {"k": 2, "smoothing": "backoff"}],
    "selective_kdb": [{"k": 1}],
    "camml": [{"local_model": "auto"}, {"search": "blanket"}],
    "gaussian_camml": [{"coefficient_prior": "noise", "max_parents": 1}],
    "averaged_discretizations": [{"discretization": "mdlp"}, {"discretization": 4}],
    "bn_ensemble": [
        {"kinds": ("logistic",), "calibrated": False},
        {"kinds": ("finish",), "k": 0, "n_jobs": 2},
    ],
    "c45": [{"prune": False}],
    "j48": [
        {"prune": False},
        {"prune": False, "collapse": False},
        {"raising": False},
        {"min_weight": 1, "confidence": 0.5},
    ],
    "c50": [{"probabilities": "leaf"}, {"global_pruning": False}, {"trials": 10}],
    "one_r": [{"missing_sets": "predicted"}],
    "stump": [{"bins": 4}, {"split": "binary"}],
    "foil": [{"negation": False}, {"gain": "1990", "allowance": 1.0, "min_accuracy": 0.85}],
    "induct_rdr": [{"statistic": "hypergeometric"}],
    "induct_dnf": [{"statistic": "hypergeometric", "limit": 0.5}],
    "mml_tree": [{"lookahead": 2}, {"alpha": "search", "cut_code": "uniform"}],
    "mml_graph": [{"joins": False}, {"joins": "oliver", "join_code": "pattern", "alpha": 0.5}],
}
VARIANTS = [
    *(partial(learners.LEARNERS[key], **options) for key, several in OPTIONS.items() for options in several),
    partial(PooledClassifier, learners=("nb", "logistic")),
]
#: Learners of each way to read a table: as intervals, as numbers, as counts, and for others inside.
READERS = [
    learners.LEARNERS[key] for key in ("kdb", "c45", "aode", "averaged_discretizations", "bn_ensemble")
]
#: Learners that fit many models, or search long.
FIT_MANY = [learners.LEARNERS[key] for key in ("averaged_discretizations", "bn_ensemble", "gaussian_camml")]
#: Learners whose forecasts, or class priors, are frequencies of training rows, zeros among them.
EXCLUDES_CLASSES = ("nb_m_estimate", "c45", "j48", "c50", "c45rules", "one_r", "stump", "induct_rdr")
#: Learners that look at one attribute or none, so they need not find the one that tells the class.
LOOKS_AT_ONE_ATTRIBUTE = ("one_r", "stump", "prior")
SETS_OF_RULES = {
    "check_classifiers_train": "predict names the class of the firing rules, else the most frequent one; "
    "predict_proba tells how often each class was right where training rows got the same set"
}
WHOLE_ROWS = {
    "check_sample_weight_equivalence_on_dense_data": "a row is held out as a whole, and its copies are not"
}
#: Checks of scikit-learn that fail on purpose, with the reason.
EXPECTED_FAILURES = {
    "foil": SETS_OF_RULES,
    "induct_dnf": SETS_OF_RULES,
    **dict.fromkeys(["bn_ensemble", "pooled"], WHOLE_ROWS),
}
#: Ways to take missing values by which a row of nothing else need not get the class prior.
NO_PRIOR = ("fails tests", "own score", "as inside")
VOTES = [Learner for Learner in VARIANTS if Learner.keywords.get("trials", 1) > 1]


def name_of(Learner: Any) -> str:
    if isinstance(Learner, type):
        return Learner.__name__
    return "-".join([Learner.func.__name__, *(f"{key}={value}" for key, value in Learner.keywords.items())])


def class_of(Learner: Any) -> type:
    return Learner if isinstance(Learner, type) else Learner.func


def facts_of(Learner: Any) -> LearnerFacts:
    return class_of(Learner).facts


def each(holds: Callable[[Any], bool] = lambda Learner: True) -> Any:
    """Parametrize a test by learners as they come, and slowly by those with options."""
    chosen = [Learner for Learner in CLASSIFIERS if holds(Learner)]
    slow = [pytest.param(Learner, marks=pytest.mark.slow) for Learner in VARIANTS if holds(Learner)]
    return pytest.mark.parametrize("Learner", [*chosen, *slow], ids=name_of)


EACH = each()
EACH_READER = pytest.mark.parametrize("Learner", READERS, ids=name_of)
ARITIES = (3, 2, 4)


def test_a_learner_file_declares_facts_and_is_exported() -> None:
    for file in FILES:
        classes = classes_in(file)
        assert classes, f"{file} defines no learner: what learners share is in a folder next to it"
        for cls in classes:
            facts = vars(cls).get("facts")
            assert isinstance(facts, LearnerFacts), f"{file}: {cls.__name__} declares no facts"
            assert learners.LEARNERS.get(facts.key) is cls, f"{file}: add its import to learners/__init__.py"
            assert cls.__name__ in learners.__all__
    assert set(learners.LEARNERS.values()) == set(CLASSIFIERS)


def expected_failures(learner: Any) -> dict[str, str]:
    return EXPECTED_FAILURES.get(learner.facts.key, {})


@parametrize_with_checks(
    [cls() for cls in CLASSIFIERS if cls not in FIT_MANY], expected_failed_checks=expected_failures
)
@pytest.mark.filterwarnings("ignore:The table is too large:learners.AssumptionsLeftOutWarning")
@pytest.mark.filterwarnings("ignore:Column:UserWarning")  # integer frames of the checks are meant as numbers
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")  # the array API is not claimed
def test_scikit_learn_contract(estimator, check) -> None:
    check(estimator)


@pytest.mark.slow
@pytest.mark.parametrize("Learner", [*FIT_MANY, *VARIANTS], ids=name_of)
@pytest.mark.filterwarnings("ignore:The table is too large:learners.AssumptionsLeftOutWarning")
@pytest.mark.filterwarnings("ignore:Column:UserWarning")
def test_scikit_learn_contract_as_a_whole(Learner) -> None:
    learner = Learner()
    check_estimator(learner, expected_failed_checks=expected_failures(learner), on_skip=None)


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
    assert facts_of(Learner).key in EXCLUDES_CLASSES or (forecast > 0).all()


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


# those of learners as they come are in test_learner_facts.py
@pytest.mark.slow
@pytest.mark.parametrize(
    "Learner", [one for one in VARIANTS if facts_of(one).weights in ("any", "whole")], ids=name_of
)
def test_a_weight_is_as_many_rows_with_other_options(Learner) -> None:
    X, y = dependent_rows()
    X["height"] = y.cat.codes + np.random.default_rng(5).normal(0, 0.7, len(X)).round(2)
    weight = np.random.default_rng(1).integers(0, 4, len(X))
    rows = np.repeat(np.arange(len(X)), weight)
    weighted = Learner().fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = Learner().fit(X.iloc[rows], y.iloc[rows])
    np.testing.assert_allclose(weighted, repeated.predict_proba(X), atol=1e-12)
    if facts_of(Learner).weights == "any":
        rows = np.repeat(np.arange(len(X)), 2)
        halves = Learner().fit(X.iloc[rows], y.iloc[rows], sample_weight=np.full(len(rows), 0.5))
        np.testing.assert_allclose(halves.predict_proba(X), Learner().fit(X, y).predict_proba(X), atol=1e-12)


@each(lambda Learner: hasattr(Learner(), "partial_fit"))
@pytest.mark.parametrize(
    ("n_batches", "weighted"), [(2, False), pytest.param(7, True, marks=pytest.mark.slow)]
)
def test_batches_of_a_nominal_table_give_one_fit_to_the_bit(Learner, n_batches, weighted) -> None:
    X, y = dependent_rows(30)
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


# where no rule fires, rules answer with the training rows on which none did
@each(lambda Learner: facts_of(Learner).missing not in NO_PRIOR and Learner not in VOTES)
def test_a_row_with_all_values_missing_gets_the_class_prior(Learner) -> None:
    X, y = dependent_rows()
    learner = Learner().fit(X, y)
    nothing = X.head(1).mask(X.head(1).notna())
    if hasattr(learner, "class_prior_"):
        want = learner.class_prior_
    else:  # of a network in which the class has parents, its marginal
        every = pd.MultiIndex.from_product([X[name].cat.categories for name in X], names=list(X)).to_frame()
        rows = every.apply(lambda column: pd.Categorical(column, categories=X[column.name].cat.categories))
        if hasattr(learner, "network_"):
            joint = [learner.network_.log_joint(rows, np.full(len(rows), one)) for one in learner.classes_]
        else:  # or of an average
            joint = learner.log_joint(rows).T
        want = np.exp(joint).sum(axis=1)
    np.testing.assert_allclose(learner.predict_proba(nothing), [want], rtol=1e-12)


@EACH
def test_numbers_that_are_all_missing_leave_the_rest(Learner) -> None:
    X, y = dependent_rows()
    mixed = X.assign(height=y.cat.codes + np.random.default_rng(5).normal(0, 0.3, len(X)))
    learner = Learner().fit(mixed, y)
    nothing = mixed.head(1).mask(mixed.head(1).notna()).astype({"height": float})
    if (
        hasattr(learner, "class_prior_")
        and facts_of(Learner).missing != "fails tests"
        and Learner not in VOTES
    ):
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
    assert facts_of(Learner).key in EXCLUDES_CLASSES or np.isfinite(learner.predict_log_proba(holes)).all()


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
    assert (learner.predict_proba(X)[:, 3] > 0).all() or facts_of(Learner).key in EXCLUDES_CLASSES


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
    if facts_of(Learner).key not in LOOKS_AT_ONE_ATTRIBUTE:
        assert learner.score(mixed, y) > 0.9


@pytest.mark.filterwarnings("ignore::learners.ConstantColumnWarning")
@EACH
def test_ties_go_to_the_class_declared_first(Learner) -> None:
    y = pd.Series(pd.Categorical(["b", "a"] * 10, categories=["b", "a"]))
    X = pd.DataFrame({"same": pd.Categorical(["v"] * 20)})
    assert set(Learner().fit(X, y).predict(X)) == {"b"}


@EACH_READER
@pytest.mark.parametrize(
    ("X", "y", "error", "sentence"),
    [
        (np.array([[0, -2], [1, 0]]), [0, 1], ValueError, r"0 .* 65,535 .* -2"),
        (np.array([[0, 70_000], [1, 0]]), [0, 1], ValueError, "70000"),
        (
            np.array([[{}, 1], [2, 3]], dtype=object),
            [0, 1],
            TypeError,
            "'dict'",
        ),
        (
            pd.DataFrame({"a": [{}, "b"]}),
            [0, 1],
            TypeError,
            "'a': .*'dict'",
        ),
        (np.eye(2, dtype=int), ["a", None], ValueError, r"1.*2.*1"),
        (np.eye(2, dtype=int), [0.0, np.nan], ValueError, "1 of 2 rows"),
        (np.eye(2, dtype=int), pd.Categorical(["a", None]), ValueError, "1 of 2 rows"),
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
def test_bad_input_is_refused_in_one_line(Learner, X, y, error, sentence) -> None:
    with pytest.raises(error, match=sentence) as caught:
        Learner().fit(X, y)
    assert "\n" not in str(caught.value)


@EACH_READER
def test_another_number_of_columns_is_refused(Learner) -> None:
    X, y = dependent_rows()
    codes = np.column_stack([X[name].cat.codes for name in X]).astype(np.int64)
    learner = Learner().fit(codes, y)
    with pytest.raises(ValueError, match=r"2 .* 3"):
        learner.predict_proba(codes[:, :2])


@EACH_READER
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


@pytest.mark.filterwarnings("ignore::learners.ConstantColumnWarning")
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


@EACH_READER
def test_classes_of_different_types_are_refused(Learner) -> None:
    X, _ = dependent_rows(n=2)
    with pytest.raises(ValueError, match=r"classes .* sorted"):
        Learner().fit(X, pd.Categorical([1, "a"], categories=[1, "a"]))


@each(lambda Learner: "network_.plot" in facts_of(Learner).also)
def test_the_learned_network_gives_the_forecast(Learner) -> None:
    X, y = dependent_rows()
    learner = Learner().fit(X, y.rename("target"))
    network = learner.network_
    assert network.names == ("a", "b", "c", "target")
    holed = X.mask(np.random.default_rng(2).random(X.shape) < 0.3)
    for rows in (X, holed):
        np.testing.assert_allclose(network.posterior(rows), learner.predict_proba(rows), atol=1e-12)
