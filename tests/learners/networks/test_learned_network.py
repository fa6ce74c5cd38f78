"""The explanation of a learned network: message, variables, arcs, posteriors, classes, pictures."""

import math
import pickle
import re
import warnings
from contextlib import nullcontext
from dataclasses import replace

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from generators import Network, random_dag, random_naive_bayes
from learners import CaMMLClassifier, LearnedNetwork, StructurePrior, learn_network, message_length
from learners.networks.classes.sampled_networks import ChainsDisagreeWarning, SampledClasses
from learners.networks.learned_graph import MISSING
from learners.networks.network_table import MissingValuesWarning
from learners.networks.search import FoundNetwork, OrderPosterior

OPTIONS = [
    {},
    {"local_model": "shorter"},
    {"local_model": "auto"},
    {"arc_probability": 0.2, "constant": "rounded"},
]


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


def learned_from(table, **options):
    """Learn, and expect the warning if values are missing."""
    missing = table.isna() if isinstance(table, pd.DataFrame) else np.asarray(table) == -1
    with pytest.warns(MissingValuesWarning) if np.any(missing) else nullcontext():
        return learn_network(table, **options)


def noise(n_rows, n_columns, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (n_rows, n_columns))


def numbers_of(line):
    return [float(number) for number in re.findall(r"-?\d+\.\d+", line)]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("share", [0.1])
def test_the_parts_sum_to_the_message(rows, options, share):
    table = holed(rows, share)
    learned = learned_from(table, **options)
    parts = learned.structure + learned.parameters.sum() + learned.data.sum()
    assert learned.message_length == pytest.approx(parts)
    assert learned.message_length == pytest.approx(learned.found.length / math.log(2))
    again = message_length(
        table, learned.network.parent_indices, **{"arc_probability": learned.arc_probability} | options
    )
    assert learned.message_length == pytest.approx(again.total)
    total, arcs, probabilities, values = numbers_of(learned.explain().split("\n")[0])
    assert total == pytest.approx(arcs + probabilities + values, abs=0.16)
    assert learned.variables[["probabilities", "values"]].to_numpy().sum() == pytest.approx(
        probabilities + values, abs=0.11
    )


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("share", [0.1])
def test_variables_say_what_their_parents_save(rows, options, share):
    table = holed(rows, share)
    learned = learned_from(table, **options)
    variables = learned.variables
    assert variables.index.tolist() == list(rows.columns)
    p = {"arc_probability": learned.arc_probability} | options
    for v, name in enumerate(rows.columns):
        parent_names = [rows.columns[u] for u in learned.network.parent_indices[v]]
        assert variables.loc[name, "parents"] == ", ".join(parent_names)
        without = message_length(
            table,
            [(() if w == v else others) for w, others in enumerate(learned.network.parent_indices)],
            **p,
        )
        saved = without.total - learned.message_length
        assert variables.loc[name, "saved"] == pytest.approx(saved, abs=1e-6)
        alone = without.parameters[v] + without.data[v]
        assert variables.loc[name, "without_parents"] == pytest.approx(alone, abs=1e-6)
        whole = math.prod(len(rows[u].cat.categories) for u in parent_names)
        assert (
            learned.n_rows[v] == whole if learned.local_models[v] == "table" else learned.n_rows[v] <= whole
        )
        assert variables.loc[name, "cells"] == learned.n_rows[v] * len(rows[name].cat.categories)
    assert (variables["saved"] >= -1e-9).all()


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("share", [0.1])
def test_arcs_say_what_the_message_would_be_without_them(rows, options, share):
    table = holed(rows, share)
    learned = learned_from(table, **options)
    assert len(learned.arcs) == sum(map(len, learned.network.parent_indices)) > 3
    for arc in learned.arcs.itertuples():
        u, v = rows.columns.get_loc(arc.parent), rows.columns.get_loc(arc.child)
        parents = list(learned.network.parent_indices)
        parents[v] = tuple(w for w in parents[v] if w != u)
        without = message_length(table, parents, **{"arc_probability": learned.arc_probability} | options)
        assert arc.bits_saved == pytest.approx(without.total - learned.message_length, abs=1e-6)
        assert arc.bits_saved > 0
        assert arc.posterior == learned.arc_posteriors.loc[arc.parent, arc.child]
        assert arc.reverse == learned.arc_posteriors.loc[arc.child, arc.parent]
    assert "spread" not in learned.arcs


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_exact_posteriors_are_those_of_all_orders_and_say_so(rows, share):
    learned = learned_from(holed(rows, share))
    expected = OrderPosterior.of(learned.problem, arc_probability=learned.arc_probability)
    np.testing.assert_array_equal(learned.arc_posteriors, expected.arc_posteriors)
    assert learned.is_exact
    given = f" {MISSING}" if share else ""
    assert learned.posterior_source == f"exact{given}"
    assert f"\nPosteriors of arcs: exact{given}.\n" in learned.explain()
    assert "sampled" not in learned.__dict__


