"""CaMML as a classifier: the reference network, exact posteriors, holes, limits."""

import itertools
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from generators import Network, random_tan
from learners.networks.camml import CaMMLClassifier
from learners.networks.classes.sampled_networks import ChainsDisagreeWarning
from learners.networks.forecast import ClassBlanket
from learners.networks.learn_network import learn_network
from learners.networks.network_table import MissingValuesWarning
from learners.networks.search import FoundNetwork, OrderPosterior
from learners.networks.structure_prior import StructurePrior


@pytest.fixture(scope="module")
def asia(golden):
    return pd.read_csv(golden / "camml_asia_n500.csv").astype("category")


@pytest.fixture(scope="module")
def sample():
    return random_tan(n_attributes=5, arity=3, n_classes=3, random_state=3).sample(600, 0)


def test_the_class_is_a_variable_like_the_others(asia):
    camml = CaMMLClassifier().fit(asia.drop(columns="dysp"), asia["dysp"])
    learned = learn_network(asia)
    assert camml.parents_ == learned.network.parent_indices  # dysp is the last column of the table
    assert camml.message_length_ == pytest.approx(learned.message_length, abs=1e-9)
    assert camml.message_length_ * math.log(2) == pytest.approx(1162.5342559804, abs=1e-9)
    assert camml.arc_probability_ == 7.5 / 29
    assert camml.network_.class_name == "dysp"
    for mine, theirs in zip(camml.network_.cpts, learned.network.cpts, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("name", ["asia", "smoke", "either"])
def test_any_variable_may_be_the_class(asia, name):
    camml = CaMMLClassifier(constant="rounded", arc_probability=7.5 / 29).fit(
        asia.drop(columns=name), asia[name]
    )
    assert camml.message_length_ * math.log(2) == pytest.approx(1162.5343374391531, abs=1e-9)


def test_forecasts_are_the_posterior_of_the_network(sample):
    X, y = sample
    camml = CaMMLClassifier().fit(X, y)
    np.testing.assert_allclose(camml.predict_proba(X), camml.network_.posterior(X), rtol=1e-12)


def test_missing_values_are_summed_out(sample):
    X, y = sample
    camml = CaMMLClassifier().fit(X, y)
    row = X.iloc[[0]].astype(object)
    for hole in itertools.combinations(X.columns, 2):
        holed = row.copy()
        holed[list(hole)] = None
        expected = np.zeros(len(camml.classes_))
        for values in itertools.product(*(X[name].cat.categories for name in hole)):
            filled = row.copy()
            filled[list(hole)] = values
            for c, label in enumerate(camml.classes_):
                expected[c] += np.exp(camml.network_.log_joint(filled, [label]))[0]
        np.testing.assert_allclose(camml.predict_proba(holed)[0], expected / expected.sum(), rtol=1e-10)


def test_a_value_outside_the_declared_ones_counts_as_missing(sample):
    X, y = sample
    camml = CaMMLClassifier().fit(X, y)
    strange, missing = X.iloc[:5].astype(object), X.iloc[:5].astype(object)
    strange["x1"], missing["x1"] = "never declared", None
    np.testing.assert_array_equal(camml.predict_proba(strange), camml.predict_proba(missing))


def test_rows_with_and_without_holes_do_not_disturb_each_other(sample):
    X, y = sample
    camml = CaMMLClassifier().fit(X, y)
    mixed = X.iloc[:40].astype(object)
    mixed.iloc[::3, 1] = None
    together = camml.predict_proba(mixed)
    alone = np.vstack([camml.predict_proba(mixed.iloc[[i]]) for i in range(40)])
    np.testing.assert_array_equal(together, alone)


def test_holes_in_training_leave_rows_out_only_where_they_matter(sample):
    X, y = sample
    codes = np.column_stack([X[name].cat.codes for name in X]).astype(int)
    codes[::7, 0] = -1
    camml = CaMMLClassifier(arities=[3] * 5).fit(codes, np.asarray(y))
    table = np.column_stack([codes, np.asarray(y)])
    with pytest.warns(MissingValuesWarning):
        learned = learn_network(table, arities=[3] * 6)
    assert camml.parents_ == learned.network.parent_indices
    assert camml.message_length_ == pytest.approx(learned.message_length, abs=1e-9)


def test_numeric_columns_are_cut_with_the_class():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 300)
    X = pd.DataFrame({"height": rng.normal(y * 3.0, 1.0), "noise": rng.normal(size=600)})
    camml = CaMMLClassifier().fit(X, y)
    assert len(camml.cut_points_["height"]) >= 1
    assert (camml.predict(X) == y).mean() > 0.9
    assert np.isfinite(camml.predict_proba(pd.DataFrame({"height": [np.nan], "noise": [0.0]}))).all()


