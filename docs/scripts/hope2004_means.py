"""Draw the figure and write the table of docs/studies/hope2004_means.md.

Usage: python docs/scripts/hope2004_means.py hope2004_simulation.db (after `make claims`)
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from workbench import Results, load
from workbench.analyses import Means, paired_scores
from workbench.base.names import learner_name, source_name
from workbench.comparisons import paired_differences
from workbench.figures import RewardBySizeDisplay
from workbench.report import notes

DOCS = Path(__file__).resolve().parents[1]
PLACE = DOCS / "figures" / "hope2004_reward.png"
PAGE = DOCS / "studies" / "hope2004_means.md"
SCORE = "ir_b/marginal/exact/none"
MINUS = "\N{MINUS SIGN}"
LEADS = "The leading learner of the paper, and its lead over the second (simultaneous 95% intervals):"
SHOWN = ("truth", "optimal")  # next to the learners compared


def draw(results: Results, place: Path) -> None:
    """Draw one panel for each kind of truth: the learners compared, the optimum and the truth."""
    experiments = paired_scores(results, score=SCORE)
    with notes.figure_style():
        figure = Figure(figsize=(11.0, 3.6), layout="constrained")
        axes = figure.subplots(1, len(experiments))
        for ax, experiment in zip(axes, experiments, strict=True):
            kept = {key: experiment.alongside[key] for key in SHOWN}
            RewardBySizeDisplay(Means.of(replace(experiment, alongside=kept))).draw(ax)
            ax.get_legend().remove()
            ax.set_ylabel("mean IR_B [bits]" if ax is axes[0] else "")
        notes.legend_below_all(figure, notes.named_artists(axes[0]))
        notes.save_figure(figure, place, dpi=110)


def table(results: Results) -> str:
    """Return mean and half width of the interval of each learner by kind of truth and size."""
    means = results.table(SCORE)
    sizes = list(dict.fromkeys(means.columns.get_level_values(0)))
    rows = [
        [
            source_name(source),
            learner_name(learner),
            *(_cell(row[n, "mean"], row[n, "half_width"]) for n in sizes),
        ]
        for (source, learner), row in means.iterrows()
    ]
    return notes.table(["generator", "learner", *(f"{n} rows" for n in sizes)], rows, words=2)


def leads(results: Results) -> str:
    """Return who has the best mean of the learners compared, and by how much, by kind of truth and size."""
    experiments = paired_scores(results, score=SCORE)
    rows: dict[str, list[str]] = {}
    for experiment in experiments:
        found = paired_differences(experiment.values, learners=experiment.learners, settings=experiment.sizes)
        means = experiment.values.mean(axis=0)
        for j, size in enumerate(experiment.sizes):
            best, second = (experiment.learners[i] for i in np.argsort(-means[:, j], kind="stable")[:2])
            pair = found.between(best, second, size)
            lead = f"{pair.difference:.3f} ({pair.low:z.3f} to {pair.high:.3f}) over {learner_name(second)}"
            rows.setdefault(experiment.source, []).append(f"{learner_name(best)}, {lead.replace('-', MINUS)}")
    head = ["generator", *(f"{n} rows" for n in experiments[0].sizes)]
    return notes.table(head, [[source_name(source), *cells] for source, cells in rows.items()])


def _cell(mean: float, half_width: float) -> str:
    if mean == float("-inf"):
        return "\u2212\u221e"
    return f"{mean:.3f} \u00b1 {half_width:.3f}".replace("-", MINUS)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    stored = load(sys.argv[1])
    draw(stored, PLACE)
    notes.write_section(PAGE, f"{table(stored)}\n\n{LEADS}\n\n{leads(stored)}")