@pytest.mark.parametrize(
    ("n_nodes", "share", "options", "is_exact"),
    [
        (16, 0.0, {}, True),
        pytest.param(17, 0.0, {}, False, marks=pytest.mark.slow),
        pytest.param(12, 0.1, {}, True, marks=pytest.mark.slow),
        pytest.param(13, 0.1, {}, False, marks=pytest.mark.slow),
        (9, 0.0, {"local_model": "tree"}, True),
        (10, 0.0, {"local_model": "tree"}, False),
        (13, 0.1, {"search": "exact", "max_parents": 2}, True),
        (8, 0.0, {"search": "fast"}, True),
    ],
)
def test_posteriors_are_exact_where_the_search_is(n_nodes, share, options, is_exact):
    X = noise(60, n_nodes)
    X[np.random.default_rng(1).random(X.shape) < share] = -1
    learned = learned_from(X, arities=[2] * n_nodes, random_state=0, **options)
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
    assert [one.filename for one in caught] == [__file__]
    assert posteriors is learned.arc_posteriors  # no second warning: all are errors here
    assert isinstance(learned.equivalence_classes, tuple)
    difference = learned.sampled.disagreement
    assert difference > 0.1
    assert learned.posterior_source.startswith(f"sampled, chains differ by up to {difference:.2f}")
    assert f"Posteriors of arcs: {learned.posterior_source}." in learned.explain()
    chains = learned.sampled.sample.convergence.arc_posteriors
    for arc in learned.arcs.itertuples():
        u, v = int(arc.parent[1:]), int(arc.child[1:])
        assert arc.posterior == posteriors.iloc[u, v]
        assert arc.spread == pytest.approx(max(np.ptp(chains[:, u, v]), np.ptp(chains[:, v, u])))
    assert "spread" in learned.explain()
    (note,) = (text.get_text() for text in learned.plot().texts if "posterior" in text.get_text())
    assert note.replace("\n", " ").endswith(f"posteriors: {learned.posterior_source}")


@pytest.mark.slow
def test_chains_that_agree_warn_of_nothing():
    learned = learn_network(noise(1000, 17), random_state=0, temperature=1.0)
    difference = learned.sampled.disagreement
    assert difference <= 0.1
    assert learned.arc_posteriors.to_numpy().max() < 0.5
    assert learned.posterior_source == f"sampled, chains agree to within {difference:.2f}"


@pytest.mark.slow
def test_few_effective_samples_and_a_short_time_are_distinguished():
    X = noise(300, 18)
    X[:, 1:9] = X[:, :1]
    hot = learn_network(X, random_state=0, temperature=8.0, search_factor=0.05)
    with pytest.warns(
        ChainsDisagreeWarning,
        match=r"temperature nearer to 1, since the weights are worth only [\d,]+ of [\d,]+ samples\.",
    ):
        _ = hot.arc_posteriors
    short = learn_network(X, random_state=0, temperature=1.0, max_seconds=1e-9, search="fast")
    with pytest.warns(ChainsDisagreeWarning, match=r"by Ctrl-C or max_seconds: let it run longer\."):
        _ = short.arc_posteriors


def test_half_of_the_chains_begin_at_the_network(rows, monkeypatch):
    learned = learn_network(rows, random_state=0)
    seen = {}
    draw = learned.sampling.draw

    def drawn(problem, **options):
        seen.update(options)

    monkeypatch.setitem(draw.__func__.__globals__, "sample_toms", drawn)
    draw(learned.problem, learned.network.parent_indices, 0.5, exact=False)
    assert (seen["n_chains"], seen["starts"]) == (4, [learned.network.parent_indices] * 2)


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
    assert learned.network.parent_indices == ((), (0,), (), (2,))
    lines = learned.explain().split("\n")
    assert lines[1].startswith("0 of 4 pairs without an opinion joined; an arc has probability")
    assert lines[2] == (
        "2 of 2 pairs with an opinion joined; where opinions favor the network, they take bits off the arcs."
    )


