"""Write the tables of the notes: the average over assumptions against single learners.

Run from the root of the repository, after `study.toml` of this folder and two studies of the best possible,
`study.toml` and `mixtures.toml`:

    python experiments/studies/assumptions/write_notes.py STORE --truths STORE STORE --to NOTES.md

Writes between the markers of the notes.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from workbench import Results, load
from workbench.analyses import VersusBase, paired_scores
from workbench.report.notes import half_width, table, write_section

AVERAGE = "averaged_assumptions"
SCORES = ("log_loss//test", "ir_b//test")


def on_truths(studies: Sequence[Results]) -> Iterator[str]:
    """Yield a table of the average less the best single learner, by kind and size, paired over truths."""
    found = [one for results in studies for one in paired_scores(results, score="log_loss//exact")]
    experiments = list({one.source: one for one in reversed(found)}.values())[::-1]  # of each kind the first
    n_rows = sum(len(one.sizes) for one in experiments)
    yield "**On random truths: log loss of the average less that of the best single learner** (bits;"
    yield f"± simultaneous 95%, {n_rows} intervals, negative: the average is better, best by the mean here)\n"
    rows = []
    for one in experiments:
        place = one.learners.index(AVERAGE)
        for j, size in enumerate(one.sizes):
            means = one.values[:, :, j].mean(axis=0)
            means[place] = np.inf
            best = int(means.argmin())
            gap = one.values[:, place, j] - one.values[:, best, j]
            mean, reach = one.values[:, place, j].mean(), half_width(gap, 1 - 0.05 / n_rows)
            scores = (one.learners[best], f"{means[best]:.4f}", f"{mean:.4f}")
            rows.append([one.source, len(gap), size, *scores, f"{gap.mean():+.4f} ±{reach:.4f}"])
    head = ["kind", "truths", "rows", "best single", "its log loss", "average", "difference"]
    yield table(head, rows, words=4) + "\n"


def on_tables(results: Results) -> Iterator[str]:
    """Yield a table for each score: means over parts, marked where they differ from the average's."""
    for score in SCORES:
        others = [key for key in results.study.learner_keys if key != AVERAGE]  # the class frequencies, too
        found = VersusBase.of(results, AVERAGE, score=score, learners=others)
        learners = [AVERAGE, *found.counts.index]
        what = f"{found.score.metric}, {found.metric.unit}, {found.metric.direction} is better"
        yield f"**On ten real data sets: {what}** (v: significantly better than the average, *: worse, by the"
        yield "corrected resampled t with Holm's correction on each table)\n"
        rows = [
            [source, *(f"{row[key, 'mean']:.3f}{_mark(row, key)}" for key in learners)]
            for source, row in found.matrix.iterrows()
        ]
        totals = ["/".join(map(str, found.counts.loc[key])) for key in learners[1:]]
        yield table(["table", *learners], [*rows, ["better/same/worse", "", *totals]], words=1) + "\n"


def _mark(row: object, key: str) -> str:
    mark = row[key, "mark"] if (key, "mark") in row.index else ""  # type: ignore[index, attr-defined]
    return f" {mark}" if isinstance(mark, str) and mark else ""


def main() -> None:
    """Read the stores, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--truths", type=Path, nargs="+", required=True)
    parser.add_argument("--to", type=Path, required=True)
    given = parser.parse_args()
    lines = [*on_truths([load(store) for store in given.truths]), *on_tables(load(given.store))]
    write_section(given.to, "\n".join(lines))


if __name__ == "__main__":
    main()
