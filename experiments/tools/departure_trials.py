"""Trials in addition to the studies of the reproduced papers: possible causes of departures, one by one.

`departures.py` runs them and writes the results into the papers' pages. No study takes a setting from a
trial. Splits are numbered from 0, and the number is the seed.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray

from learners import (
    AODEClassifier,
    C45Classifier,
    C45RulesClassifier,
    CaMMLClassifier,
    FOILClassifier,
    InductDNFClassifier,
    InductRDRClassifier,
    J48Classifier,
    MEstimateNaiveBayesClassifier,
    NaiveBayesClassifier,
    OneRClassifier,
    TANClassifier,
)
from workbench.base.names import learner_name
from workbench.datasets import load_dataset
from workbench.datasets.dataset import Dataset
from workbench.designs import HalfSplits, RandomSplits, RepeatedFolds
from workbench.metrics import accuracy, clip_probabilities, exact_match, good_reward, significance
from workbench.report.notes import number, table

PAPERS = Path(__file__).resolve().parents[1] / "papers"
Data = str | Path | None
Table = tuple[pd.DataFrame, pd.Series]

#: Holte's data sets without numbers, and the settings of naive Bayes that were tried on them.
NOMINAL = ("BC", "CH", "MU", "SO", "V1", "VO")
SHARES = (0.5, 0.75, 1.0, 4 / 3)  # of the training rows, as m
N_SPLITS = 25  # the paper's
CUT = ("G2", "GL", "LA", "HD", "HE", "HO", "IR", "LY")
CUT_KINDS = ("camml", "camml_all", "nb", "nb_all")
N_HALVES = 10
#: Classes of glass to merge, by the new name.
FLOAT_JOINED = {"float": ("build wind float", "vehic wind float")}
N_REPLICATIONS, N_SEARCHED, OF_THE_PAPER = 50, 5, 5
MANY_ROWS = 5000
#: The versions of data sets that fit the paper of 2004.
VERSIONS = {
    "glass": "glass-three-kinds",
    "bcw": "bcw-nominal",
    "house-votes-84": "house-votes-84-third-value",
    "horse-colic": "horse-colic-21",
}
ROUNDED = 0.0005  # half a unit of the last printed digit
LEARNERS_2004 = {
    "Naive Bayes": NaiveBayesClassifier(),
    "J48": J48Classifier(),
    "CaMML": CaMMLClassifier(),
    "AODE": AODEClassifier(),
    "TAN": TANClassifier(structure="superparent", smoothing="laplace"),
}
SETS_1996 = {"foil": FOILClassifier(), "induct_dnf": InductDNFClassifier()}
LEARNERS_1996 = {
    "one_r": OneRClassifier(),
    "c45": C45Classifier(),
    "c45rules": C45RulesClassifier(),
    "c45_unpruned": C45Classifier(prune=False),
    **SETS_1996,
    "induct_rdr": InductRDRClassifier(),
}
SCHEMES = {
    "one_r": "1R",
    "c45": "C4.5 pruned",
    "c45rules": "C4.5 rule",
    "c45_unpruned": "C4.5 unpruned",
    "foil": "FOIL",
    "induct_dnf": "Induct-DNF",
    "induct_rdr": "Induct-ripple",
}
SAID_1996 = {"foil": ("40 to 80", "about 10"), "induct_dnf": ("3 to 8", "0 to 1")}


def joined(y: pd.Series, groups: Mapping[str, Sequence[str]]) -> pd.Series:
    """Merge classes, which are given by their new names; the others stay."""
    names = {old: new for new, olds in groups.items() for old in olds}
    return y.astype(str).replace(names).astype("category")


def smoothings(n: int) -> dict[str, Any]:
    """Return naive Bayes with each setting that was tried, for n training rows."""
    found: dict[str, Any] = {"pseudo-counts of 1": NaiveBayesClassifier()}
    for share in SHARES:
        found[f"m = {share:.3g} n"] = MEstimateNaiveBayesClassifier(m=share * n)
    found["m = n, missing values left out"] = MEstimateNaiveBayesClassifier(missing="left_out")
    return found


def smoothing_scores(name: str, data: Data) -> NDArray[np.float64]:
    """Return accuracy and Good's reward of naive Bayes smoothed in several ways (splits, 2, settings)."""
    X, y = load_dataset(name, data=data)
    return np.array([_of_split(X, y, seed) for seed in range(N_SPLITS)])