def test_opinions_that_added_no_arcs_are_explained():
    learned = learn_network(noise(100, 4), structure_prior=StructurePrior(weights={("x0", "x1"): 0.1}))
    assert learned.network.parent_indices == ((),) * 4
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
    assert learned.arc_posteriors.to_numpy().tolist() == [[0.0]]
    assert [text.get_text() for text in learned.plot().texts][2:] == [
        "no two variables are joined with probability 0.2 or more"
    ]


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
    assert learned.plot(ax, kind="dag") is ax
    texts = [text.get_text() for text in ax.texts]
    shown = {
        f"{arc.posterior:.2f}\n({arc.reverse:.2f})"
        for arc in learned.arcs.itertuples()
        if round(arc.posterior, 2) < 0.99
    }
    assert shown
    assert shown == {text for text in texts if re.fullmatch(r"\d\.\d\d\n\(\d\.\d\d\)", text)}
    assert texts[-1].endswith("posteriors: exact")


def test_parents_posteriors_and_bits_have_names(rows):
    learned = learn_network(rows)
    names = list(rows.columns)
    assert list(learned.parents) == names
    for v, others in enumerate(learned.network.parent_indices):
        assert learned.parents[names[v]] == tuple(names[u] for u in others)
    posteriors = learned.arc_posteriors
    assert (posteriors.index.tolist(), posteriors.columns.tolist()) == (names, names)
    assert (posteriors.index.name, posteriors.columns.name) == ("from", "to")
    np.testing.assert_array_equal(posteriors, learned.orders.arc_posteriors)
    assert learned.parameters.index.tolist() == learned.data.index.tolist() == names
    np.testing.assert_array_equal(learned.parameters, learned.message.parameters)
    np.testing.assert_array_equal(learned.data, learned.message.data)


def test_parents_by_name_are_read_in_any_order(rows):
    learned = learn_network(rows)
    given = dict(reversed([(name, others) for name, others in learned.parents.items() if others]))
    options = {"arc_probability": learned.arc_probability}
    assert message_length(rows, given, **options).total == learned.message_length
    with pytest.raises(ValueError, match="The column 'x99' is not a column of X: expected an index"):
        message_length(rows, {"x99": ()})


def test_it_answers_queries_as_its_network_does(rows):
    learned = learn_network(rows)
    evidence = {"x1": learned.network.states[1][0]}
    assert learned.query(["x0", "x2"], evidence).equals(learned.network.query(["x0", "x2"], evidence))
    assert learned.most_probable(evidence) == learned.network.most_probable(evidence)
    assert learned.cpt("x2").equals(learned.network.cpt("x2"))


def test_it_is_written_and_sampled_as_its_network_is(rows, monkeypatch):
    learned = learn_network(rows)
    assert Network.from_json(learned.to_json()) == learned.network
    pd.testing.assert_frame_equal(learned.sample_table(5, 0), learned.network.sample_table(5, 0))
    monkeypatch.setattr(Network, "to_bif", lambda network, path: (network, path))
    assert learned.to_bif("learned.bif") == (learned.network, "learned.bif")


@pytest.mark.parametrize("kind", ["average", "pattern"])
def test_pictures_without_posteriors_against_their_arcs(rows, kind):
    learned = learn_network(rows)
    texts = [text.get_text() for text in learned.plot(kind=kind).texts]
    assert ("posteriors: exact" in texts[-1]) == (kind == "average")
    assert not any(re.fullmatch(r"\d\.\d\d\n\(\d\.\d\d\)", text) for text in texts)
    assert ("arc_posteriors" in learned.__dict__) == (kind == "average")
    plt.close("all")


def test_a_notebook_shows_what_is_known_and_computes_no_posteriors(rows):
    learned = learn_network(rows, random_state=0)
    page = learned._repr_html_()
    assert not {"arc_posteriors", "orders", "sampled"} & set(learned.__dict__)
    assert repr(learned) in page
    assert "Posteriors of arcs take longer: see plot() and arc_posteriors." in page
    assert "What each arc saves, in bits" in page
    assert "<th>posterior</th>" not in page
    _ = learned.arc_posteriors
    page = learned._repr_html_()
    assert "which take longer" not in page
    assert "<th>posterior</th>" in page
    arcs = learned.arcs
    assert (arcs["posterior"] > 0.995).any()
    for arc in arcs.itertuples():  # 1.00, not 1
        cells = (arc.parent, arc.child, f"{arc.bits_saved:.1f}", f"{arc.posterior:.2f}", f"{arc.reverse:.2f}")
        assert "".join(f"<td>{cell}</td>" for cell in cells) in page
    assert f"<td>{learned.variables.loc['x2', 'without_parents']:.1f}</td>" in page


