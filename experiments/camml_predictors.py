"""Say which of CaMML's answers forecasts best: `python experiments/camml_predictors.py STORE --to NOTES.md`.

Run from the root of the repository, after the study `camml_predictors.toml`. Writes two tables for each kind
of truth between the marks of the notes: means, and paired differences from the network with the shortest
message.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from workbench import load
from workbench.comparisons import holm

MARKS = ("<!-- generated -->", "<!-- end -->")
BASE, LEFT_OUT = "shortest", ("prior", "truth")
KINDS = {"naive_bayes": "Naive Bayes truths", "tan": "TAN truths", "aode": "AODE truths"}
METRICS = {
    "kl_divergence": "KL to the truth, bits; smaller is better",
    "ir_b": "IR_B, bits; larger is better",
}
#: The average against the learner that assumes the kind of truth, at 50 and 500 rows.
RIVALS = {"naive_bayes": "nb", "tan": "tan", "aode": "aode"}
AVERAGES = ("average", "average_k2", "average_k2_half")


def wide(frame: pd.DataFrame, kind: str, metric: str, n_train: int) -> pd.DataFrame:
    """Give one row a truth, one column a learner."""
    own = frame[(frame["source"] == kind) & (frame["metric"] == metric) & (frame["n_train"] == n_train)]
    return own.pivot_table(index="replicate", columns="learner", values="value", observed=True, sort=False)


def half_width(values: pd.Series) -> float:
    """95%, Student's t over the truths."""
    return float(stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))


def table(frame: pd.DataFrame, kind: str, metric: str) -> list[str]:
    """Give means and paired differences, one row a learner."""
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


def rivals(frame: pd.DataFrame) -> list[str]:
    """Hold the averages against the learner that knows the kind of truth."""
    rows = ["| truths | rows | average | against | KL less, bits | IR_B more, bits |", "|" + " --- |" * 6]
    for kind, rival in RIVALS.items():
        for n in sorted(frame["n_train"].unique())[:2]:
            for average in AVERAGES:
                cells = []
                for metric, sign in (("kl_divergence", -1), ("ir_b", 1)):
                    scores = wide(frame, kind, metric, n)
                    gain = sign * (scores[average] - scores[rival])
                    cells.append(f"{gain.mean():+.4f} ± {half_width(gain):.4f}")
                rows.append(f"| {kind} | {n} | {average} | {rival} | {' | '.join(cells)} |")
    return rows


def generated(frame: pd.DataFrame) -> str:
    """Give all tables as Markdown."""
    parts = [
        "Means over 40 truths of a kind with 95% intervals between truths; differences are paired, with 95% "
        f"intervals; * differs from {BASE} by Holm's rule at 5% over the learners of its column. All exact.",
    ]
    for kind, title in KINDS.items():
        for metric, what in METRICS.items():
            parts += [f"## {title}: {what}", "\n".join(table(frame, kind, metric))]
    parts += ["## The averages against the learner that knows the kind of truth", "\n".join(rivals(frame))]
    return "\n\n".join(parts)


def main() -> None:
    """Rewrite what stands between the marks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--to", type=Path, help="notes of Markdown with the marks", required=True)
    arguments = parser.parse_args()
    text = generated(load(arguments.store).frame())
    notes = arguments.to.read_text(encoding="utf-8")
    before, rest = notes.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    arguments.to.write_text(f"{before}{MARKS[0]}\n\n{text}\n\n{MARKS[1]}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
