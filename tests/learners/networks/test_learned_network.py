"""The explanation of a learned network: message, variables, arcs, posteriors, classes, pictures."""

import math
import pickle
import re
from dataclasses import replace

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from generators import random_dag
from learners import CaMMLClassifier, LearnedNetwork, StructurePrior, learn_network, message_length
from learners.networks.classes.sampled_networks import ChainsDisagreeWarning, SampledClasses
from learners.networks.search import FoundNetwork, OrderPosterior

OPTIONS = [{}, {"local_model": "shorter"}, {"arc_probability": 0.2, "constant": "rounded"}]


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def truth():
    return random_dag(n_nodes=8, arity=(2, 4), max_parents=2, random_state=4)


@pytest.fixture(scope="module")
def rows(truth):
    return truth.sample_table(400, random_state=5)


def holed(table, share=0.05, seed=0):
    return table.mask(np.random.default_rng(seed).random(table.shape) < share)


def noise(n_rows, n_columns, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (n_rows, n_columns))


def numbers_of(line):
    return [float(number) for number in re.findall(r"-?\d+\.\d+", line)]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("share", [0.0, 0.1])
def test_the_parts_sum_to_the_message(rows, options, share):
    table = holed(rows, share)
    learned = learn_network(table, **options)
    parts = learned.structure + learned.parameters.sum() + learned.data.sum()
    assert learned.message_length == pytest.approx(parts)
    assert learned.message_length == pytest.approx(learned.found.length / math.log(2))
    again = message_length(table, learned.parents, **{"arc_probability": learned.arc_probability} | options)
    assert learned.message_length == pytest.approx(again.total)
    total, arcs, probabilities, values = numbers_of(learned.explain().split("\n")[0])
    assert total == pytest.approx(arcs + probabilities + values, abs=0.16)
    assert learned.variables[["probabilities", "values"]].to_numpy().sum() == pytest.approx(
        probabilities + values, abs=0.11
    )


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("share", [0.0, 0.1])
def test_variables_say_what_their_parents_save(rows, options, share):
    table = holed(rows, share)
    learned = learn_network(table, **options)
    variables = learned.variables
    assert variables.index.tolist() == list(rows.columns)
    p = {"arc_probability": learned.arc_probability} | options
    for v, name in enumerate(rows.columns):
        parent_names = [rows.columns[u] for u in learned.parents[v]]
        assert variables.loc[name, "parents"] == ", ".join(parent_names)
        without = message_length(
            table, [(() if w == v else others) for w, others in enumerate(learned.parents)], **p
        )
        saved = without.total - learned.message_length
        assert variables.loc[name, "saved"] == pytest.approx(saved, abs=1e-6)
        alone = without.parameters[v] + without.data[v]
        assert variables.loc[name, "without_parents"] == pytest.approx(alone, abs=1e-6)
        leaves = learned.n_leaves[v] or math.prod(len(rows[u].cat.categories) for u in parent_names)
        assert variables.loc[name, "cells"] == leaves * len(rows[name].cat.categories)
    assert (variables["saved"] >= -1e-9).all()


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("share", [0.0, 0.1])
def test_arcs_say_what_the_message_would_be_without_them(rows, options, share):
    table = holed(rows, share)
    learned = learn_network(table, **options)
    assert len(learned.arcs) == sum(map(len, learned.parents)) > 3
    for arc in learned.arcs.itertuples():
        u, v = rows.columns.get_loc(arc.parent), rows.columns.get_loc(arc.child)
        parents = list(learned.parents)
        parents[v] = tuple(w for w in parents[v] if w != u)
        without = message_length(table, parents, **{"arc_probability": learned.arc_probability} | options)
        assert arc.saves == pytest.approx(without.total - learned.message_length, abs=1e-6)
        assert arc.saves > 0
        assert arc.posterior == learned.arc_posteriors[u, v]
        assert arc.reverse == learned.arc_posteriors[v, u]
    assert "spread" not in learned.arcs


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_exact_posteriors_are_those_of_all_orders_and_say_so(rows, share):
    learned = learn_network(holed(rows, share))
    expected = OrderPosterior.of(learned.problem, arc_probability=learned.arc_probability)
    np.testing.assert_array_equal(learned.arc_posteriors, expected.arc_posteriors)
    assert learned.is_exact
    assert learned.posterior_source == "exact"
    assert "\nPosteriors of arcs: exact.\n" in learned.explain()
    assert "sampled" not in learned.__dict__


