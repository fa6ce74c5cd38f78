"""Fit learners to fewer and to more rows of the judging tables of more than 5,000 rows.

Run from the root of the repository:

    python -m experiments.studies.pooled.run_curves

Test rows are those of `run_learners.py`; the rows to train on are drawn from the other half.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from sklearn.model_selection import StratifiedKFold, train_test_split

from experiments.studies.pooled.load_tables import CAP, HERE, SEED, halves, listed, load
from experiments.studies.pooled.run_learners import LEARNERS, load_kernels, scored

NAMES = ["pooled", "bn_ensemble", "catboost_stopped", "forest_calibrated", "lightgbm_stopped"]
SIZES, LARGEST = (100, 300, 1_000), 10_000


def main() -> None:
    """Score what has no score yet."""
    load_kernels()
    place = HERE / "scores" / "curves.csv"
    found = pd.read_csv(place).to_dict("records") if place.is_file() else []
    done = {(row["table"], row["half"], row["n"], row["learner"]) for row in found}
    for row in listed("judging").to_dict("records"):
        if int(row["rows"]) <= CAP:
            continue
        X, y = load(row)
        for half, train, test in samples(y):
            for name in NAMES:
                parts = row["table"], half, len(train), name
                if parts in done:
                    continue
                scores = scored(LEARNERS[name], X.iloc[train], y.iloc[train], X.iloc[test], y.iloc[test])
                found.append({**dict(zip(("table", "half", "n", "learner"), parts, strict=True)), **scores})
                pd.DataFrame(found).to_csv(place, index=False, float_format="%.6g")
                print(*found[-1].values(), flush=True)


def samples(y: "pd.Series[Any]") -> Iterator[tuple[int, Any, Any]]:
    """Yield the number of the half, rows to train on, of each number, and rows to test on."""
    whole = StratifiedKFold(2, shuffle=True, random_state=SEED).split(y, y)
    for half, ((every, _), (train, test)) in enumerate(zip(whole, halves(y), strict=True)):
        for n in SIZES:
            yield (
                half,
                train_test_split(train, train_size=n, stratify=y.iloc[train], random_state=SEED)[0],
                test,
            )
        if half == 0 and len(every) > LARGEST:
            drawn = train_test_split(every, train_size=LARGEST, stratify=y.iloc[every], random_state=SEED)[0]
            yield half, drawn, test


if __name__ == "__main__":
    main()
