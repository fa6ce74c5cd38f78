"""Per cent correct of Cleary, Legg and Witten (1996), Table 2: schemes that may name no class or several.

The paper prints means over 25 random halves. Which halves, what counts as correct and the limits of Induct
are not told; that a row is correct where its set holds one class, the right one, is the reading that fits.
"""

import numpy as np
import pandas as pd
import pytest

from learners import FOILClassifier, InductDNFClassifier, InductRDRClassifier, OneRClassifier
from workbench.datasets import load_dataset

pytestmark = pytest.mark.slow

SCHEMES = {
    "1R": OneRClassifier(),
    "FOIL": FOILClassifier(),
    "Induct-DNF": InductDNFClassifier(),
    "Induct-ripple": InductRDRClassifier(),
}
SMALL = {"LA": 3, "SO": 3}  # Holte's intervals in his two smallest sets
HALVES = 10
FURTHEST = 7.0  # points
TOLD = {  # cells that lie further away
    ("FOIL", "CH"): "31.5 printed, with 40-80% of the rows in several classes; ours: 98, with 1%",
    ("Induct-DNF", "SE"): "84.2 printed, far below the other schemes; ours: 95",
    ("Induct-DNF", "HO"): "69.8 printed; ours: 62, and 68 with limit=0.05",
    ("Induct-DNF", "V1"): "81.8 printed; ours: 72, and 76 with limit=0.05",
    ("1R", "SE"): "64.5 printed; ours: 73, with T3, which is missing in 22% of the rows",
}


@pytest.fixture(scope="module")
def halves(shared):
    """Give a function that learns on random halves: per cent single and right, none, and several."""

    def learn(scheme: str, dataset: str) -> np.ndarray:
        X, y = load_dataset(dataset, data=shared)
        learner = SCHEMES[scheme]
        if scheme == "1R":
            learner.set_params(small=SMALL.get(dataset, 6))
        found = []
        for seed in range(HALVES):
            order = np.random.default_rng(seed).permutation(len(X))
            train, test = order[: len(X) // 2], order[len(X) // 2 :]
            sets = learner.fit(X.iloc[train], y.iloc[train]).predict_set(X.iloc[test])
            size = sets.sum(axis=1)
            right = (sets & (learner.classes_ == y.iloc[test].to_numpy()[:, None])).any(axis=1)
            found.append([((size == 1) & right).mean(), (size == 0).mean(), (size > 1).mean()])
        return 100 * np.mean(found, axis=0)

    return learn


@pytest.fixture(scope="module")
def printed(shared) -> pd.DataFrame:
    """Give the printed per cent correct: data set by scheme."""
    lines = pd.read_csv(shared / "reference" / "cleary1996_percent_correct_and_sf.csv")
    return lines.pivot(index="dataset", columns="scheme", values="percent_correct").drop(
        "VO"
    )  # not in the text


@pytest.mark.parametrize("scheme", SCHEMES)
def test_per_cent_correct_is_near_what_is_printed(scheme, halves, printed) -> None:
    away = pd.Series({name: halves(scheme, name)[0] - value for name, value in printed[scheme].items()})
    far = away[away.abs() > FURTHEST]
    assert sorted(far.index) == sorted(name for told, name in TOLD if told == scheme)
    assert away.abs().median() < 3


def test_sets_of_induct_on_chess_have_the_printed_sizes(halves) -> None:
    _, none, several = halves("Induct-DNF", "CH")
    assert 3 <= several <= 8
    assert 0 <= none <= 1


def test_sets_of_foil_on_chess_are_not_those_of_the_paper(halves) -> None:
    single, none, several = halves("FOIL", "CH")
    assert single > 95
    assert none < 3
    assert several < 3
