"""Draw the picture of forecasts of docs/guides/scores.md and write its figures.

Run `python docs/scripts/adult_forecasts.py DATA_FOLDER`.

Naive Bayes, TAN and AODE learn every second row of adult and forecast the others. The picture goes to
docs/figures, a CSV of areas and rewards next to this file.
"""

import sys
from pathlib import Path

import pandas as pd

from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier
from workbench.datasets import load_dataset
from workbench.figures import ForecastPanels, draw_forecasts
from workbench.metrics import class_prior

PICTURE = Path(__file__).resolve().parents[1] / "figures" / "adult_forecasts.png"
LEARNERS = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "aode": AODEClassifier()}


def panels(folder: str | Path) -> ForecastPanels:
    """Learn, forecast, draw."""
    X, y = load_dataset("adult", data=folder)
    fitted = {name: learner.fit(X[::2], y[::2]) for name, learner in LEARNERS.items()}
    forecasts = {name: learner.predict_proba(X[1::2]) for name, learner in fitted.items()}
    classes = fitted["nb"].classes_
    prior = class_prior(y[::2], classes=classes)
    return draw_forecasts(y[1::2], forecasts, prior=prior, classes=classes)


def figures(drawn: ForecastPanels) -> pd.DataFrame:
    """Return the area under the ROC curve and the mean reward in bits of each learner, as drawn."""
    columns = {
        "area": {name: curve.area for name, curve in drawn.roc.curves.items()},
        "ir_b": {name: curve.mean for name, curve in drawn.reward.curves.items()},
    }
    return pd.DataFrame(columns).rename_axis("learner")


def main(folder: str) -> None:
    """Write the picture and the figures."""
    drawn = panels(folder)
    drawn.save(PICTURE, dpi=110)
    figures(drawn).to_csv(Path(__file__).with_suffix(".csv"), float_format="%.6f")
    print(drawn.caption)


if __name__ == "__main__":
    main(sys.argv[1])
