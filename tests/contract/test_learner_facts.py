"""What `workbench list learners` says of ours is complete, agrees with their docstrings, and is true."""

import inspect
import itertools
import operator
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from generators import random_naive_bayes
from learners.facts import ANSWERS, MISSING, NUMBERS, WEIGHTS, LearnerFacts
from workbench.base import catalogue
from workbench.estimators.learner_facts import DECLARED, facts_of
from workbench.estimators.rivals import RIVALS

ROOT = Path(__file__).resolve().parents[2]
OURS = list(DECLARED)
# the truth needs a truth, the optima a law, a program a command, and what is recalibrated, early stopped or
# pretrained another learner
NEEDING = ("truth", "optimal", "optimal_mixture", "program", "recalibrated", "early_stopped", "pretrained")
ALONE = [key for key in OURS if key not in NEEDING]
# of three classes these can name two
TWO_BRANCHES = ("stump_binary",)
MANY = 20_000  # values of an attribute, of which pairs do not fit


def those(name, word):
    return [key for key in ALONE if getattr(facts_of(key), name) == word]


def made(key, **parameters):
    return catalogue.find("learners", key)(**parameters)


def mixed_rows(n=120, seed=0):
    """Return nominal columns and a number that tells most of the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    a = (y + rng.integers(0, 2, n)) % 3
    X = pd.DataFrame(
        {
            "a": pd.Categorical.from_codes(a, ["a0", "a1", "a2"]),
            "b": pd.Categorical.from_codes((a + rng.integers(0, 2, n)) % 2, ["b0", "b1"]),
            "height": y + rng.normal(0, 0.2, n),
        }
    )
    return X, pd.Series(pd.Categorical.from_codes(y, ["k0", "k1", "k2"]))


def nominal_rows():
    X, y = mixed_rows()
    return X.assign(height=pd.Categorical(X["height"] > 1)), y


def holed_rows():
    """Return one column that says p or q where it is known; where it is not, the class is r."""
    a = pd.Categorical(["u"] * 40 + ["v"] * 40 + [None] * 20)
    return pd.DataFrame({"a": a}), pd.Series(pd.Categorical(["p"] * 40 + ["q"] * 40 + ["r"] * 20))


def test_ours_declare_all_facts():
    for key in OURS:
        fact = facts_of(key)
        assert fact.authors
        assert fact.title
        assert fact.year
        assert fact.numbers in NUMBERS
        assert fact.missing in MISSING
        assert fact.weights in WEIGHTS
        assert "unknown" not in (fact.numbers, fact.missing, fact.weights), key


def test_the_catalogue_has_what_is_declared_and_one_of_other_people():
    assert set(DECLARED) == set(catalogue.keys("learners")) - {"cart", *RIVALS}


@pytest.mark.parametrize("key", those("numbers", "taken"))
def test_numbers_that_are_taken_tell_the_class_without_intervals_of_the_rule(key):
    X, y = mixed_rows()
    if key in TWO_BRANCHES:
        X, y = X[y != "k2"], y[y != "k2"]
    learner = made(key).fit(X[["height"]], y)
    assert learner.score(X[["height"]], y) > 0.9
    assert not hasattr(learner, "cut_points_")


@pytest.mark.parametrize("key", [*those("numbers", "intervals"), *those("numbers", "1R intervals")])
def test_numbers_in_one_interval_are_one_value(key):
    X, y = mixed_rows()
    learner = made(key).fit(X, y)
    assert learner.score(X, y) > 0.9
    edges = np.concatenate([[X["height"].min()], learner.cut_points_["height"], [X["height"].max()]])
    assert len(edges) > 2
    row = X.head(1)
    for low, high in itertools.pairwise(edges):
        within = [learner.predict_proba(row.assign(height=low + t * (high - low))) for t in (0.1, 0.9)]
        np.testing.assert_array_equal(*within)


@pytest.mark.parametrize("key", those("numbers", "not read"))
def test_columns_that_are_not_read_change_nothing(key):
    X, y = mixed_rows()
    learner = made(key).fit(X, y)
    assert len(np.unique(learner.predict_proba(X.mask(X["height"] > 1)), axis=0)) == 1
    assert facts_of(key).missing == "not read"


@pytest.mark.parametrize("key", those("missing", "left out"))
def test_a_value_that_is_left_out_leaves_the_forecast_of_the_other_columns(key):
    X, y = nominal_rows()
    for name in X:
        without = X.drop(columns=name)
        want = made(key).fit(without, y).predict_proba(without)
        got = made(key).fit(X, y).predict_proba(filled(X, name, None))
        np.testing.assert_allclose(got, want, atol=1e-12)


@pytest.mark.parametrize("key", those("missing", "summed out"))
def test_a_value_that_is_summed_out_is_averaged_over_all_that_it_may_be(key):
    X, y = nominal_rows()
    learner = made(key).fit(X, y)
    for name in X:
        want = mean_over_values(X, name, learner.predict_proba, joint_of(learner), learner.classes_)
        np.testing.assert_allclose(learner.predict_proba(filled(X, name, None)), want, atol=1e-12)


def joint_of(learner):
    """Return the log probability of rows and labels, of a network or of an average without one."""
    if hasattr(learner, "network_"):
        return learner.network_.log_joint
    if hasattr(learner, "mixture_"):
        return learner.mixture_.log_joint
    return lambda X, labels: learner.log_joint(X)[:, learner.classes_ == labels[0]][:, 0]


@pytest.mark.filterwarnings("ignore:the column 'x0' has none of the known states")
def test_the_truth_sums_missing_values_out_and_knows_no_numbers():
    truth = random_naive_bayes(n_attributes=2, random_state=1)
    X, y = truth.sample(20, random_state=2)
    learner = made("truth", truth=truth).fit(X, y)
    name = X.columns[0]
    want = mean_over_values(X, name, learner.predict_proba, truth.log_joint, learner.classes_)
    np.testing.assert_allclose(learner.predict_proba(filled(X, name, None)), want, atol=1e-12)
    np.testing.assert_array_equal(
        learner.predict_proba(X.assign(**{name: 0.5})), learner.predict_proba(filled(X, name, None))
    )


def mean_over_values(X, name, predict_proba, log_joint, classes):
    """Average forecasts over the values of a column, by how probable these are given the others."""
    total = weight = 0
    for value in X[name].cat.categories:
        known = filled(X, name, value)
        joint = sum(np.exp(log_joint(known, np.full(len(X), label))) for label in classes)[:, None]
        total, weight = total + joint * predict_proba(known), weight + joint
    return total / weight


def filled(X, name, value):
    return X.assign(**{name: pd.Categorical([value] * len(X), dtype=X[name].dtype)})


@pytest.mark.parametrize("key", those("missing", "all branches"))
def test_a_row_that_goes_down_all_branches_gets_their_mean(key):
    X, y = holed_rows()
    learner = made(key).fit(X, y)
    assert hasattr(learner, "tree_") or hasattr(learner, "graph_")
    u, v, missing = learner.predict_proba(X.iloc[[0, 50, 99]])
    assert np.abs(u - v).max() > 0.5
    np.testing.assert_allclose(missing, (u + v) / 2, atol=1e-12)


@pytest.mark.parametrize("key", those("missing", "own value"))
def test_missing_as_a_value_of_its_own_can_tell_a_class(key):
    X, y = holed_rows()
    learner = made(key).fit(X, y)
    if key == "nb_m_estimate":  # its factors lie near the uniform distribution
        ratio = learner.predict_proba(X.tail(1))[0] / learner.class_prior_
        assert ratio.argmax() == 2
        return
    assert learner.predict_proba(X.tail(1)).tolist() == [[0.0, 0.0, 1.0]]
    assert "missing" in set(learner.rules_table()["rule"])


@pytest.mark.parametrize("key", those("missing", "fails tests"))
def test_no_rule_with_a_condition_answers_a_row_that_misses_its_value(key):
    X, y = holed_rows()
    learner = made(key).fit(X, y)
    rules = learner.rules_table()
    is_conditional = rules["rule"].str.contains("a ")
    assert is_conditional.sum() == (1 if key == "induct_rdr" else 2)  # it has p as the answer for all
    answers = {*rules["class"][~is_conditional], getattr(learner, "default_class_", None)}
    assert set(learner.classes_[learner.predict_set(X.tail(1))[0]]) <= answers


def test_weights_are_taken_where_it_is_said():
    for key in OURS:
        takes = "sample_weight" in inspect.signature(made(key).fit).parameters
        assert takes == (facts_of(key).weights != "no"), key


@pytest.mark.parametrize("key", [*those("weights", "any"), *those("weights", "whole")])
def test_a_whole_weight_is_as_many_rows(key):
    X, y = mixed_rows()
    weight = np.random.default_rng(1).integers(0, 4, len(X))
    rows = np.repeat(np.arange(len(X)), weight)
    weighted = made(key).fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = made(key).fit(X.iloc[rows], y.iloc[rows]).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-12)


@pytest.mark.parametrize("key", those("weights", "any"))
def test_two_halves_of_a_row_are_the_row(key):
    X, y = mixed_rows()
    rows = np.repeat(np.arange(len(X)), 2)
    halves = made(key).fit(X.iloc[rows], y.iloc[rows], sample_weight=np.full(len(rows), 0.5))
    once = made(key).fit(X, y)
    np.testing.assert_allclose(halves.predict_proba(X), once.predict_proba(X), atol=1e-12)
    for name, cuts in getattr(once, "cut_points_", {}).items():
        np.testing.assert_array_equal(halves.cut_points_[name], cuts)


@pytest.mark.parametrize("key", those("weights", "whole"))
def test_half_a_weight_is_refused_where_weights_are_whole(key):
    X, y = mixed_rows()
    with pytest.raises(ValueError, match="whole"):
        made(key).fit(X, y, sample_weight=np.full(len(X), 0.5))


def many_values():
    rng = np.random.default_rng(0)
    return rng.integers(0, MANY, (60, 3)), np.arange(60) % 2


@pytest.mark.parametrize("key", [key for key in ALONE if "GiB" in facts_of(key).limit])
def test_a_limit_of_memory_is_refused_before_it_is_taken(key):
    with pytest.raises(ValueError, match="GiB"):
        made(key, arities=(MANY,) * 3).fit(*many_values())


@pytest.mark.parametrize("key", [key for key in ALONE if not facts_of(key).limit])
def test_without_a_limit_many_values_are_learned(key):
    X, y = many_values()
    forecast = made(key, arities=(MANY,) * 3).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(forecast.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize(
    ("option", "n_variables"), [({"search": "exact"}, 25), ({"averaging": "exact"}, 14)], ids=str
)
def test_the_limits_of_exact_camml_are_those_declared(option, n_variables):
    assert f"{n_variables} " in facts_of("camml").limit
    X = np.random.default_rng(0).integers(0, 2, (20, n_variables))  # and the class
    with pytest.raises(ValueError, match=f"at most {n_variables} variables"):
        made("camml", **option).fit(X, X[:, 0])


@pytest.mark.parametrize("key", ALONE)
def test_learners_answer_what_is_said_and_no_more(key):
    X, y = nominal_rows()
    learner = made(key).fit(X, y)
    said = facts_of(key).also
    assert set(said) <= set(ANSWERS)
    for path in said:
        answer = operator.attrgetter(path)(learner)
        arguments = {"predict_set": (X,), "partial_fit": (X, y)}.get(path, ())
        assert (answer(*arguments) if callable(answer) else answer) is not None
        plt.close("all")
    silent = [path for path in ANSWERS if path not in said and has(learner, path)]
    # several trees that vote have the method of the single one, and refuse
    assert silent == (["theory_complexity"] if key == "c50_boosted" else [])


@pytest.mark.parametrize("key", OURS)
def test_learners_that_are_not_fitted_say_so(key):
    X, _ = nominal_rows()
    parameters = {"truth": random_naive_bayes(n_attributes=2, random_state=1)} if key == "truth" else {}
    learner = made(key, **parameters)
    for path in ("predict", "predict_proba", *facts_of(key).also):
        if path == "partial_fit":  # it fits
            continue
        if "." in path or path.endswith("_"):  # what fit sets is not there
            assert not has(learner, path)
            continue
        with pytest.raises(NotFittedError):
            getattr(learner, path)(*((X,) if path.startswith("predict") else ()))


def has(learner, path):
    try:
        operator.attrgetter(path)(learner)
    except AttributeError:
        return False
    return True


def test_what_is_around_something_answers_probabilities_alone():
    for key in NEEDING:
        learner = made(key)
        assert facts_of(key).also == ()
        assert not [path for path in ANSWERS if has(learner, path)]


def test_what_is_recalibrated_takes_what_the_learner_inside_takes():
    X, y = mixed_rows()
    holed = X.mask(np.random.default_rng(4).random(X.shape) < 0.1)
    learner = made("recalibrated", of="c45", random_state=1).fit(holed, y)
    assert learner.score(holed, y) > 0.8


def test_other_peoples_learners_are_asked():
    assert facts_of("cart") == LearnerFacts("cart", "", "", None, "taken", "accepted", "taken")
    refuses = facts_of("sklearn.neighbors:KNeighborsClassifier")
    assert (refuses.missing, refuses.weights) == ("refused", "no")
    assert facts_of("sklearn.linear_model:SGDClassifier").also == ("partial_fit",)
    needs_arguments = facts_of("sklearn.ensemble:VotingClassifier")
    assert (needs_arguments.numbers, needs_arguments.weights) == ("unknown", "unknown")
