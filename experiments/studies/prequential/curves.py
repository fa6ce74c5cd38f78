"""Follow learners and maps row by row: the curves that `write_notes.py` reads.

Naive Bayes, TAN and AODE go on learning, or stop after the first rows; their forecasts go through no map, or
a histogram or a Platt map that learns from each outcome, in several settings.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from generators.networks.truth import Truth
from workbench.base import catalogue
from workbench.base.seeds import generator_for
from workbench.datasets import load_dataset
from workbench.metrics import ir_b
from workbench.prequential import HistogramMap, PlattMap, PrequentialResult, RecalibrationMap, prequential
from workbench.prequential.result import scores_against

KINDS = ("naive_bayes", "tan", "aode")
SIZES = {"n_attributes": (3, 7), "arity": (2, 5), "n_classes": (2, 5)}  # those of the 2004 simulation
LEARNERS = {"nb": "naive Bayes", "tan": "TAN", "aode": "AODE"}
NONE = "none"
#: The maps as they are by default, drawn and tabulated everywhere.
MAPS = ("histogram", "platt")
#: All settings: bins of equal width in log-odds, what the forecast itself counts for in a bin, steps.
BINS = {f"{n} bins": {"n_bins": n, "width": 20 / n} for n in (5, 10, 20, 40, 80)}  # from -10 to 10 bits
SETTINGS: dict[str, Callable[[int], RecalibrationMap]] = {
    "histogram": HistogramMap,
    "platt": PlattMap,
    **{name: partial(HistogramMap, **own) for name, own in BINS.items() if name != "20 bins"},
    "10 bins of 1 bit": partial(HistogramMap, n_bins=10),
    "strength 1": partial(HistogramMap, strength=1.0),
    "strength 100": partial(HistogramMap, strength=100.0),
    "rate 0.03": partial(PlattMap, rate=0.03),
    "rate 0.3": partial(PlattMap, rate=0.3),
}
CHECKED = (100, 1000, 10000)
CHECKED_ADULT = (2000, 10000, 48842)
START, START_LATE, BATCH = 50, 500, 10
START_ADULT, BATCH_ADULT, ORDERS = 1000, 100, 5
ON, STOPS, LATE = "learns on", "stops", "stops later"
N_POINTS = 60


def curves_of(plain: PrequentialResult, checked: tuple[int, ...]) -> Iterator[pd.DataFrame]:
    """Return the curve under each map: at the rows looked at, and of the default maps at some between."""
    n = plain.start + len(plain.reward)
    between = np.geomspace(1.2 * plain.start, n, N_POINTS).round().astype(int)
    looked_at = [row for row in checked if plain.start < row <= n]
    n_classes = len(plain.classes)
    slope = PlattMap(n_classes).update(plain.y_prob, plain.outcomes).slope
    for name in (NONE, *SETTINGS):
        result = plain.under(None if name == NONE else SETTINGS[name](n_classes))
        rows = looked_at if name in SETTINGS and name not in MAPS else np.union1d(between, looked_at)
        whole = result.frame().set_index("rows").loc[rows].reset_index()
        yield pd.DataFrame(
            {
                "learner": "", "map": name, "rows": whole["rows"], "windowed": whole["windowed_recalibrated"],
                "n_infinite": result.n_infinite_recalibrated, "slope": slope,
            }
        )  # fmt: skip


def drawn(kind: str, i: int, seed: int) -> Truth:
    """Draw a truth."""
    return catalogue.find("generators", kind)(random_state=generator_for("truth", seed, kind, i), **SIZES)


def on_truths(kind: str, n_truths: int, n_rows: int, seed: int) -> pd.DataFrame:
    """Follow every learner along rows of every truth; the truth itself is the last learner."""
    tables = []
    states = {ON: (False, START), STOPS: (True, START), LATE: (True, START_LATE)}
    for i in range(n_truths):
        truth = drawn(kind, i, seed)
        X, y = truth.sample(n_rows, generator_for("rows", seed, kind, i))
        place = {"kind": kind, "truth": i}
        for then, (frozen, start) in states.items():
            for learner in LEARNERS:
                made = catalogue.find("learners", learner)()
                plain = prequential(made, X, y, frozen=frozen, start=start, batch=BATCH)
                tables += [c.assign(learner=learner, then=then, **place) for c in curves_of(plain, CHECKED)]
            if then == STOPS:
                tables.append(ceiling(plain, truth, X).assign(**place))
        print(kind, i, flush=True)
    return pd.concat(tables, ignore_index=True)


def ceiling(plain: PrequentialResult, truth: object, X: pd.DataFrame) -> pd.DataFrame:
    """Score the truth's own posterior on the same rows, against the same prior."""
    y_prob = truth.posterior(X.iloc[START:])[:, np.argsort(np.asarray(truth.classes), kind="stable")]
    reward = scores_against(ir_b, plain.outcomes, y_prob, plain.prior)
    rows = START + len(reward)
    kept = {"then": "", "map": NONE, "rows": rows, "n_infinite": int(np.isinf(reward).sum())}
    return pd.DataFrame([{"learner": "truth", **kept, "windowed": reward[-(rows // 2) :].mean()}])


def on_adult(data: Path | None, seed: int) -> pd.DataFrame:
    """Follow every learner along adult in several orders."""
    X, y = load_dataset("adult", data=data)
    tables = []
    for order in range(ORDERS):
        for then in (ON, STOPS):
            for learner in LEARNERS:
                plain = prequential(
                    catalogue.find("learners", learner)(), X, y, frozen=then == STOPS, start=START_ADULT,
                    batch=BATCH_ADULT, random_state=generator_for("order", seed, order),
                )  # fmt: skip
                found = curves_of(plain, CHECKED_ADULT)
                tables += [c.assign(learner=learner, kind="adult", truth=order, then=then) for c in found]
        print("adult", order, flush=True)
    return pd.concat(tables, ignore_index=True)
