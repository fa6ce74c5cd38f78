"""Fit learners to fewer and to more rows of the judging tables of more than 5,000 rows.

Run from the root of the repository:

    python -m experiments.studies.pooled.run_curves

Test rows are those of `run_learners.py`; the rows to train on are drawn from the other half.
"""

from collections.abc import Iterator

from experiments.studies.pooled.load_tables import CAP, drawn, halves, listed, load
from experiments.studies.pooled.run_learners import LEARNERS, Task, score

NAMES = ["pooled", "bn_ensemble", "catboost_stopped", "forest_calibrated", "lightgbm_stopped"]
SIZES, LARGEST = (100, 300, 1_000), 10_000


def tasks() -> Iterator[Task]:
    """Yield some numbers of rows of both halves, and the largest number of the first."""
    for row in listed("judging").to_dict("records"):
        if int(row["rows"]) <= CAP:
            continue
        X, y = load(row)
        for half, ((train, test), (larger, _)) in enumerate(zip(halves(y), halves(y, LARGEST), strict=True)):
            samples = [drawn(train, y, n) for n in SIZES]
            if half == 0 and len(larger) == LARGEST:
                samples.append(larger)
            for rows in samples:
                yield Task({"table": row["table"], "half": half, "n": len(rows)}, X, y, rows, test)


if __name__ == "__main__":
    score(tasks(), {name: LEARNERS[name] for name in NAMES}, "curves")
