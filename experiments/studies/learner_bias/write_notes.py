"""Write the tables and figures of this study: which assumption helps where.

Run from the root of the repository, after the study:

    python experiments/studies/learner_bias/write_notes.py STORE \
        --to experiments/studies/learner_bias/notes.md

Writes tables between the markers of the notes and three figures into docs. Bias and variance are not in the
store, which keeps no predictions: all learners but boosting are fitted again, which takes some minutes; what
is found is kept next to the store, with the ending .parts.csv, and read from there the next time.

The notes withdraw what they said about boosting, which had one-hot columns in place of its own categories.
After the study has been run again, what is found goes back into their text, and into tests/pages.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbench import Results, Study, load, read_study
from workbench.analyses import BestMap, BiasVariance, Crossovers, Experiment, SampleComplexity, experiments_of
from workbench.analyses.crossovers import interval_words
from workbench.comparisons import probability_best, stratified_mean
from workbench.engine.progress import for_stderr
from workbench.figures._shared.sizes_axis import SizesAxis
from workbench.figures._shared.style import legend_below_all, looks, named_artists, settings
from workbench.figures.best_map import BestMapDisplay
from workbench.report.renderers.markdown import between_markers

STUDY = Path(__file__).with_name("study.toml")
FIGURES = Path(__file__).resolve().parents[3] / "docs" / "figures"
NUMERIC = "gaussian_naive_bayes"
ALL = "all kinds"
CUTOFF = "2002"
REWARD = f"ir_b/marginal/exact/{CUTOFF}"
LOSS = f"kl_divergence//exact/{CUTOFF}"
#: Learners that assume a kind of truth; none assumes only decision graphs or rules.
MATCHING = {
    "naive_bayes": ("nb",), "tan": ("tan",), "aode": ("aode",), "kdb": ("kdb",),
    "dag": ("camml", "camml_average"), "decision_tree": ("c45", "mml_tree", "cart"), NUMERIC: ("nb",),
}  # fmt: skip
PAIRS = (
    ("nb", "tan"), ("nb", "aode"), ("nb", "camml_average"), ("aode", "camml_average"), ("nb", "c45"),
    ("c45", "mml_tree"), ("nb", "boosting_leaf5"), ("camml_average", "boosting_leaf5"),
)  # fmt: skip
#: Comparisons of the text: the loss of the first less that of the second.
NAMED = {
    "naive_bayes": [("nb", "camml_average")],
    "tan": [("tan", "camml_average")],
    "aode": [("a2de", "camml_average"), ("aode", "a2de")],
    "kdb": [("kdb", "camml_average")],
    "dag": [("camml", "camml_average")],
    "decision_tree": [("c45", "mml_tree"), ("mml_tree", "camml")],
    "decision_graph": [("mml_tree", "camml")],
    "rules": [("mml_tree", "camml")],
    NUMERIC: [("nb", "camml_average")],
    ALL: [("aode", "camml_average"), ("camml", "camml_average"), ("boosting", "camml_average"),
          ("boosting_leaf5", "camml_average"), ("boosting_leaf5", "boosting"), ("c45", "mml_tree"),
          ("a2de", "aode")],
}  # fmt: skip
PARTS = ("bias_corrected", "variance_corrected")
PARTS_AT = (50, 400, 3000)
INK = "#333333"
SHADES = ("#1f4e85", "#4f81b8", "#8fb3d9")  # dark to light with more rows


def by_kind(results: Results, score: str) -> tuple[Experiment, ...]:
    """Read every kind's scores: exact where the attribute space can be enumerated, else on test rows."""
    return experiments_of(results, score=score)


def pooled(kinds: Sequence[Experiment]) -> tuple[Experiment, list[str]]:
    """Pool the truths of all kinds, and return the kind of each: kinds have equal weight."""
    first = kinds[0]
    values = np.concatenate([one.values for one in kinds])
    alongside = {key: np.concatenate([one.alongside[key] for one in kinds]) for key in first.alongside}
    truths = tuple(range(len(values)))
    strata = [one.source for one in kinds for _ in one.replicates]
    return Experiment(ALL, first.score, first.learners, first.sizes, truths, values, alongside), strata


def markdown(rows: Sequence[Sequence[str]], n_words: int = 1) -> str:
    """Write a table whose first columns hold text and the others numbers."""
    rule = ["---" if i < n_words else "---:" for i in range(len(rows[0]))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]])


