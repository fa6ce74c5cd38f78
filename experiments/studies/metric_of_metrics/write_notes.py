"""Write the tables and the figure of this study: which metric ranks learners as which exact score does.

Run from the root of the repository, after the study `study.toml` of this folder:

    python experiments/studies/metric_of_metrics/write_notes.py STORE --to NOTES.md --figure FIGURE.png

Writes between the markers of the notes. Scoring the kept forecasts takes four minutes; what is counted is
kept next to the store, with the ending .agreements.npz, and read from there the next time.
"""

import argparse
from itertools import combinations
from pathlib import Path

import numpy as np
from agreements import EXACT, JUDGED, PARTS, SCORED, TARGETS, TIED, agreements
from matplotlib.figure import Figure
from robustness import bounded_penalty, by_kind, sensitivity, ties_broken, unsmoothed, zeros
from scipy import stats
from shares import MAIN, SHOWN, TIES_BROKEN, UNSMOOTHED, Smoothed, at, cells, crossing, test_rows

from workbench import load, read_study
from workbench.base.threads import one_inner_thread
from workbench.comparisons import holm, mean_intervals
from workbench.report import notes

STUDY = Path(__file__).with_name("study.toml")
ALPHA = 0.05
#: Target, its own metric, and what it is compared with.
RIVALS = (
    ("kl_divergence", "log_loss", "kononenko_bratko"), ("ir_b", "ir_b", "kononenko_bratko"),
    ("quadratic_loss", "quadratic_loss", "kononenko_bratko"),
    ("quadratic_loss", "quadratic_loss", "log_loss"), ("quadratic_loss", "quadratic_loss", "ir_b"),
    ("accuracy", "accuracy", "kononenko_bratko"), ("accuracy", "accuracy", "quadratic_loss"),
    ("accuracy", "accuracy", "log_loss"),
)  # fmt: skip
#: What the figure draws, by the name in its legend; the last two in grey.
DRAWN = {
    "log_loss": "log loss", "ir_b": "IR_B", "quadratic_loss": "quadratic loss", "accuracy": "accuracy",
    TIES_BROKEN: "accuracy, ties by log loss", "kononenko_bratko": "Kononenko-Bratko", "auc": "AUC",
    "expected_calibration_error": "calibration error",
}  # fmt: skip


def same_as_best(data: Smoothed) -> dict[tuple[str, int, int], tuple[int, list[int]]]:
    """Return the best metric by target, training and test rows, and those not significantly different."""
    # One family: the best is chosen from the same truths.
    pairs = np.array(list(combinations(range(len(JUDGED)), 2))).T
    keys, means, p = [], [], []
    for target in TARGETS:
        for n_train in data.found.sizes.tolist():
            share = at(data.percent(target, n_train))
            d = share[:, :, pairs[0]] - share[:, :, pairs[1]]
            with np.errstate(invalid="ignore", divide="ignore"):
                p.extend(np.nan_to_num(stats.ttest_1samp(d, 0.0).pvalue, nan=1.0))
            means.extend(share.mean(axis=0))
            keys.extend((target, n_train, n) for n in SHOWN)
    same = holm(np.array(p)) >= ALPHA
    found = {}
    for key, mean, alike in zip(keys, means, same, strict=True):
        best = int(mean.argmax())
        near = [int(a + b - best) for a, b in pairs.T[alike] if best in (a, b)]
        found[key] = best, sorted(near, key=lambda m, mean=mean: -mean[m])
    return found


def best_metrics(data: Smoothed) -> str:
    """Return the table of the best metric by target, training rows and test rows."""
    found, sizes = same_as_best(data), data.found.sizes.tolist()
    rows = []
    for target in TARGETS:
        for n_train in sizes:
            share, line = at(data.percent(target, n_train)), [target, n_train]
            for k, n in enumerate(SHOWN):
                best, near = found[target, n_train, n]
                (cell,) = cells(share[:, [k], best], n_intervals=len(found))
                line.append(f"**{JUDGED[best]}** {cell}" + "".join(f"; {JUDGED[m]}" for m in near))
            rows.append(line)
    return notes.table(["exact score", "training rows", *test_rows()], rows)


