"""The study of choosing a learner: its criteria by hand, and that a choice scores as what it chooses."""

import contextlib
import importlib.util
import itertools
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import gammaln

from workbench import read_study, run

FOLDER = Path(__file__).resolve().parents[2] / "experiments" / "studies" / "choosing"
OTHERS = ("folds", "optimum", "other_truths", "accuracy", "mixtures")


@pytest.fixture(scope="module")
def chosen():
    """Import the module by its path, under the name that the study files have."""
    name = "experiments.studies.choosing.chosen"
    spec = importlib.util.spec_from_file_location(name, FOLDER / "chosen.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    module.ChosenClassifier(("nb", "tan", "camml_1")).fit(*exclusive_or())  # loads compiled kernels
    yield module
    del sys.modules[name]


@pytest.fixture(scope="module", autouse=True)
def from_the_root():
    with contextlib.chdir(FOLDER.parents[2]):
        yield


@pytest.fixture(scope="module")
def study(chosen):
    return read_study(FOLDER / "study.toml")


def table(codes):
    """Make columns of two values and, last, the class, from rows of codes."""
    frame = pd.DataFrame(
        {f"x{i}": pd.Categorical(column, categories=[0, 1]) for i, column in enumerate(np.transpose(codes))}
    )
    return frame.iloc[:, :-1], frame.iloc[:, -1]


def exclusive_or(n=64):
    """Return a class that no attribute predicts alone and two predict together, and a third attribute."""
    i = np.arange(n)
    a, b, noise = i & 1, i >> 1 & 1, i >> 2 & 1
    return table(np.column_stack([a, b, noise, a ^ b]))


@pytest.mark.parametrize("by", ["log_loss", "accuracy", "prequential", "message_length", "bic"])
def test_the_tree_is_chosen_where_only_two_attributes_together_tell_the_class(chosen, by):
    X, y = exclusive_or()
    found = chosen.ChosenClassifier(("nb", "tan"), by).fit(X, y)
    assert found.chosen_ == "tan"
    assert found.criteria_["tan"] < found.criteria_["nb"]
    np.testing.assert_array_equal(
        found.predict_proba(X),
        chosen.CANDIDATES["tan"].__class__(smoothing="laplace").fit(X, y).predict_proba(X),
    )


def test_log_loss_is_the_bits_of_rows_that_were_left_out(chosen):
    X, y = table([[0, 0], [1, 1], [0, 0], [1, 1], [0, 1], [1, 0]])
    found = chosen.ChosenClassifier(("nb",), "log_loss", folds="each", cutoff="none").fit(X, y)
    bits = 0.0
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        y_prob = chosen.CANDIDATES["nb"].__class__().fit(X[rest], y[rest]).predict_proba(X.iloc[[i]])
        bits -= math.log2(y_prob[0, y.iloc[i]])
    assert found.criteria_["nb"] == pytest.approx(bits, rel=1e-12)


def test_folds_hold_every_row_once_and_all_classes_alike(chosen):
    codes = np.array([0] * 17 + [1] * 5 + [2])
    parts = list(chosen.fold_parts(codes, 5, np.random.default_rng(0)))
    assert sorted(np.concatenate([unseen for _, unseen in parts])) == list(range(23))
    assert all(set(seen) | set(unseen) == set(range(23)) for seen, unseen in parts)
    counts = np.array([np.bincount(codes[unseen], minlength=3) for _, unseen in parts])
    assert np.ptp(counts, axis=0).max() <= 1


def dirichlet(codes, n_values):
    """Return the log probability of codes whose distribution is uniform over all distributions."""
    counts = np.bincount(codes, minlength=n_values)
    return gammaln(n_values) - gammaln(n_values + counts.sum()) + gammaln(1 + counts).sum()


def test_evidence_is_that_of_the_tables_integrated_out(chosen):
    rows = np.array([[0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 0, 0]])
    X, y = table(rows)
    a, b, c = rows.T
    found = chosen.ChosenClassifier("evidence", "evidence").fit(X, y).criteria_

    def within(child, *parents):
        groups = itertools.product([0, 1], repeat=len(parents))
        rows_of = [np.all([p == v for p, v in zip(parents, group, strict=True)], axis=0) for group in groups]
        return sum(dirichlet(child[own], 2) for own in rows_of)

    plain = dirichlet(c, 2) + within(a, c) + within(b, c)
    trees = [dirichlet(c, 2) + within(p, c) + within(q, p, c) for p, q in ((a, b), (b, a))]
    assert -found["nb"] * math.log(2) == pytest.approx(plain, rel=1e-12)
    assert -found["averaged_tan"] * math.log(2) == pytest.approx(
        np.logaddexp(*trees) - math.log(2), rel=1e-12
    )


def test_evidence_of_networks_sums_to_one_over_all_tables_of_two_rows(chosen):
    pairs = list(itertools.product([0, 1], repeat=2))
    total = 0.0
    for both in itertools.product(pairs, repeat=2):
        X, y = table(np.array(both))
        total += 2.0 ** -chosen.ChosenClassifier(("averaged_dag",), "evidence").fit(X, y).criteria_.iloc[0]
    assert total == pytest.approx(1.0, rel=1e-12)


def test_bic_counts_the_free_parameters_of_all_tables(chosen):
    X, y = exclusive_or()
    found = chosen.ChosenClassifier(("nb", "tan"), "bic").fit(X, y).criteria_
    # Four columns of one bit a row; the class is determined by two attributes in the tree alone.
    half = 0.5 * math.log2(len(y))
    assert found["nb"] == pytest.approx(4 * 64 + half * (1 + 3 * 2), rel=1e-12)
    assert found["tan"] == pytest.approx(3 * 64 + half * (1 + 2 + 2 * 4), rel=1e-12)


def test_a_mixture_is_the_weighted_mean(chosen):
    X, y = exclusive_or()
    by_bits = chosen.MixedClassifier(("nb", "tan"), "log_loss").fit(X, y)
    each = [chosen.ChosenClassifier((name,), "bic").fit(X, y).predict_proba(X) for name in ("nb", "tan")]
    bits = chosen.ChosenClassifier(("nb", "tan"), "log_loss").fit(X, y).criteria_
    assert by_bits.weights_["nb"] / by_bits.weights_["tan"] == pytest.approx(2 ** (bits["tan"] - bits["nb"]))
    mean = chosen.MixedClassifier(("nb", "tan"), "equal").fit(X, y).predict_proba(X)
    np.testing.assert_allclose(mean, np.mean(each, axis=0), rtol=1e-12)


def test_stacking_has_the_least_log_loss_of_all_mixtures(chosen):
    of_class = np.random.default_rng(0).dirichlet(np.ones(4), size=40)[:, :3]
    found = chosen.stacking_weights(of_class)
    assert found.sum() == pytest.approx(1.0, rel=1e-9)
    by_scipy = minimize(
        lambda w: -np.log(of_class @ w).mean(), np.full(3, 1 / 3), method="SLSQP", bounds=[(0, 1)] * 3,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1}, options={"ftol": 1e-12},
    )  # fmt: skip
    assert -np.log(of_class @ found).mean() == pytest.approx(by_scipy.fun, abs=2e-6)


