"""Write the tables and figures of this study: which assumption helps where.

Run from the root of the repository:

    for part in study optimal boosting axes wide; do
        workbench run experiments/studies/learner_bias/$part.toml --jobs 2; done
    python experiments/studies/learner_bias/write_notes.py --stores . \
        --to experiments/studies/learner_bias/notes.md

Writes tables between the markers of the notes and three figures into docs. Bias and variance are not in a
store: the learners of spread.toml are fitted 20 times on each truth, which takes some minutes; what is found
is kept as learner_bias_spread.csv in the folder of the stores, and read from there the next time.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from workbench import Results, load, read_study
from workbench.analyses import (
    BestMap,
    BiasVariance,
    Crossovers,
    PairedScores,
    SampleComplexity,
    paired_scores,
)
from workbench.analyses.crossovers import interval_words
from workbench.comparisons import probability_best
from workbench.engine.progress import for_stderr
from workbench.figures.best_map import BestMapDisplay
from workbench.report.notes import figure_style, save_figure, stratified, table, write_section

sys.path.insert(0, str(Path(__file__).parent))
import other_parts as of_parts
from drawing import PARTS, PARTS_AT, draw_losses, draw_parts
from other_parts import THEOREMS

FOLDER = Path(__file__).parent
FIGURES = Path(__file__).resolve().parents[3] / "docs" / "figures"
NUMERIC = "gaussian_naive_bayes"
ALL = "all kinds"
#: Kinds that averaged_assumptions does not assume.
COVERED, UNCOVERED = ("naive_bayes", "tan", "dag"), "all but naive_bayes, tan, dag"
NETWORKS, CONCEPTS = (
    ("naive_bayes", "tan", "aode", "kdb", "dag"),
    ("decision_tree", "decision_graph", "rules"),
)
REWARD, LOSS = "ir_b/marginal/exact/2002", "kl_divergence//exact/2002"
#: Learners that assume a kind of truth and are not its optimum; none assumes only graphs or rules.
MATCHING = {
    "tan": ("tan", "tan_1", "tan_superparent"), "aode": ("aode",), "kdb": ("kdb", "kdb_1"),
    "dag": ("camml", "camml_1", "camml_average", "camml_average_k2", "averaged_assumptions"),
    "decision_tree": ("c45", "mml_tree", "cart"), NUMERIC: ("nb",),
}  # fmt: skip
PAIRS = (
    ("nb", "tan"), ("nb", "aode"), ("nb", "camml_average_k2"), ("aode", "camml_average_k2"), ("nb", "c45"),
    ("c45", "mml_tree"), ("aode", "mml_tree"),
)  # fmt: skip
#: Differences of the text: the loss of the first less that of the second.
NAMED = {
    "naive_bayes": [("nb", "averaged_assumptions"), ("nb", "camml_average_k2"),
                    ("camml_average", "camml_average_k2")],
    "tan": [("tan_1", "averaged_assumptions"), ("tan", "camml_average_k2"), ("tan_1", "camml_average_k2"),
            ("averaged_tan", "tan_1"), ("tan_superparent", "tan_1"), ("tan", "tan_1"),
            ("averaged_tan", "averaged_assumptions")],
    "aode": [("aode", "a2de"), ("aode", "camml_average_k2"), ("a2de", "camml_average_k2")],
    "kdb": [("kdb", "camml_average_k2"), ("kdb_1", "camml_average_k2")],
    "dag": [("camml_1", "camml_average_k2"), ("camml_average_k2", "averaged_assumptions")],
    "decision_tree": [("c45", "mml_tree"), ("c45_laplace", "mml_tree"), ("mml_tree", "camml_average_k2")],
    "decision_graph": [("c45", "mml_tree"), ("c45_laplace", "mml_tree"), ("mml_tree", "camml_average_k2")],
    "rules": [("c45", "mml_tree"), ("c45_laplace", "mml_tree"), ("mml_tree", "camml_average_k2")],
    NUMERIC: [("nb", "camml_average_k2"), ("nb", "aode")],
    ALL: [("aode", "averaged_assumptions"), ("aode", "averaged_tan"), ("aode", "camml_average"),
          ("aode", "camml_average_k2"), ("camml", "camml_1"), ("camml_1", "camml_average"),
          ("camml_1", "camml_average_k2"), ("camml_average", "camml_average_k2"),
          ("camml_average_k2", "averaged_assumptions"), ("averaged_assumptions", "averaged_assumptions_7"),
          ("camml_average_k2", "averaged_assumptions_7"), ("a2de", "aode"), ("a2de", "camml_average_k2"),
          ("c45", "mml_tree"), ("c45", "c45_laplace"), ("c45_laplace", "mml_tree")],
    UNCOVERED: [("camml_average_k2", "averaged_assumptions_7"), ("aode", "averaged_assumptions_7")],
}  # fmt: skip


def pooled(kinds: Sequence[PairedScores]) -> tuple[PairedScores, list[str]]:
    """Pool the truths of all kinds, and return the kind of each: kinds have equal weight."""
    first = kinds[0]
    values = np.concatenate([one.values for one in kinds])
    alongside = {key: np.concatenate([one.alongside[key] for one in kinds]) for key in first.alongside}
    truths = tuple(range(len(values)))
    strata = [one.source for one in kinds for _ in one.blocks]
    return PairedScores(ALL, first.score, first.learners, first.sizes, truths, values, alongside), strata


def probability(p: float) -> str:
    """Write a probability from resamples, which is never exactly 0 or 1."""
    return "> .99" if p > 0.99 else "< .01" if p < 0.01 else f"{p:.2f}".lstrip("0")


def leaders(kinds: Sequence[PairedScores]) -> str:
    """Return the most probable best learner at each size, with its probability."""
    everything, strata = pooled(kinds)
    rows = []
    for source, own in BestMap.of(kinds).table.groupby("source", sort=False):
        known = THEOREMS.get(str(source))  # whatever these truths say
        cells = [
            f"{known} (theorem)" if known else f"{row.best} {probability(row.p_best)}"
            for row in own.itertuples()
        ]
        rows.append([str(source), *cells])
    found = probability_best(everything.values, strata=strata, direction=everything.metric.direction)
    best = zip(found.best, found.p_best.max(axis=0), strict=True)
    rows.append([ALL, *[f"{everything.learners[i]} {probability(p)}" for i, p in best]])
    return table(["truths", *everything.sizes], rows, words=1)


def matching(kinds: Sequence[PairedScores]) -> str:
    """Return the probability that a learner that assumes the kind of truth is the best, by size."""
    found = BestMap.of(kinds).probabilities
    rows = []
    for source, learners in MATCHING.items():
        own = found[(found["source"] == source) & found["learner"].isin(learners)]
        p = own.groupby("n_train")["p_best"].sum()
        rows.append([source, ", ".join(learners), *map(probability, p)])
    return table(["truths", "learners", *kinds[0].sizes], rows, words=2)


def paired(kinds: Sequence[PairedScores]) -> str:
    """Return the differences named in the text, with simultaneous intervals in each row."""
    everything, strata = pooled(kinds)
    known = {one.source: (one, [one.source] * len(one.blocks)) for one in kinds}
    known |= {ALL: (everything, strata), UNCOVERED: pooled([k for k in kinds if k.source not in COVERED])}
    sizes, rows = everything.sizes, []
    for source, pairs in NAMED.items():
        one, own = known[source]
        for first, second in pairs:
            gap = one.values[:, one.learners.index(first)] - one.values[:, one.learners.index(second)]
            cells = [stratified(column, own, None, n_intervals=len(sizes)) for column in gap.T]
            rows.append([source, f"{first} − {second}", *cells])
    return table(["truths", "less", *sizes], rows, words=2)


def losses(kinds: Sequence[PairedScores]) -> str:
    """Return mean losses over all kinds, by learner and size."""
    everything, strata = pooled(kinds)
    of_learners = dict(zip(everything.learners, np.swapaxes(everything.values, 0, 1), strict=True))
    of_learners["prior"] = everything.alongside["prior"]
    rows = [
        [learner, *[stratified(column, strata) for column in values.T]]
        for learner, values in of_learners.items()
    ]
    return table(["learner", *everything.sizes], rows, words=1)


def overtaking(kinds: Sequence[PairedScores]) -> str:
    """Return for each pair where one overtakes the other, by kind."""
    found = {one.source: Crossovers.of(one) for one in kinds}
    rows = [[source, *[_overtaken(one, pair) for pair in PAIRS]] for source, one in found.items()]
    return table(["truths", *[f"{a}, {b}" for a, b in PAIRS]], rows)


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


def needed(kinds: Sequence[PairedScores], share: float = 0.9) -> str:
    """Return the rows that each learner needs for a share of the truth's own reward."""
    found = SampleComplexity.of(kinds, shares=[share])
    sources = [one.source for one in kinds]
    rows = []
    for learner in kinds[0].learners:
        own = found.table[found.table["learner"] == learner].set_index("source")
        cells = []
        for source in sources:
            row = own.loc[source]
            ends = [found.label((source, learner, share), end) for end in (row["low"], row["high"])]
            cells.append(f"{row['label']} ({ends[0]} to {ends[1]})")
        rows.append([learner, *cells])
    return table(["learner", *sources], rows, words=1)


