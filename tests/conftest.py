"""Where the tests find data, how hypothesis runs, and results to look at: real ones and made-up ones."""

import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings

import workbench
from tests.documents import document
from workbench.estimators import known_code
from workbench.results import Results
from workbench.store.reading import CELLS, KEYS, SCORES

# A shell tells its background jobs to ignore Ctrl-C; tests that send it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("suite", max_examples=20, deadline=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("suite"), max_examples=6)  # for `make test`
settings.load_profile("suite")

HERE = Path(__file__).resolve().parent
# Behind everything else, so that what tests share can be imported and the installed packages come first.
sys.path.append(str(HERE.parent))

pytest_plugins = ("tests.budget",)

EXACT = ("ir_b", "marginal", "exact", "none")
SAMPLED = ("ir_b", "marginal", "test", "none")
YARDSTICKS = {
    "prior": "learners.prior:PriorClassifier",
    "truth": "workbench.truth_classifier:TruthClassifier",
    "optimal": "workbench.optimal:OptimalClassifier",
    "optimal_mixture": "workbench.optimal:OptimalMixClassifier",
}


@pytest.fixture(autouse=True)
def _learners_of_tests_are_known(request, monkeypatch) -> None:
    """Compute learners that tests define in this process, as ours, but where isolation is the point."""
    if "isolated" not in request.fixturenames:
        monkeypatch.setattr(known_code, "KNOWN", known_code.KNOWN | {"tests"})


@pytest.fixture
def isolated() -> None:
    """Let learners that tests define be of unknown code."""


@pytest.fixture(autouse=True)
def _no_figure_stays_open() -> Iterator[None]:
    """Close what a test drew by pyplot, which keeps its figures until somebody does."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with the reference outputs and data sets, or skip and say why."""
    default = HERE.parents[1] / "shared"
    place = Path(os.environ.get("WORKBENCH_DATA", default))
    if not place.is_dir():
        pytest.skip(f"no data folder: set WORKBENCH_DATA or put it at {default}")
    return place


@pytest.fixture(scope="session")
def golden() -> Path:
    """Return the folder of published figures that the repository carries."""
    return HERE / "golden"


@pytest.fixture(scope="session")
def small_store(tmp_path_factory) -> Path:
    """Run two sources and five learners of experiments/small.toml, with five truths each, into a store."""
    small = workbench.read_study(HERE.parent / "experiments" / "small.toml")
    study = replace(
        small,
        sources=tuple(small.source(key) for key in ("naive_bayes", "tan")),
        learners=tuple(small.learner(key) for key in ("nb", "tan", "aode", "prior", "truth")),
        design=replace(small.design, replicates=5),
    )
    store = tmp_path_factory.mktemp("small") / "small.db"
    workbench.run(study, store)
    return store


@pytest.fixture(scope="session")
def small(small_store) -> Results:
    """Return the results of that study."""
    return workbench.load(small_store)


@pytest.fixture(scope="session")
def made_up():
    """Return a function that makes results of given scores: source to learner to (replicates, sizes[, sets]).

    NaN is a cell that failed. Sampled scores are the exact ones plus 0.01.
    """
    return make_results


def make_results(
    scores: Mapping[str, Mapping[str, object]],
    *,
    sizes: Sequence[int] = (50, 500),
    keys: Sequence[tuple[str, str, str, str]] = (EXACT, SAMPLED),
    compared: Sequence[str] = (),
    name: str = "made up",
) -> Results:
    cells: list[tuple] = []
    found: list[tuple] = []
    for source, of_learners in scores.items():
        for learner, values in of_learners.items():
            array = np.asarray(values, dtype=float)
            array = array[:, :, None] if array.ndim == 2 else array
            for (replicate, j, training_set), value in np.ndenumerate(array):
                cell, failed = len(cells), np.isnan(value)
                place = (source, replicate, sizes[j], training_set, 0, learner)
                state = ("failed", "it broke") if failed else ("done", None)
                times = (None, None, 0.01, 0.01, 0.01)
                checks = (1, None, None if failed else f"{source} {replicate}")
                cells.append((cell, *place, 100, state[0], 1, *times, *checks, state[1], None, str(cell)))
                if not failed:
                    shifted = [(key, value + 0.01 * (key[2] == "test")) for key in keys]
                    found += [(cell, *key, v, int(np.isinf(v)), 0.0) for key, v in shifted]
    learners = list(dict.fromkeys(key for of_learners in scores.values() for key in of_learners))
    frame = pd.DataFrame(cells, columns=["cell", *CELLS])
    for column, members in (("source", list(scores)), ("learner", learners)):
        frame[column] = pd.Categorical(frame[column], members, ordered=True)
    metrics, priors, rows, cutoffs = (tuple(dict.fromkeys(own)) for own in zip(*keys, strict=True))
    study = document(
        {source: {} for source in scores},
        {key: {"class": YARDSTICKS.get(key, f"a:{key}")} for key in learners},
        {"kind": "fresh_samples", "sizes": list(sizes), "n_test": 100},
        {
            "metrics": metrics,
            "priors": _named(priors) or ("marginal",),
            "rows": _named(rows),
            "cutoffs": cutoffs,
        },
        name=name,
        compared=compared,
    )
    provenance = json.dumps({"versions": {"numpy": np.__version__}})
    run = (1, "2026-01-01T00:00:00", "2026-01-01T00:00:09", len(cells), "{}", provenance)
    names = ["run", "started", "ended", "computed", "study", "provenance"]
    runs = pd.DataFrame([run], columns=names)
    return Results(
        study,
        runs,
        frame.sort_values(list(KEYS), kind="stable"),
        pd.DataFrame(found, columns=["cell", *SCORES]),
    )


def _named(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word != "none")