def test_stacking_gives_all_weight_to_a_candidate_that_is_better_at_every_row(chosen):
    of_class = np.column_stack([np.full(20, 0.9), np.full(20, 0.3)])
    np.testing.assert_allclose(chosen.stacking_weights(of_class), [1, 0], atol=1e-5)
    X, y = exclusive_or()
    assert chosen.MixedClassifier(("nb", "tan"), "stacking").fit(X, y).weights_["tan"] > 0.99


def test_candidates_are_the_learners_of_the_study(chosen, study):
    for key, candidate in chosen.CANDIDATES.items():
        made = study.learner(key).build()
        assert type(made) is type(candidate)
        assert made.get_params() == candidate.get_params()


@pytest.mark.parametrize("name", OTHERS)
def test_studies_share_truths_and_rows(study, name):
    other = read_study(FOLDER / f"{name}.toml")
    assert other.seed == study.seed
    if name != "other_truths":
        own = {source.key: source.identity(0) for source in study.sources}
        assert all(source.identity(0) == own[source.key] for source in other.sources)


@pytest.mark.slow
def test_a_choice_has_the_exact_scores_of_what_it_chooses(chosen, study):
    design = replace(study.design, replicates=1, sizes=(50,))
    found = run(replace(study, design=design, sources=study.sources[4:6]), isolate=False).frame()
    own = found[(found["metric"] == "kl_divergence") & (found["cutoff"] == "2002")]
    losses = own.pivot_table(index="source", columns="learner", values="value", observed=True)
    for key in losses:
        if not key.startswith(("any_mixed", "averaged_assumptions")) and "_" in key:
            kind = key.partition("_")[0]
            among = chosen.SETS.get(kind, tuple(chosen.CANDIDATES))
            assert (losses[list(among)].eq(losses[key], axis=0)).any(axis=1).all(), key