def test_declared_classes_and_values_that_are_not_seen_stay_possible():
    X = pd.DataFrame({"x": pd.Categorical(["a", "b"] * 10, categories=["a", "b", "c"])})
    y = pd.Series(pd.Categorical(["no", "yes"] * 10, categories=["yes", "no", "maybe"]))
    camml = CaMMLClassifier().fit(X, y)
    assert camml.classes_.tolist() == ["maybe", "no", "yes"]
    unseen = pd.DataFrame({"x": pd.Categorical(["c"], categories=["a", "b", "c"])})
    assert (camml.predict_proba(unseen) > 0).all()
    assert camml.network_.states == (("a", "b", "c"), ("maybe", "no", "yes"))


def test_one_class_gets_probability_one():
    camml = CaMMLClassifier().fit(np.array([[0], [1], [1]]), ["only"] * 3)
    np.testing.assert_array_equal(camml.predict_proba([[0], [1]]), [[1.0], [1.0]])


def test_a_column_may_bear_the_name_of_the_class():
    X = pd.DataFrame({"y": pd.Categorical(["a", "b"] * 5)})
    camml = CaMMLClassifier().fit(X, [0, 1] * 5)
    assert camml.network_.names == ("y", "y_")


def test_it_survives_pickling(sample):
    X, y = sample
    camml = CaMMLClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(camml))
    np.testing.assert_array_equal(again.predict_proba(X), camml.predict_proba(X))


def test_it_approaches_a_truth_that_it_can_express():
    truth = random_tan(n_attributes=4, arity=2, n_classes=2, random_state=7)
    near, nearer = (
        truth.kl_divergence(CaMMLClassifier().fit(*truth.sample(n, 1)).network_) for n in (100, 20_000)
    )
    assert nearer < 0.01 < near


@pytest.mark.parametrize(
    "options, message",
    [
        ({"averaging": "all"}, "averaging must be one of none, representative, mixture, exact"),
        ({"search": "greedy"}, "search must be one of auto, exact, fast, metropolis"),
        ({"arc_probability": 1.5}, "arc_probability must be"),
        ({"constant": "half"}, "constant must be"),
        ({"estimate": "ml"}, "estimate must be one of auto, mml, posterior_mean"),
        ({"max_parents": -1}, "max_parents must be"),
        ({"max_cells": 0}, "max_cells must be"),
        ({"max_seconds": 0}, "max_seconds must be"),
        ({"local_model": "noisy or"}, "local_model must be"),
        ({"structure_prior": "tiers"}, "structure_prior must be a StructurePrior"),
        ({"averaging": "mixture", "temperature": 0.5}, "temperature"),
        ({"averaging": "mixture", "search_factor": 0}, "search_factor"),
        ({"averaging": "exact", "local_model": "tree"}, "forecasts from tables, but local_model is"),
        ({"averaging": "exact", "local_model": "auto"}, "forecasts from tables, but local_model is"),
    ],
)
def test_options_that_do_not_exist_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        CaMMLClassifier(**options).fit(np.array([[0], [1]]), [0, 1])


@pytest.mark.slow
def test_the_exact_search_refuses_more_than_25_variables_and_the_others_take_them():
    X = np.random.default_rng(0).integers(0, 2, (40, 25))
    y = X[:, 3]
    with pytest.raises(
        ValueError, match=r"at most 25 variables, but the table has 26 \(the class included\)"
    ):
        CaMMLClassifier(search="exact").fit(X, y)
    for search in ("auto", "metropolis"):
        camml = CaMMLClassifier(search=search, search_factor=0.05, random_state=0).fit(X, y)
        assert 3 in (*camml.parents_[25], *(v for v, others in enumerate(camml.parents_) if 25 in others))
        assert camml.score(X, y) == 1.0