def bias_and_variance(stores: Path, jobs: int) -> pd.DataFrame:
    """Decompose every learner's loss on every truth, kind by kind, or read earlier results."""
    study = read_study(FOLDER / "spread.toml")
    path = stores / "learner_bias_spread.csv"
    found = pd.read_csv(path) if path.is_file() else pd.DataFrame({"source": []})
    learners = {one.key for one in study.learners if one.key != "truth"}
    for source in study.sources:
        own = found[found["source"] == source.key]
        wanted = len(learners) * len(study.design.sizes) * study.design.replicates
        if len(own) != wanted or set(own["learner"]) != learners:
            found = found[found["source"] != source.key]
            score = LOSS.replace("exact", "test") if source.key == NUMERIC else LOSS
            own = BiasVariance.refit(
                study, score=score, source=source.key, n_jobs=jobs, progress=for_stderr()
            )
            found = pd.concat([found, own.by_truth], ignore_index=True)
            found.to_csv(path, index=False)
    return found


def parts_table(parts: pd.DataFrame) -> str:
    """Return bias and variance over all kinds by learner, at a few sizes."""
    rows = []
    for learner, own in parts.groupby("learner", sort=False):
        at = [own[own["n_train"] == n] for n in PARTS_AT]
        rows.append([learner, *(stratified(one[part], one["source"]) for one in at for part in PARTS)])
    head = [f"{part}, {n} rows" for n in PARTS_AT for part in ("bias", "variance")]
    return table(["learner", *head], rows, words=1)