def _of_split(X: pd.DataFrame, y: pd.Series, seed: int) -> NDArray[np.float64]:
    train, test = RandomSplits().split(y.cat.codes.to_numpy(), 0, seed)
    fitted = [one.fit(X.iloc[train], y.iloc[train]) for one in smoothings(len(train)).values()]
    forecasts = [one.predict_proba(X.iloc[test]) for one in fitted]
    truth, classes = y.iloc[test].to_numpy(), fitted[0].classes_
    hits = [accuracy(truth, forecast, classes=classes) for forecast in forecasts]
    clipped = [clip_probabilities(forecast, n_train=len(train), rule="2001") for forecast in forecasts]
    return np.array([hits, [good_reward(truth, forecast, classes=classes) for forecast in clipped]])


def trial_2001(data: Data, jobs: int) -> str:
    """Smooth naive Bayes in other ways, and write how many printed means each setting meets, as Markdown."""
    found = Parallel(n_jobs=jobs)(delayed(smoothing_scores)(name, data) for name in NOMINAL)
    kinds = ("accuracy", "information_reward")
    printed = [printed_of(f"korb2001/published/{kind}.csv", "mean") for kind in kinds]
    published = np.array([[own[name, "Naive Bayes"] for own in printed] for name in NOMINAL])[:, :, None]
    means = np.array([scores.mean(axis=0) for scores in found])
    errors = np.array([scores.std(axis=0, ddof=1) for scores in found]) * np.sqrt(2 / N_SPLITS)
    off = np.abs(means - published)
    agree, median = (off <= 1.96 * errors + ROUNDED).sum(axis=0), np.median(off, axis=0)
    rows = [[setting] for setting in smoothings(1)]
    for j, row in enumerate(rows):
        for k in (0, 1):
            row += [f"{agree[k, j]} of {len(NOMINAL)}", number(median[k, j])]
    heads = [
        text for what in ("accuracies", "rewards") for text in (f"{what} that agree", "median difference")
    ]
    return "\n\n".join(
        [
            "**Naive Bayes, smoothed in other ways.** The data sets are the six without numeric attributes "
            f"({', '.join(NOMINAL)}), in {N_SPLITS} splits with n training rows. A printed mean agrees if it "
            "is within 1.96 standard errors of the difference between two such means.",
            table(["setting", *heads], rows, words=1),
        ]
    )


def cut_scores(name: str, kind: str, data: Data) -> NDArray[np.float64]:
    """Return accuracies on halves of a data set, its numbers cut before ("..._all") or after halving."""
    X, y = load_dataset(name, data=data)
    mestimate = MEstimateNaiveBayesClassifier(numeric="mdlp")
    learner = CaMMLClassifier() if kind.startswith("camml") else mestimate
    rows = Dataset.of(X, y, name).cut if kind.endswith("_all") else X
    halves = [HalfSplits().split(y.cat.codes.to_numpy(), 0, seed) for seed in range(N_HALVES)]
    return np.array([_accuracy(learner, rows, y, *half) for half in halves])


def _accuracy(
    learner: Any, X: pd.DataFrame, y: pd.Series, train: NDArray[np.intp], test: NDArray[np.intp]
) -> float:
    fitted = learner.fit(X.iloc[train], y.iloc[train])
    forecast = fitted.predict_proba(X.iloc[test])
    return float(accuracy(y.iloc[test].to_numpy(), forecast, classes=fitted.classes_))


def trial_2002(data: Data, jobs: int) -> str:
    """Cut the numbers before halving, and write the accuracies as Markdown."""
    asked = [(name, kind) for name in CUT for kind in CUT_KINDS]
    scored = Parallel(n_jobs=jobs)(delayed(cut_scores)(*one, data) for one in asked)
    found = dict(zip(asked, scored, strict=True))
    printed = printed_of("hope2002/published/accuracy.csv", "value")
    rows = []
    for name in CUT:
        halves = [found[name, kind] for kind in CUT_KINDS]
        cells = [f"{number(own.mean())} ({number(own.std(ddof=1))})" for own in halves]
        prints = [number(printed[name.lower(), key]) for key in ("ca", "nb")]
        rows.append([name, prints[0], *cells[:2], prints[1], *cells[2:]])
    heads = ["data set", "CaMML, printed", "cuts of the training half", "cuts of all rows"]
    heads += ["naive Bayes, printed", *heads[2:]]
    return "\n\n".join(
        [
            "**Numbers cut before the data sets are halved.** Accuracy, mean (sd) over "
            f"{N_HALVES} halves. The published value is of one half. G2, GL and LA differ in the study, and "
            "the other data sets are controls.",
            table(heads, rows, words=1),
        ]
    )