@pytest.mark.parametrize("search", ["exact", "fast", "metropolis"])
@pytest.mark.parametrize("arc_probability", ["joint", "fixed_point", 0.2])
def test_all_searches_find_the_shortest_message_of_a_small_table(sample, search, arc_probability):
    camml = CaMMLClassifier(search=search, arc_probability=arc_probability, random_state=1).fit(*sample)
    exact = CaMMLClassifier(search="exact", arc_probability=arc_probability).fit(*sample)
    assert camml.message_length_ == pytest.approx(exact.message_length_, abs=1e-6)
    assert camml.arc_probability_ == exact.arc_probability_


def test_whole_weights_repeat_rows_and_others_are_refused(sample):
    X, y = sample
    weight = np.random.default_rng(0).integers(0, 3, len(X))
    weighted = CaMMLClassifier().fit(X, y, sample_weight=weight)
    repeated = CaMMLClassifier().fit(X.loc[np.repeat(X.index, weight)], y.loc[np.repeat(y.index, weight)])
    assert weighted.parents_ == repeated.parents_
    assert weighted.message_length_ == pytest.approx(repeated.message_length_, abs=1e-9)
    with pytest.raises(ValueError, match="whole numbers for CaMMLClassifier, but one is"):
        CaMMLClassifier().fit(X, y, sample_weight=np.full(len(X), 0.5))


@pytest.mark.parametrize("weight", [1e12, 1e300, 2_000_000.0])
def test_weights_that_no_memory_holds_are_refused_before_anything_is_repeated(sample, weight):
    X, y = sample[0].iloc[:60], sample[1].iloc[:60]
    sentence = rf"sums to {60 * weight:.12g}, and .* at most 100,000,000 rows: give weights that count rows"
    with pytest.raises(ValueError, match=sentence.replace("+", r"\+")):
        CaMMLClassifier().fit(X, y, sample_weight=np.full(len(X), weight))


def test_the_exact_average_is_a_ratio_of_evidences(sample):
    X, y = sample[0].iloc[:60], sample[1].iloc[:60]
    camml = CaMMLClassifier(averaging="exact", constant="none", arc_probability=0.3).fit(X, y)
    row = sample[0].iloc[[200]]
    evidences = []
    for label in camml.classes_:
        label_of = pd.Series(pd.Categorical([label], categories=y.cat.categories), name=y.name)
        more = CaMMLClassifier(constant="none", arc_probability=0.3).fit(
            pd.concat([X, row]), pd.concat([y, label_of])
        )
        posterior = OrderPosterior.of(more._problem, arc_probability=0.3)
        evidences.append(posterior.forward[-1] - posterior.problem.arc_costs.no_arcs(0.3))
    shares = np.exp(np.array(evidences) - max(evidences))
    np.testing.assert_allclose(camml.predict_proba(row)[0], shares / shares.sum(), rtol=1e-9)


def test_the_mixture_is_the_weighted_mean_of_its_networks(sample):
    X, y = sample[0].iloc[:80], sample[1].iloc[:80]
    camml = CaMMLClassifier(averaging="mixture", random_state=0).fit(X, y)
    classes = camml.sampled_.message
    assert len(classes) > 1
    weights = np.array([one.posterior for one in classes])
    networks = [camml._filled(one.parents) for one in classes]
    mean = sum(w * n.posterior(sample[0]) for w, n in zip(weights / weights.sum(), networks, strict=True))
    np.testing.assert_allclose(camml.predict_proba(sample[0]), mean, atol=1e-12)


@pytest.mark.slow
def test_the_representative_is_the_network_that_forecasts(sample):
    X, y = sample[0].iloc[:80], sample[1].iloc[:80]
    camml = CaMMLClassifier(averaging="representative", random_state=0).fit(X, y)
    shortest = CaMMLClassifier().fit(X, y)
    assert camml.parents_ == camml.sampled_.message[0].parents
    assert camml.message_length_ >= shortest.message_length_ - 1e-9
    np.testing.assert_allclose(camml.predict_proba(X), camml.network_.posterior(X), atol=1e-12)


def test_the_estimate_fills_the_tables(sample):
    mml, mean = (CaMMLClassifier(estimate=e).fit(*sample) for e in ("mml", "posterior_mean"))
    assert mml.parents_ == mean.parents_
    v = next(v for v, others in enumerate(mml.parents_) if not others)
    column = (*(sample[0][name] for name in sample[0]), sample[1])[v]
    counts = column.value_counts(sort=False).to_numpy()
    np.testing.assert_allclose(mml.network_.cpts[v], (counts + 0.5) / (counts.sum() + counts.size / 2))
    np.testing.assert_allclose(mean.network_.cpts[v], (counts + 1) / (counts.sum() + counts.size))


