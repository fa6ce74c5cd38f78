"""Draw Figures 1a, 1b and 2 of Cleary, Legg and Witten (1996): S_f against per cent correct, split by split.

Run from the root of the repository, after the study:

    python experiments/papers/cleary1996/paper_figures.py cleary1996.db \
        --notes experiments/papers/cleary1996/notes.md

Figure 1 is of the table CH, from the store: docs/figures/cleary1996_figure1.png. The curve is what S_f is for
single predictions on two classes, with the share of the larger one in the table (the paper prints another);
1b is its upper end. Figure 2 of the paper is of a farmer's records, "wcr", which are not public. Its stand-in
is drawn at random here, docs/figures/cleary1996_figure2.png. From the paper are 2000 cows, of which 6.1% were
culled and 1.6% died, and that the deaths were random. The rest is invented, as the paper does not state it:
eight attributes, of which three have to do with culling, and how much. S_f is drawn with the printed update
and with the one that counts hits and misses: with unequal classes they are far apart. A table of the means
goes between markers of the notes, or is printed.
"""

import argparse
import math
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from learners import (
    C45Classifier,
    C45RulesClassifier,
    FOILClassifier,
    InductDNFClassifier,
    InductRDRClassifier,
    OneRClassifier,
)
from workbench import Results, load
from workbench.base.names import learner_name
from workbench.designs import HalfSplits
from workbench.metrics import analytic_significance, exact_match, significance, significance_by_count
from workbench.report import notes
from workbench.reproduction.data_set_facts import DataSetFacts

FIGURES = Path(__file__).resolve().parents[3] / "docs" / "figures"
TABLE, N_SPLITS = "CH", 25  # the paper's
SINGLE = ("c45", "c45_unpruned", "c45rules", "induct_rdr")  # one class for every case of CH
LEARNERS = {
    "one_r": OneRClassifier(),
    "c45": C45Classifier(),
    "c45rules": C45RulesClassifier(),
    "c45_unpruned": C45Classifier(prune=False),
    "foil": FOILClassifier(),
    "induct_dnf": InductDNFClassifier(),
    "induct_rdr": InductRDRClassifier(),
}
N_COWS, SHARES = 2000, {"culled": 0.061, "died": 0.016}
#: Odds ratio of being culled per standard deviation of less milk, less fat or more years; invented.
EFFECT = 2.0


def points_of(results: Results) -> pd.DataFrame:
    """Return per cent correct and S_f of each learner on the first splits of CH."""
    parts = []
    for metric in ("exact_match", "significance"):
        scores = results.scores(results.choose(metric))
        own = scores[(scores["source"] == TABLE) & (scores["replicate"] < N_SPLITS)]
        parts.append(own.set_index(["learner", "replicate"])["value"].rename(metric))
    frame = pd.concat(parts, axis=1).reset_index().astype({"learner": "str"})
    return frame.assign(correct=100 * frame["exact_match"])


def culling(random_state: int = 1996) -> tuple[pd.DataFrame, pd.Series]:
    """Draw the stand-in of "wcr": eight invented attributes of a cow, three of which affect culling."""
    rng = np.random.default_rng(random_state)
    milk, fat, weight, calving = rng.normal(size=(4, N_COWS))
    age = rng.integers(2, 10, size=N_COWS)
    worth = milk + fat - (age - age.mean()) / age.std()
    order = np.argsort(worth * math.log(EFFECT) - rng.gumbel(size=N_COWS))  # draws by odds, none twice
    n_culled, n_died = (round(share * N_COWS) for share in SHARES.values())
    y = np.full(N_COWS, "kept", dtype=object)
    y[order[:n_culled]] = "culled"
    y[rng.permutation(order[n_culled:])[:n_died]] = "died"
    numbers = {"milk": milk, "fat": fat, "weight": weight, "calving": calving}
    words = {"breed": 3, "herd": 4, "health": 3}
    labels = {name: pd.Categorical(rng.integers(0, n, size=N_COWS).astype(str)) for name, n in words.items()}
    years = pd.Categorical(age.astype(str), categories=[str(year) for year in range(2, 10)])
    X = pd.DataFrame({**{name: np.round(x, 2) for name, x in numbers.items()}, "age": years, **labels})
    return X, pd.Series(pd.Categorical(y, categories=["kept", "culled", "died"]), name="fate")


def culled_points(X: pd.DataFrame, y: pd.Series) -> pd.DataFrame:
    """Fit every learner to random halves of the stand-in and score it on the others."""
    rows = []
    codes = y.cat.codes.to_numpy()
    for replicate in range(N_SPLITS):
        train, test = HalfSplits().split(codes, 0, seed=replicate)
        for key, learner in LEARNERS.items():
            fitted = learner.fit(X.iloc[train], y.iloc[train])
            sets, truth = fitted.predict_set(X.iloc[test]), y.iloc[test].to_numpy()
            named = sets.sum(axis=1)
            rows.append(
                {
                    "learner": key,
                    "correct": 100 * exact_match(truth, sets, classes=fitted.classes_),
                    "significance": significance(truth, sets, classes=fitted.classes_),
                    "by_count": significance_by_count(truth, sets, classes=fitted.classes_),
                    "several": 100 * float((named > 1).mean()),
                    "none": 100 * float((named == 0).mean()),
                }
            )
    return pd.DataFrame(rows)


