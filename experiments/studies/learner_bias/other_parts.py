"""Tables of the other parts of this study: the optimum, boosting, other axes, many attributes."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from workbench import Results
from workbench.comparisons import stratified_mean

#: Which learner is the best possible on a kind of truth, by a theorem.
THEOREMS = {"naive_bayes": "nb", "tan": "averaged_tan"}
CUTOFF = "2002"
BOOSTED = ("boosting", "boosting_leaf5")
#: Comparisons along the axes: the loss of the first less that of the second.
ALONG = (
    ("nb", "aode"), ("aode", "a2de"), ("aode", "camml_1"), ("camml_1", "camml_average_k2"),
    ("camml_average_k2", "averaged_assumptions"), ("mml_tree", "camml"), ("c45", "mml_tree"),
)  # fmt: skip
BY_DIFFICULTY = (
    ("nb", "aode"), ("aode", "camml_average_k2"), ("camml", "camml_average_k2"), ("c45", "mml_tree"),
)  # fmt: skip
ALONG_WIDE = (
    ("nb", "aode"),
    ("aode", "a2de"),
    ("aode", "camml"),
    ("tan", "averaged_tan"),
    ("c45", "mml_tree"),
)


def markdown(rows: Sequence[Sequence[str]], n_words: int = 1) -> str:
    """Write a table whose first columns hold text and the others numbers."""
    rule = ["---" if i < n_words else "---:" for i in range(len(rows[0]))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]])


def with_interval(
    values: np.ndarray, strata: Sequence[str], digits: int | None = 3, n_intervals: int = 1
) -> str:
    """Return the mean of the kinds' means and half of its 95% interval, with two of its digits by None."""
    found = stratified_mean(values, strata, n_intervals=n_intervals)
    half = (found.high - found.low) / 2
    if digits is None:
        digits = min(6, max(3, 1 - math.floor(math.log10(half)))) if half > 0 else 3
    return f"{found.mean:z.{digits}f} ± {half:.{digits}f}".replace("-", "\u2212")


def losses_of(results: Results, metric: str = "kl_divergence", cutoff: str = CUTOFF) -> pd.DataFrame:
    """Return one row per truth and size, one column per learner: exact where there is an exact score."""
    frame = results.frame()
    frame = frame[(frame["metric"] == metric) & (frame["cutoff"] == cutoff)]
    wide = frame.pivot_table(
        index=["source", "replicate", "n_train", "rows"], columns="learner", values="value", observed=True,
        sort=False,
    ).reset_index()  # fmt: skip
    wide = wide.sort_values("rows", kind="stable").drop_duplicates(["source", "replicate", "n_train"])
    return wide.drop(columns="rows").set_index(["source", "replicate", "n_train"]).sort_index()


def optimum_table(study: pd.DataFrame, optimal: pd.DataFrame, learners: Sequence[str]) -> str:
    """Return what nobody could have known and the regret of each learner, by kind and size."""
    check_theorems(study, optimal)
    sizes = sorted({size for *_, size in optimal.index})
    n_intervals = len(learners) * len(sizes)
    rows = [["truths", "rows", "irreducible", *learners]]
    both = study[list(learners)].join(optimal["optimal"], how="inner")
    for source in optimal.index.unique("source"):
        for size in sizes:
            own = both.xs((source, size), level=("source", "n_train"))
            cells = [
                "**0** (theorem)"
                if THEOREMS.get(source) == key
                else with_interval(
                    (own[key] - own["optimal"]).to_numpy(), [source] * len(own), 4, n_intervals
                )
                for key in learners
            ]
            rows.append(
                [source, str(size), with_interval(own["optimal"].to_numpy(), [source] * len(own), 4), *cells]
            )
    return markdown(rows, n_words=2)


def check_theorems(study: pd.DataFrame, optimal: pd.DataFrame) -> None:
    """Raise ValueError if a learner that is the optimum by a theorem has other scores than it."""
    for source, learner in THEOREMS.items():
        gap = study.loc[[source], learner] - optimal.loc[[source], "optimal"]
        if len(gap) != len(optimal.loc[[source]]) or not gap.abs().max() < 1e-6:
            raise ValueError(f"{learner} is not the optimum of {source}: up to {gap.abs().max()} bits off")


def boosting_table(study: pd.DataFrame, boosting: pd.DataFrame, others: Sequence[str]) -> str:
    """Return the loss of boosting less that of others on the truths that it has, by kind and over all."""
    keys = list(BOOSTED)
    both = boosting[keys].dropna().join(study[list(others)], how="inner")
    left_out = len(boosting) - len(both)
    sizes = sorted({size for *_, size in both.index})
    rows = [["truths", "less", *map(str, sizes)]]
    for source in [*both.index.unique("source"), None]:
        for key in keys:
            for other in others:
                cells = []
                for size in sizes:
                    own = both.xs(size, level="n_train")
                    own = own if source is None else own.loc[[source]]
                    gap = (own[key] - own[other]).to_numpy()
                    cells.append(
                        with_interval(gap, list(own.index.get_level_values("source")), 3, len(sizes))
                    )
                rows.append([source or "all kinds", f"{key} − {other}", *cells])
    note = (
        f"\n\nTraining sets left out, as boosting failed on them: {left_out} of {len(boosting)}."
        if left_out
        else ""
    )
    return markdown(rows, n_words=2) + note


