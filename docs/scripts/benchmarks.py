"""Draw how hard the truths of the suite bias-v1 are, docs/figures/benchmarks.png: no arguments."""

from pathlib import Path

from matplotlib.figure import Figure

from generators.suites.suite import Suite, suite
from workbench.report.notes import save_figure

PICTURE = Path(__file__).resolve().parents[1] / "figures" / "benchmarks.png"
LOOKS = {"easy": ("#8fb3d9", "o"), "medium": ("#4f81b8", "s"), "hard": ("#1f4e85", "^")}
SHIFTS = {4: -0.22, 7: 0.0, 10: 0.22}
PANELS = {"bayes_error": "Bayes error", "ceiling": "ceiling of IR_B, bits"}


def draw(truths: Suite) -> Figure:
    """Draw a dot for each truth: its Bayes error on the left, its ceiling on the right."""
    figure = Figure(figsize=(9, 4.6), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    places = {kind: place for place, kind in enumerate(truths.kinds)}
    for panel, (fact, label) in zip(axes, PANELS.items(), strict=True):
        for difficulty, (color, marker) in LOOKS.items():
            entries = [entry for entry in truths if entry.difficulty == difficulty]
            values = [entry.facts[fact] for entry in entries]
            heights = [places[entry.kind] + SHIFTS[entry.n_attributes] for entry in entries]
            panel.scatter(
                values, heights, c=color, marker=marker, s=34, label=difficulty, zorder=2, clip_on=False
            )
        panel.set_xlabel(label)
        panel.set_xlim(left=0)
        panel.set_yticks(range(len(places)), [kind.replace("_", " ") for kind in places])
        panel.grid(axis="x", color="#dddddd", linewidth=0.8, zorder=0)
        for edge in [place - 0.5 for place in range(1, len(places))]:
            panel.axhline(edge, color="#eeeeee", linewidth=0.8, zorder=0)
        panel.spines[["top", "right", "left"]].set_visible(False)
        panel.tick_params(axis="y", length=0)
    axes[0].invert_yaxis()
    axes[0].set_ylabel("kind; 4, 7 and 10 attributes from above")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    return figure


if __name__ == "__main__":
    save_figure(draw(suite("bias-v1")), PICTURE, dpi=150)
