"""Search of the class's Markov blanket alone: `python -m benchmarks.blanket FOLDER [PAGE.md] [FIGURE.png]`.

CaMML's blanket search next to its search of the whole network, AODE and naive Bayes: random networks of 60,
100 and 200 attributes in which the class may be anywhere, or in which every attribute is its effect; and
tables of 56 attributes or more, from the ARFF files of a folder and from scikit-learn.
"""

import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.model_selection import RepeatedStratifiedKFold
from threadpoolctl import threadpool_limits

from benchmarks.recovery import half_width
from benchmarks.report import hand_out
from generators import Network, random_dag_with_class, random_naive_bayes
from learners import AODEClassifier, CaMMLClassifier, NaiveBayesClassifier
from workbench.datasets import load_dataset

WIDTHS, SIZES, HELD_OUT = (60, 100, 200), (500, 5000), 2000
#: Kinds of truths, and how many of each.
TRUTHS = {"class anywhere": (random_dag_with_class, 10), "all are effects": (random_naive_bayes, 2)}
TABLES = ("lung-cancer", "promoters", "sonar", "syncon", "digits")
REPEATS = 3
LEARNERS = {
    "blanket": lambda: CaMMLClassifier(search="blanket", random_state=0),
    "whole network": lambda: CaMMLClassifier(search="fast", random_state=0),
    "AODE": AODEClassifier,
    "naive Bayes": NaiveBayesClassifier,
}
#: No probability counts as smaller.
LEAST = 2.0**-30


def measure(folder: str) -> pd.DataFrame:
    found = []
    for name, rows, replicate, train, test in (*generated(), *tables(folder)):
        for learner, make in LEARNERS.items():
            start = time.perf_counter()
            model = make().fit(*train)
            seconds = time.perf_counter() - start
            n_searched = np.nan
            if learner == "blanket":
                n_searched = len(model.parents_) - 1 - len(model.learned_.found.alone)
            found.append((name, rows, replicate, learner, bits(model, *test), seconds, n_searched))
        print(name, rows, replicate, flush=True, file=sys.stderr)
    names = ["table", "rows", "replicate", "learner", "bits", "seconds", "searched"]
    return pd.DataFrame(found, columns=names)


def bits(model: object, X: pd.DataFrame, y: pd.Series) -> float:
    """Return the logarithmic loss a row."""
    forecast = model.predict_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return float(-np.log2(np.maximum(forecast, LEAST)).mean())


def generated() -> Iterator[tuple[str, int, int, tuple, tuple]]:
    for kind, (make, n_replicates) in TRUTHS.items():
        for width in WIDTHS:
            for n_rows in SIZES:
                for replicate in range(n_replicates):
                    truth: Network = make(
                        n_attributes=width, arity=(2, 4), n_classes=(2, 4), random_state=replicate
                    )
                    rows = truth.sample_table(n_rows, random_state=1000 + replicate)
                    later = truth.sample_table(HELD_OUT, random_state=2000 + replicate)
                    split = [(frame.drop(columns="y"), frame["y"]) for frame in (rows, later)]
                    yield f"{width} attributes, {kind}", n_rows, replicate, *split


def tables(folder: str) -> Iterator[tuple[str, int, int, tuple, tuple]]:
    for name in TABLES:
        if name == "digits":
            X, y = load_digits(return_X_y=True, as_frame=True)
        else:
            X, y = load_dataset(name, data=folder)
        folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=REPEATS, random_state=0)
        for number, (train, test) in enumerate(folds.split(X, y)):
            known, later = ((X.iloc[rows], y.iloc[rows]) for rows in (train, test))
            yield f"{name}, {X.shape[1]} attributes", len(train), number, known, later


def interval(values: pd.Series) -> str:
    return f"{values.mean():+.3f} ± {half_width(values):.3f}"


def less(frame: pd.DataFrame, other: str, tables: str = "") -> pd.Series:
    """Return the bits of the blanket less those of another learner, on the tables whose names have this."""
    own = frame[frame["table"].str.contains(tables, regex=False)]
    wide = own.pivot(index=["table", "rows", "replicate"], columns="learner", values="bits")
    return wide["blanket"] - wide[other]