@pytest.mark.parametrize(
    ("n_nodes", "share", "options", "is_exact"),
    [
        (16, 0.0, {}, True),
        pytest.param(17, 0.0, {}, False, marks=pytest.mark.slow),
        (12, 0.1, {}, True),
        (13, 0.1, {}, False),
        (9, 0.0, {"local_model": "tree"}, True),
        (10, 0.0, {"local_model": "tree"}, False),
        (13, 0.1, {"search": "exact", "max_parents": 2}, True),
        (8, 0.0, {"search": "fast"}, True),
    ],
)
def test_posteriors_are_exact_where_the_search_is(n_nodes, share, options, is_exact):
    X = noise(60, n_nodes)
    X[np.random.default_rng(1).random(X.shape) < share] = -1
    learned = learn_network(X, arities=[2] * n_nodes, random_state=0, **options)
    assert learned.is_exact == is_exact
    camml = CaMMLClassifier(arities=[2] * (n_nodes - 1), random_state=0, **options)
    assert camml.fit(X[:, :-1], X[:, -1] % 2).learned_.is_exact == is_exact


@pytest.mark.slow
def test_sampled_posteriors_say_by_how_much_the_chains_differ():
    X = noise(50, 17)
    X[:, 1] = X[:, 0]
    learned = learn_network(X, random_state=0, search_factor=0.01)
    assert not any(name in learned.arcs for name in ("posterior", "reverse", "spread"))
    assert "Posteriors of arcs" not in learned.explain()
    with pytest.warns(
        ChainsDisagreeWarning, match="chains differ by up to .* raise search_factor for more"
    ) as caught:
        posteriors = learned.arc_posteriors
    assert len(caught) == 1
    assert posteriors is learned.arc_posteriors  # no second warning: all are errors here
    assert isinstance(learned.equivalence_classes, tuple)
    difference = learned.sampled.disagreement
    assert difference > 0.1
    assert learned.posterior_source.startswith(f"sampled, chains differ by up to {difference:.2f}")
    assert f"Posteriors of arcs: {learned.posterior_source}." in learned.explain()
    chains = learned.sampled.sample.convergence.arc_posteriors
    for arc in learned.arcs.itertuples():
        u, v = int(arc.parent[1:]), int(arc.child[1:])
        assert arc.posterior == posteriors[u, v]
        assert arc.spread == pytest.approx(max(np.ptp(chains[:, u, v]), np.ptp(chains[:, v, u])))
    assert "spread" in learned.explain()
    (note,) = (text.get_text() for text in learned.plot().texts if "posterior" in text.get_text())
    assert note.endswith(f"posteriors: {learned.posterior_source}")


@pytest.mark.slow
def test_chains_that_agree_warn_of_nothing():
    learned = learn_network(noise(1000, 17), random_state=0, temperature=1.0)
    difference = learned.sampled.disagreement
    assert difference <= 0.1
    assert learned.arc_posteriors.max() < 0.5
    assert learned.posterior_source == f"sampled, chains agree to within {difference:.2f}"


@pytest.mark.slow
def test_few_effective_samples_and_a_short_time_are_distinguished():
    X = noise(300, 18)
    X[:, 1:9] = X[:, :1]
    hot = learn_network(X, random_state=0, temperature=8.0, search_factor=0.05)
    with pytest.warns(
        ChainsDisagreeWarning,
        match=r"temperature nearer to 1, since the weights are worth only [\d,]+ of [\d,]+ samples\.$",
    ):
        _ = hot.arc_posteriors
    short = learn_network(X, random_state=0, temperature=1.0, max_seconds=1e-6, search="fast")
    with pytest.warns(ChainsDisagreeWarning, match=r"raise max_seconds for more steps\.$"):
        _ = short.arc_posteriors


