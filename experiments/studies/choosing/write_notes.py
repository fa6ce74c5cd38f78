"""Write the tables and the figure of this study: which way of choosing a learner loses least.

Run from the root of the repository, after the six studies of this folder:

    python experiments/studies/choosing/write_notes.py choosing.db --folds choosing_folds.db \
        --optimum choosing_optimum.db --other choosing_other_truths.db \
        --accuracy choosing_accuracy.db --mixtures choosing_mixtures.db \
        --to experiments/studies/choosing/notes.md --figure docs/figures/choosing.png

A choice has exactly the score of what it chooses, by which the candidate is known. Writes between the markers
of the notes.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from workbench import load
from workbench.comparisons import stratified_mean
from workbench.report import notes

LOSS, EXACT, REWARD = "kl_divergence//exact/2002", "kl_divergence//exact/none", "ir_b/marginal/exact/2002"
ACCURACY = "accuracy//exact/2002"
#: Kinds of truth: those that an assumption of the average contains, those that none does, and concepts.
KINDS = {
    "own ground: naive Bayes, TAN, KDB, DAG": ("naive_bayes", "tan", "kdb", "dag"),
    "AODE truths": ("aode",),
    "concepts (three kinds)": ("decision_tree", "decision_graph", "rules"),
}
PLACE = ["source", "replicate", "n_train"]
AVERAGE, MIXED = "average over assumptions", "mixture weighted by log loss"
#: Words for the criteria, by the ends of keys.
WORDS = {
    "log_loss": "cross-validated log loss", "accuracy": "cross-validated accuracy",
    "prequential": "prequential code", "evidence": "evidence", "message": "message length", "bic": "BIC",
    "accuracy_ties": "cross-validated accuracy, ties by log loss",
}  # fmt: skip


@dataclass(frozen=True)
class Family:
    """A set of candidates, and the ways of choosing one, or of not choosing."""

    key: str
    title: str
    candidates: tuple[str, ...]
    ways: tuple[str, ...]
    others: Mapping[str, str]


ANY = Family(
    "any", "Any learners",
    ("nb", "tan", "aode", "a2de", "kdb", "camml", "camml_average", "averaged_tan", "mml_tree", "c45"),
    ("log_loss", "accuracy", "prequential"),
    {"mixed_by_log_loss": MIXED, "mixed_equally": "mixture, equal weights"},
)  # fmt: skip
EVIDENCE = Family(
    "evidence", "Models with exact evidence", ("nb", "averaged_tan", "averaged_dag"),
    ("log_loss", "accuracy", "prequential", "evidence"), {},
)  # fmt: skip
NETWORKS = Family(
    "networks", "Single networks", ("nb", "tan", "camml_1"),
    ("log_loss", "accuracy", "prequential", "message", "bic"), {},
)  # fmt: skip
FAMILIES = (ANY, EVIDENCE, NETWORKS)
#: Other weights of mixtures, by the ends of keys, and the sets that are mixed, by the beginnings.
WEIGHTS = {
    "stacked": "stacking",
    "half": "mixture, square roots of the weights",
    "best_three": "equal mean of the best three",
    "mixed_equally": "mixture, equal weights",
}
MIXTURES = {
    "any": "any learners", "evidence": "models with exact evidence", "networks": "single networks",
    "single": "any learners without averages", "positive": "any learners without trees",
}  # fmt: skip
#: Paired differences: family, and the ends of the keys of the first and the second.
PAIRS = (
    (ANY, "accuracy", "log_loss"), (ANY, "prequential", "log_loss"), (ANY, "random", "log_loss"),
    (ANY, "camml_average", "log_loss"), (ANY, "averaged_assumptions", "log_loss"),
    (ANY, "averaged_assumptions", "mixed_by_log_loss"),
    (ANY, "mixed_by_log_loss", "log_loss"), (ANY, "mixed_equally", "log_loss"),
    (EVIDENCE, "accuracy", "log_loss"), (EVIDENCE, "prequential", "log_loss"),
    (EVIDENCE, "evidence", "log_loss"), (EVIDENCE, "averaged_assumptions", "evidence"),
    (EVIDENCE, "averaged_assumptions", "log_loss"),
    (NETWORKS, "accuracy", "log_loss"), (NETWORKS, "prequential", "log_loss"),
    (NETWORKS, "message", "log_loss"), (NETWORKS, "bic", "log_loss"), (NETWORKS, "bic", "message"),
)  # fmt: skip
#: The differences that are tried in other settings.
TRIED = (
    (ANY, "accuracy", "log_loss"), (ANY, "prequential", "log_loss"),
    (ANY, "averaged_assumptions", "log_loss"), (EVIDENCE, "averaged_assumptions", "log_loss"),
    (ANY, "averaged_assumptions", "mixed_by_log_loss"), (ANY, "mixed_by_log_loss", "log_loss"),
    (EVIDENCE, "evidence", "log_loss"), (EVIDENCE, "averaged_assumptions", "evidence"),
    (NETWORKS, "message", "log_loss"),
)  # fmt: skip


def losses(store: Path, score: str = LOSS) -> pd.DataFrame:
    """Return one row for each truth and size, and a column for each learner; smaller is better."""
    results = load(store)
    frame = results.frame()
    metric, prior, rows, cutoff = score.split("/")
    own = (frame["metric"] == metric) & (frame["rows"] == rows) & (frame["cutoff"] == cutoff)
    if prior:
        own &= frame["prior"] == prior
    wide = frame[own].pivot_table(index=PLACE, columns="learner", values="value", observed=True, sort=False)
    return -wide if metric in ("ir_b", "accuracy") else wide


def column(frame: pd.DataFrame, family: Family, way: str) -> pd.Series:
    """Return the losses of a way of choosing, of a yardstick or of a candidate."""
    if way == "oracle":
        return frame[list(family.candidates)].min(axis=1)
    if way == "random":
        return frame[list(family.candidates)].mean(axis=1)
    own = f"{family.key}_{way}"
    return frame[own if own in frame else way]


def words(family: Family, way: str) -> str:
    """Name a way of choosing in tables."""
    fixed = {"averaged_assumptions": AVERAGE, "random": "random choice", "oracle": "the oracle's choice"}
    return {**WORDS, **family.others, **fixed}.get(way, f"always {way}")


def by_size(values: pd.Series, n_intervals: int, digits: int = 4) -> list[str]:
    """Return the mean at each size, over kinds."""
    return [cell(own, n_intervals, digits) for _, own in values.groupby("n_train")]


def cell(values: pd.Series, n_intervals: int, digits: int = 4) -> str:
    """Return the mean of the kinds' means and half of its 95% interval."""
    return notes.stratified(values, kinds_of(values), digits, n_intervals=n_intervals)


