"""Search for what matters to the class: what is found and left out, and how near its forecasts come."""

import numpy as np
import pandas as pd
import pytest

from generators import random_dag_with_class
from learners import CaMMLClassifier, StructurePrior, learn_network, message_length

SEEDS = {"table": range(6), "auto": range(1)}


def noise(n_rows=400, n_columns=40, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, (n_rows, n_columns)), rng


def blanket(camml):
    """Names in the Markov blanket of the class."""
    learned = camml.learned_.parents
    children = [v for v, others in learned.items() if "y" in others]
    return {*learned["y"], *children, *(u for v in children for u in learned[v])} - {"y"}


def log_loss(camml, X, y):
    own = camml.predict_proba(X)[np.arange(len(y)), np.searchsorted(camml.classes_, y)]
    return -np.log2(own).mean()


def test_attributes_that_tell_nothing_are_left_alone():
    X, rng = noise()
    y = rng.integers(0, 2, 400)
    camml = CaMMLClassifier(search="blanket").fit(X, y)
    assert camml.parents_ == ((),) * 41
    np.testing.assert_allclose(camml.predict_proba(X[:1])[0], [(np.sum(y == k) + 0.5) / 401 for k in (0, 1)])


def test_two_causes_that_tell_nothing_singly_are_found():
    X, rng = noise()
    X[:, [7, 30]] %= 2
    y = np.where(rng.random(400) < 0.9, X[:, 7] ^ X[:, 30], rng.integers(0, 2, 400))
    camml = CaMMLClassifier(search="blanket", random_state=0).fit(X, y)
    assert blanket(camml) == {"x7", "x30"}
    assert camml.score(X, y) > 0.9


def test_an_effect_that_needs_another_cause_is_found_with_it():
    X, rng = noise()
    y = rng.integers(0, 2, 400)
    X[:, 3] %= 2
    X[:, 20] = np.where(rng.random(400) < 0.9, y ^ X[:, 3], rng.integers(0, 2, 400))
    camml = CaMMLClassifier(search="blanket", random_state=0).fit(X, y)
    assert blanket(camml) == {"x3", "x20"}


def test_what_only_follows_from_the_blanket_is_left_out():
    """A chain x0 -> x1 -> y -> x2 -> x3, and copies of the ends."""
    rng = np.random.default_rng(1)

    def like(x):
        return np.where(rng.random(1000) < 0.85, x, rng.integers(0, 3, 1000))

    x0 = rng.integers(0, 3, 1000)
    x1 = like(x0)
    y = like(x1)
    x2 = like(y)
    X = np.column_stack([x0, x1, x2, like(x2), like(x0), rng.integers(0, 3, (1000, 20))])
    camml = CaMMLClassifier(search="blanket", random_state=0).fit(X, y)
    assert blanket(camml) == {"x1", "x2"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::learners.ConstantColumnWarning")
@pytest.mark.parametrize("local_model", ["table", "auto"])
def test_forecasts_are_nearly_those_of_the_whole_network(local_model):
    losses = []
    for seed in SEEDS[local_model]:
        n_attributes = 30 if local_model == "table" else 16
        truth = random_dag_with_class(
            n_attributes=n_attributes, arity=(2, 3), n_classes=(2, 3), random_state=seed
        )
        rows, later = (
            truth.sample_table(400, random_state=seed),
            truth.sample_table(1000, random_state=100 + seed),
        )
        options = {"local_model": local_model, "random_state": 0}
        both = [
            CaMMLClassifier(search=search, **options).fit(rows.drop(columns="y"), rows["y"])
            for search in ("blanket", "fast")
        ]
        losses.append([log_loss(camml, later.drop(columns="y"), later["y"]) for camml in both])
    differences = np.diff(losses, axis=1)
    assert abs(differences.mean()) < 0.01
    assert abs(differences).max() < 0.05


def test_the_message_is_of_the_whole_network_and_said_not_to_be_the_shortest():
    X, rng = noise()
    X[:, 1] = X[:, 2]  # matters to each other, not to the class
    y = np.where(rng.random(400) < 0.8, X[:, 0], rng.integers(0, 3, 400))
    camml = CaMMLClassifier(search="blanket", random_state=0).fit(X, y)
    rows = np.column_stack([X, y])
    again = message_length(rows, camml.parents_, arc_probability=camml.arc_probability_)
    assert camml.message_length_ == pytest.approx(again.total)
    assert (
        camml.message_length_ > CaMMLClassifier(search="fast", random_state=0).fit(X, y).message_length_ + 100
    )
    assert "Only 1 of 40 attributes matter to the class and were searched" in camml.learned_.explain()


def test_required_and_forbidden_arcs_and_tiers_are_kept():
    X, rng = noise()
    y = np.where(rng.random(400) < 0.8, X[:, 0], rng.integers(0, 3, 400))
    X[:, 9] = np.where(rng.random(400) < 0.8, y, rng.integers(0, 3, 400))
    prior = StructurePrior(
        required=[("x5", "x0"), ("x6", "x7")], forbidden=[("x9", "y"), ("y", "x9")], tiers=[["y"], ["x0"]]
    )
    camml = CaMMLClassifier(search="blanket", structure_prior=prior, random_state=0).fit(X, y)
    assert "y" in camml.learned_.parents["x0"]
    assert "x5" in camml.learned_.parents["x0"]
    assert camml.learned_.parents["x7"] == ("x6",)
    assert "x9" not in camml.learned_.parents["y"]
    assert "y" not in camml.learned_.parents["x9"]


def test_a_required_effect_is_searched_with_its_other_causes():
    X, rng = noise(600)
    X %= 2
    y = rng.integers(0, 2, 600)
    X[:, 3] = np.where(rng.random(600) < 0.95, y ^ X[:, 20] ^ X[:, 21], rng.integers(0, 2, 600))
    prior = StructurePrior(required=[("y", "x3"), ("x20", "x3")])
    camml = CaMMLClassifier(search="blanket", structure_prior=prior, random_state=0).fit(X, y)
    assert set(camml.learned_.parents["x3"]) == {"y", "x20", "x21"}


def test_forbidden_pairs_do_not_enter():
    X, rng = noise()
    X[:, [7, 30]] = rng.integers(0, 2, (400, 2))
    y = X[:, 7] ^ X[:, 30]
    prior = StructurePrior(forbidden=[("x7", "y"), ("y", "x7"), ("x7", "x30"), ("x30", "x7")])
    camml = CaMMLClassifier(search="blanket", structure_prior=prior, random_state=0).fit(X, y)
    assert blanket(camml) == set()


def test_impossible_requirements_are_one_sentence():
    X, rng = noise(100, 12)
    prior = StructurePrior(required=[("x7", "x9"), ("x8", "x9")])
    with pytest.raises(ValueError, match=r"network.*required"):
        CaMMLClassifier(search="blanket", max_parents=1, structure_prior=prior).fit(
            X, rng.integers(0, 2, 100)
        )


def test_where_nothing_matters_arcs_are_improbable():
    X, rng = noise()
    camml = CaMMLClassifier(search="blanket").fit(X, rng.integers(0, 2, 400))
    assert camml.arc_probability_ < 0.001


@pytest.mark.filterwarnings("ignore::learners.ConstantColumnWarning")
def test_holes_numbers_and_constant_columns_are_taken():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 300)
    X = pd.DataFrame(rng.normal(size=(300, 25))).add_prefix("n")
    X["n3"] += 2 * y
    X["same"] = "one"
    X["word"] = np.where(rng.random(300) < 0.8, np.where(y == 1, "yes", "no"), None)
    camml = CaMMLClassifier(search="blanket", random_state=0).fit(X, y)
    assert {"n3", "word"} <= blanket(camml)
    assert "same" not in blanket(camml)
    assert np.isfinite(camml.predict_proba(X)).all()


