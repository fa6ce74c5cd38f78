"""Write into the notes which of CaMML's models forecasts best.

Run from the root of the repository, after the study `study.toml` of this folder:

    python experiments/studies/camml_predictors/write_notes.py STORE --to NOTES.md

It fills the generated section of the notes: who leads, the paired comparisons that the text makes, the
averages against naive Bayes, TAN and AODE, and the means of all learners.
"""

import argparse
from pathlib import Path

import pandas as pd
from scipy import stats

from workbench import load
from workbench.comparisons import paired_differences
from workbench.report.notes import interval, starred, table, write_section

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


def means(frame: pd.DataFrame, kind: str, metric: str) -> str:
    """Return means and paired differences, one row per learner."""
    sizes = sorted(frame["n_train"].unique())
    scores = {n: wide(frame, kind, metric, n) for n in sizes}
    learners = [name for name in scores[sizes[0]] if name not in LEFT_OUT]
    head = [f"{n} rows" for n in sizes] + [f"less {BASE}, {n}" for n in sizes]
    others = [name for name in learners if name != BASE]
    less = {
        n: dict(zip(others, starred([own[name] - own[BASE] for name in others]), strict=True))
        for n, own in scores.items()
    }
    rows = [
        [name, *(interval(own[name], 4) for own in scores.values()), *(less[n].get(name, "") for n in sizes)]
        for name in learners
    ]
    return table(["learner", *head], rows)


def leaders(frame: pd.DataFrame, metric: str, left_out: tuple[str, ...]) -> str:
    """Return the learner with the best mean at each size, its lead, and learners not significantly worse."""
    rows = []
    for kind in (*KINDS, ALL):
        for n in sorted(frame["n_train"].unique()):
            kinds = KINDS if kind == ALL else (kind,)
            scores = pd.concat([wide(frame, one, metric, n) for one in kinds]).drop(columns=list(left_out))
            rows.append([kind, n, *standing(scores, metric == "ir_b")])
    head = ["truths", "rows", "best mean", "runner-up", "ahead of it by"]
    return table([*head, "not significantly different from the best"], rows)


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


def comparisons(frame: pd.DataFrame, metric: str) -> str:
    """Return the paired comparisons of the notes, adjusted over all rows of a size."""
    sizes = sorted(frame["n_train"].unique())
    columns = []
    for n in sizes:
        scores = {kind: wide(frame, kind, metric, n) for kind in KINDS}
        columns.append(starred([own[one] - own[other] for own in scores.values() for one, other in PAIRS]))
    keys = [(kind, pair) for kind in KINDS for pair in PAIRS]
    rows = [
        [kind, " - ".join(pair), PAIRS[pair], *cells]
        for (kind, pair), cells in zip(keys, zip(*columns, strict=True), strict=True)
    ]
    return table(["truths", "less", "what differs", *(f"{n} rows" for n in sizes)], rows)


def rivals(frame: pd.DataFrame) -> str:
    """Compare the averages with the learner that assumes the kind of truth."""
    rows = []
    for kind, rival in RIVALS.items():
        for n in sorted(frame["n_train"].unique())[:2]:
            for average in AVERAGES:
                cells = []
                for metric, sign in (("kl_divergence", -1), ("ir_b", 1)):
                    scores = wide(frame, kind, metric, n)
                    gain = sign * (scores[average] - scores[rival])
                    p = f"{stats.ttest_1samp(gain, 0.0).pvalue:.3f}".replace("0.000", "< 0.001")
                    cells += [interval(gain, 4, signed=True), p]
                rows.append([kind, n, average, rival, *cells])
    head = ["truths", "rows", "average", "against", "KL less, bits", "p", "IR_B more, bits", "p"]
    return table(head, rows)


def generated(frame: pd.DataFrame) -> str:
    """Return all tables as Markdown."""
    n_truths = frame["replicate"].nunique()
    parts = [
        f"Paired differences over {n_truths} truths of a kind, {ALL}: over {len(KINDS) * n_truths}. Ahead of "
        "it by: simultaneous 95% intervals over all pairs of learners of a row (Bonferroni). Not "
        "significantly different: the interval includes zero. Elsewhere ±: pointwise 95% intervals. *: "
        "differs from zero by Holm's rule at 5% over all rows of a column. All scores are exact. Tables of "
        f"one kind of truths: means over {n_truths} truths with 95% intervals between truths, and paired "
        f"differences from {BASE}. *: differs from it by Holm's rule at 5% over the learners of a column."
    ]
    for metric, what in METRICS.items():
        for title, out in (("all learners", LEFT_OUT), ("CaMML's answers", (*LEFT_OUT, *RIVALS.values()))):
            parts += [f"## Best of {title}: {what}", leaders(frame, metric, out)]
    for metric, what in METRICS.items():
        parts += [f"## Paired comparisons: {what}", comparisons(frame, metric)]
    parts += ["## The averages against the learner that knows the kind of truth", rivals(frame)]
    for kind, title in KINDS.items():
        for metric, what in METRICS.items():
            parts += [f"## {title}: {what}", means(frame, kind, metric)]
    return "\n\n".join(parts)


def main() -> None:
    """Rewrite the text between the markers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--to", type=Path, help="notes with the generated-section markers", required=True)
    asked = parser.parse_args()
    write_section(asked.to, generated(load(asked.store).frame()), stays=["Best of all learners: KL"])


if __name__ == "__main__":
    main()