def probability(p: float) -> str:
    """Write a probability from resamples, which is never exactly 0 or 1."""
    return "> .99" if p > 0.99 else "< .01" if p < 0.01 else f"{p:.2f}".lstrip("0")


def leaders(kinds: Sequence[Experiment]) -> str:
    """Return the most probable best learner at each size, with its probability."""
    everything, strata = pooled(kinds)
    rows = [["truths", *[str(n) for n in everything.sizes]]]
    for source, own in BestMap.of(kinds).table.groupby("source", sort=False):
        rows.append([str(source), *[f"{row.best} {probability(row.p_best)}" for row in own.itertuples()]])
    found = probability_best(everything.values, strata=strata, direction=everything.metric.direction)
    best = zip(found.best, found.p_best.max(axis=0), strict=True)
    rows.append([ALL, *[f"{everything.learners[i]} {probability(p)}" for i, p in best]])
    return markdown(rows)


def matching(kinds: Sequence[Experiment]) -> str:
    """Return the probability that a learner that assumes the kind of truth is the best, by size."""
    table = BestMap.of(kinds).probabilities
    rows = [["truths", "learners", *[str(n) for n in kinds[0].sizes]]]
    for source, learners in MATCHING.items():
        own = table[(table["source"] == source) & table["learner"].isin(learners)]
        p = own.groupby("n_train")["p_best"].sum()
        rows.append([source, ", ".join(learners), *map(probability, p)])
    return markdown(rows, n_words=2)


def mean_with_interval(
    values: np.ndarray, strata: Sequence[str], digits: int | None = 3, n_intervals: int = 1
) -> str:
    """Return the mean of the kinds' means and half of its 95% interval, by default with two digits."""
    found = stratified_mean(values, strata, n_intervals=n_intervals)
    half = (found.high - found.low) / 2
    if digits is None:
        digits = min(6, max(3, 1 - math.floor(math.log10(half)))) if half > 0 else 3
    return f"{found.mean + 0.0:.{digits}f} ± {half:.{digits}f}".replace("-", "\u2212")


def paired(kinds: Sequence[Experiment]) -> str:
    """Return the differences named in the text, with simultaneous intervals in each row."""
    everything, strata = pooled(kinds)
    known = {one.source: (one, [one.source] * len(one.replicates)) for one in kinds} | {
        ALL: (everything, strata)
    }
    sizes = everything.sizes
    rows = [["truths", "less", *map(str, sizes)]]
    for source, pairs in NAMED.items():
        one, own = known[source]
        for first, second in pairs:
            gap = one.values[:, one.learners.index(first)] - one.values[:, one.learners.index(second)]
            cells = [mean_with_interval(column, own, None, len(sizes)) for column in gap.T]
            rows.append([source, f"{first} − {second}", *cells])
    return markdown(rows, n_words=2)


def losses(kinds: Sequence[Experiment]) -> str:
    """Return mean losses over all kinds, by learner and size."""
    everything, strata = pooled(kinds)
    of_learners = dict(zip(everything.learners, np.swapaxes(everything.values, 0, 1), strict=True))
    rows = [["learner", *[str(n) for n in everything.sizes]]]
    for learner, values in (of_learners | {"prior": everything.alongside["prior"]}).items():
        rows.append([learner, *[mean_with_interval(column, strata) for column in values.T]])
    return markdown(rows)


def overtaking(kinds: Sequence[Experiment]) -> str:
    """Return for each pair where one overtakes the other, by kind."""
    found = {one.source: Crossovers.of(one) for one in kinds}
    rows = [["truths", *[f"{a}, {b}" for a, b in PAIRS]]]
    for source, crossovers in found.items():
        rows.append([source, *[_overtaken(crossovers, pair) for pair in PAIRS]])
    return markdown(rows, n_words=1 + len(PAIRS))


def _overtaken(crossovers: Crossovers, pair: tuple[str, str]) -> str:
    found = crossovers.pairs[pair]
    if not found.crossovers:
        decided = [sign for sign, sure in zip(found.signs, found.decided, strict=True) if sure]
        ahead = (
            f"{pair[0] if 1 in decided else pair[1]} ahead, decided at {len(decided)} of {len(found.signs)}"
        )
        return ahead if decided else "not significantly different"
    words = []
    for one in found.crossovers:
        after = pair[1] if one.after < 0 else pair[0]
        ends = interval_words(one.low, one.high, found.sizes[-1])
        words.append(f"{after} from {one.size:.0f} ({ends}){'' if one.decided else ', may be chance'}")
    return "; ".join(words)


