"""Draw the tree of docs/guides/learners.md, C4.5 on iris: `python docs/scripts/iris_tree.py`."""

from pathlib import Path

from matplotlib.figure import Figure

from learners import C45Classifier
from workbench.datasets import load_dataset
from workbench.report.notes import figure_style, save_figure

PLACE = Path(__file__).resolve().parents[1] / "figures" / "iris_tree.png"


def draw() -> Figure:
    """Learn the tree from all rows and draw it."""
    X, y = load_dataset("iris")
    with figure_style():
        return C45Classifier().fit(X, y).plot().figure


if __name__ == "__main__":
    save_figure(draw(), PLACE, dpi=110)