def by_target(data: Smoothed, target: str) -> str:
    """Return one row per metric: agreement by test rows, and of its exact score where there is one."""
    judged = JUDGED if target == "accuracy" else SCORED
    share, rows = at(data.percent(target, MAIN))[..., : len(judged)], []
    for m, metric in enumerate(judged):
        own = "kl_divergence" if metric == "log_loss" else metric
        limit = f"{data.exact(own, target, MAIN):.1f}" if own in EXACT else "-"
        rows.append([metric, *cells(share[:, :, m], n_intervals=share[0].size), limit])
    return notes.table(["metric", *test_rows(), "exact"], rows)


def crossings(data: Smoothed) -> str:
    """Return the table of crossings of each target's own metric with its rivals."""
    sizes = data.found.sizes.tolist()
    rows = [
        [target, metric, other, *(crossing(data.lead((target, metric, other), n)) for n in sizes)]
        for target, metric, other in RIVALS
    ]
    return notes.table(
        ["exact score", "its own metric", "against", *(f"{n} training rows" for n in sizes)], rows
    )


def leads(data: Smoothed) -> str:
    """Return the table of differences of each target's own metric to its rivals."""
    rows, sizes = [], data.found.sizes.tolist()
    family = len(RIVALS) * len(sizes) * len(SHOWN)
    for comparison in RIVALS:
        for n_train in sizes:
            lead = at(data.lead(comparison, n_train))
            rows.append([comparison[0], " less ".join(comparison[1:]), n_train, *cells(lead, family)])
    return notes.table(["exact score", "difference", "training rows", *test_rows()], rows)


def against_log_loss(data: Smoothed, n_test: int) -> str:
    """Return each metric's difference to log loss on the exact KL, by classes and skew."""
    share = data.percent("kl_divergence", MAIN)[:, list(PARTS).index(n_test)]
    d = share - share[:, [JUDGED.index("log_loss")]]
    kinds = [", ".join(kind) for kind in data.parts[1:].T]
    columns = list(dict.fromkeys(kinds))
    family = (len(SCORED) - 1) * len(columns)
    rows = []
    for m, metric in enumerate(SCORED):
        if metric != "log_loss":
            own = [d[[kind == column for kind in kinds], m] for column in columns]
            rows.append([metric, *(cell for one in own for cell in cells(one[:, None], family))])
    return notes.table(["less log_loss", *columns], rows)


def reward_by_skew(data: Smoothed) -> str:
    """Return what Definition 3 of 2002 and IR_B lose to log loss where classes are even and skewed."""
    rows, sizes = [], data.found.sizes.tolist()
    for metric in ("bayesian_reward", "ir_b"):
        for skew in ("even", "skewed"):
            own = data.pairs & (data.parts[2] == skew)[:, None]
            ahead = [at(data.lead(("kl_divergence", metric, "log_loss"), n, own)) for n in sizes]
            rows += [
                [f"{metric} less log_loss", skew, n, *cells(lead, 4 * len(sizes) * len(SHOWN))]
                for n, lead in zip(sizes, ahead, strict=True)
            ]
    return notes.table(["difference", "classes", "training rows", *test_rows()], rows)


def ties(data: Smoothed) -> str:
    """Return the percentage of pairs that are tied or nearly tied by each exact score."""
    rows = []
    for target in TARGETS:
        gaps = [data.gap(target, n)[:, data.pairs] for n in data.found.sizes.tolist()]
        rows.append([target, *(f"{100 * (gap <= far).mean():.1f}" for far in (TIED, 0.01) for gap in gaps)])
    sizes = [f"{n} training rows" for n in data.found.sizes.tolist()]
    head = [*(f"tied, {n}" for n in sizes), *(f"at most 0.01 apart, {n}" for n in sizes)]
    return notes.table(["exact score", *head], rows)


