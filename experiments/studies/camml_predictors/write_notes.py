"""Write into the notes which of CaMML's models forecasts best.

Run from the root of the repository, after the study `study.toml` of this folder:

    python experiments/studies/camml_predictors/write_notes.py STORE --to NOTES.md

It fills the generated section of the notes: who leads, the paired comparisons that the text makes, the
averages against naive Bayes, TAN and AODE, and the means of all learners.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from workbench import load
from workbench.comparisons import holm, paired_differences
from workbench.report.renderers.markdown import between_markers

BASE, LEFT_OUT = "shortest", ("prior", "truth")
KINDS = {"naive_bayes": "Naive Bayes truths", "tan": "TAN truths", "aode": "AODE truths"}
METRICS = {
    "kl_divergence": "KL to the truth, bits; smaller is better",
    "ir_b": "IR_B, bits; larger is better",
}
#: The average against the learner that assumes the kind of truth, at 50 and 500 rows.
RIVALS = {"naive_bayes": "nb", "tan": "tan", "aode": "aode"}
AVERAGES = ("average", "average_half", "average_k2", "average_k2_half")
ALL = "all three"
#: Comparisons of the notes: the first less the second, and what differs between them.
PAIRS = {
    ("average", "shortest_mean"): "averaging, with the parameter cost",
    ("average_k2", "shortest_k2_mean"): "averaging, without the parameter cost",
    ("average_half", "average_k2_half"): "parameter cost, p = 1/2",
    ("average", "average_k2"): "parameter cost and the p it chooses",
    ("average", "average_half"): "p, with the parameter cost",
    ("average_k2", "average_k2_half"): "p, without the parameter cost",
    ("shortest_mean", "shortest"): "estimate, shortest network",
    ("average", "average_mml"): "estimate, with the parameter cost",
    ("average_k2", "average_k2_mml"): "estimate, without the parameter cost",
    ("representative", "shortest"): "class in place of network",
    ("mixture", "shortest"): "mixture in place of network",
}


def wide(frame: pd.DataFrame, kind: str, metric: str, n_train: int) -> pd.DataFrame:
    """Return one row per truth, one column per learner."""
    own = frame[(frame["source"] == kind) & (frame["metric"] == metric) & (frame["n_train"] == n_train)]
    return own.pivot_table(index="replicate", columns="learner", values="value", observed=True, sort=False)


def half_width(values: pd.Series) -> float:
    """95%, Student's t over the truths."""
    return float(stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))


def table(frame: pd.DataFrame, kind: str, metric: str) -> list[str]:
    """Return means and paired differences, one row per learner."""
    sizes = sorted(frame["n_train"].unique())
    scores = {n: wide(frame, kind, metric, n) for n in sizes}
    learners = [name for name in scores[sizes[0]] if name not in LEFT_OUT]
    head = [f"{n} rows" for n in sizes] + [f"less {BASE}, {n}" for n in sizes]
    rows = [f"| learner | {' | '.join(head)} |", "|" + " --- |" * (1 + len(head))]
    stars = {n: significant(scores[n], [name for name in learners if name != BASE]) for n in sizes}
    for name in learners:
        means = [f"{scores[n][name].mean():.4f} ± {half_width(scores[n][name]):.4f}" for n in sizes]
        less = [scores[n][name] - scores[n][BASE] for n in sizes]
        paired = [
            f"{d.mean():+.4f} ± {half_width(d):.4f}{stars[n].get(name, '')}"
            for d, n in zip(less, sizes, strict=True)
        ]
        rows.append(
            f"| {name} | {' | '.join(means)} | {' | '.join(paired if name != BASE else [''] * len(sizes))} |"
        )
    return rows


def significant(scores: pd.DataFrame, names: list[str]) -> dict[str, str]:
    """Mark the learners that differ from the base by Holm's rule at 5%, over all of them."""
    p = [stats.ttest_rel(scores[name], scores[BASE]).pvalue for name in names]
    return {
        name: " *" for name, value in zip(names, holm(np.nan_to_num(p, nan=1.0)), strict=True) if value < 0.05
    }


