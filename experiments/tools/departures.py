"""Write counts of the cells that differ, and trials of possible causes, into the pages of the papers.

Run from the root of the repository, after `make papers` and its ablations (`make papers-ablations` does it):

    python experiments/tools/departures.py --stores . --data FOLDER_OF_ARFF_FILES

The stores show how many cells of each learner differ, and what the cells that the pages name are with a
setting changed: `departure_counts.py`. The trials outside the studies are in
`departure_trials.py` and `departure_boosting.py`. All goes between markers of the pages; a page whose stores
are not there stays as it is, and the exit code is 1.
"""

import argparse
import os
import sys
from pathlib import Path

from departure_boosting import trial_boosting
from departure_counts import EXTRA, NAMED, learners_table, named_cells
from departure_trials import TRIALS, trial_of_hd
from joblib import Parallel, delayed

from workbench import load
from workbench.base.errors import WorkbenchError
from workbench.report.notes import write_section
from workbench.reproduction import Printed, Reproduction

PAPERS = Path(__file__).resolve().parents[1] / "papers"
COUNTED = "Cells that differ, by learner"
#: Tables that stay on the pages; the others are files next to them.
STAY = (COUNTED, "Kinds of cells", "Accuracies (A.2)")
MORE_TRIALS = {"hope2002": (trial_boosting,), "cleary1996": (trial_of_hd,)}


def section(name: str, stores: Path) -> str:
    """Write the figures of one page, from its stores."""
    results, ablations = load(stores / f"{name}.db"), load(stores / f"{name}_ablations.db")
    found = Reproduction.of(results, Printed.from_toml(PAPERS / name / "printed.toml"), ablations)
    parts = [
        "## Cells that differ",
        "`departures.py` writes this section.",
        f"**{COUNTED}.** A pair counts for both learners.",
        learners_table(found),
    ]
    if name in EXTRA:
        parts.append(EXTRA[name](found))
    if NAMED[name]:
        parts += ["**Cells that are named above.** Values of the study, and with one setting changed.",
                  named_cells(found, NAMED[name])]  # fmt: skip
    return "\n\n".join([*parts, "### Trials outside the study"])


def section_or_reason(name: str, stores: Path) -> tuple[str, str]:
    """Return the section, or nothing and why there is none."""
    try:
        return section(name, stores), ""
    except WorkbenchError as error:
        return "", f"{name}: {error}"


def main() -> int:
    """Read the stores, run the trials and write them into the pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--stores", type=Path, default=Path(), help="their folder")
    parser.add_argument("--data", type=Path, help="folder of the ARFF files, by default WORKBENCH_DATA")
    parser.add_argument("--to", type=Path, default=PAPERS, help="folder of the pages")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    if asked.data is not None:
        os.environ["WORKBENCH_DATA"] = str(asked.data.resolve())  # stores are asked for facts of data sets
    sections = Parallel(n_jobs=asked.jobs)(delayed(section_or_reason)(name, asked.stores) for name in TRIALS)
    missing = [why for _, why in sections if why]
    for (name, trial), (text, why) in zip(TRIALS.items(), sections, strict=True):
        if not why:
            parts = [one(asked.data, asked.jobs) for one in (trial, *MORE_TRIALS.get(name, ()))]
            write_section(asked.to / name / "notes.md", "\n\n".join([text, *parts]), "trials", stays=STAY)
    print("\n".join(missing), end="\n" if missing else "", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
