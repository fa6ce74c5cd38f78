"""What the benchmark of structure search rests on: bits lost, messages, fits that take too long, verdicts."""

import resource
import signal

import numpy as np
import pandas as pd
import pytest

from benchmarks import structure_fits, structure_search
from benchmarks.structure_fits import Fit, Referee, Setting, fit_within
from generators import random_dag
from learners import learn_parameters, message_length

TRUTH = random_dag(n_nodes=5, arity=(2, 3), max_parents=2, random_state=3)


def empty(X):
    return ((),) * X.shape[1]


def limits(X):
    return resource.getrlimit(resource.RLIMIT_CPU)


def overdue(X):
    signal.raise_signal(signal.SIGXCPU)  # as the system does when the limit is reached


@pytest.fixture(scope="module")
def referee():
    return Referee(TRUTH, n_rows=60, n_fresh=400, seed=2)


@pytest.mark.parametrize(
    "parents", [TRUTH.parent_indices, ((),) * 5, ((), (0,), (0, 1), (0, 1, 2), (0, 1, 2, 3))]
)
@pytest.mark.parametrize(("name", "estimate"), [("1/2 a state", "mml"), ("1 a state", 1.0)])
def test_bits_lost_are_those_of_the_network_with_these_probabilities(referee, parents, name, estimate):
    learned = learn_parameters(TRUTH.sample_table(60, random_state=2), parents, estimate=estimate)
    fresh = TRUTH.sample_table(400, random_state=1002)
    plain = (TRUTH.log_joint(fresh) - learned.log_joint(fresh)).mean() / np.log(2)
    assert referee.bits_lost(parents)[name] == pytest.approx(plain, abs=1e-9)


def test_the_message_is_that_of_the_rows_with_the_states_that_occur(referee):
    judged = referee.judge(TRUTH.parent_indices)
    plain = message_length(referee.X, dict(zip(referee.X, named(TRUTH.parent_indices), strict=True)))
    assert judged["message"] == pytest.approx(plain.total, abs=1e-6)
    assert (judged["shd"], judged["arcs"]) == (0, sum(map(len, TRUTH.parent_indices)))


def named(parents):
    return [tuple(TRUTH.names[u] for u in others) for others in parents]


def test_learners_get_the_states_that_occur_as_text_unless_they_are_told_all():
    truth = random_dag(n_nodes=2, arity=30, max_parents=0, random_state=0)
    referee = Referee(truth, n_rows=20, n_fresh=10, seed=1)
    assert all(len(referee.told[name].cat.categories) == 30 for name in referee.told)
    for name in referee.X:
        assert set(referee.X[name].cat.categories) == set(referee.X[name]) <= set(map(str, range(30)))


@pytest.mark.process
def test_a_fit_that_takes_too_long_is_ended(referee):
    assert fit_within(3600, limits, referee.X).parents == (3600, 3601)
    assert fit_within(3600, overdue, referee.X) == Fit(None, None)


def test_what_took_too_long_is_not_tried_on_more():
    over = [
        {"network": "alarm", "rows": 5000, "seed": 1, "learner": "slow", "parents": None},
        {"network": 100, "rows": 500, "seed": 1, "learner": "slow", "parents": None},
        {"network": "child", "rows": 500, "seed": 1, "learner": "slow", "parents": [[]]},
    ]
    tried = {("alarm", 500): True, ("alarm", 5000): False, ("child", 500): True, ("sachs", 5000): True}
    tried |= {(50, 5000): True, (100, 500): False, (200, 5000): False}
    for (network, rows), expected in tried.items():
        assert structure_fits.hopeless(Setting(network, rows, 2), "slow", over) != expected
        assert not structure_fits.hopeless(Setting(network, rows, 2), "quick", over)


def test_results_are_kept_and_not_computed_again(tmp_path, monkeypatch):
    fits = []

    def fit(limit, learn, X):
        fits.append(learn)
        return Fit(empty(X), 0.5)

    monkeypatch.setattr(structure_fits, "KEPT", tmp_path / "kept" / "results.jsonl")
    monkeypatch.setattr(structure_fits, "settings", lambda: [Setting("sachs", 5000, 1)])
    monkeypatch.setattr(structure_fits, "FRESH", 50)
    monkeypatch.setattr(structure_fits, "fit_within", fit)
    monkeypatch.setattr(structure_fits, "warm_up", lambda: None)
    first = structure_fits.measured()
    assert len(fits) == len(structure_fits.LEARNERS) == len(first) - 1
    again = structure_fits.measured()
    assert len(fits) == len(structure_fits.LEARNERS)
    assert again["lost"].tolist() == first["lost"].tolist()


@pytest.mark.parametrize(
    ("differences", "expected"),
    [([1.0, 1.1, 0.9], 1), ([-1.0, -1.1, -0.9], -1), ([3.0, -1.0, 0.5], 0), ([0.0] * 3, 0)],
)
def test_a_verdict_needs_a_margin(differences, expected):
    assert structure_search.verdict(pd.Series(differences)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in structure_fits.LEARNERS if name.startswith("pyAgrum")])
def test_peers_return_the_parents_by_index(name):
    pytest.importorskip("pyagrum")
    x = np.tile([0, 1], 300)
    y = np.where(np.random.default_rng(0).random(600) < 0.1, 1 - x, x)
    X = pd.DataFrame({"a": x, "b": np.repeat([0, 1], 300), "c": y}).astype(str).astype("category")
    parents = structure_fits.LEARNERS[name](X)
    assert sorted(map(len, parents)) == [0, 0, 1]
    assert parents[1] == ()