def test_what_was_learned_is_explained(sample):
    camml = CaMMLClassifier(random_state=0).fit(*sample)
    learned = camml.learned_
    assert learned.message_length == pytest.approx(camml.message_length_)
    assert learned.network.class_name == camml.network_.class_name
    np.testing.assert_allclose(camml.arc_posteriors_, learned.arc_posteriors)
    assert f"{camml.message_length_:.1f} bits" in learned.explain()
    assert sum(one.posterior for one in camml.equivalence_classes_) > 0.9
    again = pickle.loads(pickle.dumps(camml))
    np.testing.assert_array_equal(again.arc_posteriors_, camml.arc_posteriors_)
    # a second fit forgets what the first one found
    camml.fit(sample[0].iloc[:50], sample[1].iloc[:50])
    assert camml.learned_.problem.n_rows == 50


@pytest.mark.slow
def test_there_is_one_sample_whatever_is_asked_first():
    X = np.random.default_rng(0).integers(0, 2, (60, 22))
    options = {"temperature": 1.2, "search_factor": 0.02, "random_state": 7, "search": "metropolis"}
    first, other = (CaMMLClassifier(**options).fit(X, X[:, 3]) for _ in range(2))
    with pytest.warns(ChainsDisagreeWarning, match="differ by up to 0.* raise search_factor for more steps"):
        arcs = first.arc_posteriors_
    np.testing.assert_array_equal(other.sampled_.sample.arc_posteriors, arcs)
    with pytest.warns(ChainsDisagreeWarning):
        np.testing.assert_array_equal(other.arc_posteriors_, arcs)
    np.testing.assert_array_equal(other.arc_posteriors_, arcs)  # which warns once
    assert other.learned_.sampled is other.sampled_


@pytest.mark.parametrize("random_state", ["x", -1])
@pytest.mark.parametrize("search", ["exact", "fast"])
def test_a_random_state_that_is_none_is_refused_by_every_search(random_state, search):
    X, y = np.array([[0], [1]] * 5), [0, 1] * 5
    with pytest.raises(ValueError, match="random_state must be None, a whole number"):
        CaMMLClassifier(search=search, random_state=random_state).fit(X, y)
    with pytest.raises(ValueError, match="random_state must be None, a whole number"):
        learn_network(X, search=search, random_state=random_state)


@pytest.mark.parametrize("averaging", ["mixture", "representative"])
def test_a_shorter_network_that_the_sample_meets_is_taken(sample, monkeypatch, averaging):
    def poor_search(problem, **_):
        apart = ((),) * problem.n_nodes
        return FoundNetwork(apart, problem.length(apart, 0.3), 0.3)

    X, y = sample
    exact = CaMMLClassifier(search="exact", arc_probability=0.3).fit(X, y)
    monkeypatch.setitem(CaMMLClassifier.fit.__globals__, "find_network", poor_search)
    camml = CaMMLClassifier(averaging=averaging, random_state=0).fit(X, y)
    assert camml.message_length_ == pytest.approx(camml.learned_.message_length)
    assert camml.network_.parent_indices == camml.parents_ == camml.learned_.network.parent_indices
    if averaging == "mixture":
        assert camml.message_length_ == pytest.approx(exact.message_length_, abs=1e-6)
        assert f"{exact.message_length_:.1f} bits" in camml.learned_.explain()
    else:
        assert camml.parents_ == camml.sampled_.message[0].parents


def test_a_sample_that_is_drawn_later_changes_nothing_and_is_reported(sample, monkeypatch):
    def poor_search(problem, **_):
        apart = ((),) * problem.n_nodes
        return FoundNetwork(apart, problem.length(apart, 0.3), 0.3)

    exact = CaMMLClassifier(search="exact", arc_probability=0.3).fit(*sample)
    monkeypatch.setitem(CaMMLClassifier.fit.__globals__, "find_network", poor_search)
    camml = CaMMLClassifier(random_state=0).fit(*sample)
    length, forecast = camml.message_length_, camml.predict_proba(sample[0])
    assert camml.sampled_.sample.shortest_length / math.log(2) < length - 1
    assert camml.learned_.network.parent_indices == camml.parents_ == ((),) * 6
    np.testing.assert_array_equal(camml.predict_proba(sample[0]), forecast)
    gain = length - exact.message_length_
    assert f"whose message is {gain:.1f} bits shorter: see with_shortest()." in camml.learned_.explain()
    shortest = camml.learned_.with_shortest()
    assert shortest.message_length == pytest.approx(exact.message_length_, abs=1e-6)
    assert shortest.sampled is camml.sampled_
    assert shortest.with_shortest() is shortest
    assert "bits shorter" not in shortest.explain()