def test_limits_of_parents_and_time_are_kept():
    X, _ = noise()
    X[:, :4] %= 2
    y = X[:, 0] ^ X[:, 1]
    camml = CaMMLClassifier(search="blanket", max_parents=1, random_state=0).fit(X, y)
    assert max(map(len, camml.parents_)) <= 1
    stopped = CaMMLClassifier(search="blanket", max_seconds=1e-9, random_state=0).fit(X, y)
    assert stopped.interrupted_
    given = CaMMLClassifier(search="blanket", arc_probability=0.2, random_state=0).fit(X, y)
    assert given.arc_probability_ == 0.2


def test_what_does_not_go_with_a_class_is_refused():
    for refused, message in [
        (
            lambda X, y: learn_network(X, search="blanket"),
            r"Markov blanket of a class",
        ),
        (
            lambda X, y: CaMMLClassifier(search="blanket", averaging="mixture").fit(X, y),
            r"finds.*'mixture'",
        ),
        (
            lambda X, y: CaMMLClassifier(
                search="blanket", structure_prior=StructurePrior(ancestors={("x0", "y"): 0.9})
            ).fit(X, y),
            r"depend.*whole",
        ),
    ]:
        X, rng = noise(50, 5)
        with pytest.raises(ValueError, match=message):
            refused(X, rng.integers(0, 2, 50))


@pytest.mark.slow
def test_tiers_hold_by_way_of_variables_that_were_not_searched():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (1500, 30)), rng.integers(0, 2, 1500)
    either = y | X[:, 1]
    X[:, 0] = np.where(rng.random(1500) < 0.95, either, 1 - either)
    prior = StructurePrior(tiers=[["x12"], ["y"]], required=[("x0", "x12")])  # so x0 precedes y
    camml = CaMMLClassifier(search="blanket", structure_prior=prior, random_state=0).fit(X, y)
    assert "y" not in camml.learned_.parents["x0"]
    assert camml.sampled_.sample.arc_posteriors[30, 0] == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::learners.ChainsDisagreeWarning")
def test_a_shorter_network_that_was_sampled_is_of_all_variables():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (400, 20)), rng.integers(0, 2, 400)
    X[:, 5] = np.where(rng.random(400) < 0.9, X[:, 6], 1 - X[:, 6])
    camml = CaMMLClassifier(search="blanket", random_state=0).fit(X, y)
    assert "matter to the class and were searched" in camml.learned_.explain()
    _ = camml.learned_.sampled
    assert "matter to the class and were searched" not in camml.learned_.with_shortest().explain()
