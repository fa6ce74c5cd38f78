"""Scores stand where their cells do; what is missing is counted."""

import numpy as np
import pytest
from scipy.stats import t

from workbench import load, read_study, run
from workbench.base.errors import FailedCells
from workbench.explorer.layout import STATES, PageLayout
from workbench.explorer.packing import summaries

TOML = """
name = "some"
seed = 3
learners = [
    "prior",
    { key = "stump", learner = "cart", max_depth = 1 },
    { key = "bad", learner = "cart", max_depth = 0 },
]
[[sources]]
generator = "tan"
n_attributes = 2
[[sources]]
generator = "naive_bayes"
n_attributes = 2
[design]
replicates = 3
sizes = [20, 40]
n_test = 30
training_sets = 2
[scores]
metrics = ["ir_b", "accuracy"]
"""


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    """Return the results of a study in which a learner fails everywhere."""
    place = tmp_path_factory.mktemp("some") / "some.db"
    with pytest.warns(FailedCells):
        run(read_study(TOML), place)
    return load(place)


def test_means_and_intervals_are_those_of_the_table(some):
    layout, table = PageLayout.of(some), some.table("accuracy//exact")
    for source, values in zip(layout.sources, layout.values(some.scores("accuracy//exact")), strict=True):
        n, mean, sd, infinite = summaries(values)
        for i, learner in enumerate(layout.learners[:2]):
            for j, size in enumerate(layout.sizes):
                row = table.loc[(source, learner), size]
                half = t.ppf(0.975, n[j, i] - 1) * sd[j, i] / np.sqrt(n[j, i])
                np.testing.assert_allclose([mean[j, i], half], row[["mean", "half_width"]], rtol=1e-12)
                assert (n[j, i], infinite[j, i]) == (row["n"], row["n_infinite"])


def test_differences_are_those_of_the_results(some):
    layout = PageLayout.of(some)
    differences = some.differences("accuracy//exact", learners=["prior", "stump"])
    for source, values in zip(layout.sources, layout.values(some.scores("accuracy//exact")), strict=True):
        _, mean, sd, _ = summaries(values[:, :, 0], values[:, :, 1])
        own = differences[differences["source"] == source]
        np.testing.assert_allclose(mean, own["difference"])
        np.testing.assert_allclose(sd, own["sd"])


def test_states_of_cells_are_counted(some):
    counts = dict(zip(("planned", *STATES), np.moveaxis(PageLayout.of(some).states(), 1, 0), strict=True))
    assert (counts["planned"] == 6).all()  # 3 truths, 2 training sets
    np.testing.assert_array_equal(counts["failed"][0, 0], [0, 0, 6])
    assert counts["timed_out"].sum() == counts["pending"].sum() == 0


def test_a_truth_that_lacks_a_training_set_has_no_score(some):
    layout, scores = PageLayout.of(some), some.scores("accuracy//exact")
    first = scores["learner"].eq("stump") & scores["source"].eq("tan") & scores["replicate"].eq(1)
    lost = scores.drop(scores.index[first & scores["n_train"].eq(40)][0])
    before, after = layout.values(scores)[0], layout.values(lost)[0]
    assert np.isnan(after[1, 1, 1])
    after[1, 1, 1] = before[1, 1, 1]
    np.testing.assert_array_equal(before, after)


def test_units_of_data_sets_are_their_parts_and_each_has_its_own_size(on_datasets):
    layout = PageLayout.of(on_datasets)
    assert layout.sizes == ()
    assert layout.n_units == (6, 6)
    assert (
        layout.own_sizes() == on_datasets.cells().groupby("source", observed=True)["n_train"].first().tolist()
    )
    table = on_datasets.table("accuracy")
    for source, values in zip(layout.sources, layout.values(on_datasets.scores("accuracy")), strict=True):
        n, mean, sd, _ = (one[0] for one in summaries(values))
        found = np.transpose([mean, sd, n])
        np.testing.assert_allclose(found, table.loc[source][["mean", "sd", "n"]])


def test_infinite_scores_are_infinite_means_and_counted(on_datasets):
    layout, table = PageLayout.of(on_datasets), on_datasets.table("log_loss///none")
    for source, values in zip(
        layout.sources, layout.values(on_datasets.scores("log_loss///none")), strict=True
    ):
        _, mean, _, infinite = (one[0] for one in summaries(values))
        np.testing.assert_array_equal(np.isinf(mean), np.isinf(table.loc[source]["mean"]))
        np.testing.assert_array_equal(infinite, table.loc[source]["n_infinite"])
