"""What a learner costs: seconds of fit and forecast by rows and columns, next to categorical naive Bayes."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from generators.suites.places import MAP
from workbench.engine.runner import run_study
from workbench.profiles.entrants import ENTRANTS
from workbench.profiles.measure import gathered, without_warnings
from workbench.profiles.part import SuitePart
from workbench.profiles.scores import SuiteScores

__all__ = ["YARDSTICK", "Costs", "costs_of", "ranged", "yardstick_on"]

#: Scikit-learn's CategoricalNB, with which costs are compared; on which and on how many truths.
YARDSTICK = "categorical_nb"
COMPARED = {"narrow": "naive_bayes-narrow-medium", "wide": "naive_bayes-wide-medium"}
MOST_TRUTHS = 4
#: Rows and seconds from which on exponents are fitted, as smaller fits are mostly overhead; fewest steps.
LEAST_ROWS, LEAST_SECONDS, LEAST_STEPS = 500, 0.005, 3


@dataclass(frozen=True, eq=False)
class Costs:
    """Seconds of a learner on the map, one process, one thread."""

    # fit and predict are medians over kinds, of the test rows and, on narrow truths, the attribute space;
    # yardstick is CategoricalNB's fit and forecast on naive Bayes truths in a run of the same kind (it hardly
    # depends on the kind)
    # low and high of fit and ratio are the range over kinds: a second run may give any of them
    table: pd.DataFrame  # by width and n_train: fit, predict, yardstick, ratio, and low and high of two
    scaling: pd.DataFrame = field(default_factory=pd.DataFrame)  # as `scaling_of` times it; empty if left out

    @property
    def exponents(self) -> dict[str, float]:
        """The powers to which seconds of a fit grow with "rows", "columns" and "classes", where known."""
        axes: dict[str, pd.DataFrame] = {}
        if len(self.table):
            rows = self.table[(self.table["n_train"] >= LEAST_ROWS) & (self.table["width"] == "narrow")]
            axes["rows"] = rows.rename(columns={"n_train": "value"})
        if len(self.scaling):
            axes |= {str(axis): own for axis, own in self.scaling.groupby("axis", sort=False)}
        return {
            axis: float(np.polyfit(np.log(own["value"]), np.log(own["fit"]), 1)[0])
            for axis, own in axes.items()
            if len(own) >= LEAST_STEPS and own["fit"].max() >= LEAST_SECONDS
        }


def costs_of(
    scores: SuiteScores, learner: str, yardstick: SuiteScores, *, scaling: pd.DataFrame | None = None
) -> Costs:
    """Return what a learner cost, next to CategoricalNB (`yardstick_on`) in a run of the same kind."""
    rows = pd.DataFrame(list(_rows(scores, learner, yardstick)))
    return Costs(rows, pd.DataFrame() if scaling is None else scaling)


def yardstick_on(part: SuitePart, *, n_jobs: int = 1) -> SuiteScores:
    """Run CategoricalNB on a few truths with few and with many attributes, at all sizes of a part."""
    few = SuitePart(min(part.n_truths, MOST_TRUTHS), part.largest, part.suite)
    study = few.study([ENTRANTS[YARDSTICK].spec], COMPARED.values())
    with without_warnings():
        return gathered(run_study(study, n_jobs=n_jobs, progress=False), few).scores


def _rows(scores: SuiteScores, learner: str, yardstick: SuiteScores) -> Iterator[dict[str, object]]:
    at = scores.at(learner)
    for width, compared in COMPARED.items():
        places = [i for i, key in enumerate(scores.places) if _is_of(scores, key, width)]
        for j, size in enumerate(scores.sizes):
            fit, predict = (scores.seconds[name][at, places, j] for name in ("fit", "predict"))
            if np.isfinite(fit).any():
                peer = _yardstick_seconds(yardstick, compared, size)
                yield {
                    "width": width, "n_train": size,
                    **ranged("fit", fit), "predict": float(np.nanmedian(predict)),
                    "yardstick": peer, **ranged("ratio", (fit + predict) / peer),
                }  # fmt: skip


def ranged(name: str, values: np.ndarray) -> dict[str, float]:
    """Return the median of what was measured under its name, and its range; NaN if nothing was."""
    found = values[np.isfinite(values)]
    low, middle, high = np.percentile(found, (0, 50, 100)) if len(found) else np.full(3, np.nan)
    return {name: float(middle), f"{name}_low": float(low), f"{name}_high": float(high)}


def _yardstick_seconds(scores: SuiteScores, place: str, size: int) -> float:
    """Return the seconds of fit and forecast of CategoricalNB; NaN if they are not known."""
    if YARDSTICK not in scores.learners or place not in scores.places or size not in scores.sizes:
        return float("nan")
    at = scores.at(YARDSTICK), scores.places.index(place), scores.sizes.index(size)
    return float(sum(scores.seconds[name][at] for name in ("fit", "predict")))


def _is_of(scores: SuiteScores, key: str, width: str) -> bool:
    place = scores.content.place(key)
    return place.part == MAP and place.width == width