def parts_by_kind(parts: pd.DataFrame, part: str, n_train: int) -> str:
    """Return bias or variance at a size, by learner and kind, in thousandths of a bit."""
    chosen = parts[parts["n_train"] == n_train]
    sources = list(dict.fromkeys(chosen["source"]))
    rows = []
    for learner, own in chosen.groupby("learner", sort=False):
        values = [1000 * own.loc[own["source"] == source, part] for source in sources]
        rows.append([learner, *[stratified(v, [""] * len(v), 1) for v in values]])
    return table(["learner", *sources], rows, words=1)


def without_a_kind(kinds: Sequence[PairedScores]) -> str:
    """Return the learner with the least mean loss over all kinds, all but one, and groups of kinds."""
    rows = []
    chosen = {ALL: kinds} | {f"all but {one.source}": [k for k in kinds if k is not one] for one in kinds}
    chosen |= {
        UNCOVERED: [k for k in kinds if k.source not in COVERED],
        "networks and mixtures": [k for k in kinds if k.source in NETWORKS],
        "concepts": [k for k in kinds if k.source in CONCEPTS],
    }
    for words, own in chosen.items():
        everything, strata = pooled(own)
        found = probability_best(everything.values, strata=strata, direction=everything.metric.direction)
        best = zip(found.best, found.p_best.max(axis=0), strict=True)
        rows.append([words, *[f"{everything.learners[i]} {probability(p)}" for i, p in best]])
    return table(["over", *kinds[0].sizes], rows, words=1)


