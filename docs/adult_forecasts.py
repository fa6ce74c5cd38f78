"""Draw the README's picture of forecasts: `python docs/adult_forecasts.py FOLDER_OF_DATA_SETS`.

Naive Bayes, TAN and AODE learn every second row of adult and forecast the others.
"""

import sys
from pathlib import Path

from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier
from workbench.datasets import load_dataset
from workbench.figures import draw_forecasts
from workbench.metrics import class_prior

LEARNERS = {"nb": NaiveBayesClassifier(), "tan": TANClassifier(), "aode": AODEClassifier()}


def main(folder: str) -> None:
    """Learn, forecast, draw."""
    X, y = load_dataset("adult", data=folder)
    fitted = {name: learner.fit(X[::2], y[::2]) for name, learner in LEARNERS.items()}
    forecasts = {name: learner.predict_proba(X[1::2]) for name, learner in fitted.items()}
    classes = fitted["nb"].classes_
    prior = class_prior(y[::2], classes=classes)
    figure = draw_forecasts(y[1::2], forecasts, prior=prior, classes=classes)
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=110)


if __name__ == "__main__":
    main(sys.argv[1])
