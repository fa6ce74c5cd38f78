"""Compute the reference results of profiles and of the arena, or check some of them.

`python experiments/tools/reference.py --stores FOLDER --jobs 2` computes what is missing in three stores of
that folder, which takes hours from nothing, and writes workbench/profiles/reference: all truths of each place
for the yardsticks, without which nothing can be compared, fewer for other learners, fewest for slow ones.
`--only bn_ensemble` computes these alone and puts them with the results that are there.
`--check nb tan --truths 1` computes the first truths of every place anew, in memory, and compares them with
the files bit for bit.
"""

import argparse
import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from workbench.base.catalogue import is_missing
from workbench.engine.progress import for_stderr
from workbench.profiles.entrants import ENTRANTS
from workbench.profiles.measure import Measured, measured
from workbench.profiles.part import SuitePart
from workbench.profiles.reference import FOLDER, fallen_back, read_reference, write_reference
from workbench.profiles.scores import CEILINGS, DIRECTIONS

#: Truths of each place for quick learners; and, for slow ones, truths and the largest size.
QUICK_TRUTHS, SLOW_TRUTHS, SLOW_ROWS = 8, 4, 1500
MOST_BYTES = 5_000_000


def main() -> int:
    """Compute, or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", type=Path, default=Path())
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--truths-of-quick", type=int, default=QUICK_TRUTHS)
    parser.add_argument("--truths-of-slow", type=int, default=SLOW_TRUTHS)
    parser.add_argument("--only", nargs="+", metavar="LEARNER", choices=sorted(ENTRANTS))
    parser.add_argument("--check", nargs="+", metavar="LEARNER")
    parser.add_argument("--truths", type=int, default=1)
    given = parser.parse_args()
    os.environ["PYTHONWARNINGS"] = "ignore"  # of workers: convergence, classes that 20 rows do not show
    warnings.simplefilter("ignore")
    if given.check:
        return _check(given.check, given.truths, given.jobs)
    given.stores.mkdir(parents=True, exist_ok=True)
    own = _measured(
        given.only or ENTRANTS, given.stores, given.jobs, given.truths_of_quick, given.truths_of_slow
    )
    kept = [] if given.only is None else _kept(given.only)
    path = write_reference([*kept, *own], _identities([*kept, *own]), FOLDER)
    read_reference.cache_clear()
    n_bytes = sum(one.stat().st_size for one in path.parent.iterdir())
    print(f"reference results of {len(read_reference().learners)} learners written, {n_bytes:,} bytes")
    return 0 if n_bytes <= MOST_BYTES else 1


def _measured(
    keys: Iterable[str], stores: Path, jobs: int, quick_truths: int, slow_truths: int
) -> list[Measured]:
    """Compute what is missing of some learners, the yardsticks first."""
    whole = SuitePart.whole()
    installed = {key: ENTRANTS[key] for key in keys if not is_missing("learners", str(ENTRANTS[key].learner))}
    quick = [key for key, entrant in installed.items() if not entrant.is_slow and key not in CEILINGS]
    groups = {
        "yardsticks": (whole, [key for key in CEILINGS if key in installed]),
        "quick": (SuitePart(quick_truths, whole.largest), quick),
        "slow": (SuitePart(slow_truths, SLOW_ROWS), [k for k, e in installed.items() if e.is_slow]),
    }
    return [
        measured(
            [ENTRANTS[key].spec for key in own],
            part,
            store=stores / f"reference_{name}.db",
            n_jobs=jobs,
            progress=for_stderr(),
        )
        for name, (part, own) in groups.items()
        if own
    ]


def _kept(but: Iterable[str]) -> list[Measured]:
    """Return what is there of all other learners."""
    there = read_reference()
    return [there.measured(key) for key in there.learners if key not in but]


def _identities(own: Iterable[Measured]) -> dict[str, object]:
    return {key: ENTRANTS[key].spec.identity for one in own for key in one.scores.learners}


def _check(keys: list[str], n_truths: int, jobs: int) -> int:
    """Compare the first truths of every place, computed anew, with the files."""
    reference = read_reference()
    wrong = 0
    for key in keys:
        part = SuitePart(n_truths, reference.parts[key].largest)
        own = measured([ENTRANTS[key].spec], part, n_jobs=jobs, progress=for_stderr())
        there = reference.scores.only(
            learners=[key], places=own.scores.places, sizes=own.scores.sizes, n_truths=n_truths
        )
        prior = reference.scores.only(
            learners=["prior"], places=own.scores.places, sizes=own.scores.sizes, n_truths=n_truths
        )
        found = fallen_back(own.scores, own.failed, prior)
        for metric in DIRECTIONS:
            same = np.array_equal(found.values[metric], there.values[metric], equal_nan=True)
            gap = float(np.nanmax(np.abs(found.values[metric] - there.values[metric])))
            n = int(np.isfinite(found.values[metric]).sum())
            words = "equal to the bit" if same else f"differs by up to {gap:.3g}"
            print(f"{key} {metric}: {words}, {n:,} scores")
            wrong += not same
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
