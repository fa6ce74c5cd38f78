"""Measure how often each metric ranks learners as the truth does.

Run from the root of the repository, after the study `study.toml` of this folder:

    python experiments/studies/metric_of_metrics/write_notes.py STORE --to NOTES.md --figure FIGURE.png

Every metric scores the kept forecasts on parts of the test rows, 50 to 5000 at a time, and ranks every two
learners; the exact scores of the same learners say which of the two is better. Writes between the markers of
the notes.

The notes withdraw their first finding: other exact scores than KL are tabulated at one size alone, and a tie
of the exact score counts as a wrong answer (`agreement`), where it should count half.
"""

import argparse
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from workbench import Results, Study, load, read_study
from workbench.base.threads import one_inner_thread
from workbench.comparisons import holm
from workbench.engine.problem import DrawSpec, build_problem
from workbench.metrics import METRICS, Metric, class_prior
from workbench.report.renderers.markdown import END, START, between_markers

STUDY = Path(__file__).with_name("study.toml")
PROPER = ("log_loss", "ir_b", "quadratic_loss")
JUDGED = (
    *PROPER, "bayesian_reward", "modal_bayesian_reward", "kononenko_bratko", "good_reward", "accuracy", "auc",
    "miscalibration", "expected_calibration_error",
)  # fmt: skip
#: The exact scores that decide the better learner.
TARGETS = ("kl_divergence", "ir_b", "quadratic_loss", "accuracy")
PARTS = {50: 10, 200: 10, 1000: 5, 5000: 1}  # test rows, and how many such parts of the 5000 are taken
LEFT_OUT = ("prior",)
#: Differences of the exact score that are too small to matter do not distinguish a metric from a coin.
BITS_APART = 0.01