def test_equivalence_classes_have_names_and_networks(rows):
    learned = learn_network(rows, random_state=0)
    classes = learned.equivalence_classes
    assert [one.posterior for one in classes] == [one.posterior for one in learned.sampled.equivalence]
    assert sum(one.posterior for one in classes) > 0.9
    best = classes[0]
    assert best.network.names == tuple(rows.columns)
    assert best.network.parent_indices == best.graphs.parents(0)
    assert best.parents == {name: best.network.parents_of(name) for name in rows.columns}
    assert best.arcs == best.network.arcs
    again = message_length(rows, best.parents, arc_probability=learned.arc_probability)
    assert again.total >= learned.message_length - 1e-9
    known = LearnedNetwork.of(
        learned.problem,
        FoundNetwork(best.network.parent_indices, again.total * math.log(2), learned.arc_probability),
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
    chains = by_chains(learned)
    several = (sampled, sampled.sample, sampled.sample.graphs, chains, chains.convergence, learned.orders)
    for one in (*several, *learned.equivalence_classes):
        assert "\n" not in repr(one)
        assert len(repr(one)) < 120
    assert len(repr(sampled.equivalence[0])) < 120
    assert isinstance(sampled, SampledClasses)


def test_distance_to_a_true_network(truth, rows):
    learned = learn_network(rows)
    distance = learned.structural_distance(truth)
    assert distance == learned.network.structural_distance(truth)
    assert distance.found + distance.reversed + distance.missed == sum(map(len, truth.parent_indices))


def test_it_survives_pickling(rows):
    learned = learn_network(rows, random_state=0)
    _ = learned.equivalence_classes
    again = pickle.loads(pickle.dumps(learned))
    assert again.explain() == learned.explain()
    np.testing.assert_array_equal(again.arc_posteriors, learned.arc_posteriors)


@pytest.mark.parametrize("opinions", [None, StructurePrior(forbidden=[("x0", "x1")])])
def test_a_variable_with_more_values_than_a_table_may_have_cells_is_named(opinions):
    X = pd.DataFrame({"x0": pd.Categorical(list("abcd") * 5), "x1": pd.Categorical(list("ab") * 10)})
    message = "The variable 'x0' has 4 values, but max_cells is 3: expected at least 4, or None."
    with pytest.raises(ValueError, match=message):
        learn_network(X, max_cells=3, structure_prior=opinions)
    with pytest.raises(ValueError, match=message):
        CaMMLClassifier(max_cells=3, structure_prior=opinions).fit(X[["x0"]], X["x1"])
    assert learn_network(X, max_cells=4).network.parent_indices == ((), ())


def by_chains(learned):
    """The sample that chains would draw."""
    sampling = replace(learned.sampling, search_factor=0.01)
    return sampling.draw(learned.problem, learned.network.parent_indices, 0.5, exact=False).sample


@pytest.mark.parametrize(
    ("shares", "posteriors", "agreement"),
    [
        ([0.5, 0.5, 0.0], [0.5, 0.52, 0.58], "chains agree to within 0.08"),
        ([0.4, 0.3, 0.3], [0.5, 0.6, 0.2], "chains differ by up to 0.40"),
        (
            [0.6, 0.4, 0.0],
            [0.5, 0.55, 0.0],
            "chains differ by up to 0.55, and the 2 chains that carry nearly all the weight by up to 0.05",
        ),
        (
            [1.0, 0.0, 0.0],
            [0.5, 0.4, 0.0],
            "chains differ by up to 0.50, but one chain carries nearly all the weight",
        ),
    ],
)
def test_chains_without_weight_are_distinguished(rows, shares, posteriors, agreement):
    sample = by_chains(learn_network(rows, random_state=0))
    arcs = np.zeros((3, 8, 8))
    arcs[:, 2, 3] = posteriors
    convergence = replace(sample.convergence, arc_posteriors=arcs, shares=np.array(shares))
    sampled = SampledClasses(None, replace(sample, convergence=convergence))
    assert sampled.agreement == agreement
    assert sampled.disagreement == pytest.approx(np.ptp(posteriors))
    assert sampled.arc_spreads[2, 3] == sampled.disagreement


def collider(seed, share, n_rows=2000):
    """Two independent causes, their effect and four columns of noise, with some values missing."""
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, 2, (2, n_rows))
    w = np.where(rng.random(n_rows) < 0.1, rng.integers(0, 2, n_rows), u | v)
    columns = {"u": u, "v": v, "w": w} | {f"n{i}": rng.integers(0, 2, n_rows) for i in range(4)}
    return pd.DataFrame(columns).astype("category").mask(rng.random((n_rows, 7)) < share).astype("category")