def test_half_of_the_chains_begin_at_the_network(rows, monkeypatch):
    learned = learn_network(rows, random_state=0)
    seen = {}

    def drawn(problem, **options):
        seen.update(options)

    monkeypatch.setitem(learned.sampling.draw.__func__.__globals__, "sample_toms", drawn)
    _ = learned.sampled
    assert (seen["n_chains"], seen["starts"]) == (4, [learned.parents] * 2)


def test_exact_posteriors_of_more_variables_are_not_begun(rows):
    learned = learn_network(noise(40, 30), random_state=0, search_factor=0.01)
    with pytest.raises(ValueError, match="at most 20 variables, but the table has 30") as caught:
        _ = learned.orders
    assert "averaging" not in str(caught.value)
    assert "sample" in str(caught.value)


def test_opinions_that_added_arcs_are_explained():
    X = noise(100, 4)
    prior = StructurePrior(weights={("x0", "x1"): 0.999}, required=[("x2", "x3")])
    learned = learn_network(X, structure_prior=prior)
    assert learned.parents == ((), (0,), (), (2,))
    lines = learned.explain().split("\n")
    assert lines[1].startswith("0 of 4 pairs without an opinion joined; an arc has probability")
    assert lines[2] == (
        "2 of 2 pairs with an opinion joined; where opinions favor the network, they take bits off the arcs."
    )


def test_opinions_that_added_no_arcs_are_explained():
    learned = learn_network(noise(100, 4), structure_prior=StructurePrior(weights={("x0", "x1"): 0.1}))
    assert learned.parents == ((),) * 4
    assert learned.explain().split("\n")[1:3] == [
        f"0 of 5 pairs without an opinion joined; an arc has probability {learned.arc_probability:.3g}.",
        "0 of 1 pair with an opinion joined.",
    ]


def test_an_expert_on_all_pairs_leaves_none_to_count():
    learned = learn_network(
        noise(100, 3), structure_prior=StructurePrior(expert=[("x0", "x1")], edit_penalty=9)
    )
    assert learned.explain().split("\n")[1].startswith("1 of 3 pairs with an opinion joined; where opinions")
    assert "without an opinion" not in learned.explain()


def test_tiers_leave_every_pair_free():
    learned = learn_network(noise(100, 3), structure_prior=StructurePrior(tiers=[["x0"], ["x1"], ["x2"]]))
    assert "opinion" not in learned.explain()
    assert learned.explain().split("\n")[1].startswith("0 of 3 pairs joined; an arc has probability")


def test_one_variable_is_explained_too():
    learned = learn_network(noise(30, 1))
    assert learned.arcs.empty
    assert "0 of 0 pairs joined" in learned.explain()
    assert learned.arc_posteriors.tolist() == [[0.0]]
    assert len(learned.plot().texts) == 2


def test_arcs_are_shown_with_posteriors_once_these_are_known():
    X = noise(60, 13)
    X[:, 1] = X[:, 0]
    learned = learn_network(X)
    assert "posterior" not in learned.arcs
    _ = learned.arc_posteriors
    assert "posterior" in learned.arcs
    assert "exact" in learned.explain()


def test_the_picture_has_the_posteriors_and_says_that_they_are_exact(rows):
    learned = learn_network(rows)
    _, ax = plt.subplots()
    assert learned.plot(ax) is ax
    texts = [text.get_text() for text in ax.texts]
    shown = {
        f"{arc.posterior:.2f}\n({arc.reverse:.2f})"
        for arc in learned.arcs.itertuples()
        if round(arc.posterior, 2) < 0.99
    }
    assert shown
    assert shown == {text for text in texts if re.fullmatch(r"\d\.\d\d\n\(\d\.\d\d\)", text)}
    assert texts[-1].endswith("posteriors: exact")