def goodness(metric: Metric, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sign the scores of a metric so that more is better."""
    return values if metric.direction == "higher" else -values


def part_scores(
    metric: Metric, y: NDArray[np.intp], y_prob: NDArray[np.float64], prior: NDArray[np.float64]
) -> dict[int, NDArray[np.float64]]:
    """Score the parts of the test rows by their size; more is better."""
    if metric.has_per_sample:
        each = metric.per_sample(y, y_prob, prior=prior)  # type: ignore[attr-defined]
        found = {n: each[: n * parts].reshape(parts, n).mean(axis=1) for n, parts in PARTS.items()}
    else:
        found = {
            n: np.array([metric(y[i * n :][:n], y_prob[i * n :][:n], prior=prior) for i in range(parts)])
            for n, parts in PARTS.items()
        }
    return {n: goodness(metric, values) for n, values in found.items()}


def agreement(better: NDArray[np.float64], exact: float) -> float:
    """Return the share of differences with the sign of the exact one; zero or NaN counts as one half."""
    signs = np.sign(np.nan_to_num(better, nan=0.0))
    return float(np.where(signs == 0, 0.5, signs == np.sign(exact)).mean())


def truths(
    study: Study, results: Results
) -> Iterator[tuple[str, int, dict[str, NDArray[np.float64]], tuple]]:
    """Return the forecasts of each truth, with the outcomes and the training prior."""
    cells = results.cells()
    for (key, replicate), own in cells.groupby(["source", "replicate"], observed=True, sort=False):
        spec = DrawSpec(study.source(key), study.seed, int(replicate), study.design.n_test, exact=False)
        problem = build_problem(spec)
        (n_train,) = own["n_train"].unique()
        _, y_train = problem.training_rows(int(n_train), 0)
        prior = class_prior(problem.codes(y_train), classes=range(len(problem.classes)))
        forecasts = {
            row.learner: results.predictions(row.identity)
            for row in own.itertuples()
            if row.learner not in LEFT_OUT
        }
        yield key, int(replicate), forecasts, (problem.test.y, prior)


def judged(study: Study, results: Results) -> pd.DataFrame:
    """One row per truth, metric, target, test size and pair: the agreement and the exact difference."""
    frame = results.frame()
    exact = frame.set_index(["source", "replicate", "learner", "metric"])["value"]
    rows = []
    for key, replicate, forecasts, (y, prior) in truths(study, results):
        scores = {
            (name, learner): part_scores(METRICS[name], y, y_prob, prior)
            for learner, y_prob in forecasts.items()
            for name in JUDGED
        }
        for one, other in combinations(forecasts, 2):
            for target in TARGETS:
                first, second = (exact[key, replicate, who, target] for who in (one, other))
                gap = float(goodness(METRICS[target], first - second))
                for name, n in product(JUDGED, PARTS):
                    share = agreement(scores[name, one][n] - scores[name, other][n], gap)
                    rows.append((key, replicate, name, target, n, one, other, share, abs(gap)))
    columns = ["source", "replicate", "metric", "target", "n_test", "one", "other", "agreement", "gap"]
    found = pd.DataFrame(rows, columns=columns)
    found[["kind", "n_classes", "skew"]] = found["source"].str.split(", ", expand=True)
    return found


def by_truth(rows: pd.DataFrame) -> pd.DataFrame:
    """Average over the pairs of each truth; one row per truth, one column per metric."""
    return rows.pivot_table(
        index=["source", "replicate"], columns="metric", values="agreement", observed=True, sort=False
    )


def mean_and_half(values: pd.Series) -> str:
    """95%, Student's t over the truths."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{100 * values.mean():.1f} ± {100 * half:.1f}"


def table(columns: dict[str, pd.DataFrame]) -> list[str]:
    """Return one row per metric, one column per selection of rows."""
    lines = [f"| metric | {' | '.join(columns)} |", "|" + " --- |" * (1 + len(columns))]
    wide = {name: by_truth(rows) for name, rows in columns.items()}
    for metric in JUDGED:
        cells = " | ".join(mean_and_half(wide[name][metric]) for name in columns)
        lines.append(f"| {metric} | {cells} |")
    return lines


def against_log_loss(columns: dict[str, pd.DataFrame]) -> list[str]:
    """Compare each metric with log loss, truth by truth, with Holm's adjustment over the whole table."""
    lines = [f"| less log_loss | {' | '.join(columns)} |", "|" + " --- |" * (1 + len(columns))]
    wide = {name: by_truth(rows) for name, rows in columns.items()}
    others = [metric for metric in JUDGED if metric != "log_loss"]
    differences = {(m, name): wide[name][m] - wide[name]["log_loss"] for m in others for name in columns}
    p = [stats.ttest_1samp(d, 0.0).pvalue if d.std() > 0 else 1.0 for d in differences.values()]
    stars = dict(zip(differences, holm(np.nan_to_num(np.array(p), nan=1.0)) < 0.05, strict=True))
    for m in others:
        cells = (mean_and_half(differences[m, name]) + "*" * int(stars[m, name]) for name in columns)
        lines.append(f"| {m} | {' | '.join(cells)} |")
    return lines


def by_classes(rows: pd.DataFrame, n_test: int) -> dict[str, pd.DataFrame]:
    """Split the results at a number of test rows by number of classes and skew."""
    own = rows[rows["n_test"] == n_test]
    return {", ".join(key): part for key, part in own.groupby(["n_classes", "skew"], sort=False)}


def notes(rows: pd.DataFrame) -> str:
    """Write all tables."""
    by_kl = rows[rows["target"] == "kl_divergence"]
    apart = by_kl[by_kl["gap"] >= BITS_APART]
    at = by_kl[by_kl["n_test"] == 1000]
    of_target = {t: rows[(rows["target"] == t) & (rows["n_test"] == 200)] for t in TARGETS}
    n_truths = rows.groupby(["source", "replicate"]).ngroups
    n_pairs = rows.groupby(["one", "other"]).ngroups
    sections = {
        f"Agreement with the exact KL, percent, {n_truths} truths of {n_pairs} pairs each": table(
            by_size(by_kl)
        ),
        f"The same, pairs at least {BITS_APART} bits apart ({len(apart) / len(by_kl):.0%} of them)": table(
            by_size(apart)
        ),
        "Less log loss, truth by truth, by test rows": against_log_loss(by_size(by_kl)),
        "Less log loss, by classes and skew, 50 test rows": against_log_loss(by_classes(by_kl, 50)),
        "Less log loss, by classes and skew, 1000 test rows": against_log_loss(by_classes(by_kl, 1000)),
        "Agreement by kind of truth, 1000 test rows": table(dict(iter(at.groupby("kind", sort=False)))),
        "Agreement with each exact score, 200 test rows": table(of_target),
    }
    return "\n".join(line for title, lines in sections.items() for line in (f"### {title}", "", *lines, ""))


def by_size(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Split the results by number of test rows."""
    return {f"{n} test rows": rows[rows["n_test"] == n] for n in PARTS}


def draw(rows: pd.DataFrame, path: Path) -> None:
    """Draw agreement with the exact KL against test rows."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from workbench.figures._shared.style import looks, settings

    by_kl = rows[rows["target"] == "kl_divergence"]
    with mpl.rc_context(settings()):
        figure = Figure(figsize=(6.5, 3.6), layout="constrained")
        ax = figure.add_subplot()
        wide = {n: by_truth(by_kl[by_kl["n_test"] == n]) for n in PARTS}
        for metric, look in looks(JUDGED).items():
            means = np.array([100 * wide[n][metric].mean() for n in PARTS])
            errors = [100 * 1.96 * wide[n][metric].sem() for n in PARTS]
            ax.errorbar(
                list(PARTS), means, errors, label=metric, color=look.color, marker=look.marker,
                linestyle=look.line, markersize=4,
            )  # fmt: skip
        ax.axhline(50, color="black", linewidth=0.8)
        ax.annotate("a coin", (min(PARTS), 50), textcoords="offset points", xytext=(2, 3), fontsize=8)
        ax.set_xscale("log")
        ax.set_xticks(list(PARTS), [str(n) for n in PARTS], minor=False)
        ax.set_xlabel("test rows")
        ax.set_ylabel("pairs ranked as by exact KL [%]")
        figure.legend(loc="outside right center", frameon=False)
        figure.savefig(path, dpi=200)


def main() -> None:
    """Read the store, judge the metrics, write the notes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    results, study = load(options.store), read_study(STUDY)
    with one_inner_thread():
        rows = judged(study, results)
    text = (
        options.to.read_text() if options.to.exists() else "\n".join(["# Metrics ranked", "", START, END, ""])
    )
    options.to.write_text(between_markers(text, notes(rows)))
    if options.figure:
        draw(rows, options.figure)
    print(f"{len(rows)} comparisons; notes in {options.to}")


if __name__ == "__main__":
    main()
