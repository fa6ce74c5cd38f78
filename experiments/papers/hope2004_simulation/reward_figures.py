"""Draw the papers' figures of rewards (2002, 2004): against the probability, and by training size.

Run from the root of the repository; the second line after the study of the simulation:

    python experiments/papers/hope2004_simulation/reward_figures.py
    python experiments/papers/hope2004_simulation/reward_figures.py \
        --study hope2004_simulation_superparent.db --notes
        experiments/papers/hope2004_simulation/superparent.md

The first writes docs/figures/hope2002_figures.png, Figures 1 to 3 of Hope and Korb (2002), and
docs/figures/hope2004_figure1.png, Figure 1 of 2004, by formula. The second writes
docs/figures/hope2004_superparent.png, Figures 2b to 4b of 2004 with the paper's TAN and with J48, and a table
of its means between markers of the notes. The paper's have no J48. Its reward without a cut-off is infinite,
so all have that of 2002.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbench import load
from workbench.analyses import Experiment, Means, experiments_of
from workbench.figures._shared.style import legend_below_all, named_artists, settings
from workbench.figures.reward_against_probability import RewardAgainstProbabilityDisplay
from workbench.figures.reward_by_size import RewardBySizeDisplay
from workbench.report.renderers.markdown import between_markers

FIGURES = Path(__file__).resolve().parents[3] / "docs" / "figures"
MARKERS = ("<!-- means -->", "<!-- means end -->")
LOWEST = -6.0  # of the axes: rewards are unbounded below
LEARNERS = ("nb", "tan_superparent", "aode", "camml", "j48")
EVEN, RARE = (0.5, 0.5), (0.1, 0.9)  # RARE: the disease of the paper's section 2
THREE, UNEVEN = (1 / 3, 1 / 3, 1 / 3), (0.1, 0.45, 0.45)  # as the captions say
#: Parts of the figure: title, metrics, prior, and whether to draw rewards if another class happens.
Part = tuple[str, Sequence[str], Sequence[float], bool]
FIGURES_2002: Sequence[Part] = (
    ("1: Good's reward, two classes", ("good_reward",), EVEN, True),
    ("Good's and Bayesian reward, class of prior 0.1", ("good_reward", "bayesian_reward"), RARE, True),
    ("2: of the predicted class alone (Definition 2)", ("modal_bayesian_reward",), THREE, False),
    (
        "3: of all classes (Definition 3), and KB",
        ("bayesian_reward", "kononenko_bratko_2002"),
        THREE,
        False,
    ),
)
FIGURE1_2004: Sequence[Part] = (
    ("1a: three classes, even prior", ("bayesian_reward", "ir_b", "kononenko_bratko"), THREE, False),
    ("1b: prior 0.1, 0.45, 0.45", ("bayesian_reward", "ir_b", "kononenko_bratko"), UNEVEN, False),
)


def draw(ax: Axes, part: Part) -> None:
    """Draw rewards against the probability given to the class that happens."""
    title, metrics, prior, both = part
    display = RewardAgainstProbabilityDisplay.from_metrics(metrics, prior=prior, both=both)
    display.draw(ax)
    if ax.get_ylim()[0] < LOWEST:
        ax.set_ylim(LOWEST, 1.3)  # all rewards with so low an axis have maximum 1
    ax.set_title(title)


def by_formula(parts: Sequence[Part]) -> Figure:
    """Draw parts side by side, two in a row.

    Parameters
    ----------
    parts : sequence of Part

    Returns
    -------
    matplotlib Figure
    """
    n_rows = -(-len(parts) // 2)
    figure = Figure(figsize=(9.6, 4.5 * n_rows), layout="constrained")
    for ax, part in zip(figure.subplots(n_rows, 2).ravel(), parts, strict=True):
        draw(ax, part)
    return figure


def plain(experiment: Experiment) -> Experiment:
    """Leave out learners that are not compared, except the truth and the class frequencies."""
    kept = {
        key: own for key, own in experiment.alongside.items() if key in (experiment.truth, experiment.prior)
    }
    return replace(experiment, alongside=kept)


def by_size(experiments: Sequence[Experiment]) -> Figure:
    """Draw the mean reward of every learner by training size, on one scale for all kinds of truth."""
    figure = Figure(figsize=(11.0, 4.4), layout="constrained")
    axes = figure.subplots(1, len(experiments), sharey=True)
    for ax, experiment in zip(axes, experiments, strict=True):
        RewardBySizeDisplay(Means.of(experiment)).draw(ax)
        ax.get_legend().remove()
        ax.set_ylabel("")
        ax.set_title(experiment.kind.removeprefix("the "))
    axes[0].set_ylabel("mean reward on test rows [bits]")
    legend_below_all(figure, named_artists(axes[0]))
    return figure


def bits(value: float) -> str:
    """Write bits with a true minus and without a negative zero."""
    return f"{round(value, 3) + 0.0:.3f}".replace("-", "\u2212")


def means_table(experiments: Sequence[Experiment]) -> str:
    """Write the means with their intervals as Markdown."""
    heads = ["truths", "training rows", *LEARNERS]
    lines = [heads, ["---", "---:", *["---:"] * len(LEARNERS)]]
    for experiment in experiments:
        table = Means.of(experiment).table.set_index(["learner", "n_train"])
        for size in experiment.sizes:
            rows = [table.loc[(learner, size)] for learner in LEARNERS]
            cells = [f"{bits(row['mean'])} ({bits(row['low'])} to {bits(row['high'])})" for row in rows]
            lines.append([experiment.source, str(size), *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def notes_of(experiments: Sequence[Experiment]) -> str:
    """Describe the table and the figure."""
    n_models = " to ".join(str(n) for n in sorted({len(one.replicates) for one in experiments}))
    n_intervals = Means.of(experiments[0]).n_intervals
    return (
        "Mean information reward on test rows against the training prior, in bits, after the cut-off of "
        f"2002, over {n_models} truths of each kind. In brackets 95% intervals between truths that are "
        f"simultaneous for all {n_intervals} of a kind."
    )


def save(figure: Figure, name: str) -> None:
    """Write a figure as a PNG file."""
    figure.savefig(FIGURES / f"{name}.png", dpi=130, metadata={"Software": None})


def main() -> None:
    """Draw by formula, and from the store if one is given."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--study", type=Path, help="store of superparent.toml")
    parser.add_argument("--notes", type=Path, help="a page with the markers of the means")
    asked = parser.parse_args()
    with mpl.rc_context(settings()):
        if asked.study is None:
            save(by_formula(FIGURES_2002), "hope2002_figures")
            save(by_formula(FIGURE1_2004), "hope2004_figure1")
            return
        score = "ir_b/training/test/2002"
        experiments = [
            plain(one) for one in experiments_of(load(asked.study), score=score, learners=LEARNERS)
        ]
        save(by_size(experiments), "hope2004_superparent")
    table = f"{notes_of(experiments)}\n\n{means_table(experiments)}"
    if asked.notes is None:
        print(table)
        return
    page = asked.notes.read_text(encoding="utf-8")
    asked.notes.write_text(between_markers(page, table, start=MARKERS[0], end=MARKERS[1]), encoding="utf-8")


if __name__ == "__main__":
    main()
