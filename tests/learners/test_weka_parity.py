"""Every printed class probability of Weka 3.6.14 on weather.nominal, to 1e-9."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.io import arff

from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier

TREE_BAYES = [1, -1, 1, 0]  # outlook <- temperature, humidity <- temperature, windy <- outlook
TREE_ENTROPY = [1, 2, -1, 0]  # outlook <- temperature <- humidity, windy <- outlook

LEARNERS = {
    "NaiveBayes": NaiveBayesClassifier(),
    "BayesNet_NB": TANClassifier(structure=[-1] * 4, smoothing="simple"),
    "AODE": AODEClassifier(),
    "AODE_F5": AODEClassifier(min_frequency=5),
    "AODE_F100": AODEClassifier(min_frequency=100),
    "AODE_M1": AODEClassifier(smoothing="m_estimate"),
    "TAN_BAYES": TANClassifier(structure=TREE_BAYES, smoothing="simple"),
    "TAN_ENTROPY": TANClassifier(structure=TREE_ENTROPY, smoothing="simple"),
}


@pytest.fixture(scope="module")
def weather(golden: Path) -> tuple[pd.DataFrame, pd.Series]:
    data, meta = arff.loadarff(golden / "weather.nominal.arff")
    table = pd.DataFrame(
        {name: pd.Categorical(data[name].astype(str), categories=meta[name][1]) for name in meta.names()}
    )
    return table.drop(columns="play"), table["play"]


@pytest.fixture(scope="module")
def printed(golden: Path) -> pd.DataFrame:
    return pd.read_csv(golden / "weka_weather_nominal_probs.csv", keep_default_na=False)


def with_holes(X: pd.DataFrame, row: int, columns: str) -> pd.DataFrame:
    case = X.iloc[[row - 1]].copy()
    for name in filter(None, columns.split("+")):
        case[name] = pd.Categorical([None], categories=X[name].cat.categories)
    return case


def filled_with_mode(X: pd.DataFrame, case: pd.DataFrame) -> pd.DataFrame:
    full = case.copy()
    for name in X:
        if case[name].isna().any():  # the first of the most frequent, in declared order
            full[name] = pd.Categorical([X[name].value_counts(sort=False).idxmax()], X[name].cat.categories)
    return full


@pytest.mark.parametrize("name", LEARNERS)
def test_printed_probabilities_are_reproduced(name, weather, printed) -> None:
    X, y = weather
    learner = LEARNERS[name].fit(X, y)
    lines = printed[printed.learner == name]
    assert len(lines) == 20
    for _, line in lines.iterrows():
        case = with_holes(X, line.row, line.values_set_missing)
        if name.startswith(("TAN", "BayesNet")):
            case = filled_with_mode(X, case)
        want = [float(line[f"p_{label}"]) for label in learner.classes_]
        np.testing.assert_allclose(learner.predict_proba(case)[0], want, atol=1e-9, rtol=0)