def needed(kinds: Sequence[Experiment], share: float = 0.9) -> str:
    """Return the rows that each learner needs for a share of the truth's own reward."""
    found = SampleComplexity.of(kinds, shares=[share])
    sources = [one.source for one in kinds]
    rows = [["learner", *sources]]
    for learner in kinds[0].learners:
        own = found.table[found.table["learner"] == learner].set_index("source")
        cells = []
        for source in sources:
            row = own.loc[source]
            ends = [found.label((source, learner, share), end) for end in (row["low"], row["high"])]
            cells.append(f"{row['label']} ({ends[0]} to {ends[1]})")
        rows.append([learner, *cells])
    return markdown(rows)


def parts_of(store: Path, study: Study, jobs: int) -> pd.DataFrame:
    """Decompose every learner's loss on every truth, or read earlier results."""
    path = store.with_suffix(".parts.csv")
    if path.is_file():
        return pd.read_csv(path)
    found = [
        BiasVariance.refit(
            study, score=LOSS.replace("exact", "test") if source.key == NUMERIC else LOSS,
            source=source.key, n_jobs=jobs, progress=for_stderr(),
        )
        for source in study.sources
    ]  # fmt: skip
    table = pd.concat([one.by_truth for one in found], ignore_index=True)
    table.to_csv(path, index=False)
    return table


def parts_table(parts: pd.DataFrame) -> str:
    """Return bias and variance over all kinds by learner, at a few sizes."""
    rows = [["learner", *[f"{part}, {n} rows" for n in PARTS_AT for part in ("bias", "variance")]]]
    for learner, own in parts.groupby("learner", sort=False):
        at = {n: own[own["n_train"] == n] for n in PARTS_AT}
        cells = [
            mean_with_interval(at[n][part].to_numpy(), list(at[n]["source"]))
            for n in PARTS_AT
            for part in PARTS
        ]
        rows.append([str(learner), *cells])
    return markdown(rows)


def parts_by_kind(parts: pd.DataFrame, part: str, n_train: int) -> str:
    """Return bias or variance at a size, by learner and kind, in thousandths of a bit."""
    chosen = parts[parts["n_train"] == n_train]
    sources = list(dict.fromkeys(chosen["source"]))
    rows = [["learner", *sources]]
    for learner, own in chosen.groupby("learner", sort=False):
        values = {source: 1000 * own.loc[own["source"] == source, part].to_numpy() for source in sources}
        rows.append([str(learner), *[mean_with_interval(v, [k] * len(v), 1) for k, v in values.items()]])
    return markdown(rows)


def panels(kinds: Sequence[str], label: str) -> tuple[Figure, dict[str, Axes]]:
    """Make a figure with a panel for each kind."""
    figure = Figure(figsize=(10.5, 10.0), layout="constrained")
    axes = figure.subplots(3, 3)
    for ax in axes[:, 0]:
        ax.set_ylabel(label)
    for ax, kind in zip(axes.flat, kinds, strict=True):
        ax.set_title(kind.replace("_", " "))
    return figure, dict(zip(kinds, axes.flat, strict=True))


def draw_losses(kinds: Sequence[Experiment]) -> Figure:
    """Draw every learner's mean loss by size, a panel for each kind."""
    figure, axes = panels([kind.source for kind in kinds], "KL to the truth [bits]")
    for kind in kinds:
        ax, axis = axes[kind.source], SizesAxis(kind.sizes)
        drawn = dict(zip(kind.learners, np.swapaxes(kind.values, 0, 1), strict=True)) | {
            "prior": kind.alongside["prior"]
        }
        for learner, look in looks(kind.learners, ["prior"]).items():
            ax.plot(axis.places, drawn[learner].mean(axis=0), color=look.color, marker=look.marker,
                    markersize=4, linestyle=look.line, linewidth=1.2, label=learner)  # fmt: skip
        ax.set_yscale("log")
        ax.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
        axis.label(ax)
        if kind not in kinds[-3:]:
            ax.set_xlabel("")
    legend_below_all(figure, named_artists(axes[kinds[0].source]))
    return figure