def kinds_of(values: pd.Series) -> pd.Index:
    """Return the kind of truth of each value."""
    return values.index.get_level_values("source").astype(str)


def sizes_of(frame: pd.DataFrame) -> list[str]:
    """Name the columns of sizes."""
    return [f"{n} rows" for n in sorted(frame.index.unique("n_train"))]


def regrets(frame: pd.DataFrame, family: Family) -> str:
    """Return what each way loses to the oracle's choice, over kinds."""
    sizes, oracle = sizes_of(frame), column(frame, family, "oracle")
    ways = [*family.ways, "averaged_assumptions", *family.others, "random", *family.candidates]
    n = len(ways) * len(sizes)
    rows = [[words(family, "oracle") + ": its own KL", *by_size(oracle, n)]]
    rows += [[words(family, way), *by_size(column(frame, family, way) - oracle, n)] for way in ways]
    return notes.table(["way", *sizes], rows, words=1)


def paired(frame: pd.DataFrame) -> str:
    """Return the differences named in `PAIRS`."""
    sizes = sizes_of(frame)
    rows = []
    for family, first, second in PAIRS:
        gap = column(frame, family, first) - column(frame, family, second)
        name = f"{words(family, first)} − {words(family, second)}"
        rows.append([family.title.lower(), name, *by_size(gap, len(PAIRS) * len(sizes))])
    return notes.table(["chosen from", "difference", *sizes], rows, words=2)


def by_kind(frame: pd.DataFrame, family: Family) -> str:
    """Return what each way loses to the oracle's choice, by kind and size."""
    ways = [*family.ways, "averaged_assumptions", *family.others, "random"]
    oracle = column(frame, family, "oracle")
    gaps = pd.DataFrame({way: column(frame, family, way) - oracle for way in ways})
    places = gaps.groupby(["source", "n_train"], sort=False, observed=True)
    n = len(ways) * places.ngroups
    rows = [[str(kind), f"{size}", *[cell(own[way], n) for way in ways]] for (kind, size), own in places]
    return notes.table(["truths", "rows", *[words(family, way) for way in ways]], rows, words=1)


