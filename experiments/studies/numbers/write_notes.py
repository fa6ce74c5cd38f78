r"""Write into the notes what numbers are worth as numbers, and where cutting them is better.

Run from the root of the repository, after the studies of this folder:

    python experiments/studies/numbers/write_notes.py numbers.db numbers_tables.db \
        --data FOLDER_OF_ARFF_FILES --to experiments/studies/numbers/notes.md

It fills the generated section of the notes: log loss above the truth's by kind of truth and size, the same
learner with and without cuts, log loss on each data set, and how far its columns are from normal within
classes.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from workbench import Results, load
from workbench.datasets.loading import load_dataset
from workbench.report.notes import interval, starred, table, write_section

KINDS = {
    "naive_bayes": "normal, independent given the class",
    "tree": "normal, a tree given the class",
    "mixture": "normal, a hidden one-dependence mixture given the class",
    "cuts": "nominal TAN truths, values shown as numbers",
}
NAMES = {
    "gaussian_tan": "Gaussian TAN",
    "gaussian_aode": "Gaussian AODE",
    "gaussian_camml": "Gaussian CaMML",
    "tan": "TAN, cut",
    "aode": "AODE, cut",
    "camml": "CaMML, cut",
    "nb_gaussian": "naive Bayes, normal",
    "nb_cut": "naive Bayes, cut",
    "nb_weka": "naive Bayes, Weka's normal",
    "logistic": "logistic regression",
    "lda": "LDA, Ledoit-Wolf",
    "qda": "QDA, tuned",
    "forest": "random forest",
}
PAIRS = [
    ("gaussian_tan", "tan"),
    ("gaussian_aode", "aode"),
    ("gaussian_camml", "camml"),
    ("nb_gaussian", "nb_cut"),
]
LEAST_ROWS = 20  # of a class, to judge the shape of a column there
EQUAL = 5e-5  # bits


def scores(frame: pd.DataFrame, metric: str = "log_loss", cutoff: str = "2002") -> pd.DataFrame:
    """Return the scores of one metric, a row for each part and a column for each learner."""
    own = frame[(frame["metric"] == metric) & (frame["cutoff"] == cutoff)]
    parts = ["source", "n_train", "replicate"] + (["fold"] if frame["fold"].notna().any() else [])
    return own.pivot_table(index=parts, columns="learner", values="value", observed=True)


def above_the_truth(wide: pd.DataFrame) -> list[str]:
    """Return the mean log loss of each learner less that of the truth, by kind and size."""
    parts = []
    for kind, what in KINDS.items():
        own = wide.loc[kind]
        sizes = sorted(own.index.unique("n_train"))
        least = {n: own.loc[n][list(NAMES)].mean().idxmin() for n in sizes}
        rows = []
        for key, name in NAMES.items():
            shown = {n: interval(own.loc[n][key] - own.loc[n]["truth"]) for n in sizes}
            rows.append([name, *(f"**{one}**" if key == least[n] else one for n, one in shown.items())])
        parts += [f"## Truths: {what}", table(["learner", *(f"{n} rows" for n in sizes)], rows)]
    return parts


def with_and_without_cuts(wide: pd.DataFrame) -> str:
    """Return what each learner has with numbers less what it has with cuts, by kind and size."""
    sizes = sorted(wide.index.unique("n_train"))
    keys = [(kind, pair) for kind in KINDS for pair in PAIRS]
    columns = [
        starred([wide.loc[kind].loc[n][one] - wide.loc[kind].loc[n][other] for kind, (one, other) in keys], 3)
        for n in sizes
    ]
    rows = [
        [KINDS[kind], f"{NAMES[one]} less {NAMES[other]}", *cells]
        for (kind, (one, other)), cells in zip(keys, zip(*columns, strict=True), strict=True)
    ]
    return table(["truths", "less", *(f"{n} rows" for n in sizes)], rows)


def departure(X: pd.DataFrame, y: pd.Series) -> float:
    """Return Kolmogorov and Smirnov's distance to the normal, averaged over columns and, by rows, classes."""
    found, weights = [], []
    for _, rows in X.groupby(y, observed=True):
        if len(rows) < LEAST_ROWS:
            continue
        for _, column in rows.items():
            values = column.dropna().to_numpy(dtype=float)
            spread = values.std()
            found.append(stats.kstest((values - values.mean()) / spread, "norm").statistic if spread else 0.5)
            weights.append(len(rows))
    return float(np.average(found, weights=weights))


