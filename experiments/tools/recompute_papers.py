"""Recompute twelve cells of the reproduced tables from the raw files, without the runner and the metrics.

Run from the root of the repository, after the studies:

    python experiments/tools/recompute_papers.py FOLDER_OF_ARFF_FILES FOLDER_OF_STORES

scipy reads the files, scikit-learn splits the rows, the learners are called directly; the versions of data
sets and the scores are written out below. Only the seed of a split comes from the workbench. Ends with code
1 if a mean differs from that of its store by more than 1e-9.
"""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import arff
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

from learners import (
    AODEClassifier,
    C45Classifier,
    C50Classifier,
    DecisionStumpClassifier,
    J48Classifier,
    MDLPDiscretizer,
    MEstimateNaiveBayesClassifier,
    MMLTreeClassifier,
    NaiveBayesClassifier,
    OneRClassifier,
)
from workbench import read_study
from workbench.base.seeds import canonical, integer_seed

PAPERS = Path(__file__).resolve().parents[1] / "papers"
TOLERANCE = 1e-9
FILES = {"IR": "iris", "LY": "lymph", "GL": "glass", "HE": "hepatitis", "LA": "labor", "HD": "heart-c"}
#: Learners whose test rows are scored as they stand in the file, and that get numbers cut on all rows.
IN_FILE_ORDER = {("korb2001", "stump")}
CUT_BEFORE = {("hope2002", "nb")}
SPLITTERS = {
    "korb2001": lambda seed: ShuffleSplit(1, train_size=2 / 3, random_state=seed),
    "hope2002": lambda seed: KFold(2, shuffle=True, random_state=seed),
    "hope2004_uci": lambda seed: StratifiedKFold(2, shuffle=True, random_state=seed),
    "cleary1996": lambda seed: ShuffleSplit(1, train_size=0.5, random_state=seed),
}


def read(path):
    """Read an ARFF file whose last attribute is the class; "?" is missing."""
    rows, meta = arff.loadarff(path)
    columns = {}
    for name in meta.names():
        kind, values = meta[name]
        if kind == "numeric":
            columns[name] = rows[name]
        else:
            codes = {value.encode(): code for code, value in enumerate(values)}
            columns[name] = pd.Categorical.from_codes([codes.get(v, -1) for v in rows[name]], list(values))
    frame = pd.DataFrame(columns)
    return frame.iloc[:, :-1], frame.iloc[:, -1]


def sorted_by_class(X, y):
    """Sort rows by class, otherwise as they stand."""
    order = np.argsort(y.cat.codes.to_numpy(), kind="stable")
    return X.iloc[order].reset_index(drop=True), y.iloc[order].reset_index(drop=True)


def three_kinds(X, y):
    """Join the classes of glass to float, non-float and no window."""
    kinds = ["float", "non-float", "no window"]
    windows = y.astype(str).str.extract(r"wind (.*)")[0].fillna("no window")
    return X, pd.Series(pd.Categorical(windows, kinds))


def five_declared(X, y):
    """Declare five classes, and make the number of vessels nominal."""
    declared = pd.Categorical(y.astype(str), ["<50", ">50_1", ">50_2", ">50_3", ">50_4"])
    return X.assign(ca=pd.Categorical(X["ca"])), pd.Series(declared)


def cut_on_all_rows(X, y):
    """Cut numbers by Fayyad and Irani's rule."""
    numbers = X.select_dtypes("number")
    cut = MDLPDiscretizer().fit(numbers, y.cat.codes).transform(numbers)
    return X.assign(**{name: pd.Categorical(own) for name, own in zip(numbers, cut.T, strict=True)})


VERSIONS = {
    ("korb2001", "GL"): sorted_by_class,
    ("hope2004_uci", "glass"): three_kinds,
    ("cleary1996", "HD"): five_declared,
}


def clipped(q, n, rule):
    """Cut probabilities as the papers of 2001 and 2002 do, and let each changed row sum to 1 again."""
    total = n + (1 if rule == "2001" else 0.5 * q.shape[1])
    cut = np.clip(q, 0.5 / total, (n + 0.5) / total)
    return np.where((cut != q).any(axis=1, keepdims=True), cut / cut.sum(axis=1, keepdims=True), q)


def others(p):
    """Return 1 - p of each class as the sum of the other entries."""
    return np.stack([np.delete(p, i, axis=-1).sum(axis=-1) for i in range(p.shape[-1])], axis=-1)


def accuracy(q, sets, t, n, prior):
    """Share of rows whose most probable class is the true one."""
    return np.mean(q.argmax(axis=1) == t)


def good_reward(q, sets, t, n, prior):
    """Good's reward of the predicted class after the cut-off of 2001, in bits."""
    q = clipped(q, n, "2001")
    m = q.argmax(axis=1)
    rows = np.arange(len(t))
    return np.mean(1 + np.log2(np.where(m == t, q[rows, m], others(q)[rows, m])))


def bayesian_reward(q, sets, t, n, prior):
    """Definition 3 of 2002 after its cut-off."""
    q = clipped(q, n, "2002")
    happened = t[:, None] == np.arange(q.shape[1])
    paid = np.where(happened, np.log(q) / np.log(prior), np.log(others(q)) / np.log(others(prior)))
    return np.mean(1 - paid)


def kononenko_bratko(q, sets, t, n, prior):
    """Kononenko and Bratko's reward after the cut-off of 2002, in bits."""
    rest, left = others(clipped(q, n, "2002")), others(prior)
    q = clipped(q, n, "2002")
    rows = np.arange(len(t))
    up, down = np.log2(q[rows, t] / prior[t]), np.log2(left[t] / rest[rows, t])
    return np.mean(np.where(q[rows, t] >= prior[t], up, down))