@pytest.mark.parametrize("seed", range(2))
def test_missing_values_add_arcs_and_are_warned_of(seed):
    # what the guide and the limits say; a better score of missing values would change them
    holes = collider(seed, 0.05)
    said = r"5% of the values are missing, in 3\d% of the rows.*extra and reversed arcs.*dropna\(\)"
    with pytest.warns(MissingValuesWarning, match=said) as caught:
        learned = learn_network(holes)
    assert [one.filename for one in caught] == [__file__]
    joined = learned.arc_posteriors.loc["u", "v"] + learned.arc_posteriors.loc["v", "u"]
    assert joined > 0.99
    assert "favors extra arcs and can reverse arcs" in learned.posterior_source
    complete = learn_network(holes.dropna())  # without a warning
    joined = complete.arc_posteriors.loc["u", "v"] + complete.arc_posteriors.loc["v", "u"]
    assert joined < 0.5
    assert complete.posterior_source == "exact"


def test_missing_values_are_mentioned_before_posteriors_are_known():
    with pytest.warns(MissingValuesWarning):
        learned = learn_network(holed(noise_frame()))
    assert "they are scored favors extra arcs" in learned._repr_html_()


def test_missing_values_turn_arcs_round():
    # what the guide says: smoker -> illness, and both -> cough; no rows tell these directions
    arcs = ((), (0,), (0, 1))
    cpts = ([0.7, 0.3], [[0.9, 0.1], [0.6, 0.4]], [[[0.9, 0.1], [0.3, 0.7]], [[0.7, 0.3], [0.1, 0.9]]])
    rows = Network(("smoker", "illness", "cough"), (("no", "yes"),) * 3, arcs, cpts).sample_table(2000, 5)
    complete = learn_network(rows).arc_posteriors
    assert 0.6 < complete.loc["illness", "smoker"] < 0.9
    with pytest.warns(MissingValuesWarning, match="extra and reversed arcs"):
        holed = learn_network(rows.mask(np.random.default_rng(5).random(rows.shape) < 0.05)).arc_posteriors
    assert holed.loc["illness", "smoker"] > 0.95


@pytest.mark.parametrize(
    ("empty", "said"),
    [
        (
            [2],
            r"Leave out 'c', where all .* missing. .* complete rows, X\.dropna\(\), or impute the values\.$",
        ),
        ([0, 2], r"Leave out 'a', 'c', where all values are missing. "),
        ([], r"No row is complete: impute the values, or leave out columns\.$"),
    ],
)
def test_what_to_do_about_missing_values_depends_on_where_they_are(empty, said):
    rows = noise_frame()
    mask = np.zeros(rows.shape, bool)
    mask[:, empty] = True
    if not empty:
        mask[np.arange(100), np.arange(100) % 3] = True
    with pytest.warns(MissingValuesWarning, match=said):
        learn_network(rows.mask(mask))


def test_the_pattern_heeds_prior_knowledge():
    x = np.tile([0, 1], 100)
    rows = pd.DataFrame({"a": x, "b": x ^ (np.arange(200) < 20), "c": x ^ (np.arange(200) % 10 == 3)})
    rows = rows.astype("category")
    assert len(learn_network(rows).pattern().undirected) >= 2
    learned = learn_network(rows, structure_prior=StructurePrior(tiers=[["a"], ["b"], ["c"]]))
    assert not learned.pattern().undirected
    assert learned.pattern().directed == {("a", "b"), ("a", "c")}
    assert "dashed" not in "".join(text.get_text() for text in learned.plot(kind="pattern").texts)
    assert "stroke-dasharray" not in learned._repr_html_()
    plt.close("all")


def test_the_average_has_no_heads_that_only_orders_favor():
    truth = random_naive_bayes(n_attributes=7, arity=3, n_classes=3, random_state=1)
    learned = learn_network(truth.sample_table(500, random_state=1))
    ends = [learned.arc_posteriors.loc[arc] for arc in learned.network.arcs]
    assert min(ends) > 0.9
    assert not learned.pattern().directed
    note = learned.plot().texts[-1].get_text()
    assert "arrow" not in note
    assert "dashed: joined, direction not determined" in note
    assert learned._repr_html_().count("stroke-dasharray") >= len(ends)


