"""How C5.0 of 2002 reads probabilities and boosts: the printed scores against its possible settings.

`departures.py` writes it into the page of Hope and Korb (2002). Halves are numbered from 0, and the number is
the seed.
"""

import numpy as np
import pandas as pd
from departure_trials import Data, printed_of
from joblib import Parallel, delayed
from numpy.typing import NDArray

from learners import C45Classifier, C50Classifier
from workbench.datasets import load_dataset
from workbench.designs import HalfSplits
from workbench.metrics import accuracy, bayesian_reward, class_prior, clip_probabilities, kononenko_bratko
from workbench.report.notes import table

SETS = ("BC", "CH", "G2", "GL", "HD", "HE", "HO", "HY", "IR", "LA", "LY", "MU", "SE", "SO", "V1", "VO")
N_HALVES, N_TRIALS = 20, 10
MIDDLE = (0.025, 0.975)  # of the halves
LEAST_ODDS = 1e-9  # of an error, so that the vote of a tree without errors is finite
#: The printed tables: file, and the score that it holds.
TABLES = {"Table 2": "accuracy", "Table 4": "kb", "Table 6": "ir"}
#: What is tried, with the paper's key of the learner.
TRIED = {
    "C5.0, smoothed leaves": "c5",
    "C5.0, leaf frequencies": "c5",
    "C5.0 boosted, smoothed leaves": "cB",
    "C5.0 boosted, leaf frequencies": "cB",
    "C4.5 boosted as in 1996": "cB",
}
#: Those of which it is told whether a single tree is left.
STARTS = ("C5.0 boosted, leaf frequencies", "C4.5 boosted as in 1996")
Forecast = NDArray[np.float64]


def boosted_1996(X: pd.DataFrame, y: pd.Series, asked: pd.DataFrame) -> tuple[Forecast, int]:
    """Boost C4.5 by AdaBoost.M1, after Quinlan (AAAI 1996); return shares of the votes, and their number."""
    weight, votes = np.ones(len(y)), []
    single = None
    for _ in range(N_TRIALS):
        tree = C45Classifier().fit(X, y, sample_weight=weight)
        forecast = tree.predict_proba(asked)
        single = forecast if single is None else single
        wrong = tree.predict(X) != y.to_numpy()
        odds = max(weight[wrong].sum() / weight[~wrong].sum(), LEAST_ODDS)
        if odds >= 1:
            break
        votes.append(-np.log(odds) * np.eye(forecast.shape[1])[forecast.argmax(axis=1)])
        if not wrong.any():
            break
        weight = weight * np.where(wrong, 1.0, odds)
        weight *= len(y) / weight.sum()
    if len(votes) < 2:
        return single, 1
    total = np.sum(votes, axis=0)
    return total / total.sum(axis=1, keepdims=True), len(votes)


def c50_forecast(
    X: pd.DataFrame, y: pd.Series, asked: pd.DataFrame, *, trials: int, probabilities: str
) -> tuple[Forecast, int]:
    """Forecast with C5.0, and tell how many trees vote."""
    fitted = C50Classifier(trials=trials, probabilities=probabilities).fit(X, y)
    return fitted.predict_proba(asked), len(fitted.trees_)


def half_scores(name: str, seed: int, data: Data) -> tuple[NDArray[np.float64], dict[str, bool]]:
    """Score what is tried on a half (n_tried, n_tables); and tell of `STARTS` whether one tree is left."""
    X, y = load_dataset(name, data=data)
    train, test = HalfSplits().split(y.cat.codes.to_numpy(), 0, seed)
    rows = X.iloc[train], y.iloc[train], X.iloc[test]
    found = [
        c50_forecast(*rows, trials=trials, probabilities=probabilities)
        for trials in (1, N_TRIALS)
        for probabilities in ("smoothed", "leaf")
    ]
    found.append(boosted_1996(*rows))
    classes = np.sort(y.cat.categories.to_numpy())
    truth, prior = y.iloc[test].to_numpy(), class_prior(y.iloc[train].to_numpy(), classes=classes)
    scores = []
    for forecast, _ in found:
        clipped = clip_probabilities(forecast, n_train=len(train))
        bits = kononenko_bratko(truth, clipped, prior=prior, classes=classes)
        reward = bayesian_reward(truth, clipped, prior=prior, classes=classes)
        scores.append([accuracy(truth, forecast, classes=classes), bits * np.log(2), reward])
    places = {tried: list(TRIED).index(tried) for tried in STARTS}
    return np.array(scores), {tried: found[place][1] == 1 for tried, place in places.items()}


def cells_hit(scores: NDArray[np.float64], printed: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which printed values (...) lie in the middle of ours (n_halves, ...)."""
    low, high = np.quantile(scores, MIDDLE, axis=0)  # what is printed is good to six decimals
    return (low - 1e-6 <= printed) & (printed <= high + 1e-6)


def printed_scores() -> NDArray[np.float64]:
    """Return what the paper prints, of shape (n_sets, n_tried, n_tables)."""
    tables = [printed_of(f"hope2002/published/{file}.csv", "value") for file in TABLES.values()]
    keys = [name.lower().replace("v1", "v2") for name in SETS]  # the paper's v2 is V1
    return np.array([[[table[key, who] for table in tables] for who in TRIED.values()] for key in keys])


def trial_boosting(data: Data, jobs: int) -> str:
    """Compare the printed scores of C5.0 with its possible settings, and write it as Markdown."""
    asked = [(name, seed) for name in SETS for seed in range(N_HALVES)]
    found = Parallel(n_jobs=jobs)(delayed(half_scores)(*one, data) for one in asked)
    scores = np.array([own for own, _ in found]).reshape(len(SETS), N_HALVES, len(TRIED), len(TABLES))
    printed = printed_scores()
    hits = np.array([cells_hit(own, values) for own, values in zip(scores, printed, strict=True)])
    rows = [
        [tried, *own.sum(axis=0), own.sum()] for tried, own in zip(TRIED, hits.swapaxes(0, 1), strict=True)
    ]
    who = list(TRIED.values())
    same = (printed[:, who.index("c5")] == printed[:, who.index("cB")]).all(axis=1)
    alone = []
    for place, name in enumerate(SETS):
        own = [one for _, one in found[place * N_HALVES : (place + 1) * N_HALVES]]
        counts = [f"{sum(one[tried] for one in own)} of {N_HALVES}" for tried in STARTS]
        alone.append([name, "the same" if same[place] else "other scores", *counts])
    return "\n\n".join(
        [
            "**Forecasts and boosting of C5.0.** Number of the 16 printed scores of each table in the "
            f"middle 95% of our {N_HALVES} halves. Boosted trees predict the shares of their votes. "
            '"As in 1996" is AdaBoost.M1 as in Quinlan, "Bagging, boosting, and C4.5", AAAI 1996.',
            table(["what is tried", *TABLES, "all 48"], rows, words=1),
            "**When boosting leaves a single tree.** Number of halves with a single tree, and whether the "
            "paper prints the same scores with and without boosting.",
            table(["data set", "printed with boosting", *STARTS], alone, words=2),
        ]
    )