def axis_rows(losses: pd.DataFrame) -> pd.DataFrame:
    """Split the sources of axes.toml and wide.toml, "kind, level", into two levels of the index.

    Networks have no skewed classes, so that the base is there once more without them.
    """
    table = losses.reset_index()
    table[["kind", "level"]] = table["source"].str.split(", ", n=1, expand=True)
    like_skew = table[(table["level"] == "base") & (table["kind"] != "dag")].assign(level="base without dag")
    return (
        pd.concat([table, like_skew])
        .drop(columns="source")
        .set_index(["level", "kind", "replicate", "n_train"])
    )


def by_level(table: pd.DataFrame) -> Iterator[tuple[str, int, pd.DataFrame, list[str]]]:
    """Yield the losses at each level and size, with the kind of each truth."""
    for level in table.index.unique("level"):
        for size in sorted(table.index.unique("n_train")):
            own = table.xs((level, size), level=("level", "n_train"))
            yield level, size, own, list(own.index.get_level_values("kind"))


def leaders_table(table: pd.DataFrame, learners: Sequence[str]) -> str:
    """Return the best learner at each level over its kinds, and its lead, simultaneous over the table."""
    sizes = sorted(table.index.unique("n_train"))
    n_intervals = len(sizes) * len(table.index.unique("level"))
    rows: dict[str, list[str]] = {}
    for level, _, own, kinds in by_level(table):
        means = own[list(learners)].groupby(kinds).mean().mean()
        best, second = means.nsmallest(2).index
        lead = with_interval((own[second] - own[best]).to_numpy(), kinds, 4, n_intervals)
        rows.setdefault(level, []).append(f"{best}, {lead} to {second}")
    return markdown([["level", *(f"{n} rows" for n in sizes)], *([k, *v] for k, v in rows.items())])


def along_table(table: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> str:
    """Return named differences at each level over its kinds, simultaneous within a row."""
    sizes = sorted(table.index.unique("n_train"))
    rows: dict[tuple[str, str], list[str]] = {}
    for level, _, own, kinds in by_level(table):
        for one, other in pairs:
            cell = with_interval((own[one] - own[other]).to_numpy(), kinds, 3, len(sizes))
            rows.setdefault((f"{one} − {other}", level), []).append(cell)
    ordered = [
        [*key, *cells] for one, other in pairs for key, cells in rows.items() if key[0] == f"{one} − {other}"
    ]
    return markdown([["less", "level", *(f"{n} rows" for n in sizes)], *ordered], n_words=2)


def by_kind_table(table: pd.DataFrame, one: str, other: str) -> str:
    """Return the loss of one learner less that of another at each level, kind by kind."""
    sizes = sorted(table.index.unique("n_train"))
    rows = [["level", "truths", *(f"{n} rows" for n in sizes)]]
    gap = table[one] - table[other]
    for level in table.index.unique("level"):
        for kind in table.index.unique("kind"):
            own = [gap.xs((level, kind, n), level=("level", "kind", "n_train")).to_numpy() for n in sizes]
            rows.append([level, kind, *(with_interval(v, [kind] * len(v), 4, len(sizes)) for v in own)])
    return markdown(rows, n_words=2)


def difficulty_table(study: pd.DataFrame, log_loss: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> str:
    """Return named differences over all kinds, by thirds of the truths of each kind.

    A truth is the harder, the more of the uncertainty about the class is left to who knows everything: the
    log loss of the truth over that of the class frequencies of the most rows.
    """
    sizes = sorted({size for *_, size in study.index})
    at_most = log_loss.xs(sizes[-1], level="n_train")
    left = at_most["truth"] / at_most["prior"]
    third = left.groupby(level="source").transform(lambda own: pd.qcut(own, 3, labels=False))
    rows = [["less", "truths", *(f"{n} rows" for n in sizes)]]
    for one, other in pairs:
        for i, words in enumerate(("easiest third", "middle third", "hardest third")):
            cells = []
            for size in sizes:
                own = study.xs(size, level="n_train")[third == i]
                kinds = list(own.index.get_level_values("source"))
                cells.append(with_interval((own[one] - own[other]).to_numpy(), kinds, 3, len(sizes)))
            rows.append([f"{one} − {other}", words, *cells])
    return markdown(rows, n_words=2)


def means_table(table: pd.DataFrame, learners: Sequence[str]) -> str:
    """Return mean losses at each level, over its kinds."""
    rows = [["level", "rows", *learners]]
    for level, size, own, kinds in by_level(table):
        cells = [with_interval(own[key].to_numpy(), kinds, 3) for key in learners]
        rows.append([level, str(size), *cells])
    return markdown(rows, n_words=2)


def control_table(results: Results, learners: Sequence[str]) -> str:
    """Return the error of test rows, with and without the truth as control variate.

    It is the standard deviation over truths of the estimate less the exact value: of log loss on test
    rows; of the same less what the truth has on these rows; and of KL, which sums over the classes of a row.
    """
    frame = results.frame()
    frame = frame[(frame["cutoff"] == CUTOFF) & frame["metric"].isin(["log_loss", "kl_divergence"])]
    wide = frame.pivot_table(
        index=["source", "replicate", "n_train", "metric", "learner"],
        columns="rows",
        values="value",
        observed=True,
    ).dropna()
    off = (wide["test"] - wide["exact"]).unstack(["metric", "learner"])
    rows = [["learner", "rows", "log loss", "less the truth's", "KL, classes summed"]]
    for key in learners:
        for size in (50, 1000):
            own = off.xs(size, level="n_train")
            plain, truth = own["log_loss", key], own["log_loss", "truth"]
            errors = (plain.std(), (plain - truth).std(), own["kl_divergence", key].std())
            rows.append([key, str(size), *(f"{error:.4f}" for error in errors)])
    return markdown(rows)
