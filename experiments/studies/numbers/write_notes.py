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
from workbench.comparisons import holm
from workbench.datasets.loading import load_dataset
from workbench.report.renderers.markdown import between_markers

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


def half_width(values: pd.Series) -> float:
    """95%, Student's t."""
    return float(stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))


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
        lines = [f"| learner | {' | '.join(f'{n} rows' for n in sizes)} |", "|" + " --- |" * 4]
        for key, name in NAMES.items():
            cells = []
            for n in sizes:
                gap = own.loc[n][key] - own.loc[n]["truth"]
                shown = f"{gap.mean():.3f} ± {half_width(gap):.3f}"
                cells.append(f"**{shown}**" if key == least[n] else shown)
            lines.append(f"| {name} | {' | '.join(cells)} |")
        parts += [f"## Truths: {what}", "\n".join(lines)]
    return parts


def starred(gaps: list[pd.Series]) -> list[str]:
    """Return means with intervals, marked where Holm's rule over all of them finds a difference."""
    p = [stats.ttest_1samp(gap, 0.0).pvalue if gap.std() > 0 else 1.0 for gap in gaps]
    stars = [" *" if one < 0.05 else "" for one in holm(np.nan_to_num(p, nan=1.0))]
    return [f"{gap.mean():+.3f} ± {half_width(gap):.3f}{star}" for gap, star in zip(gaps, stars, strict=True)]


def with_and_without_cuts(wide: pd.DataFrame) -> list[str]:
    """Return what each learner has with numbers less what it has with cuts, by kind and size."""
    sizes = sorted(wide.index.unique("n_train"))
    keys = [(kind, pair) for kind in KINDS for pair in PAIRS]
    columns = [
        starred([wide.loc[kind].loc[n][one] - wide.loc[kind].loc[n][other] for kind, (one, other) in keys])
        for n in sizes
    ]
    lines = [f"| truths | less | {' | '.join(f'{n} rows' for n in sizes)} |", "|" + " --- |" * 5]
    for (kind, (one, other)), cells in zip(keys, zip(*columns, strict=True), strict=True):
        lines.append(f"| {KINDS[kind]} | {NAMES[one]} less {NAMES[other]} | {' | '.join(cells)} |")
    return lines


def departure(X: pd.DataFrame, y: pd.Series) -> float:
    """Return how far columns are from normal within classes.

    The largest difference between the cumulative distribution and that of the normal with the same mean and
    deviation, averaged over the columns, and over the classes with enough rows by their rows; 1/2 where a
    column is constant.
    """
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


def by_data_set(means: pd.DataFrame, departures: pd.Series) -> list[str]:
    """Return the log loss of each learner on each data set, the least of all in bold."""
    order = departures.sort_values().index
    lines = [f"| data set | departure | {' | '.join(NAMES.values())} |", "|" + " --- |" * (2 + len(NAMES))]
    for source in order:
        own = means.loc[source, list(NAMES)]
        cells = [f"**{value:.3f}**" if value == own.min() else f"{value:.3f}" for value in own]
        lines.append(f"| {source} | {departures[source]:.3f} | {' | '.join(cells)} |")
    ranks = means[list(NAMES)].rank(axis=1).mean()
    lines.append(f"| mean rank | | {' | '.join(f'{rank:.1f}' for rank in ranks)} |")
    return lines


def over_data_sets(found: dict[str, pd.DataFrame], departures: pd.Series) -> list[str]:
    """Return what numbers are worth less cuts, and whether departure tells where."""
    head = ["score", "less", "mean over data sets", "better, equal, worse", "sign test"]
    head += ["rank correlation with departure"]
    lines = [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    for metric, means in found.items():
        gaps = [means[one] - means[other] for one, other in PAIRS]
        for (one, other), gap, cell in zip(PAIRS, gaps, starred(gaps), strict=True):
            better = gap < 0 if metric == "log_loss" else gap > 0
            equal = gap.abs() < EQUAL
            ahead, behind = int((better & ~equal).sum()), int((~better & ~equal).sum())
            p = stats.binomtest(ahead, ahead + behind).pvalue if ahead + behind else 1.0
            rank = stats.spearmanr(gap, departures.reindex(gap.index))
            lines.append(
                f"| {metric} | {NAMES[one]} less {NAMES[other]} | {cell} | {ahead}, {int(equal.sum())}, "
                f"{behind} | {p:.3f} | {rank.statistic:+.2f} (p {rank.pvalue:.3f}) |"
            )
    return lines


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
        "Log loss in bits, smaller is better, with the cut-off of 2002, as some learners need one; 95% "
        f"intervals over {n_truths} truths of a kind, or over {len(names)} data sets. *: differs from zero "
        "by Holm's rule at 5% over a column, or over a score's rows. Bold: the least mean."
    ]
    parts += above_the_truth(wide)
    parts += ["## Truths: numbers less cuts", "\n".join(with_and_without_cuts(wide))]
    parts += ["## Data sets: numbers less cuts", "\n".join(over_data_sets(found, departures))]
    parts += [
        "## Data sets, by how far columns are from normal within classes",
        "\n".join(by_data_set(found["log_loss"], departures)),
    ]
    return "\n\n".join(parts)


def main() -> None:
    """Rewrite the text between the markers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("simulation", type=Path)
    parser.add_argument("tables", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="folder of ARFF files")
    parser.add_argument(
        "--to", type=Path, help="notes in Markdown with the generated-section markers", required=True
    )
    arguments = parser.parse_args()
    text = generated(load(arguments.simulation), load(arguments.tables), arguments.data)
    notes = arguments.to.read_text(encoding="utf-8")
    arguments.to.write_text(between_markers(notes, text), encoding="utf-8")


if __name__ == "__main__":
    main()