def draw_parts(parts: pd.DataFrame) -> Figure:
    """Draw mean bias and variance at three sizes as stacked bars, a panel for each kind.

    Lines are 95% intervals of the bias, and of the whole loss. CART's variance would flatten all others, so
    axes end above the second largest learner, and larger values are written as numbers.
    """
    figure, axes = panels(list(dict.fromkeys(parts["source"])), "part of the KL to the truth [bits]")
    learners = list(dict.fromkeys(parts["learner"]))
    for source, ax in axes.items():
        own = parts[parts["source"] == source]
        means = own.groupby(["n_train", "learner"])[[*PARTS, "loss"]].mean()
        top = 1.25 * means.loc[list(PARTS_AT), "loss"].drop("cart", level="learner").max()
        for k, (n, color) in enumerate(zip(PARTS_AT, SHADES, strict=True)):
            bias, variance, loss = (means.loc[n].loc[learners, part].to_numpy() for part in (*PARTS, "loss"))
            x = np.arange(len(learners)) + 0.27 * (k - 1)
            ax.bar(x, bias, 0.25, color=color, label=f"bias, {n} rows")
            ax.bar(
                x, variance, 0.25, bottom=np.maximum(bias, 0), color="white", edgecolor=color, hatch="////",
                linewidth=0.8, label=f"variance, {n} rows",
            )  # fmt: skip
            at = own[own["n_train"] == n]
            for part, heights in ((PARTS[0], bias), ("loss", loss)):
                reach = [half_width(at.loc[at["learner"] == key, part].to_numpy()) for key in learners]
                ax.errorbar(x, heights, yerr=reach, fmt="none", ecolor=INK, elinewidth=0.7)
            for place, height in zip(x, loss, strict=True):
                if height > top:
                    ax.text(place, top, f"{height:.2g}", fontsize=6.5, rotation=90, ha="center", va="top",
                            color=INK, bbox={"color": "white", "pad": 0.5})  # fmt: skip
        ax.set_ylim(0, top)
        ax.set_xticks(range(len(learners)), learners, rotation=60, ha="right", rotation_mode="anchor")
    legend_below_all(figure, named_artists(next(iter(axes.values()))))
    return figure


def half_width(values: np.ndarray) -> float:
    """Return half of the 95% interval of a mean over truths."""
    found = stratified_mean(values, [""] * len(values))
    return (found.high - found.low) / 2


def sections(store: Path, study: Study, pictures: Path, jobs: int) -> Iterator[str]:
    """Return the tables, and write the figures into a folder."""
    results = load(store)
    rewards, loss = by_kind(results, REWARD), by_kind(results, LOSS)
    parts = parts_of(store, study, jobs)
    with mpl.rc_context(settings()):
        figures = {"map": BestMapDisplay(BestMap.of(rewards)).sketch(), "loss": draw_losses(loss)}
        for name, figure in (figures | {"parts": draw_parts(parts)}).items():
            figure.savefig(pictures / f"learner_bias_{name}.png", dpi=130, metadata={"Software": None})
    yield "### Best learner by IR_B, and the probability that it is best\n\n" + leaders(rewards)
    yield "### Best learner by KL, and the probability that it is best\n\n" + leaders(loss)
    yield "### Probability that a learner that assumes the kind is best, by IR_B\n\n" + matching(rewards)
    yield "### KL to the truth over all kinds, bits\n\n" + losses(loss)
    yield "### Differences of KL, bits, with intervals simultaneous within a row\n\n" + paired(loss)
    yield "### Who overtakes whom, by IR_B\n\n" + overtaking(rewards)
    yield "### Rows needed for 90% of the truth's IR_B\n\n" + needed(rewards)
    yield "### Bias and variance over all kinds, bits\n\n" + parts_table(parts)
    for n in (PARTS_AT[1], max(rewards[0].sizes)):
        for part, word in zip(PARTS, ("Bias", "Variance"), strict=True):
            yield f"### {word} at {n} rows, thousandths of a bit\n\n" + parts_by_kind(parts, part, n)


def main() -> None:
    """Write the notes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--to", type=Path, required=True, help="a page with the markers of the tables")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    text = "\n\n".join(sections(asked.store, read_study(STUDY), FIGURES, asked.jobs))
    page = asked.to.read_text(encoding="utf-8")
    asked.to.write_text(between_markers(page, text), encoding="utf-8")


if __name__ == "__main__":
    main()
