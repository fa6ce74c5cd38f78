"""Scores against times: whose they are, which nothing beats, and what has none."""

from dataclasses import replace

import numpy as np
import pytest

from workbench.analyses import Times, paired_scores
from workbench.base.errors import WorkbenchError
from workbench.figures import FIGURES
from workbench.report.content import gather
from workbench.report.document import Picture

SECONDS = {"nb": (1.0, 2.0), "tan": (2.0, 4.0), "prior": (0.5, 0.5), "truth": (9.0, 9.0)}


@pytest.fixture
def timed(made_up):
    """Return results of three truths whose times are those above, but for one cell that waited."""
    scores = {
        "nb": [[0.1, 0.3], [0.2, 0.4], [0.3, 0.5]],
        "tan": [[0.1, 0.2], [0.1, 0.2], [0.1, 0.2]],
        "prior": [[0.0, 0.0]] * 3,
        "truth": [[0.9, 0.9]] * 3,
    }
    return with_times(made_up({"tan": scores}))


def with_times(results):
    cells = results._cells.copy()
    for key, both in SECONDS.items():
        for size, seconds in zip((50, 500), both, strict=True):
            own = (cells["learner"] == key) & (cells["n_train"] == size)
            cells.loc[own, "fit_seconds"] = 0.75 * seconds
            cells.loc[own, "predict_seconds"] = 0.25 * seconds
    cells.loc[(cells["learner"] == "nb") & (cells["replicate"] == 0), "fit_seconds"] = 100.0
    return replace(results, _cells=cells)


def times_of(results, **options):
    (experiment,) = paired_scores(results, **options)
    return Times.of(experiment, results)


def test_means_are_shown_with_the_median_of_fit_and_prediction(timed):
    times = times_of(timed)
    table = times.table.set_index(["learner", "n_train"])
    assert table["mean"].to_dict() == pytest.approx(
        {("nb", 50): 0.2, ("nb", 500): 0.4, ("tan", 50): 0.1, ("tan", 500): 0.2}
        | {("prior", 50): 0.0, ("prior", 500): 0.0}
    )
    assert {key: table.loc[key, "seconds"].tolist() for key in ("nb", "tan", "prior")} == {
        key: list(SECONDS[key]) for key in ("nb", "tan", "prior")
    }
    assert times.n_test == 100


def test_what_nothing_beats_is_found(timed):
    """The prior is fastest, at both sizes alike; tan is never as good as nb is sooner."""
    table = times_of(timed).table
    found = table[table["undominated"]]
    assert list(zip(found["learner"], found["n_train"], strict=True)) == [
        ("nb", 50), ("nb", 500), ("prior", 50), ("prior", 500)
    ]  # fmt: skip


def test_where_lower_is_better_the_lowest_is_not_beaten(made_up):
    keys = [("log_loss", "none", "test", "none")]
    scores = {key: [[0.5 + i, 0.4 + i]] * 3 for i, key in enumerate(("nb", "tan"))}
    table = times_of(with_times(made_up({"tan": scores}, keys=keys)), score="log_loss").table
    assert table["learner"][table["undominated"]].tolist() == ["nb", "nb"]


def test_a_learner_without_a_finite_mean_is_named_and_not_drawn(made_up):
    scores = {key: np.zeros((2, 2)) + i for i, key in enumerate(("nb", "tan", "cart"))}
    scores["cart"][0, 0] = -np.inf
    results = made_up({"tan": scores})
    times = times_of(results)
    assert times.without_mean == ("cart",)
    assert times.table["learner"].unique().tolist() == ["nb", "tan"]
    assert FIGURES["score_against_time"](times).caption.endswith("without a finite mean: CART.")


@pytest.mark.slow
def test_results_without_times_say_so_and_their_report_leaves_the_figure_out(timed):
    names = [part.name for part in pictures(timed)]
    assert "score_against_time_exact_tan" in names
    untimed = replace(timed, _cells=timed._cells.assign(fit_seconds=None))
    with pytest.raises(WorkbenchError, match="tan have no run times"):
        untimed.plot("score_against_time")
    assert "score_against_time_exact_tan" not in [part.name for part in pictures(untimed)]


def pictures(results):
    return [
        part for section in gather(results).sections for part in section.parts if isinstance(part, Picture)
    ]


def test_marks_grow_with_the_training_rows_and_stand_on_a_logarithmic_axis(timed):
    ax = timed.plot("score_against_time").ax_
    assert ax.get_xscale() == "log"
    (joined,) = [line for line in ax.lines if line.get_label() == "naive Bayes"]
    np.testing.assert_allclose(joined.get_xydata(), [[1.0, 0.2], [2.0, 0.4]])
    (small,) = [line for line in ax.lines if line.get_xydata().tolist() == joined.get_xydata()[:1].tolist()]
    assert small.get_markersize() < joined.get_markersize()
    assert joined.get_markevery() == [-1]