def generated(data: Smoothed) -> str:
    """Write all tables."""
    n_truths, n_pairs = len(data.found.source), int(data.pairs.sum())
    infinite = np.isinf(data.gap("kl_divergence", MAIN)[:, ~data.pairs]).mean()
    sections = {
        f"Best metric, percent of pairs ranked as by the exact score ({n_truths} truths of {n_pairs} pairs); "
        "after it those not significantly different": best_metrics(data),
        "Test rows from which a score's own metric is ahead of another": crossings(data),
        "How far a score's own metric is ahead of another, percentage points": leads(data),
        **{
            f"Exact score {target}, {MAIN} training rows, percent": by_target(data, target)
            for target in TARGETS
        },
        "Sensitivity: accuracy less log_loss, exact accuracy decides": sensitivity(data, RIVALS[-1]),
        "Equal numbers of errors: how often, and accuracy with ties by log_loss": ties_broken(data),
        f"Sensitivity: {TIES_BROKEN}, less log_loss, exact accuracy decides": sensitivity(
            data, ("accuracy", TIES_BROKEN, "log_loss")
        ),
        "Sensitivity: log_loss less kononenko_bratko, exact KL decides": sensitivity(data, RIVALS[0]),
        "Sensitivity: kononenko_bratko less other metrics on 50 test rows": bounded_penalty(data),
        "Exact score accuracy, 5000 test rows, by kind of truth, percent": by_kind(data, "accuracy"),
        f"Pairs of the five learners with {UNSMOOTHED}, {MAIN} training rows, percent (its exact KL is "
        f"infinite in {infinite:.1%} of them)": unsmoothed(data),
        f"Pairs with {UNSMOOTHED} by whether its exact KL is infinite, exact KL decides": zeros(data),
        **{
            f"Less log loss, exact KL decides, {MAIN} training rows, {n_test} test rows": against_log_loss(
                data, n_test
            )
            for n_test in (50, 1000)
        },
        "Definition 3 of 2002 and IR_B, exact KL decides": reward_by_skew(data),
        "Pairs that are tied or nearly tied, percent": ties(data),
    }
    return "\n\n".join(f"### {title}\n\n{own}" for title, own in sections.items())


def draw(data: Smoothed, path: Path) -> None:
    """Draw agreement against test rows: two targets, three training sizes."""
    drawn = notes.looks(tuple(DRAWN)[:-2], alongside=tuple(DRAWN)[-2:])
    names, sizes = {"kl_divergence": "exact KL", "accuracy": "exact accuracy"}, data.found.sizes.tolist()
    with notes.figure_style():
        figure = Figure(figsize=(7.5, 5.4), layout="constrained")
        axes = figure.subplots(len(names), len(sizes), sharex=True, sharey=True)
        for row, target in zip(axes, names, strict=True):
            for ax, n_train in zip(row, sizes, strict=True):
                share = data.percent(target, n_train)
                for metric, look in drawn.items():
                    found = mean_intervals(share[:, :, JUDGED.index(metric)], n_intervals=1)
                    ax.errorbar(
                        list(PARTS), found.mean, found.half_width, label=DRAWN[metric], color=look.color,
                        marker=look.marker, linestyle=look.line, markersize=3.5, linewidth=1.2,
                    )  # fmt: skip
                ax.axhline(50, color="black", linewidth=0.8)
                ax.set_title(f"{names[target]}, {n_train} training rows", fontsize=9)
                ax.set_xscale("log")
                ax.set_xticks(list(SHOWN), [str(n) for n in SHOWN], minor=False)
                ax.minorticks_off()
        axes[-1, len(sizes) // 2].set_xlabel("test rows")
        figure.supylabel("pairs ranked as by the exact score [%]", fontsize=9)
        notes.legend_below_all(figure, notes.named_artists(axes[0, 0]))
        notes.save_figure(figure, path, dpi=200)


def main() -> None:
    """Read the store, count the agreements, write the notes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    with one_inner_thread():
        cache = options.store.with_suffix(".agreements.npz")
        data = Smoothed(agreements(read_study(STUDY), load(options.store), cache))
    notes.write_section(options.to, generated(data), stays=["Best metric"])
    if options.figure:
        draw(data, options.figure)
    print(f"{data.found.share.size} comparisons; notes in {options.to}")


if __name__ == "__main__":
    main()