def tables_2004(data: Data) -> dict[str, tuple[str, Table]]:
    """Return the data sets of the trial of 2004, each with the name of the printed one."""
    found = {name: (name, load_dataset(name, data=data)) for name in ("post-operative", "lung-cancer")}
    X, y = load_dataset("glass", data=data)
    found["glass, float glass joined: five classes"] = ("glass", (X, joined(y, FLOAT_JOINED)))
    for name, version in VERSIONS.items():
        found |= {one: (name, load_dataset(one, data=data)) for one in (name, version)}
    X, y = load_dataset("sign", data=data)
    found["sign"] = ("sign", (X, y))
    found["sign, cut on all rows"] = ("sign", (Dataset.of(X, y, "sign").cut, y))
    return found


def replication_scores(name: str, X: pd.DataFrame, y: pd.Series) -> NDArray[np.float64]:
    """Return a learner's accuracy of every replication of stratified two-fold cross-validation."""
    n = N_SEARCHED if name == "CaMML" or len(y) > MANY_ROWS else N_REPLICATIONS
    learner, design, codes = LEARNERS_2004[name], RepeatedFolds(folds=2), y.cat.codes.to_numpy()
    parts = [[design.split(codes, fold, seed) for fold in (0, 1)] for seed in range(n)]
    return np.array([[_accuracy(learner, X, y, *part) for part in pair] for pair in parts]).mean(axis=1)


def trial_2004(data: Data, jobs: int) -> str:
    """Prepare data sets differently, and write accuracies with their standard errors as Markdown."""
    printed = printed_of("hope2004_uci/published/accuracy.csv", "value")
    asked = [
        (words, printed_name, learner, table)
        for words, (printed_name, table) in tables_2004(data).items()
        for learner in LEARNERS_2004
        if (learner != "CaMML" or printed_name == "glass")
        and (printed_name != "sign" or learner in ("AODE", "TAN"))  # the others take numbers as they are
    ]
    found = Parallel(n_jobs=jobs)(delayed(replication_scores)(one[2], *one[3]) for one in asked)
    rows = []
    for (words, name, learner, (_, y)), scores in zip(asked, found, strict=True):
        difference = scores.mean() - printed[name, learner]
        error = scores.std(ddof=1) * np.sqrt(1 / OF_THE_PAPER + 1 / len(scores))
        largest = y.value_counts(normalize=True).max()
        cells = [scores.mean(), printed[name, learner], difference]
        rows.append([words, learner, *map(number, cells), number(difference / error, 1), number(largest)])
    heads = ["data set", "learner", "ours", "printed", "difference", "standard errors"]
    return "\n\n".join(
        [
            "**Data sets prepared differently.** Accuracy, mean over "
            f"{N_REPLICATIONS} replications (CaMML and sign {N_SEARCHED}) of two-fold cross-validation. The "
            "standard error is of the difference between our mean and a study of "
            f"{OF_THE_PAPER} replications.",
            table([*heads, "share of largest class"], rows, words=2),
        ]
    )


def set_shares(name: str, data: Data) -> NDArray[np.float64]:
    """Return the per cent of test rows of CH that get their class alone, several classes, and none."""
    X, y = load_dataset("CH", data=data)
    rows = []
    for seed in range(N_SPLITS):
        train, test = HalfSplits().split(y.cat.codes.to_numpy(), 0, seed)
        fitted = SETS_1996[name].fit(X.iloc[train], y.iloc[train])
        sets = fitted.predict_set(X.iloc[test])
        named = sets.sum(axis=1)
        right = exact_match(y.iloc[test].to_numpy(), sets, classes=fitted.classes_)
        rows.append([right, (named > 1).mean(), (named == 0).mean()])
    return 100 * np.array(rows)


