"""Draw the tree of docs/guides/learners.md, C4.5 on iris: `python docs/scripts/iris_tree.py`."""

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from learners import C45Classifier
from workbench.datasets import load_dataset
from workbench.figures._shared.style import settings

PLACE = Path(__file__).resolve().parents[1] / "figures" / "iris_tree.png"


def draw() -> Figure:
    """Learn the tree from all rows and draw it."""
    X, y = load_dataset("iris")
    with mpl.rc_context(settings()):
        return C45Classifier().fit(X, y).plot().figure


if __name__ == "__main__":
    draw().savefig(PLACE, dpi=110, metadata={"Software": None})
