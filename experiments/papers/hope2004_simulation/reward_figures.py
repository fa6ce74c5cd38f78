"""Draw the figures of rewards against the probability by formula, of 2002 and 2004.

Run from the root of the repository:

    python experiments/papers/hope2004_simulation/reward_figures.py

Writes docs/figures/hope2002_figures.png, Figures 1 to 3 of Hope and Korb (2002), and
docs/figures/hope2004_figure1.png, Figure 1 of 2004.
"""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbench.figures.reward_against_probability import RewardAgainstProbabilityDisplay
from workbench.report.notes import figure_style, save_figure

FIGURES = Path(__file__).resolve().parents[3] / "docs" / "figures"
LOWEST = -6.0  # of the axes: rewards are unbounded below
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
    """Draw parts side by side, two in a row."""
    n_rows = -(-len(parts) // 2)
    figure = Figure(figsize=(9.6, 4.5 * n_rows), layout="constrained")
    for ax, part in zip(figure.subplots(n_rows, 2).ravel(), parts, strict=True):
        draw(ax, part)
    return figure


def main() -> None:
    """Draw both."""
    with figure_style():
        save_figure(by_formula(FIGURES_2002), FIGURES / "hope2002_figures.png")
        save_figure(by_formula(FIGURE1_2004), FIGURES / "hope2004_figure1.png")


if __name__ == "__main__":
    main()
