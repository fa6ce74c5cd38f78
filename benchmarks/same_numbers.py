"""Compare the numbers of two checkouts bit for bit, which a refactoring must not change.

    python -m benchmarks.same_numbers OLD NEW --data FOLDER [--keep FOLDER]

OLD and NEW are checkouts of this project. Each of them runs every study below in a store of its
own and exports it; then every score is compared as text. Learners' probabilities on ten data sets are
compared as bytes. With --keep, what OLD computed is kept there and found again by the next call.
"""

import argparse
import csv
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

#: Studies that are files of each checkout, and where they may be.
FILES = {
    "small": ("experiments/small.toml",),
    "uci_smoke": ("experiments/uci_smoke.toml",),
    "hope2004_simulation": (
        "experiments/hope2004_simulation.toml",
        "experiments/papers/hope2004/simulation.toml",
        "experiments/papers/hope2004_simulation/study.toml",
    ),
}
TRUTHS = """
[[sources]]
generator = "tan"
n_attributes = [3, 4]
[[sources]]
generator = "dag"
n_attributes = 4
[[sources]]
generator = "rules"
n_attributes = 4
"""
#: Studies that are written here, as the new checkout reads them.
TEXTS = {
    "crossover_search": f"""
name = "crossover_search"
seed = 5
learners = ["nb", "tan", "aode"]
{TRUTHS}
[design]
kind = "crossover_search"
pair = ["nb", "tan"]
sizes = [20, 2000]
replicates = 8
[scores]
cutoffs = ["none"]
""",
    "resampled": """
name = "resampled"
seed = 11
learners = ["nb", "tan", "c45", "kdb", "cart", "prior"]
[[sources]]
dataset = ["iris", "vote", "glass", "labor"]
[design]
kind = "random_splits"
repeats = 4
[scores]
metrics = ["ir_b", "accuracy", "log_loss", "miscalibration"]
rows = ["test"]
cutoffs = ["none", "2002"]
""",
    "sampled": f"""
name = "sampled"
seed = 7
learners = [
    "nb",
    {{ key = "metropolis", learner = "camml", search = "metropolis", averaging = "mixture" }},
    {{ key = "isotonic", learner = "recalibrated", of = "nb", method = "isotonic" }},
    {{ key = "ece", learner = "recalibrated", of = {{ learner = "tan", smoothing = "laplace" }}, folds = 3 }},
    "ande", "j48", "c50_boosted", "mml_tree", "mml_graph", "one_r", "stump", "foil", "induct_rdr",
    "induct_dnf", "c45rules", "truth",
]
{TRUTHS}
[design]
kind = "fresh_samples"
replicates = 4
sizes = [30, 300]
n_test = 200
[scores]
cutoffs = ["none"]
""",
}
#: A file of the new checkout, and what a text says where the file is missing.
RENAMED = {
    "workbench/designs/crossover_search.py": ('kind = "crossover_search"', 'kind = "crossover"'),
}
#: The tables, and the program that both run; it uses only names that people import.
TABLES = (
    "iris", "glass", "vote", "labor", "credit-a", "lymph", "tic-tac-toe", "wine", "breast-cancer",
    "hepatitis",
)  # fmt: skip
PROBABILITIES = """
import sys, warnings
warnings.simplefilter("ignore")
import numpy as np
import learners
from workbench.datasets import load_dataset
names = ["NaiveBayesClassifier", "TANClassifier", "AODEClassifier", "KDBClassifier", "AnDEClassifier",
         "CaMMLClassifier", "C45Classifier", "J48Classifier", "C45RulesClassifier", "C50Classifier",
         "MMLTreeClassifier", "MMLGraphClassifier", "OneRClassifier", "DecisionStumpClassifier",
         "FOILClassifier", "InductRDRClassifier", "InductDNFClassifier", "PriorClassifier"]
for table in sys.argv[2:]:
    X, y = load_dataset(table, data=sys.argv[1])
    for name in names:
        options = {"search": "fast"} if name == "CaMMLClassifier" and X.shape[1] > 12 else {}
        learner = getattr(learners, name)(**options)
        if "random_state" in learner.get_params():
            learner.set_params(random_state=0)
        learner.fit(X[::2], y[::2])
        print(table, name, np.ascontiguousarray(learner.predict_proba(X)).tobytes().hex())
"""
WORDS = (
    "source", "replicate", "n_train", "training_set", "fold", "learner", "metric", "prior", "rows", "cutoff",
)  # fmt: skip


def scores(checkout: Path, study: str, data: Path, folder: Path) -> dict[tuple[str, ...], tuple[str, str]]:
    """Run a study by a checkout, and read every score as the text that was exported."""
    exported, store = folder / f"{study}.csv", folder / f"{study}.db"
    if not exported.exists():
        file = next((checkout / place for place in FILES.get(study, ()) if (checkout / place).exists()), None)
        if file is None:
            file = folder / f"{study}.toml"
            file.write_text(text_for(checkout, study))
        run(checkout, "-m", "workbench", "run", file, "--store", store, "--data", data, "--jobs", "2")
        run(checkout, "-m", "workbench", "export", store, "--to", exported)
    with exported.open(newline="") as lines:
        return {
            tuple(row[word] for word in WORDS): (row["value"], row["n_infinite"])
            for row in csv.DictReader(lines)
        }


def text_for(checkout: Path, study: str) -> str:
    """Return the text of a study as a checkout reads it."""
    text = TEXTS[study]
    for place, (new, old) in RENAMED.items():
        if not (checkout / place).exists():
            text = text.replace(new, old)
    return text


def probabilities(checkout: Path, data: Path, folder: Path) -> dict[tuple[str, ...], str]:
    """Fit every learner to half of each table by a checkout, and hash its forecasts of all rows."""
    kept = folder / "probabilities.txt"
    if not kept.exists():
        kept.write_text(run(checkout, "-c", PROBABILITIES, data, *TABLES))
    lines = (line.split() for line in kept.read_text().splitlines())
    return {(table, learner): hashlib.sha256(found.encode()).hexdigest() for table, learner, found in lines}


def run(checkout: Path, *arguments: object) -> str:
    """Run Python so that it imports a checkout; raise CalledProcessError with what it said if it fails."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{checkout}: {' '.join(map(str, arguments))[:200]}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def compared(
    old: Path, new: Path, data: Path, kept: Path, fresh: Path
) -> Iterator[tuple[str, int, int, int]]:
    """Yield what was compared, how many numbers each side has, and how many differ or are missing."""
    for study in (*FILES, *TEXTS):
        one, other = scores(old, study, data, kept), scores(new, study, data, fresh)
        yield study, len(one), len(other), _differences(one, other)
    one, other = (probabilities(place, data, folder) for place, folder in ((old, kept), (new, fresh)))
    yield "probabilities", len(one), len(other), _differences(one, other)


def _differences(one: dict, other: dict) -> int:
    return sum(one.get(key) != other.get(key) for key in {*one, *other})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="folder of ARFF files")
    parser.add_argument("--keep", type=Path, help="folder for what OLD computed")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folders = [asked.keep or Path(place) / "old", Path(place) / "new"]
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
        different = 0
        for what, n_old, n_new, n in compared(
            asked.old.resolve(), asked.new.resolve(), asked.data.resolve(), *(f.resolve() for f in folders)
        ):
            print(f"{what:22} {n_old:>8} {n_new:>8} numbers, {n} differ", flush=True)
            different += n or n_old != n_new or not n_old
    raise SystemExit(1 if different else 0)


if __name__ == "__main__":
    main()