def scatter(ax: Axes, points: pd.DataFrame, n_test: int, majority: float, title: str) -> None:
    """Draw each split of each learner, and the curve by formula."""
    right = np.linspace(n_test / 2, n_test, 400)
    curve = [analytic_significance(n_test, majority, float(one)) for one in right]
    ax.plot(100 * right / n_test, curve, color="0.3", linewidth=1.0, label="by formula", zorder=1)
    for key, look in notes.looks(list(LEARNERS)).items():
        own = points[points["learner"] == key]
        ax.plot(
            own["correct"], own["significance"], look.marker, color=look.color, markersize=4.0,
            markerfacecolor="none", markeredgewidth=0.9, label=key,
        )  # fmt: skip
    ax.axhline(0.0, color="0.6", linewidth=0.6)
    ax.axvline(100 * majority / n_test, color="0.6", linewidth=0.6, linestyle=(0, (4, 3)))
    ax.grid(visible=True, axis="both")
    ax.set(title=title, xlabel="correct [% of test rows]", ylabel="S_f [bits on the test half]")


def zoom(ax: Axes, points: pd.DataFrame, learners: tuple[str, ...]) -> None:
    """Set the axes around the points of some learners."""
    own = points[points["learner"].isin(learners)]
    for values, limits in ((own["correct"], ax.set_xlim), (own["significance"], ax.set_ylim)):
        room = 0.1 * (values.max() - values.min())
        limits(values.min() - room, values.max() + room)


def figure1(points: pd.DataFrame, n_test: int, majority: float) -> Figure:
    """Draw all of CH, and its upper end."""
    figure = Figure(figsize=(9.6, 4.6), layout="constrained")
    whole, expanded = figure.subplots(1, 2)
    scatter(whole, points, n_test, majority, f"1a: {TABLE}, {N_SPLITS} splits")
    scatter(expanded, points, n_test, majority, f"1b: {TABLE}, expanded")
    zoom(expanded, points, SINGLE)
    notes.legend_below_all(figure, notes.named_artists(whole))
    return figure


def figure2(points: pd.DataFrame, n_test: int, majority: float) -> Figure:
    """Draw the stand-in of wcr, with both updates."""
    figure = Figure(figsize=(9.6, 4.6), layout="constrained")
    axes = figure.subplots(1, 2)
    counted = points.assign(significance=points["by_count"])
    titles = ("2: stand-in of wcr, update as printed", "2: stand-in of wcr, update by counts")
    for ax, own, title in zip(axes, (points, counted), titles, strict=True):
        scatter(ax, own, n_test, majority, title)
        zoom(ax, own, tuple(LEARNERS))
    notes.legend_below_all(figure, notes.named_artists(axes[0]))
    return figure


def means_table(points: pd.DataFrame) -> str:
    """Write the means over splits, with the splits in which S_f is above 0, as Markdown."""
    rows = []
    for key, own in points.groupby("learner", sort=False):
        mean = own.drop(columns="learner").mean()
        above = [f"{int((own[one] > 0).sum())} of {len(own)}" for one in ("significance", "by_count")]
        correct, printed, counted, *others = (
            f"{mean[one]:.1f}" for one in ("correct", "significance", "by_count", "several", "none")
        )
        rows.append([learner_name(str(key)), correct, printed, above[0], counted, above[1], *others])
    heads = ["learner", "correct [%]", "S_f [bits]", "above 0", "S_f by counts [bits]", "above 0"]
    return notes.table([*heads, "several classes [%]", "no class [%]"], rows, words=1)


def main() -> None:
    """Read the store, draw the stand-in, and write both figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("store", type=Path, help="of experiments/papers/cleary1996/study.toml")
    parser.add_argument("--to", type=Path, default=FIGURES, help="folder of the figures")
    parser.add_argument("--notes", type=Path, help="a page with the markers of the stand-in")
    asked = parser.parse_args()
    results = load(asked.store)
    cells = results.cells()
    n_test = int(cells.loc[cells["source"] == TABLE, "n_test"].iloc[0])
    majority = n_test * DataSetFacts(results).value(TABLE, "majority_share")
    cows = culled_points(*culling())
    n_cows = N_COWS // 2
    with notes.figure_style():
        figures = (
            figure1(points_of(results), n_test, majority),
            figure2(cows, n_cows, n_cows * (1 - sum(SHARES.values()))),
        )
        for number, figure in enumerate(figures, 1):
            notes.save_figure(figure, asked.to / f"cleary1996_figure{number}.png")
    if asked.notes:
        notes.write_section(asked.notes, means_table(cows), "stand-in")
    else:
        print(means_table(cows))


if __name__ == "__main__":
    main()
