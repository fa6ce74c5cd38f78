"""Results: tidy frames, means and intervals, infinite means, exports, the printed table."""

import io
import math

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from scipy import stats

from workbench import load, read_study, run
from workbench.base.errors import FailedCells, MissingScores, WorkbenchError
from workbench.cli.commands.export import export_results
from workbench.metrics._shared.checks import align
from workbench.report.table import plain
from workbench.report.terminal.summary import _mean, print_summary, summary_keys, summary_table
from workbench.store.failures import failures_of


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("results") / "s.db"


@pytest.fixture(scope="module")
def results(store):
    return run(read_study(TOML), store)


TOML = """
name = "tiny"
seed = 2
learners = ["cart", "prior", "truth"]
[[sources]]
generator = "tan"
n_attributes = 2
[design]
replicates = 4
sizes = [20, 40]
n_test = 50
training_sets = 2
[scores]
metrics = ["ir_b", "accuracy", "kl_divergence"]
cutoffs = ["none", "2002"]
"""


def printed(results) -> str:
    out = io.StringIO()
    print_summary(results, Console(file=out, width=120))
    return out.getvalue()


def test_the_frame_has_one_row_a_cell_and_score(results):
    frame = results.frame()
    keys = [
        "source",
        "replicate",
        "n_train",
        "training_set",
        "fold",
        "learner",
        "metric",
        "prior",
        "rows",
        "cutoff",
    ]
    assert list(frame) == [*keys, "value", "n_infinite", "mc_error"]
    assert not frame.duplicated(keys).any()
    assert len(frame) == 4 * 2 * 2 * 3 * (8 + 4 + 4)
    assert not frame["value"].isna().any()


def test_a_loaded_store_gives_the_same_results(results, store):
    pd.testing.assert_frame_equal(load(store).frame(), results.frame())
    pd.testing.assert_frame_equal(load(store).cells(), results.cells())


def test_means_and_half_widths_are_over_replicates(results):
    frame = results.frame()
    chosen = frame[
        (frame["learner"] == "cart")
        & (frame["n_train"] == 40)
        & (frame["metric"] == "accuracy")
        & (frame["rows"] == "test")
        & (frame["cutoff"] == "none")
    ]
    means = chosen.groupby("replicate")["value"].mean()  # two training sets of one truth are one replicate
    low, high = stats.t.interval(0.95, 3, means.mean(), stats.sem(means))
    row = results.table("accuracy//test").loc[("tan", "cart"), 40]
    assert row["mean"] == pytest.approx(means.mean(), rel=1e-12)
    assert row["half_width"] == pytest.approx((high - low) / 2, rel=1e-9)
    assert row["n_infinite"] == 0


def test_the_order_of_the_table_is_that_of_the_study(results):
    table = results.table()
    assert table.index.tolist() == [("tan", "cart"), ("tan", "prior"), ("tan", "truth")]
    assert [size for size, _ in table.columns] == [20] * 4 + [40] * 4


def test_an_infinite_mean_is_shown_with_the_number_of_infinite_cells(results):
    row = results.table("ir_b/training/exact/none").loc[("tan", "cart"), 20]
    assert row["mean"] == -math.inf
    assert math.isnan(row["half_width"])
    frame = results.frame()
    infinite = frame[(frame["metric"] == "ir_b") & np.isinf(frame["value"])]
    assert (infinite["n_infinite"] > 0).all()
    assert (frame["n_infinite"][np.isfinite(frame["value"])] == 0).all()
    assert f"-inf ({row['n_infinite']:.0f})" in printed(results)
    assert np.isfinite(results.table("ir_b///2002").loc[("tan", "cart"), (20, "mean")])


def test_a_score_that_is_not_there_is_named(results):
    with pytest.raises(WorkbenchError, match=r"these results have no log_loss, only .*: (add|ask for) it"):
        results.table("log_loss")
    with pytest.raises(
        WorkbenchError, match="these results have no score 'ir_b/uniform': choose one of ir_b/"
    ):
        results.table("ir_b/uniform")


def test_all_cells_of_a_replicate_have_the_same_test_rows(results):
    digests = results.cells().groupby("replicate")["test_digest"].nunique()
    assert (digests == 1).all()
    assert results.cells()["test_digest"].nunique() == 4


def test_nobody_has_more_exact_reward_than_the_truth(small):
    found = small.frame().query("metric == 'ir_b' and prior == 'marginal' and rows == 'exact'")
    cells = ["source", "replicate", "n_train", "cutoff"]
    wide = found.pivot_table(index=cells, columns="learner", values="value", observed=True)
    assert wide.shape[1] == 5
    assert (wide.rsub(wide["truth"], axis=0) >= 0).all(axis=None)


def test_kept_predictions_are_the_learners_probabilities(results):
    from workbench.engine.problem import DrawSpec, build_problem

    study = read_study(TOML)
    problem = build_problem(DrawSpec(study.sources[0], seed=2, replicate=1, n_test=50, exact=True))
    cells = results.cells()
    cell = cells[(cells["learner"] == "truth") & (cells["replicate"] == 1)].iloc[0]
    kept = results.predictions(cell["identity"])
    expected = align(problem.truth.posterior(problem.test.X), problem.truth.classes, problem.classes)
    np.testing.assert_array_equal(kept, expected)


