"""Dose-response curves: what a learner loses as one assumption is broken more and more."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.suites.places import PROBES
from workbench.profiles.intervals import stratified_means
from workbench.profiles.scores import LOSS, SuiteScores

__all__ = ["KNOBS", "Knob", "Responses", "levels_of", "responses_of"]

#: The levels of a probe in order, each with the indices of its places.
Levels = Sequence[tuple[float, list[int]]]
#: The share of what the class frequencies lose from which on a learner is blind to something.
BLIND = 0.9


@dataclass(frozen=True)
class Knob:
    """What a probe turns."""

    title: str  # of its picture, as `axis`
    axis: str
    broken: str  # how a sentence names the strongest level, with a place for it

    def loses(self, level: float) -> str:
        """Return to what something is lost at a level."""
        return self.broken.format(level=level)


KNOBS: dict[str, Knob] = {
    "dependence": Knob(
        "Dependence given the class", "share of the dependent table", "dependence between attributes"
    ),
    "interaction": Knob("Interaction", "attributes in the parity", "interactions of {level:g} attributes"),
    "irrelevant": Knob("Irrelevant attributes", "attributes added to six", "{level:g} irrelevant attributes"),
    "copies": Knob(
        "Redundant attributes", "noisy copies added to six", "{level:g} noisy copies of attributes"
    ),
    "label_noise": Knob("Label noise", "share of wrong labels", "{level:.0%} wrong labels"),
    "skew": Knob(
        "Class imbalance", "frequency ratio of classes", "a class {level:g} times as frequent as another"
    ),
    "arity": Knob("Number of values", "values of an attribute", "attributes of {level:g} values"),
    "missing_completely_at_random": Knob(
        "Missing completely at random", "share missing", "{level:.0%} of values missing completely at random"
    ),
    "missing_at_random": Knob(
        "Missing at random", "share missing", "{level:.0%} of values missing at random"
    ),
    "missing_not_at_random": Knob(
        "Missing not at random", "share missing", "{level:.0%} of values missing not at random"
    ),
    "concentration": Knob(
        "Concentration of the tables", "Dirichlet parameter", "nearly uniform probability tables"
    ),
    "curvature": Knob("Curved boundaries", "spread of log deviations", "curved boundaries of numbers"),
    "units": Knob("Units of numbers", "orders of magnitude apart", "numbers in unequal units"),
    "steps": Knob("Steps in numbers", "intervals of a number", "numbers whose effect has {level:g} steps"),
}


@dataclass(frozen=True, eq=False)
class Responses:
    """The losses of learners over the levels of every probe."""

    # Regret, low, high: bits lost to the best possible if all levels have an optimum, else to the truth at
    # all levels. Ignorance: the share that it loses of what class frequencies lose, by quadratic loss;
    # is_blind: whether that is beyond nine tenths with 95%. Effect: how much more is lost at the strongest
    # level than at the first, which keeps the assumption, on the same truths; those of a learner hold at once
    # with 95%, nominally (docs/reference/arena_ranks.md).
    table: pd.DataFrame  # by learner, probe, n_train, level
    effects: pd.DataFrame  # by learner, probe, n_train

    def of(self, learner: str) -> pd.DataFrame:
        """Return the effects of a learner."""
        return self.effects[self.effects["learner"] == learner]


def responses_of(scores: SuiteScores, learners: tuple[str, ...]) -> Responses:
    """Compute the responses of some learners."""
    rows, effects = [], []
    levels = levels_of(scores)
    known = np.asarray(np.isfinite(scores.values[LOSS]).any(axis=(0, 2)))
    n_effects = sum(int(known[places[0]].sum()) for (_, places), *_ in levels.values())
    baseline = _baseline(scores, levels)
    for learner in learners:
        lost = scores.values[LOSS][scores.at(learner)].astype(np.float64) - baseline
        for probe, at in levels.items():
            rows += list(_of_levels(scores, learner, probe, at, lost))
            effects += list(_of_effects(learner, probe, at, lost, scores.sizes, n_effects))
    return Responses(pd.DataFrame(rows), pd.DataFrame(effects))


def _baseline(scores: SuiteScores, levels: Mapping[str, Levels]) -> NDArray[np.float64]:
    """Return the loss of the optimum at probes all of whose levels have one, else that of the truth."""
    found = scores.values[LOSS][scores.at("truth")].astype(np.float64)
    if "optimal" not in scores.learners:
        return found
    optimum = scores.values[LOSS][scores.at("optimal")]
    for at in levels.values():
        places = [place for _, own in at for place in own]
        if scores.has_optimum[places].all():
            found[places] = optimum[places]
    return found


def levels_of(scores: SuiteScores) -> dict[str, Levels]:
    """Return by probe the levels in order, with the indices of their places, base by base."""
    found: dict[str, dict[float, list[int]]] = {}
    for i, key in enumerate(scores.places):
        place = scores.content.place(key)
        if place.part == PROBES:
            found.setdefault(place.probe, {}).setdefault(place.level, []).append(i)
    return {probe: list(own.items()) for probe, own in found.items()}


def _of_levels(
    scores: SuiteScores, learner: str, probe: str, levels: Levels, lost: NDArray[np.float64]
) -> Iterator[dict[str, object]]:
    for level, places in levels:
        means = stratified_means(lost[places].transpose(2, 0, 1))
        ignorance, is_blind = _ignorance(scores, learner, places)
        for j, size in enumerate(scores.sizes):
            if not np.isnan(means.mean[j]):
                ends = {"regret": means.mean[j], "low": means.low[j], "high": means.high[j]}
                place = {"learner": learner, "probe": probe, "n_train": size, "level": level}
                known = {"ignorance": ignorance[j], "is_blind": bool(is_blind[j]), "n": int(means.n[j])}
                yield {**place, **ends, **known}


def _ignorance(
    scores: SuiteScores, learner: str, places: list[int]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return by size the share that is lost of what the class frequencies lose; and if that is all."""
    loss = scores.values["quadratic_loss"].astype(np.float64)
    own, prior, truth = (loss[scores.at(key)][places] for key in (learner, "prior", "truth"))
    known = np.isfinite(own)
    lost, most = (np.where(known, one - truth, 0.0).sum(axis=(0, 1)) for one in (own, prior))
    beyond = stratified_means(((own - truth) - BLIND * (prior - truth)).transpose(2, 0, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(lost / most), np.asarray(beyond.low > 0)


def _of_effects(
    learner: str,
    probe: str,
    levels: Levels,
    lost: NDArray[np.float64],
    sizes: tuple[int, ...],
    n_effects: int,
) -> Iterator[dict[str, object]]:
    (_, kept), (level, broken) = levels[0], levels[-1]
    means = stratified_means((lost[broken] - lost[kept]).transpose(2, 0, 1), n_intervals=n_effects)
    for j, size in enumerate(sizes):
        if not np.isnan(means.mean[j]):
            ends = {"effect": means.mean[j], "low": means.low[j], "high": means.high[j]}
            yield {"learner": learner, "probe": probe, "n_train": size, "level": level, **ends}