def test_equivalence_classes_have_names_and_networks(rows):
    learned = learn_network(rows, random_state=0)
    classes = learned.equivalence_classes
    assert [one.posterior for one in classes] == [one.posterior for one in learned.sampled.equivalence]
    assert sum(one.posterior for one in classes) > 0.9
    best = classes[0]
    assert best.network.names == tuple(rows.columns)
    assert best.network.parents == best.parents == best.graphs.parents(0)
    assert best.arcs == tuple(
        (rows.columns[u], rows.columns[v]) for v, others in enumerate(best.parents) for u in others
    )
    again = message_length(rows, best.parents, arc_probability=learned.arc_probability)
    assert again.total >= learned.message_length - 1e-9
    known = LearnedNetwork.of(
        learned.problem,
        FoundNetwork(best.parents, again.total * math.log(2), learned.arc_probability),
        learned.network.names,
        learned.network.states,
    )
    for mine, theirs in zip(best.network.cpts, known.network.cpts, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_classifier_s_classes_have_the_name_of_the_class(rows):
    camml = CaMMLClassifier(random_state=0).fit(rows.drop(columns="x7"), rows["x7"])
    assert camml.equivalence_classes_[0].network.class_name == "x7"
    assert camml.equivalence_classes_ is camml.learned_.equivalence_classes


def test_results_of_many_networks_are_printed_in_a_line(rows):
    learned = learn_network(rows, random_state=0)
    sampled = learned.sampled
    several = (sampled, sampled.sample, sampled.sample.graphs, sampled.sample.convergence, learned.orders)
    for one in (*several, *learned.equivalence_classes):
        assert "\n" not in repr(one)
        assert len(repr(one)) < 120
    assert len(repr(sampled.equivalence[0])) < 120
    assert isinstance(sampled, SampledClasses)


def test_distance_to_a_true_network(truth, rows):
    learned = learn_network(rows)
    distance = learned.structural_distance(truth)
    assert distance == learned.network.structural_distance(truth)
    assert distance.found + distance.reversed + distance.missed == sum(map(len, truth.parents))


def test_it_survives_pickling(rows):
    learned = learn_network(rows, random_state=0)
    _ = learned.equivalence_classes
    again = pickle.loads(pickle.dumps(learned))
    assert again.explain() == learned.explain()
    np.testing.assert_array_equal(again.arc_posteriors, learned.arc_posteriors)


@pytest.mark.parametrize("opinions", [None, StructurePrior(forbidden=[("x0", "x1")])])
def test_a_variable_with_more_values_than_a_table_may_have_cells_is_named(opinions):
    X = pd.DataFrame({"x0": pd.Categorical(list("abcd") * 5), "x1": pd.Categorical(list("ab") * 10)})
    message = "The variable 'x0' has 4 values, but max_cells is 3; give at least 4, or None."
    with pytest.raises(ValueError, match=message):
        learn_network(X, max_cells=3, structure_prior=opinions)
    with pytest.raises(ValueError, match=message):
        CaMMLClassifier(max_cells=3, structure_prior=opinions).fit(X[["x0"]], X["x1"])
    assert learn_network(X, max_cells=4).parents == ((), ())


@pytest.mark.parametrize(
    ("shares", "posteriors", "agreement"),
    [
        ([0.5, 0.5, 0.0], [0.5, 0.52, 0.58], "chains agree to within 0.08"),
        ([0.4, 0.3, 0.3], [0.5, 0.6, 0.2], "chains differ by up to 0.40"),
        ([0.6, 0.4, 0.0], [0.5, 0.55, 0.0], "chains differ by up to 0.55 (the 2 with weight by 0.05)"),
        ([1.0, 0.0, 0.0], [0.5, 0.4, 0.0], "chains differ by up to 0.50 (one has nearly all the weight)"),
    ],
)
def test_chains_without_weight_are_distinguished(rows, shares, posteriors, agreement):
    sample = learn_network(rows, random_state=0).sampled.sample
    arcs = np.zeros((3, 8, 8))
    arcs[:, 2, 3] = posteriors
    convergence = replace(sample.convergence, arc_posteriors=arcs, shares=np.array(shares))
    sampled = SampledClasses(None, replace(sample, convergence=convergence))
    assert sampled.agreement == agreement
    assert sampled.disagreement == pytest.approx(np.ptp(posteriors))
    assert sampled.arc_spreads[2, 3] == sampled.disagreement