def choices(frame: pd.DataFrame, family: Family) -> pd.DataFrame:
    """Return the share of each candidate, by way and size; candidates of equal scores share a choice."""
    own = frame[list(family.candidates)]
    found = {}
    for way in (*family.ways, "oracle"):
        is_it = own.eq(column(frame, family, way), axis=0)
        assert is_it.any(axis=1).all()
        found[way] = is_it.div(is_it.sum(axis=1), axis=0)
    return pd.concat(found, names=["way"])


def frequencies(frame: pd.DataFrame, family: Family) -> str:
    """Return how often each way chooses each candidate, and that of the least loss, in percent."""
    shares = choices(frame, family)
    best = (shares * shares.loc["oracle"].reindex(shares.index.droplevel("way")).to_numpy() > 0).any(axis=1)
    shares["the best one"] = best
    means = 100 * shares.groupby(["n_train", "way"], sort=False).mean()
    rows = [
        [words(family, str(way)), f"{size}", *[f"{share:.1f}" for share in own]]
        for (size, way), own in means.iterrows()
    ]
    return notes.table(["way", "rows", *family.candidates, "the best one"], rows, words=2)


def to_optimum(frame: pd.DataFrame, optimum: pd.DataFrame) -> str:
    """Return what is lost to the optimum by the four kinds of truth that have an exact one."""
    best = optimum["optimal"]
    known = frame.reindex(best.index)
    sizes, rows = sizes_of(known), []
    ways = [(one, way) for one in FAMILIES for way in ("oracle", *one.ways, *one.others)]
    n = (len(ways) + 1) * len(sizes)
    for family, way in ways:
        rows.append(
            [family.title.lower(), words(family, way), *by_size(column(known, family, way) - best, n)]
        )
    rows.append(["", AVERAGE, *by_size(known["averaged_assumptions"] - best, n)])
    return notes.table(["chosen from", "way", *sizes], rows, words=2)


def folds_table(frame: pd.DataFrame, folds: pd.DataFrame) -> str:
    """Return what other numbers of folds lose to the oracle, on the same truths and rows."""
    own = frame.reindex(folds.index).join(folds)
    oracle = column(own, ANY, "oracle")
    names = {"": "10 folds", "_5": "5 folds", "_each": "leaving out one row"}
    rows = []
    for end, name in names.items():
        log_loss, accuracy = own[f"any_log_loss{end}"], own[f"any_accuracy{end}"]
        plain = (log_loss - own["any_log_loss"], accuracy - own["any_accuracy"])
        gaps = (log_loss - oracle, accuracy - oracle, accuracy - log_loss, *plain)
        rows.append([name, *[cell(gap, len(names) * len(gaps)) for gap in gaps]])
    head = ["by log loss", "by accuracy", "accuracy − log loss", "log loss, less 10 folds"]
    return notes.table(["cross-validation", *head, "accuracy, less 10 folds"], rows, words=1)


def accuracy_table(frame: pd.DataFrame) -> str:
    """Return the percentage points of accuracy that each way loses to the most accurate candidate."""
    oracle, sizes = column(frame, ANY, "oracle"), sizes_of(frame)
    ways = [*ANY.ways, "accuracy_ties", "averaged_assumptions", *ANY.others, "random"]
    less = [way for way in ways if way != "log_loss"]
    n = (len(ways) + len(less)) * len(sizes)
    plain = column(frame, ANY, "log_loss")
    lost = {words(ANY, way): column(frame, ANY, way) - oracle for way in ways}
    gaps = {f"{words(ANY, way)} − {words(ANY, 'log_loss')}": column(frame, ANY, way) - plain for way in less}
    rows = [[name, *by_size(100 * values, n, 2)] for name, values in (lost | gaps).items()]
    return notes.table(["way", *sizes], rows, words=1)