def test_what_was_cut_short_is_reported(sample):
    camml = CaMMLClassifier(averaging="mixture", max_seconds=1e-9).fit(*sample)
    assert camml.interrupted_
    assert not CaMMLClassifier().fit(*sample).interrupted_


def test_an_unfitted_learner_says_so():
    for name in ("learned_", "sampled_", "arc_posteriors_", "equivalence_classes_"):
        with pytest.raises(NotFittedError):
            getattr(CaMMLClassifier(), name)


def test_opinions_and_trees_reach_the_search(sample):
    X, y = sample
    prior = StructurePrior(required=[(X.columns[0], X.columns[1])], tiers=[[y.name], list(X.columns)])
    camml = CaMMLClassifier(structure_prior=prior, local_model="shorter").fit(X, y)
    assert 0 in camml.parents_[1]
    assert camml.parents_[-1] == ()
    np.testing.assert_allclose(camml.predict_proba(X), camml.network_.posterior(X), rtol=1e-12)


def random_network(seed, n_nodes):
    """Any graph over a random order, with dense tables; the class is the last variable."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(1, 4, n_nodes)
    rank = rng.permutation(n_nodes)
    parents = tuple(
        tuple(int(u) for u in rng.permutation(n_nodes) if rank[u] < rank[v] and rng.random() < 0.6)
        for v in range(n_nodes)
    )
    cpts = []
    for v in range(n_nodes):
        cells = rng.random([*(arities[u] for u in parents[v]), arities[v]]) + 0.01
        cpts.append(cells / cells.sum(axis=-1, keepdims=True))
    names = tuple(f"v{v}" for v in range(n_nodes))
    states = tuple(tuple(range(r)) for r in arities)
    return Network(names, states, parents, tuple(cpts), class_index=n_nodes - 1)


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_the_blanket_gives_the_posterior_of_complete_rows(seed, n_nodes):
    network = random_network(seed, n_nodes)
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, r, 8) for r in network.arities[:-1]], dtype=np.uint8).reshape(
        n_nodes - 1, 8
    )
    probabilities, complete = ClassBlanket.of(network.parent_indices, network.cpts).posterior(codes)
    assert complete.all()
    joint = np.zeros((8, network.arities[-1]))
    for i, c in np.ndindex(joint.shape):
        row = [*codes[:, i].tolist(), c]
        joint[i, c] = math.prod(
            network.cpts[v][(*(row[u] for u in others), row[v])]
            for v, others in enumerate(network.parent_indices)
        )
    np.testing.assert_allclose(probabilities, joint / joint.sum(axis=1, keepdims=True), rtol=1e-10)


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_only_holes_in_the_blanket_make_a_row_incomplete(seed, n_nodes):
    network = random_network(seed, n_nodes)
    arities = network.arities[:-1]
    codes = np.zeros((n_nodes - 1, n_nodes - 1), dtype=np.uint8)
    np.fill_diagonal(codes, arities)  # row i misses attribute i
    _, complete = ClassBlanket.of(network.parent_indices, network.cpts).posterior(codes)
    *attributes, target = network.names
    blanket = network.markov_blanket(target)
    assert complete.tolist() == [name not in blanket for name in attributes]


def test_hundreds_of_tiny_factors_do_not_underflow():
    n_children = 400
    cpts = (
        *(np.array([[1e-5, 1 - 1e-5], [2e-5, 1 - 2e-5]]) for _ in range(n_children)),
        np.array([0.5, 0.5]),
    )
    parents = (*((n_children,) for _ in range(n_children)), ())
    probabilities, _ = ClassBlanket.of(parents, cpts).posterior(np.zeros((n_children, 1), dtype=np.uint8))
    assert probabilities[0, 1] == pytest.approx(1)
    assert probabilities[0, 0] == pytest.approx(2.0**-n_children, rel=1e-9)