def ir_b(q, sets, t, n, prior):
    """Equation (10) of 2004, in bits, without a cut-off."""
    happened = t[:, None] == np.arange(q.shape[1])
    return np.mean(np.where(happened, np.log2(q / prior), np.log2(others(q) / others(prior))))


def miscalibration(q, sets, t, n, prior):
    """Equation (3) of 2001 after its cut-off, in cells of ten, ties as the rows stand."""
    q = clipped(q, n, "2001")
    m = q.argmax(axis=1)
    p, hit = q[np.arange(len(t)), m], m == t
    order = np.argsort(p, kind="stable")
    cells = np.minimum(np.arange(len(t)) // 10, len(t) // 10 - 1)
    total = 0.0
    for cell in np.unique(cells):
        own = order[cells == cell]
        total += np.sum((hit[own].mean() - p[own]) ** 2) / (len(own) - 1)
    return np.sqrt(total)


def exact_match(q, sets, t, n, prior):
    """Share of rows whose set is the true class and nothing else."""
    return np.mean(sets[np.arange(len(t)), t] & (sets.sum(axis=1) == 1))


def significance(q, sets, t, n, prior):
    """S_f of 1996, its Table 1 row by row, in bits."""
    k = sets.shape[1]
    counts, hits, misses, bits = np.zeros(k), 1 / k, 1 / k, 0.0
    for chosen, c in zip(sets, t, strict=True):
        p = (counts + 1) / (counts.sum() + k)
        r = p[chosen].sum()
        inside = r * hits / (r * hits + (1 - r) * misses)
        if chosen.all() or not chosen.any():
            inside, r = float(chosen.all()), float(chosen.all())
        coded = inside * p[c] / r if chosen[c] else (1 - inside) * p[c] / (1 - r)
        bits += np.log2(coded) - np.log2(p[c])
        if chosen[c]:
            hits += p[c] / r
        else:
            misses += p[c] / (1 - r)
        counts[c] += 1
    return bits


CELLS = (
    ("korb2001", "IR", "nb", MEstimateNaiveBayesClassifier(), accuracy, "none"),
    ("korb2001", "HE", "stump", DecisionStumpClassifier(), miscalibration, "2001"),
    ("korb2001", "GL", "mml_tree", MMLTreeClassifier(alpha="search"), accuracy, "none"),
    ("korb2001", "LY", "c45", C45Classifier(), good_reward, "2001"),
    ("hope2002", "HE", "nb", MEstimateNaiveBayesClassifier(), bayesian_reward, "2002"),
    ("hope2002", "LA", "c50", C50Classifier(probabilities="leaf"), kononenko_bratko, "2002"),
    ("hope2004_uci", "iris", "j48", J48Classifier(), accuracy, "none"),
    ("hope2004_uci", "glass", "aode", AODEClassifier(), accuracy, "none"),
    ("hope2004_uci", "iris", "nb", NaiveBayesClassifier(), ir_b, "none"),
    ("cleary1996", "LA", "one_r", OneRClassifier(), exact_match, "none"),
    ("cleary1996", "IR", "c45", C45Classifier(), significance, "none"),
    ("cleary1996", "HD", "c45", C45Classifier(), significance, "none"),
)


def recomputed(data, study, dataset, key, learner, score):
    """Return the mean of a score over all parts that the study splits a data set into."""
    X, y = read(data / f"{FILES.get(dataset, dataset)}.arff")
    X, y = VERSIONS.get((study, dataset), lambda *table: table)(X, y)
    given = cut_on_all_rows(X, y) if (study, key) in CUT_BEFORE else X
    plan = read_study(PAPERS / study / "study.toml", data=data)
    codes = y.cat.codes.to_numpy(int)
    identity = canonical(plan.source(dataset).identity(0))
    found = []
    for replicate in range(plan.design.n_repeats):
        seed = integer_seed("split", plan.seed, identity, replicate, plan.design.describe())
        for train, test in SPLITTERS[study](seed).split(X, codes):
            test = np.sort(test) if (study, key) in IN_FILE_ORDER else test
            learner.fit(given.iloc[train], y.iloc[train])
            # In the order that the file declares, which breaks ties; learners sort the classes.
            order = [list(learner.classes_).index(value) for value in y.cat.categories]
            q = learner.predict_proba(given.iloc[test])[:, order]
            sets = (
                learner.predict_set(given.iloc[test])[:, order] if hasattr(learner, "predict_set") else None
            )
            counts = np.bincount(codes[train], minlength=len(order)) + 0.5
            found.append(score(q, sets, codes[test], len(train), counts / counts.sum()))
    return np.mean(found)


def kept(store, dataset, learner, metric, cutoff):
    """Return the mean that a store keeps."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        (mean,) = connection.execute(
            "SELECT avg(value) FROM scores JOIN cells USING (cell) WHERE planned AND source = ?"
            " AND learner = ? AND metric = ? AND cutoff = ? AND rows = 'test'"
            " AND prior IN ('training', 'none')",
            (dataset, learner, metric, cutoff),
        ).fetchone()
    return mean


def main(data, stores):
    """Print each cell twice and give the number that differ."""
    wrong = 0
    for study, dataset, key, learner, score, cutoff in CELLS:
        ours = recomputed(data, study, dataset, key, learner, score)
        there = kept(stores / f"{study}.db", dataset, key, score.__name__, cutoff)
        equal = there is not None and abs(ours - there) <= TOLERANCE
        wrong += not equal
        verdict = "equal" if equal else "DIFFERS"
        print(f"{study:13} {dataset:6} {key:9} {score.__name__:17} {ours:.12f} {there} {verdict}")
    print(f"{len(CELLS) - wrong} of {len(CELLS)} cells equal")
    return wrong


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(bool(main(Path(sys.argv[1]), Path(sys.argv[2]))))