def draw(
    rewards: Sequence[PairedScores], loss: Sequence[PairedScores], spread: pd.DataFrame, folder: Path
) -> None:
    """Write the three figures."""
    with figure_style():
        open_ = [kind for kind in rewards if kind.source not in THEOREMS]
        figures = {"map": BestMapDisplay(BestMap.of(open_)).sketch(), "loss": draw_losses(loss)}
        for name, figure in (figures | {"parts": draw_parts(spread)}).items():
            save_figure(figure, folder / f"learner_bias_{name}.png")


def main_tables(results: Results, spread: pd.DataFrame, pictures: Path) -> Iterator[tuple[str, str]]:
    """Yield titles and tables of the main study, bias and variance; write the figures into a folder."""
    # exact where the attribute space can be enumerated, else on test rows
    rewards, loss = paired_scores(results, score=REWARD), paired_scores(results, score=LOSS)
    draw(rewards, loss, spread, pictures)
    yield "Best learner by KL, and the probability that it is best", leaders(loss)
    yield "Best learner by IR_B, and the probability that it is best", leaders(rewards)
    yield "Best learner by KL, without a kind", without_a_kind(loss)
    yield "Probability that a learner that assumes the kind is best, by KL", matching(loss)
    yield "KL to the truth over all kinds, bits", losses(loss)
    yield "Differences of KL, bits, with intervals simultaneous within a row", paired(loss)
    yield "Where one learner overtakes another, by KL", overtaking(loss)
    yield "Rows needed for 90% of the truth's IR_B", needed(rewards)
    yield "Bias and variance over all kinds, bits", parts_table(spread)
    for n in (PARTS_AT[1], 20000):
        for part, word in zip(PARTS, ("Bias", "Variance"), strict=True):
            yield f"{word} at {n} rows, thousandths of a bit", parts_by_kind(spread, part, n)


def other_tables(stores: Path, results: Results) -> Iterator[tuple[str, str]]:
    """Yield titles and tables of the other parts."""
    study, log_loss = of_parts.losses_of(results), of_parts.losses_of(results, "log_loss")
    optimal, boosting, axes, wide = (
        of_parts.losses_of(load(stores / f"learner_bias_{name}.db"))
        for name in ("optimal", "boosting", "axes", "wide")
    )
    learners = [key for key in results.study.learner_keys if key not in ("prior", "truth", "cart")]
    known = of_parts.optimum_table(study, optimal, learners)
    yield "Irreducible loss and regret in KL, bits", known
    by_difficulty = of_parts.difficulty_table(study, log_loss, of_parts.BY_DIFFICULTY)
    yield "Differences of KL by difficulty, bits", by_difficulty
    boosted = of_parts.boosting_table(study, boosting, ("averaged_assumptions", "mml_tree"))
    yield "KL of boosting less that of others, bits, the first 20 truths of each kind", boosted
    of_axes = ("along the axes", axes, of_parts.ALONG)
    for words, losses_, pairs in (of_axes, ("with many attributes", wide, of_parts.ALONG_WIDE)):
        by_axis = of_parts.axis_rows(losses_)
        compared = [key for key in by_axis.columns if key not in ("prior", "truth")]
        yield f"Best learner by KL {words}, and its lead", of_parts.leaders_table(by_axis, compared)
        yield f"Differences of KL {words}, bits", of_parts.along_table(by_axis, pairs)
        yield f"KL {words}, bits", of_parts.means_table(by_axis, compared)
    by_kind = of_parts.by_kind_table(by_axis, "camml", "a2de")
    yield "CaMML less A2DE with many attributes, by kind, bits", by_kind
    errors = of_parts.control_table(results, ("nb", "aode", "camml", "mml_tree"))
    yield "Error of 1000 test rows, bits, on truths that can be enumerated", errors


def main() -> None:
    """Write the notes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--stores", type=Path, default=Path(), help="their folder")
    parser.add_argument("--to", type=Path, required=True, help="a page with the markers of the tables")
    parser.add_argument("--figures", type=Path, default=FIGURES, help="the folder of the figures")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    results = load(asked.stores / "learner_bias.db")
    spread = bias_and_variance(asked.stores, asked.jobs)
    tables = [*main_tables(results, spread, asked.figures), *other_tables(asked.stores, results)]
    text = "\n\n".join(f"### {title}\n\n{text}" for title, text in tables)
    write_section(asked.to, text, stays=["Best learner by KL, and"])


if __name__ == "__main__":
    main()