def page(frame: pd.DataFrame) -> str:
    anywhere = {other: less(frame, other, "class anywhere") for other in ("whole network", "AODE")}
    whole = anywhere["whole network"]
    seconds = frame[frame["table"].str.contains("anywhere")].groupby("learner")["seconds"].median()
    effects = frame[frame["table"].str.contains("effects")].groupby("learner")["seconds"].median()
    lines = [
        "# Markov blankets",
        "",
        'Does `search="blanket"`, which looks only for what matters to the class, forecast as well as the '
        "whole network, and how much sooner?",
        "",
        "`python -m benchmarks.blanket FOLDER_OF_ARFF_FILES docs/reference/blanket.md "
        "docs/figures/blanket.png`: random networks of attributes of 2 to 4 values and a class of 2 to 4, at "
        f"most 3 parents, the class anywhere (10 networks of each width), {HELD_OUT} rows drawn later; "
        "random naive Bayes truths, where every attribute matters (2 of each width); and "
        f"tables, {REPEATS} times two folds. Logarithmic loss in bits a row, probabilities kept above 2^-30; "
        "mean and 95% interval over networks or folds (folds share rows, so that theirs are too narrow). "
        "Seconds of a fit, median, one thread, the machine busy with one other process.",
        "",
        f"**Class anywhere: bits of the blanket less those of the whole network {interval(whole)} "
        f"(equal to .001 in {int((whole.abs() < 0.001).sum())} of {len(whole)}, largest loss "
        f"{whole.max():.3f}); less AODE's {interval(anywhere['AODE'])}. Median seconds "
        f"{seconds['blanket']:.2f}, the whole network {seconds['whole network']:.1f}. Where every attribute "
        f"matters nothing is saved: {effects['blanket']:.0f} and {effects['whole network']:.0f} s, and naive "
        "Bayes is the learner to take.**",
        "",
        "| table | rows | learner | bits a row | blanket less it | seconds | attributes searched |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (table, rows), same in frame.groupby(["table", "rows"], sort=False):
        for learner, own in same.groupby("learner", sort=False):
            difference = "" if learner == "blanket" else interval(less(same, learner))
            searched = f"{own['searched'].median():.0f}" if learner == "blanket" else ""
            lines.append(
                f"| {table} | {rows:,} | {learner} | {own['bits'].mean():.3f} | {difference} | "
                f"{own['seconds'].median():.2f} | {searched} |"
            )
    return "\n".join([*lines, "", "![Bits and seconds by width](../figures/blanket.png)", ""])


def draw(frame: pd.DataFrame, place: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    colors = {"blanket": "#0072B2", "whole network": "#D55E00", "AODE": "#009E73", "naive Bayes": "#CC79A7"}
    marks = dict(zip(colors, "os^D", strict=True))
    own = frame[frame["table"].str.contains("anywhere")]
    width = own["table"].str.split().str[0].astype(int)
    figure, grid = plt.subplots(2, 2, figsize=(8.4, 5.6), sharex=True, sharey="row", layout="constrained")
    for column, n_rows in zip(grid.T, SIZES, strict=True):
        for ax, name in zip(column, ("bits", "seconds"), strict=True):
            for i, (learner, color) in enumerate(colors.items()):
                one = own[(own["learner"] == learner) & (own["rows"] == n_rows)]
                by_width = one.groupby(width)[name]
                mean = by_width.mean() if name == "bits" else by_width.median()
                half = by_width.apply(half_width) if name == "bits" else None
                at = np.arange(len(mean)) + 0.08 * (i - 1.5)
                ax.errorbar(at, mean, half, fmt=marks[learner], color=color, capsize=2, label=learner)
            ax.grid(axis="y", alpha=0.3)
        column[0].set_title(f"{n_rows:,} rows")
        column[1].set(xlabel="attributes", xticks=range(len(WIDTHS)), xticklabels=map(str, WIDTHS))
        column[1].set_yscale("log")
    grid[0, 0].set_ylabel("bits a row")
    grid[1, 0].set_ylabel("seconds of a fit")
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    figure.savefig(place, dpi=130)


def main() -> None:
    folder = sys.argv.pop(1)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = measure(folder)
    hand_out(page(frame), lambda place: draw(frame, place))


if __name__ == "__main__":
    main()
