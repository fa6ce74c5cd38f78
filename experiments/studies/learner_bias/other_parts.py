"""Tables of the other parts of this study: the optimum, boosting, other axes, many attributes."""

from collections.abc import Iterator, Sequence
from itertools import product

import pandas as pd

from workbench import Results
from workbench.report.notes import stratified, table

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
    rows = []
    both = study[list(learners)].join(optimal["optimal"], how="inner")
    for source in optimal.index.unique("source"):
        for size in sizes:
            own = both.xs((source, size), level=("source", "n_train"))
            kind = [source] * len(own)
            cells = [
                "**0** (theorem)"
                if THEOREMS.get(source) == key
                else stratified(own[key] - own["optimal"], kind, 4, n_intervals=n_intervals)
                for key in learners
            ]
            rows.append([source, size, stratified(own["optimal"], kind, 4), *cells])
    return table(["truths", "rows", "irreducible", *learners], rows, words=2)


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
    sizes, rows = sorted({size for *_, size in both.index}), []
    for source in [*both.index.unique("source"), None]:
        for key in keys:
            for other in others:
                cells = []
                for size in sizes:
                    own = both.xs(size, level="n_train")
                    own = own if source is None else own.loc[[source]]
                    kinds = own.index.get_level_values("source")
                    cells.append(stratified(own[key] - own[other], kinds, n_intervals=len(sizes)))
                rows.append([source or "all kinds", f"{key} − {other}", *cells])
    note = f"\n\nTraining sets left out, as boosting failed on them: {left_out} of {len(boosting)}."
    return table(["truths", "less", *sizes], rows, words=2) + (note if left_out else "")


def axis_rows(losses: pd.DataFrame) -> pd.DataFrame:
    """Split the sources of axes.toml and wide.toml, "kind, level", into two levels of the index."""
    found = losses.reset_index()
    found[["kind", "level"]] = found["source"].str.split(", ", n=1, expand=True)
    # networks have no skewed classes: the base once more without them
    like_skew = found[(found["level"] == "base") & (found["kind"] != "dag")].assign(level="base without dag")
    both = pd.concat([found, like_skew]).drop(columns="source")
    return both.set_index(["level", "kind", "replicate", "n_train"])


def by_level(losses: pd.DataFrame) -> Iterator[tuple[str, int, pd.DataFrame, list[str]]]:
    """Yield the losses at each level and size, with the kind of each truth."""
    for level in losses.index.unique("level"):
        for size in sorted(losses.index.unique("n_train")):
            own = losses.xs((level, size), level=("level", "n_train"))
            yield level, size, own, list(own.index.get_level_values("kind"))


def leaders_table(losses: pd.DataFrame, learners: Sequence[str]) -> str:
    """Return the best learner at each level over its kinds, and its lead, simultaneous over the table."""
    sizes = sorted(losses.index.unique("n_train"))
    n_intervals = len(sizes) * len(losses.index.unique("level"))
    rows: dict[str, list[str]] = {}
    for level, _, own, kinds in by_level(losses):
        means = own[list(learners)].groupby(kinds).mean().mean()
        best, second = means.nsmallest(2).index
        lead = stratified(own[second] - own[best], kinds, 4, n_intervals=n_intervals)
        rows.setdefault(level, []).append(f"{best}, {lead} to {second}")
    head = ["level", *(f"{n} rows" for n in sizes)]
    return table(head, [[level, *cells] for level, cells in rows.items()], words=1)


def along_table(losses: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> str:
    """Return named differences at each level over its kinds, simultaneous within a row."""
    sizes = sorted(losses.index.unique("n_train"))
    rows = []
    for one, other in pairs:
        cells: dict[str, list[str]] = {}
        for level, _, own, kinds in by_level(losses):
            cell = stratified(own[one] - own[other], kinds, n_intervals=len(sizes))
            cells.setdefault(level, []).append(cell)
        rows += [[f"{one} − {other}", level, *own] for level, own in cells.items()]
    return table(["less", "level", *(f"{n} rows" for n in sizes)], rows, words=2)


def by_kind_table(losses: pd.DataFrame, one: str, other: str) -> str:
    """Return the loss of one learner less that of another at each level, kind by kind."""
    sizes, rows = sorted(losses.index.unique("n_train")), []
    gap = losses[one] - losses[other]
    for level, kind in product(losses.index.unique("level"), losses.index.unique("kind")):
        own = [gap.xs((level, kind, n), level=("level", "kind", "n_train")) for n in sizes]
        cells = [stratified(v, [kind] * len(v), 4, n_intervals=len(sizes)) for v in own]
        rows.append([level, kind, *cells])
    return table(["level", "truths", *(f"{n} rows" for n in sizes)], rows, words=2)


def difficulty_table(study: pd.DataFrame, log_loss: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> str:
    """Return named differences over all kinds, by thirds of the truths of each kind."""
    sizes = sorted({size for *_, size in study.index})
    at_most = log_loss.xs(sizes[-1], level="n_train")
    # harder: more of the uncertainty about the class is left to who knows everything
    left = at_most["truth"] / at_most["prior"]
    third = left.groupby(level="source").transform(lambda own: pd.qcut(own, 3, labels=False))
    rows = []
    for one, other in pairs:
        for i, words in enumerate(("easiest third", "middle third", "hardest third")):
            cells = []
            for size in sizes:
                own = study.xs(size, level="n_train")[third == i]
                kinds = own.index.get_level_values("source")
                cells.append(stratified(own[one] - own[other], kinds, n_intervals=len(sizes)))
            rows.append([f"{one} − {other}", words, *cells])
    return table(["less", "truths", *(f"{n} rows" for n in sizes)], rows, words=2)


def means_table(losses: pd.DataFrame, learners: Sequence[str]) -> str:
    """Return mean losses at each level, over its kinds."""
    rows = [
        [level, size, *(stratified(own[key], kinds) for key in learners)]
        for level, size, own, kinds in by_level(losses)
    ]
    return table(["level", "rows", *learners], rows, words=2)


def control_table(results: Results, learners: Sequence[str]) -> str:
    """Return the deviation over truths of estimates on test rows less exact values, with controls."""
    frame = results.frame()
    frame = frame[(frame["cutoff"] == CUTOFF) & frame["metric"].isin(["log_loss", "kl_divergence"])]
    index = ["source", "replicate", "n_train", "metric", "learner"]
    wide = frame.pivot_table(index=index, columns="rows", values="value", observed=True).dropna()
    off = (wide["test"] - wide["exact"]).unstack(["metric", "learner"])
    rows = []
    for key in learners:
        for size in (50, 1000):
            own = off.xs(size, level="n_train")
            plain, truth = own["log_loss", key], own["log_loss", "truth"]
            errors = (plain.std(), (plain - truth).std(), own["kl_divergence", key].std())
            rows.append([key, size, *(f"{error:.4f}" for error in errors)])
    return table(["learner", "rows", "log loss", "less the truth's", "KL, classes summed"], rows, words=1)
