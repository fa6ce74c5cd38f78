"""Compute the best possible forecasts on the truths of the 2004 simulation, into the store of the study.

Run from the root of the repository, after `make study` (`make claims` does all):

    python experiments/papers/hope2004_simulation/add_optimum.py hope2004_simulation.db --jobs 2

This takes longer than the study itself, because on AODE truths the optimum is sampled.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from workbench import Study, read_study, run
from workbench.study.learner_spec import read_learners


def with_optimum(study: Study) -> Study:
    """Return the study with one more learner, `optimal`."""
    return replace(study, learners=(*study.learners, *read_learners(["optimal"])))


def main() -> None:
    """Compute what is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    study = with_optimum(read_study(Path(__file__).parent / "study.toml"))
    try:
        run(study, options.store, n_jobs=options.jobs, progress=True)
    except KeyboardInterrupt:
        sys.exit("stopped: what is computed is kept, and the same command goes on with it")


if __name__ == "__main__":
    main()