def settings_of(
    frame: pd.DataFrame, exact: pd.DataFrame, reward: pd.DataFrame, other: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Return the losses of each setting, with the ways of choosing from any learners under their own keys."""

    def with_ways(kind: str, ways: Iterable[str] = ("log_loss", "accuracy", "prequential")) -> pd.DataFrame:
        return frame.assign(**{f"any_{way}": frame[f"{kind}_{way}"] for way in ways})

    kind = frame.index.get_level_values("source")
    pure = other.index.get_level_values("source").str.endswith("_pure")
    no_cutoff = {f"any_{way}": frame[f"any_{way}_no_cutoff"] for way in ("log_loss", "prequential")}
    return {
        "as above": frame,
        **{name: frame[kind.isin(kinds)] for name, kinds in KINDS.items()},
        "candidates without averages": with_ways("single"),
        "candidates without trees": with_ways("positive"),
        "scores without cut-off (any learners: no trees)": exact.assign(
            **{f"any_{way}": exact[f"positive_{way}"] for way in ("log_loss", "accuracy", "prequential")}
        ),
        "held-out rows without cut-off": frame.assign(**no_cutoff),
        "ties of accuracy decided by log loss": frame.assign(any_accuracy=frame["any_accuracy_ties"]),
        "by IR_B": reward,
        "other truths: networks, Dirichlet(.3)": other[~pure],
        "other truths: concepts without noise": other[pure],
    }


def tried(settings: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """Yield a table for each difference, with a row for each setting that changes it."""
    sizes = sizes_of(next(iter(settings.values())))
    for family, first, second in TRIED:
        rows: list[list[str]] = []
        for name, frame in settings.items():
            if ("trees" in name or "averages" in name) and "mixed_by_log_loss" in (first, second):
                continue  # the mixture is of all candidates
            found = by_size(column(frame, family, first) - column(frame, family, second), len(settings) * 3)
            if not rows or found != rows[0][1:]:
                rows.append([name, *found])
        title = f"{words(family, first)} − {words(family, second)}"
        shown = notes.table(["setting", *sizes], rows, words=1)
        yield f"### {family.title}, in other settings: {title}\n\n{shown}"


def bic_by_kind(frame: pd.DataFrame) -> str:
    """Return what BIC loses more than the other criteria, by kind."""
    kinds = frame.index.unique("source")
    rows = []
    for second in ("log_loss", "accuracy"):
        gap = column(frame, NETWORKS, "bic") - column(frame, NETWORKS, second)
        for kind in kinds:
            own = gap[gap.index.get_level_values("source") == kind]
            rows.append([f"BIC − {WORDS[second]}", str(kind), *by_size(own, 6 * len(kinds))])
    return notes.table(["difference", "truths", *sizes_of(frame)], rows, words=2)


def shares(frame: pd.DataFrame) -> str:
    """Return how much less KL one way has than another, and in which share of training sets it is ahead."""
    rows = []
    for first, second in (
        ("mixed_by_log_loss", "log_loss"), ("averaged_assumptions", "log_loss"), ("log_loss", "accuracy"),
    ):  # fmt: skip
        name = f"{words(ANY, first)} − {words(ANY, second)}"
        both = pd.DataFrame({"first": column(frame, ANY, first), "second": column(frame, ANY, second)})
        for size, own in both.groupby("n_train"):
            gap, less = own["first"] - own["second"], 1 - own["first"].mean() / own["second"].mean()
            percent = [less, (gap < 0).mean(), (gap == 0).mean(), (gap > 0).mean()]
            rows.append(
                [name, size, *[notes.number(100 * one, 1) for one in percent], notes.number(gap.median(), 4)]
            )
    head = ["KL less by, %", "less in, %", "equal in, %", "more in, %", "median difference, bits"]
    return notes.table(["difference", "rows", *head], rows, words=2)


def mixtures_table(own: pd.DataFrame) -> Iterator[str]:
    """Yield mixtures less the choice of the same candidates, and other weights less those by log loss."""
    named = {**WEIGHTS, "mixed_by_log_loss": MIXED, "log_loss": WORDS["log_loss"]}
    sizes = sizes_of(own)
    to_choice = [(key, end, "log_loss") for key in MIXTURES for end in ("mixed_by_log_loss", "stacked")]
    to_mixture = [(key, end, "mixed_by_log_loss") for key in MIXTURES for end in WEIGHTS]
    to_choice.append(("any", "best_three", "log_loss"))
    for pairs in (to_choice, to_mixture):
        there = [(key, first, second) for key, first, second in pairs if f"{key}_{first}" in own]
        rows = [
            [
                MIXTURES[key], f"{named[first]} − {named[second]}",
                *by_size(own[f"{key}_{first}"] - own[f"{key}_{second}"], len(there) * len(sizes)),
            ]
            for key, first, second in there
        ]  # fmt: skip
        yield notes.table(["candidates", "difference", *sizes], rows, words=2)


def stacking_by_kind(own: pd.DataFrame) -> str:
    """Return what stacking loses more than weights by log loss, by kinds of truth."""
    kind = own.index.get_level_values("source")
    rows = []
    for key in ("any", "networks"):
        gap = own[f"{key}_stacked"] - own[f"{key}_mixed_by_log_loss"]
        for name, kinds in KINDS.items():
            rows.append([MIXTURES[key], name, *by_size(gap[kind.isin(kinds)], 6 * len(KINDS))])
    return notes.table(["candidates", "truths", *sizes_of(own)], rows, words=2)


def draw(frame: pd.DataFrame) -> Figure:
    """Draw the regret of each way by size and set of candidates, with the intervals of the tables."""
    figure = Figure(figsize=(10.5, 4.6), layout="constrained")
    drawn: dict[str, notes.Look] = {
        **notes.looks(tuple(WORDS)),
        "mixed_equally": notes.Look("#7f7f7f", "D", (0, (1.5, 1.2))),
        "mixed_by_log_loss": notes.Look("#222222", "s", (0, (5, 1.5))),
        "averaged_assumptions": notes.Look("#222222", "*", "-"),
    }
    sizes, named = sorted(frame.index.unique("n_train")), {}
    for ax, family in zip(figure.subplots(1, 3, sharey=True), FAMILIES, strict=True):
        ways = [*family.ways, *family.others, "averaged_assumptions"]
        n = (len(ways) + 1 + len(family.candidates)) * len(sizes)  # as in the table of the family
        for i, way in enumerate(ways):
            gap = column(frame, family, way) - column(frame, family, "oracle")
            found = [stratified_mean(own, kinds_of(own), n_intervals=n) for _, own in gap.groupby("n_train")]
            look, places = drawn[way], np.arange(len(sizes)) + 0.035 * (i - (len(ways) - 1) / 2)
            named[words(family, way)] = ax.errorbar(
                places, [one.mean for one in found], yerr=[one.high - one.mean for one in found],
                color=look.color, marker=look.marker, linestyle=look.line, markersize=4, linewidth=1.2,
                elinewidth=0.8, label=words(family, way),
            )  # fmt: skip
        ax.axhline(0, color="#333333", linewidth=0.8)
        ax.set_title(family.title)
        ax.set_xticks(range(len(sizes)), [f"{size}" for size in sizes])
        ax.set_xlabel("training rows")
    figure.axes[0].set_ylabel("KL lost to the oracle's choice [bits]")
    notes.legend_below_all(figure, list(named.values()))
    return figure


def sections(
    store: Path, folds: Path, optimum: Path, other: Path, accuracy: Path, mixtures: Path
) -> Iterator[str]:
    """Return the tables."""
    frame, mixed = losses(store), losses(mixtures)
    for family in FAMILIES:
        yield f"### {family.title}: KL lost to the oracle's choice over eight kinds, bits\n\n" + regrets(
            frame, family
        )
    yield "### Differences of KL between ways over eight kinds, bits\n\n" + paired(frame)
    yield "### Any learners: sizes and shares of differences, over all training sets\n\n" + shares(frame)
    with_mixed = mixed.join(frame)
    titles = ("Mixtures less the choice", "Other weights less those by log loss")
    for title, text in zip(titles, mixtures_table(with_mixed), strict=True):
        yield f"### {title}: differences of KL over eight kinds, 25 truths each, bits\n\n{text}"
    by_kinds = stacking_by_kind(with_mixed)
    yield f"### Stacking less weights by log loss, by kind: differences of KL, bits\n\n{by_kinds}"
    yield from tried(settings_of(frame, losses(store, EXACT), losses(store, REWARD), losses(other)))
    yield "### Single networks: BIC by kind, differences of KL, bits\n\n" + bic_by_kind(frame)
    yield "### Folds: KL lost to the oracle's choice from 50 rows, bits\n\n" + folds_table(
        frame, losses(folds)
    )
    of_accuracy = accuracy_table(losses(accuracy, ACCURACY))
    yield f"### Any learners: accuracy lost to the most accurate one, percentage points\n\n{of_accuracy}"
    yield "### KL lost to the optimum over four kinds, bits\n\n" + to_optimum(frame, losses(optimum))
    for family in FAMILIES:
        yield f"### {family.title}: how often each is chosen, percent\n\n" + frequencies(frame, family)
    for family in FAMILIES:
        yield f"### {family.title}: KL lost to the oracle's choice by kind, bits\n\n" + by_kind(frame, family)


def main() -> None:
    """Read the stores; write tables and figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("store", type=Path)
    for name in ("folds", "optimum", "other", "accuracy", "mixtures"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--figure", type=Path)
    given = parser.parse_args()
    others = (given.folds, given.optimum, given.other, given.accuracy, given.mixtures)
    text = "\n\n".join(sections(given.store, *others))
    notes.write_section(given.to, text, stays=["Any learners: KL lost to the oracle's choice over"])
    if given.figure:
        with notes.figure_style():
            notes.save_figure(draw(losses(given.store)), given.figure)


if __name__ == "__main__":
    main()
