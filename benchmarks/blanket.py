"""Search of the class's Markov blanket only: `python -m benchmarks.blanket FOLDER [PAGE.md] [FIGURE.png]`.

CaMML's blanket search next to its search of the whole network, AODE and naive Bayes: random networks of 60,
100 and 200 attributes in which the class may be anywhere, those of them with large blankets, and networks in
which every attribute is an effect of the class; and tables of 56 attributes or more, from the ARFF files of a
folder and from scikit-learn.
"""

import os
import sys
import time
import warnings
from collections.abc import Iterator
from itertools import count, islice, product
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.model_selection import RepeatedStratifiedKFold
from threadpoolctl import threadpool_limits

from benchmarks.report import hand_out
from generators import Network, random_dag_with_class, random_naive_bayes
from learners import AODEClassifier, CaMMLClassifier, NaiveBayesClassifier
from workbench.datasets import load_dataset
from workbench.report import notes

WIDTHS, SIZES, HELD_OUT = (60, 100, 200), (500, 5000), 2000
ANYWHERE, LARGE, EFFECTS = "class anywhere", "large blanket", "all are effects"
#: How many truths of each kind; attributes in a large blanket.
REPLICATES, IN_LARGE = {ANYWHERE: 10, LARGE: 6, EFFECTS: 3}, 12
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
    """Return the log loss per row, in bits."""
    forecast = model.predict_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return float(-np.log2(np.maximum(forecast, LEAST)).mean())


def generated() -> Iterator[tuple[str, int, int, tuple, tuple]]:
    for kind, n_replicates in REPLICATES.items():
        for width, n_rows in product(WIDTHS, SIZES):
            if kind != EFFECTS or (width, n_rows) != (WIDTHS[-1], SIZES[-1]):  # minutes a fit
                for replicate, truth in enumerate(islice(truths(kind, width), n_replicates)):
                    rows = truth.sample_table(n_rows, random_state=1000 + replicate)
                    later = truth.sample_table(HELD_OUT, random_state=2000 + replicate)
                    split = [(frame.drop(columns="y"), frame["y"]) for frame in (rows, later)]
                    yield f"{width} attributes, {kind}", n_rows, replicate, *split


def truths(kind: str, width: int) -> Iterator[Network]:
    make = random_naive_bayes if kind == EFFECTS else random_dag_with_class
    for seed in count():
        truth = make(n_attributes=width, arity=(2, 4), n_classes=(2, 4), random_state=seed)
        if kind != LARGE or len(blanket_of(truth)) >= IN_LARGE:
            yield truth


def blanket_of(truth: Network) -> set[int]:
    """Return the parents of the class, its children and their other parents."""
    y = truth.class_index
    children = [v for v, others in enumerate(truth.parent_indices) if y in others]
    return {*truth.parent_indices[y], *children, *(u for v in children for u in truth.parent_indices[v])} - {
        y
    }


def tables(folder: str) -> Iterator[tuple[str, int, int, tuple, tuple]]:
    for name in TABLES:
        if name == "digits":
            X, y = load_digits(return_X_y=True, as_frame=True)
        else:
            X, y = load_dataset(name, data=folder)
        folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=REPEATS, random_state=0)
        for number, (train, test) in enumerate(folds.split(X, y)):
            known, later = ((X.iloc[rows], y.iloc[rows]) for rows in (train, test))
            yield f"{name}, {X.shape[1]} attributes", len(X) // 2, number, known, later


def interval(values: pd.Series) -> str:
    return notes.interval(values, signed=True)


def less(frame: pd.DataFrame, other: str, tables: str = "") -> pd.Series:
    """Return the log loss of the blanket minus that of another, on the tables whose names have this."""
    own = of_kind(frame, tables)
    wide = own.pivot(index=["table", "rows", "replicate"], columns="learner", values="bits")
    return wide["blanket"] - wide[other]