def by_data_set(means: pd.DataFrame, departures: pd.Series) -> str:
    """Return the log loss of each learner on each data set, the least of all in bold."""
    rows = []
    for source in departures.sort_values().index:
        own = means.loc[source, list(NAMES)]
        cells = [f"**{value:.3f}**" if value == own.min() else f"{value:.3f}" for value in own]
        rows.append([source, f"{departures[source]:.3f}", *cells])
    ranks = means[list(NAMES)].rank(axis=1).mean()
    rows.append(["mean rank", "", *(f"{rank:.1f}" for rank in ranks)])
    return table(["data set", "departure", *NAMES.values()], rows)


def over_data_sets(found: dict[str, pd.DataFrame], departures: pd.Series) -> str:
    """Return what numbers are worth less cuts, and whether departure tells where."""
    rows = []
    for metric, means in found.items():
        gaps = [means[one] - means[other] for one, other in PAIRS]
        for (one, other), gap, cell in zip(PAIRS, gaps, starred(gaps, 3), strict=True):
            better = gap < 0 if metric == "log_loss" else gap > 0
            equal = gap.abs() < EQUAL
            ahead, behind = int((better & ~equal).sum()), int((~better & ~equal).sum())
            p = stats.binomtest(ahead, ahead + behind).pvalue if ahead + behind else 1.0
            rank = stats.spearmanr(gap, departures.reindex(gap.index))
            counts = f"{ahead}, {equal.sum()}, {behind}"
            correlation = f"{rank.statistic:+.2f} (p {rank.pvalue:.3f})"
            less = f"{NAMES[one]} less {NAMES[other]}"
            rows.append([metric, less, cell, counts, f"{p:.3f}", correlation])
    head = ["score", "less", "mean over data sets", "better, equal, worse", "sign test"]
    return table([*head, "rank correlation with departure"], rows)


def generated(on_truths: Results, on_tables: Results, data: Path) -> str:
    """Return all tables as Markdown."""
    simulated, real = on_truths.frame(), on_tables.frame()
    wide = scores(simulated)
    n_truths = wide.index.unique("replicate").size
    found = {
        metric: scores(real, metric, cutoff).groupby("source", observed=True).mean()
        for metric, cutoff in (("log_loss", "2002"), ("accuracy", "none"), ("ir_b", "2002"))
    }
    names = list(found["log_loss"].index)
    departures = pd.Series({name: departure(*load_dataset(name, data=data)) for name in names})
    parts = [
        "Log loss in bits, smaller is better, with the cut-off of 2002, as some learners need one. 95% "
        f"intervals over {n_truths} truths of a kind, or over {len(names)} data sets. *: differs from zero "
        "by Holm's rule at 5% over a column, or over a score's rows. Bold: the least mean."
    ]
    parts += above_the_truth(wide)
    parts += ["## Truths: numbers less cuts", with_and_without_cuts(wide)]
    parts += ["## Data sets: numbers less cuts", over_data_sets(found, departures)]
    parts.append("## Data sets, by how far columns are from normal within classes")
    return "\n\n".join([*parts, by_data_set(found["log_loss"], departures)])


def main() -> None:
    """Rewrite the text between the markers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("simulation", type=Path)
    parser.add_argument("tables", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="folder of ARFF files")
    parser.add_argument("--to", type=Path, help="notes with the generated-section markers", required=True)
    asked = parser.parse_args()
    text = generated(load(asked.simulation), load(asked.tables), asked.data)
    write_section(asked.to, text, stays=["Truths: numbers less cuts", "Data sets: numbers less cuts"])


if __name__ == "__main__":
    main()
