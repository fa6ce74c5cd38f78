"""How learners stand is what the answer and the tests say, and nothing computed otherwise."""

import numpy as np
import pytest

from workbench.analyses import Comparison, LearnerRanking, comparisons_of, paired_scores

WORDS = {"wins", "leads", "tied", "worse", "not compared"}


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    base = rng.normal(size=(8, 2))
    near = base + 0.01 * rng.normal(size=(8, 2))
    return {
        "low": base - 5,
        "near": near,
        "far": base + np.array([0.0, 5.0]),
        "cut": np.full((8, 2), -np.inf),
    }


def test_a_winner_differs_from_all_others_and_a_leader_does_not(made_up, scores):
    matrix = made_up({"tan": scores}).ranking()
    assert matrix.index.tolist() == list(scores)
    assert matrix["tan", 500].tolist() == ["worse", "worse", "wins", "not compared"]
    assert sorted(matrix["tan", 50]) == ["leads", "not compared", "tied", "worse"]
    assert matrix.loc["low", ("tan", 50)] == "worse"


def test_the_ranking_is_that_of_the_intervals(made_up, scores):
    results = made_up({"tan": scores, "aode": scores})
    for experiment in paired_scores(results):
        differences = Comparison.of(experiment)
        matrix = LearnerRanking.of([differences]).matrix[experiment.source]
        for row in differences.table.itertuples():
            pair = matrix.loc[[row.learner, row.other], row.n_train].tolist()
            if set(pair) & {"wins", "leads"}:
                close = row.low <= 0.0 <= row.high
                assert ("tied" in pair) == close
                assert ("worse" in pair) == (not close)


def test_less_is_better_where_the_metric_says_so(made_up):
    rng = np.random.default_rng(1)
    base = rng.normal(size=(8, 1))
    key = ("log_loss", "none", "exact", "none")
    results = made_up({"tan": {"a": base, "b": base + 5}}, sizes=(50,), keys=(key,))
    assert results.ranking()["tan", 50].tolist() == ["wins", "worse"]


def test_a_size_that_one_source_lacks_is_no_column_of_it(made_up, scores):
    matrix = made_up({"tan": scores, "aode": {key: own[:, :1] for key, own in scores.items()}}).ranking()
    assert matrix.columns.tolist() == [("tan", 50), ("tan", 500), ("aode", 50)]


def test_on_data_sets_the_test_that_decides_says_who_is_worse(on_datasets):
    matrix = on_datasets.ranking("accuracy")
    for one in comparisons_of(on_datasets, score="accuracy"):
        own = matrix[one.scores.source]
        assert set(own) <= WORDS
        best = own.index[own.isin(["wins", "leads"])]
        assert len(best) == 1
        assert one.scores.means["mean"][best[0]] == one.scores.means["mean"][list(one.tested)].max()
        assert set(own.index[own == "worse"]) == set(one.beaten_by(best[0]))