def test_predictions_are_not_kept_on_request(tmp_path):
    results = run(
        read_study(TOML.replace("seed = 2", "seed = 2\nkeep_predictions = false")), tmp_path / "s.db"
    )
    with pytest.raises(WorkbenchError, match="no predictions of cell"):
        results.predictions(results.cells()["identity"][0])


def test_scores_asked_for_later_are_reported_as_missing(tmp_path):
    run(read_study(TOML), tmp_path / "s.db")
    further = read_study(TOML.replace('"accuracy"', '"accuracy", "log_loss"'))
    said = r"0 of 48 cells were computed, .*48 cells of earlier runs lack log_loss: workbench.rescore\("
    with pytest.warns(MissingScores, match=said):
        later = run(further, tmp_path / "s.db")
    assert {tuple(key): n for key, n in later.missing_scores().items()} == {
        ("log_loss", "none", rows, cutoff): 48 for rows in ("test", "exact") for cutoff in ("none", "2002")
    }


def test_the_headline_is_the_exact_reward_against_the_true_marginal(results):
    columns = [tuple(key) for key in summary_keys(results)]
    assert columns == [
        ("ir_b", "marginal", "exact", "none"),
        ("ir_b", "training", "test", "none"),
        ("ir_b", "marginal", "exact", "2002"),
        ("accuracy", "none", "exact", "none"),
        ("kl_divergence", "none", "exact", "none"),
    ]


def test_exact_zeros_differ_from_rounded_ones(results):
    table = summary_table(results, "tan")
    frame = pd.DataFrame([[plain(cell) for cell in row] for row in table.rows], columns=table.columns)
    kl = next(name for name in frame if name.startswith("KL divergence"))
    reward = next(name for name in frame if name.startswith("IR_B\n(test"))
    assert set(frame[kl][frame["learner"] == "truth"].str.strip()) == {"0.0"}
    assert set(frame[reward][frame["learner"] == "class prior"].str.strip()) == {"0.0"}


@pytest.mark.parametrize(
    "statistics, text",
    [
        ((0.0, 0.0, 0), "0.0"),
        ((-0.0, math.nan, 0), "0.0"),
        ((0.00004, 0.0, 0), "0.0000 \u00b1.0000"),
        ((-0.00004, math.nan, 0), "-0.0000"),
        ((0.0, 0.25, 0), "0.0000 \u00b1.2500"),
        ((-1.5, 0.25, 0), "-1.5000 \u00b1.2500"),
        ((-math.inf, math.nan, 3), "-inf (3)"),
        ((math.nan, math.nan, 0), "-"),
    ],
)
def test_a_mean_is_printed_so_that_zero_differs_from_nearly_zero(statistics, text):
    assert plain(_mean(*statistics)) == text


def test_the_table_is_of_the_reward_or_else_of_the_first_metric(results):
    assert results.table().equals(results.table("ir_b"))
    other = run(read_study(TOML.replace('"ir_b", "accuracy", ', "")))
    assert other.table().equals(other.table("kl_divergence"))


def test_failures_are_listed_with_their_reason():
    broken_study = TOML.replace('["cart", "prior", "truth"]', '[{learner = "cart", max_depth = 0}]')
    with pytest.warns(FailedCells, match="16 of 16 cells failed"):
        broken = run(read_study(broken_study))
    first, *lines = failures_of(broken)
    assert first.startswith("16 cells failed")
    assert [line.split(": ")[0] for line in lines] == ["  CART on tan (16 cells)"]
    assert printed(broken).count("InvalidParameterError") == 1


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_export_holds_all_scores(results, tmp_path, ending):
    path = tmp_path / "new" / f"scores.{ending}"
    assert export_results(results, path) == len(results.frame())
    read = pd.read_csv(path) if ending == "csv" else pd.read_parquet(path)
    assert list(read) == list(results.frame())
    np.testing.assert_array_equal(read["value"], results.frame()["value"])


def test_the_exported_table_is_that_of_the_results(results, tmp_path):
    assert export_results(results, tmp_path / "table.tex") == 3
    assert (tmp_path / "table.tex").read_text(encoding="utf-8") == results.latex()
    chosen = {"learners": ["truth", "cart"], "sources": ["tan"]}
    assert export_results(results, tmp_path / "table.tex", score="accuracy", **chosen) == 2
    assert (tmp_path / "table.tex").read_text(encoding="utf-8") == results.latex("accuracy", **chosen)


def test_an_export_holds_the_scores_asked_for(results, tmp_path):
    n = export_results(results, tmp_path / "s.csv", score="accuracy", learners=["cart"])
    read = pd.read_csv(tmp_path / "s.csv")
    assert (len(read), set(read["metric"]), set(read["learner"])) == (n, {"accuracy"}, {"cart"})
    with pytest.raises(WorkbenchError, match="unknown learner 'car'; did you mean 'cart'"):
        export_results(results, tmp_path / "s.csv", learners=["car"])


def test_the_table_gives_the_number_of_replicates_and_repr_is_short(results):
    assert (results.table().xs("n", axis=1, level=1) == 4).all(axis=None)
    cells = "48 cells, 48 done, 0 failed, 768 scores"
    assert (
        repr(results) == f"<Results of study 'tiny', seed 2: 1 learner "
        f"(alongside: class prior and truth) on 1 source, {cells}>"
    )


def test_an_unknown_format_is_reported(results, tmp_path):
    with pytest.raises(WorkbenchError, match=r"ends in '.xls': expected .csv, .parquet or .tex"):
        export_results(results, tmp_path / "scores.xls")