def leaders(frame: pd.DataFrame, metric: str, left_out: tuple[str, ...]) -> list[str]:
    """Return the learner with the best mean at each size, its lead, and learners not significantly worse."""
    head = [
        "truths",
        "rows",
        "best mean",
        "runner-up",
        "ahead of it by",
        "not significantly different from the best",
    ]
    rows = [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    for kind in (*KINDS, ALL):
        for n in sorted(frame["n_train"].unique()):
            kinds = KINDS if kind == ALL else (kind,)
            scores = pd.concat([wide(frame, one, metric, n) for one in kinds]).drop(columns=list(left_out))
            rows.append(f"| {kind} | {n} | {' | '.join(standing(scores, metric == 'ir_b'))} |")
    return rows


def standing(scores: pd.DataFrame, larger_is_better: bool) -> list[str]:
    """Return the leader, the runner-up, the lead, and the learners whose difference may be zero."""
    order = scores.mean().sort_values(ascending=not larger_is_better, kind="stable").index
    best, *others = [str(name) for name in order]
    found = paired_differences(
        scores.to_numpy()[:, :, None], learners=[str(name) for name in scores], settings=["now"]
    )
    gaps = {name: found.between(best, name, "now") for name in others}
    close = [name for name in others if gaps[name].low <= 0 <= gaps[name].high]
    far = [name for name in others if name not in close]
    names = "all but " + ", ".join(far) if far and len(far) < len(close) else ", ".join(close)
    lead = gaps[others[0]]
    ends = sorted((abs(lead.difference) + side * (lead.high - lead.low) / 2) for side in (-1, 1))
    by = f"{abs(lead.difference):.4f} ({ends[0]:.4f} to {ends[1]:.4f})"
    by = by if ends[1] >= 0.00005 else "under 0.0001"
    mean = f"{best} {scores[best].mean():.4f}"
    return [mean, others[0], by, names if close and far else "all" if close else "none"]


def comparisons(frame: pd.DataFrame, metric: str) -> list[str]:
    """Return the paired comparisons of the notes, adjusted over all rows of a size."""
    sizes = sorted(frame["n_train"].unique())
    rows = [
        f"| truths | less | what differs | {' | '.join(f'{n} rows' for n in sizes)} |",
        "|" + " --- |" * 6,
    ]
    columns = [column(frame, metric, n) for n in sizes]
    keys = [(kind, pair) for kind in KINDS for pair in PAIRS]
    for (kind, pair), cells in zip(keys, zip(*columns, strict=True), strict=True):
        rows.append(f"| {kind} | {' - '.join(pair)} | {PAIRS[pair]} | {' | '.join(cells)} |")
    return rows


def column(frame: pd.DataFrame, metric: str, n_train: int) -> list[str]:
    """Return the differences of one size, by kind of truth and pair."""
    gaps = []
    for kind in KINDS:
        scores = wide(frame, kind, metric, n_train)
        gaps += [scores[first] - scores[second] for first, second in PAIRS]
    p = [stats.ttest_1samp(gap, 0.0).pvalue for gap in gaps]
    stars = [" *" if one < 0.05 else "" for one in holm(np.nan_to_num(p, nan=1.0))]
    return [f"{gap.mean():+.4f} ± {half_width(gap):.4f}{star}" for gap, star in zip(gaps, stars, strict=True)]


def rivals(frame: pd.DataFrame) -> list[str]:
    """Compare the averages with the learner that assumes the kind of truth."""
    head = ["truths", "rows", "average", "against", "KL less, bits", "p", "IR_B more, bits", "p"]
    rows = [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    for kind, rival in RIVALS.items():
        for n in sorted(frame["n_train"].unique())[:2]:
            for average in AVERAGES:
                cells = []
                for metric, sign in (("kl_divergence", -1), ("ir_b", 1)):
                    scores = wide(frame, kind, metric, n)
                    gain = sign * (scores[average] - scores[rival])
                    p = f"{stats.ttest_1samp(gain, 0.0).pvalue:.3f}".replace("0.000", "< 0.001")
                    cells += [f"{gain.mean():+.4f} ± {half_width(gain):.4f}", p]
                rows.append(f"| {kind} | {n} | {average} | {rival} | {' | '.join(cells)} |")
    return rows


def generated(frame: pd.DataFrame) -> str:
    """Return all tables as Markdown."""
    n_truths = frame["replicate"].nunique()
    parts = [
        f"Paired differences over {n_truths} truths of a kind; {ALL}: over {len(KINDS) * n_truths}. Ahead of "
        "it by: simultaneous 95% intervals over all pairs of learners of a row (Bonferroni); not "
        "significantly different: the interval holds zero. Elsewhere ±: 95%, each alone; *: differs from "
        "zero by Holm's rule at 5% over all rows of a column. All scores exact."
    ]
    for metric, what in METRICS.items():
        for title, out in (("all learners", LEFT_OUT), ("CaMML's answers", (*LEFT_OUT, *RIVALS.values()))):
            parts += [f"## Who leads of {title}: {what}", "\n".join(leaders(frame, metric, out))]
    for metric, what in METRICS.items():
        parts += [f"## Paired comparisons: {what}", "\n".join(comparisons(frame, metric))]
    parts += ["## The averages against the learner that knows the kind of truth", "\n".join(rivals(frame))]
    parts.append(
        f"Below: means over {n_truths} truths of a kind with 95% intervals between truths, and paired "
        f"differences from {BASE}; * differs from it by Holm's rule at 5% over the learners of a column."
    )
    for kind, title in KINDS.items():
        for metric, what in METRICS.items():
            parts += [f"## {title}: {what}", "\n".join(table(frame, kind, metric))]
    return "\n\n".join(parts)


def main() -> None:
    """Rewrite the text between the markers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument(
        "--to", type=Path, help="notes in Markdown with the generated-section markers", required=True
    )
    arguments = parser.parse_args()
    text = generated(load(arguments.store).frame())
    notes = arguments.to.read_text(encoding="utf-8")
    arguments.to.write_text(between_markers(notes, text), encoding="utf-8")


if __name__ == "__main__":
    main()