def noise_frame():
    return pd.DataFrame(noise(100, 3), columns=["a", "b", "c"]).astype("category")


def test_a_classifier_does_not_warn_of_missing_values():
    X = holed(noise_frame())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        camml = CaMMLClassifier().fit(X, noise(100, 1)[:, 0])
        assert "favors extra arcs" in camml.learned_.posterior_source


def test_a_column_of_names_is_warned_of():
    rows = noise_frame().assign(name=[f"row {i}" for i in range(100)])
    with pytest.warns(UserWarning, match="'name' has 100 states in 100 rows"):
        learn_network(rows)


@pytest.fixture(scope="module")
def mixed():
    """A number, a word that depends on it, and a switch."""
    rng = np.random.default_rng(0)
    number = rng.normal(size=400)
    word = np.where(number + rng.normal(size=400) / 3 > 0, "high", "low")
    return pd.DataFrame({"number": number, "word": word, "switch": rng.choice(["off", "on"], 400)})


def as_states(learned, rows):
    labels = np.array(learned.network.states[0], dtype=object)
    return rows.assign(number=labels[np.searchsorted(learned.cut_points["number"], rows["number"])])


def test_numbers_are_cut_as_in_learning(mixed):
    learned = learn_network(mixed)
    states = as_states(learned, mixed)
    expected = learned.network.log_joint(states)
    np.testing.assert_array_equal(learned.log_joint(mixed), expected)
    np.testing.assert_array_equal(learned.log_joint(states), expected)
    np.testing.assert_array_equal(learned.log_joint(mixed.to_numpy(dtype=object)), expected)
    np.testing.assert_array_equal(learned.log_joint(mixed.astype({"number": object})), expected)
    np.testing.assert_array_equal(learned.log_joint(mixed.astype({"number": "category"})), expected)
    of_word = learned.network.posterior(states, of="word")
    np.testing.assert_array_equal(learned.posterior(mixed, of="word"), of_word)
    given = mixed[["number", "switch"]].to_numpy(dtype=object)
    np.testing.assert_array_equal(learned.posterior(given, of="word"), of_word)
    missing = mixed.assign(number=np.nan)
    np.testing.assert_array_equal(
        learned.log_joint(missing), learned.network.log_joint(mixed[["word", "switch"]])
    )
    with pytest.raises(ValueError, match=r"shape \(400, 1\): expected 3 columns: number, word, switch"):
        learned.log_joint(mixed[["number"]].to_numpy())


def test_evidence_may_be_a_number_or_an_interval(mixed):
    learned = learn_network(mixed)
    low, state, *_ = learned.network.states[0]
    first, second, *_ = learned.cut_points["number"].tolist()
    expected = learned.network.query("word", {"number": state})
    shown = map(float, state[1:-1].split(", "))
    for value in (second, np.float32((first + second) / 2), pd.Interval(first, second), pd.Interval(*shown)):
        pd.testing.assert_series_equal(learned.query("word", {"number": value}), expected)
    row = mixed.iloc[0].drop("word")
    pd.testing.assert_series_equal(learned.query("word", row), learned.query("word", row.to_dict()))
    assert learned.most_probable({"number": -9}) == learned.network.most_probable({"number": low})
    for odd in (float("nan"), True, pd.Interval(0, 9), "high"):
        with pytest.raises(ValueError, match=r"'number' has no state .*: expected one of '\(-inf, "):
            learned.query("word", {"number": odd})
    with pytest.raises(ValueError, match=r"'number' has no state 2.0: expected one of '\(-inf, "):
        learned.network.query("word", {"number": 2.0})


def test_a_classifiers_network_cuts_numbers_too(mixed):
    camml = CaMMLClassifier().fit(mixed[["number", "switch"]], mixed["word"])
    np.testing.assert_allclose(
        camml.learned_.posterior(mixed), camml.predict_proba(mixed[["number", "switch"]])
    )
    unnamed = CaMMLClassifier().fit(mixed[["number"]].to_numpy(), mixed["word"])
    given = mixed[["number"]].to_numpy()
    np.testing.assert_allclose(unnamed.learned_.posterior(given), unnamed.predict_proba(given))


def test_a_stopped_search_says_so():
    learned = learn_network(noise(50, 20), search="fast", max_seconds=1e-9, random_state=0)
    assert learned.interrupted
    assert "bits, search stopped early)" in repr(learned)
    assert "The search was stopped early" in learned.explain()
    assert "The search was stopped early" in learned._repr_html_()
