"""Draw the plan of docs/guides/plan.md, with what more rows really brought as stars."""

from pathlib import Path

import pandas as pd

from generators import random_tan
from learners import LEARNERS
from workbench import plan
from workbench.metrics import clip_probabilities, log_loss
from workbench.report.notes import save_figure

FIGURES = Path(__file__).resolve().parents[1] / "figures"
KEYS, MORE = ("nb", "tan", "aode"), 1600
TRUTH = random_tan(n_attributes=8, arity=3, n_classes=2, random_state=6)


def main() -> None:
    """Plan from 200 rows, fit learners to 1,600, and draw both."""
    X, y = patients(200, seed=1)
    display = plan(X, y, learners=list(KEYS), rows=MORE, progress=False).plot()
    for key, panel in zip(KEYS, display.ax_.child_axes, strict=True):
        panel.plot(MORE, what_came(key), "*", color="black", markersize=9, zorder=5)
    save_figure(display.figure_, FIGURES / "plan.png", dpi=110)


def patients(n: int, seed: int) -> tuple[pd.DataFrame, pd.Series]:
    """Draw rows as the guide does, and as its file is read."""
    X, y = TRUTH.sample(n, random_state=seed)
    table = X.apply(lambda column: column.map({0: "low", 1: "middle", 2: "high"}).astype(object))
    return table, y.map({0: "well", 1: "ill"}).astype(object)


def what_came(key: str) -> float:
    """Return the loss of a learner that has all rows."""
    learner = LEARNERS[key]().fit(*patients(MORE, seed=2))
    X, y = patients(10_000, seed=3)
    y_prob = clip_probabilities(learner.predict_proba(X), n_train=MORE)
    return log_loss(y, y_prob, classes=learner.classes_)


if __name__ == "__main__":
    main()