def codings_of_hd(data: Data) -> dict[str, Table]:
    """Return the heart patients of Cleveland, coded in several ways."""
    X, y = load_dataset("HD", data=data)
    coded, declared = load_dataset("heart-c-five-classes", data=data)
    return {
        "as in Weka's copy, two classes declared": (X, y),
        "five classes declared": (X, declared),
        "vessels nominal": (coded, y),
        "both": (coded, declared),
    }


def coded_scores(learner: str, X: pd.DataFrame, y: pd.Series) -> NDArray[np.float64]:
    """Return per cent correct and bits saved of a learner, as means over splits, and errors of 25."""
    rows = []
    classes = np.array(y.cat.categories)
    for seed in range(N_SPLITS):
        train, test = HalfSplits().split(y.cat.codes.to_numpy(), 0, seed)
        fitted = LEARNERS_1996[learner].fit(X.iloc[train], y.iloc[train])
        named = pd.DataFrame(fitted.predict_set(X.iloc[test]), columns=fitted.classes_)
        sets = named.reindex(columns=classes, fill_value=False).to_numpy()
        truth = y.iloc[test].to_numpy()
        rows.append(
            [100 * exact_match(truth, sets, classes=classes), significance(truth, sets, classes=classes)]
        )
    found = np.array(rows)
    return np.array([found.mean(axis=0), found.std(axis=0, ddof=1) * np.sqrt(2 / N_SPLITS)])


def trial_of_hd(data: Data, jobs: int) -> str:
    """Code HD in other ways, and write per cent correct and bits saved as Markdown."""
    codings = codings_of_hd(data)
    asked = [(learner, words) for learner in LEARNERS_1996 for words in codings]
    found = Parallel(n_jobs=jobs)(delayed(coded_scores)(one, *codings[words]) for one, words in asked)
    frame = pd.read_csv(PAPERS / "cleary1996/published/percent_correct_and_sf.csv")
    printed = frame[frame["dataset"] == "HD"].set_index("scheme")[["percent_correct", "s_f"]].astype(float)
    rows = []
    for (learner, words), (means, errors) in zip(asked, found, strict=True):
        said = printed.loc[SCHEMES[learner]].to_numpy()
        distance = (means - said) / errors
        numbers = [
            text for k in (0, 1) for text in (number(means[k], 1), number(said[k], 1), number(distance[k], 1))
        ]
        rows.append([learner_name(learner), words, *numbers])
    told = ["printed", "standard errors"]
    heads = ["learner", "coding", "correct [%]", *told, "bits saved", *told]
    return "\n\n".join(
        [
            f"**HD coded in other ways.** Means over {N_SPLITS} halves. Distances are in standard errors of "
            "the difference between two such means.",
            table(heads, rows, words=2),
        ]
    )


def trial_1996(data: Data, jobs: int) -> str:
    """Count classes on CH, and write their shares as Markdown."""
    found = Parallel(n_jobs=jobs)(delayed(set_shares)(name, data) for name in SETS_1996)
    rows = []
    for (name, said), shares in zip(SAID_1996.items(), found, strict=True):
        ours = [f"{number(own.min(), 1)} to {number(own.max(), 1)}" for own in shares.T]
        rows.append([learner_name(name), ours[0], ours[1], said[0], ours[2], said[1]])
    heads = ["learner", "correct", "several classes", "the paper's", "no class", "the paper's"]
    return "\n\n".join(
        [
            "**How many classes a case of CH gets.** Per cent of the test rows, from the lowest to the "
            f"highest of {N_SPLITS} halves.",
            table(heads, rows, words=1),
        ]
    )


def printed_of(file: str, column: str) -> dict[tuple[str, str], float]:
    """Return what a paper prints, by data set and learner."""
    frame = pd.read_csv(PAPERS / file)
    keys = zip(frame["dataset"], frame["learner"], strict=True)
    return dict(zip(keys, frame[column], strict=True))


#: The trials, by the page that they are of.
TRIALS: dict[str, Callable[[Data, int], str]] = {
    "korb2001": trial_2001,
    "hope2002": trial_2002,
    "hope2004_uci": trial_2004,
    "cleary1996": trial_1996,
}
