"""Dose and response: what a learner loses as one assumption is broken more and more."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.suites.places import PROBES
from workbench.profiles.intervals import stratified_means
from workbench.profiles.scores import SuiteScores

__all__ = ["KNOBS", "Knob", "Responses", "responses_of"]


@dataclass(frozen=True)
class Knob:
    """What a probe turns.

    Parameters
    ----------
    title, axis : str
        Of its picture.
    loses : str
        How a sentence names the loss at the strongest level.
    """

    title: str
    axis: str
    loses: str


KNOBS: dict[str, Knob] = {
    "dependence": Knob(
        "Dependence given the class", "share of the dependent table", "dependence between attributes"
    ),
    "interaction": Knob("Interaction", "attributes whose parity decides", "interactions of three attributes"),
    "irrelevant": Knob("Irrelevant attributes", "attributes added to six", "50 irrelevant attributes"),
    "copies": Knob("Noisy copies", "copies added to six", "20 noisy copies of attributes"),
    "label_noise": Knob("Label noise", "share of wrong labels", "wrong labels, three in ten"),
    "skew": Knob("Class skew", "first class over last", "classes thirty times as frequent as others"),
    "arity": Knob("Number of values", "values of an attribute", "attributes of 16 values"),
    "missing_completely_at_random": Knob(
        "Missing at random, by chance", "share missing", "missing values, by chance"
    ),
    "missing_at_random": Knob(
        "Missing by another attribute", "share missing", "missing values that depend on others"
    ),
    "missing_not_at_random": Knob(
        "Missing by its own value", "share missing", "missing values that depend on themselves"
    ),
    "concentration": Knob("Concentration of the tables", "Dirichlet parameter", "nearly uniform tables"),
    "curvature": Knob("Curved boundaries", "spread of log deviations", "curved boundaries of numbers"),
    "units": Knob("Units of numbers", "orders of magnitude apart", "numbers in unequal units"),
    "steps": Knob("Steps in numbers", "intervals of a number", "numbers that matter in ten steps"),
}


@dataclass(frozen=True, eq=False)
class Responses:
    """The losses of learners over the levels of every probe.

    Parameters
    ----------
    table : DataFrame
        One row per learner, probe, size and level: learner, probe, n_train, level; regret, low, high (bits);
        n (truths). Intervals are each at 95%.
    effects : DataFrame
        One row per learner, probe, size and level but the first: learner, probe, n_train, level; effect, low,
        high: how much more is lost than at the first level, which keeps the assumption, on the same truths;
        those of a learner hold at once with 95%.
    """

    table: pd.DataFrame
    effects: pd.DataFrame

    def strongest(self, learner: str) -> pd.DataFrame:
        """Return the effects of a learner at the last level of each probe."""
        own = self.effects[self.effects["learner"] == learner]
        last = own.groupby("probe", sort=False)["level"].transform("last")
        return own[own["level"] == last]


def responses_of(scores: SuiteScores, learners: tuple[str, ...]) -> Responses:
    """Compute the responses of some learners."""
    rows, effects = [], []
    levels = _levels(scores)
    n_effects = sum(
        (len(at) - 1) * int(np.isfinite(scores.regret[:, at[0][1]]).any(axis=(0, 1)).sum())
        for at in levels.values()
    )
    for learner in learners:
        regret = scores.regret[scores.at(learner)]
        for probe, at in levels.items():
            rows += list(_of_levels(learner, probe, at, regret, scores.sizes))
            effects += list(_of_effects(learner, probe, at, regret, scores.sizes, n_effects))
    return Responses(pd.DataFrame(rows), pd.DataFrame(effects))


def _levels(scores: SuiteScores) -> dict[str, list[tuple[float, list[int]]]]:
    """Return by probe the levels in order, with the indices of their places, base by base."""
    found: dict[str, dict[float, list[int]]] = {}
    for i, key in enumerate(scores.places):
        place = scores.content.place(key)
        if place.part == PROBES:
            found.setdefault(place.probe, {}).setdefault(place.level, []).append(i)
    return {probe: list(own.items()) for probe, own in found.items()}


def _of_levels(
    learner: str,
    probe: str,
    levels: list[tuple[float, list[int]]],
    regret: NDArray[np.float64],
    sizes: tuple[int, ...],
) -> Iterator[dict[str, object]]:
    for level, places in levels:
        means = stratified_means(regret[places].transpose(2, 0, 1))
        for j, size in enumerate(sizes):
            if not np.isnan(means.mean[j]):
                ends = {"regret": means.mean[j], "low": means.low[j], "high": means.high[j]}
                place = {"learner": learner, "probe": probe, "n_train": size, "level": level}
                yield {**place, **ends, "n": int(means.n[j])}


def _of_effects(
    learner: str,
    probe: str,
    levels: list[tuple[float, list[int]]],
    regret: NDArray[np.float64],
    sizes: tuple[int, ...],
    n_effects: int,
) -> Iterator[dict[str, object]]:
    base = regret[levels[0][1]]
    for level, places in levels[1:]:
        means = stratified_means((regret[places] - base).transpose(2, 0, 1), n_intervals=n_effects)
        for j, size in enumerate(sizes):
            if not np.isnan(means.mean[j]):
                ends = {"effect": means.mean[j], "low": means.low[j], "high": means.high[j]}
                yield {"learner": learner, "probe": probe, "n_train": size, "level": level, **ends}