def page(frame: pd.DataFrame) -> str:
    whole, large = (less(frame, "whole network", kind) for kind in (ANYWHERE, LARGE))
    seconds = {kind: of_kind(frame, kind).groupby("learner")["seconds"].median() for kind in REPLICATES}
    sizes = [len(blanket_of(one)) for width in WIDTHS for one in islice(truths(ANYWHERE, width), 10)]
    question = (
        '**Question.** Are the forecasts of CaMML with `search="blanket"` as good as those of the whole '
        "network, and how much time does the search save?"
    )
    design = "\n".join(
        [
            "**Design.** Random networks of three kinds, with 60, 100 and 200 attributes, and five data "
            "sets:",
            "",
            (
                f"- *class anywhere*: {REPLICATES[ANYWHERE]} networks of each width, with 2 to 4 values, 2 "
                f"to 4 classes and at most 3 parents (median blanket {np.median(sizes):.0f} attributes)"
            ),
            (
                f"- *large blanket*: the first {REPLICATES[LARGE]} such networks with at least {IN_LARGE} "
                "attributes in the blanket"
            ),
            (
                f"- *all are effects*: {REPLICATES[EFFECTS]} naive Bayes networks, without the setting of "
                "200 attributes and 5000 rows, where a fit takes minutes"
            ),
            f"- data sets: {REPEATS} times two folds",
        ]
    )
    details = (
        f"Networks have {HELD_OUT} test rows. Log loss is in bits per row, with probabilities of at least "
        "2^-30. Intervals are 95% intervals over networks or folds. Those over folds are too narrow, "
        "because folds share rows. Seconds are medians of a fit on one thread, at a load of "
        f"{os.getloadavg()[2]:.1f} on {os.cpu_count()} cores. `python -m benchmarks.blanket "
        "FOLDER_OF_ARFF_FILES docs/reference/blanket.md docs/figures/blanket.png` writes this page."
    )
    answer = (
        "**Answer.** If the class may be anywhere, the log loss of the blanket minus that of the whole "
        f"network is {interval(whole)} (equal to .001 in {int((whole.abs() < 0.001).sum())} of {len(whole)} "
        f"cases, at most {whole.max():.3f} worse). Minus that of AODE it is "
        f"{interval(less(frame, 'AODE', ANYWHERE))}. Fits take {seconds[ANYWHERE]['blanket']:.2f} s instead "
        f"of {seconds[ANYWHERE]['whole network']:.1f} s."
    )
    others = (
        f"With large blankets, the difference is {interval(large)} (at most {large.max():.3f} worse), and "
        f"fits take {seconds[LARGE]['blanket']:.1f} s instead of {seconds[LARGE]['whole network']:.1f} s. If "
        f"every attribute matters, nothing is saved ({seconds[EFFECTS]['blanket']:.0f} and "
        f"{seconds[EFFECTS]['whole network']:.0f} s), and naive Bayes is preferable."
    )
    found = []
    for (name, rows), same in frame.groupby(["table", "rows"], sort=False):
        for learner, own in same.groupby("learner", sort=False):
            difference = "" if learner == "blanket" else interval(less(same, learner))
            searched = f"{own['searched'].median():.0f}" if learner == "blanket" else ""
            cells = [f"{own['bits'].mean():.3f}", difference, f"{own['seconds'].median():.2f}", searched]
            found.append([name, f"{rows:,}", learner, *cells])
    head = ["data set", "rows", "learner", "log loss", "blanket minus learner", "seconds"]
    figure = "![Log loss and seconds by number of attributes](../figures/blanket.png)\n"
    text = ["# Markov blankets", question, design, details, answer, others]
    return "\n\n".join([*text, notes.table([*head, "attributes searched"], found), figure])


def of_kind(frame: pd.DataFrame, kind: str) -> pd.DataFrame:
    return frame[frame["table"].str.contains(kind, regex=False)]


def draw(frame: pd.DataFrame, place: Path) -> None:
    colors = {"blanket": "#0072B2", "whole network": "#D55E00", "AODE": "#009E73", "naive Bayes": "#CC79A7"}
    marks = dict(zip(colors, "os^D", strict=True))
    own = of_kind(frame, ANYWHERE)
    width = own["table"].str.split().str[0].astype(int)
    with notes.figure_style({"text.parse_math": True}):
        figure = Figure(figsize=(8.4, 5.6), layout="constrained")
        grid = figure.subplots(2, 2, sharex=True, sharey="row")
        for column, n_rows in zip(grid.T, SIZES, strict=True):
            for ax, name in zip(column, ("bits", "seconds"), strict=True):
                for i, (learner, color) in enumerate(colors.items()):
                    one = own[(own["learner"] == learner) & (own["rows"] == n_rows)]
                    by_width = one.groupby(width)[name]
                    mean = by_width.mean() if name == "bits" else by_width.median()
                    half = by_width.apply(notes.half_width) if name == "bits" else None
                    at = np.arange(len(mean)) + 0.08 * (i - 1.5)
                    ax.errorbar(at, mean, half, fmt=marks[learner], color=color, capsize=2, label=learner)
            column[0].set_title(f"class anywhere, {n_rows:,} rows")
            column[1].set(xlabel="attributes", xticks=range(len(WIDTHS)), xticklabels=map(str, WIDTHS))
            column[1].set_yscale("log")
        grid[0, 0].set_ylabel("bits a row")
        grid[1, 0].set_ylabel("seconds of a fit")
        figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
        notes.save_figure(figure, place)


def main() -> None:
    folder = sys.argv.pop(1)
    X = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (200, 20)).astype(str)).add_prefix("x")
    for make in LEARNERS.values():
        make().fit(X, X["x0"])  # compile
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = measure(folder)
    hand_out(page(frame), lambda place: draw(frame, place))


if __name__ == "__main__":
    main()
