"""One member of the ensemble of Bayesian network classifiers: four models of the same intervals."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.averages._shared.discriminative import LogisticModel, LogisticRows, slots_of
from learners.averages._shared.held_out import selected
from learners.base import TrainingTable
from learners.bayes._kernels.one_dependence import CLASS_BLOCK, average_one_dependence
from learners.bayes._kernels.spanning_tree import conditional_mutual_information
from learners.bayes._shared.backed_off_families import BackedOffFamilies
from learners.bayes._shared.backed_off_tables import back_off_pairs
from learners.bayes._shared.k_dependence import closest_parents, fitting_parents
from learners.bayes._shared.smoothed_values import SmoothedValues
from learners.counts.counts import PairCounts
from learners.counts.distinct_rows import distinct_rows
from learners.counts.slots import class_mutual_information, hide_values, slot_offsets

__all__ = ["KINDS", "EnsembleMember", "Recipe"]

#: The models of a member.
KINDS = ("aode", "kdb", "logistic", "finish")
#: Penalties of the discriminative models, the strongest first: a fit begins where the one before ended.
PENALTIES = {"logistic": (30.0, 3.0, 0.3), "finish": (100.0, 10.0, 1.0)}
#: Discriminative models are fitted to at most so many rows, drawn anew for each member.
MOST_ROWS = 20_000
#: The number of parents is chosen by so many rows, each forecast from all others.
ENOUGH_ROWS = 5_000
MIN_FREQUENCY = 1.0  # rows that a value needs as a parent


@dataclass(frozen=True)
class Recipe:
    """What distinguishes a member, beside its cuts.

    Attributes
    ----------
    kinds : tuple of str
        Models to fit, of `KINDS`.
    k : int
        Most attribute parents in the network.
    noise : float
        Standard deviation, about, of what is added to the logs of information that order the network.
    seed : int
        Of the noise, and of the rows that are drawn.
    """

    kinds: tuple[str, ...]
    k: int
    noise: float
    seed: int


@dataclass(frozen=True, eq=False)
class EnsembleMember:
    """Models fitted to one table of codes.

    Attributes
    ----------
    kinds : tuple of str
        What it forecasts by, of `KINDS`.
    arities : ndarray of int64, shape (n_features,)
        Number of values of each attribute.
    ordered : ndarray of bool, shape (n_features,)
        Whether an attribute's codes are intervals.
    smooth : SmoothedValues
        P(class) and P(value | class), and which values count as missing.
    aode : ndarray of float64 or None
        Tables of AODE.
    families : BackedOffFamilies or None
        Tables of the network.
    level : int
        Most parents that the network uses.
    discriminative : dict of str to LogisticModel
        What is fitted, by kind and penalty.
    """

    kinds: tuple[str, ...]
    arities: NDArray[np.int64]
    ordered: NDArray[np.bool_]
    smooth: SmoothedValues
    aode: NDArray[np.float64] | None
    families: BackedOffFamilies | None
    level: int
    discriminative: dict[str, LogisticModel]

    @classmethod
    def of(cls, table: TrainingTable, ordered: NDArray[np.bool_], recipe: Recipe) -> "EnsembleMember":
        """Fit the models to a table without numbers, `ordered` where its codes are intervals."""
        table = distinct_rows(table)
        rng = np.random.default_rng(recipe.seed)
        pairs = PairCounts.of(table, block=CLASS_BLOCK)
        values = np.ascontiguousarray(pairs.by_pair.diagonal().T[:, : table.n_classes])
        place = (pairs.offsets, pairs.arities)
        smooth = SmoothedValues.of(values, pairs.by_class, *place, smoothing="backoff", alpha=1.0)
        families, level = None, 0
        if "kdb" in recipe.kinds or "finish" in recipe.kinds:
            families = BackedOffFamilies.of(table, _noisy_parents(pairs, values, recipe, rng, table))
            level = _best_level(families, _drawn(table, rng, ENOUGH_ROWS))
        aode = None
        if "aode" in recipe.kinds:  # in place of the counts, which nobody else has
            aode = back_off_pairs(pairs.by_pair, smooth.joint, MIN_FREQUENCY, *place, None)
        out = cls(recipe.kinds, table.arities, ordered, smooth, aode, families, level, {})
        out._fit_discriminative(_drawn(table, rng, MOST_ROWS), smooth.class_prior)
        return out

    def _fit_discriminative(self, table: TrainingTable, prior: NDArray[np.float64]) -> None:
        """Fit the logistic models, with each penalty."""
        wanted = [kind for kind in PENALTIES if kind in self.kinds]
        if not wanted:
            return
        rows = LogisticRows.of(table, self.ordered, prior)
        for kind in wanted:
            features = None
            if kind == "finish" and self.families is not None:
                features = self.families.left_out_features(table, self.level)
            for penalty, model in zip(PENALTIES[kind], rows.fit(PENALTIES[kind], features), strict=True):
                self.discriminative[f"{kind} {penalty:g}"] = model

    @property
    def keys(self) -> list[str]:
        """Names of the forecasts, in the order of `forecasts`."""
        return [kind for kind in self.kinds if kind not in PENALTIES] + list(self.discriminative)

    def forecasts(self, codes: NDArray[Any], keys: set[str]) -> dict[str, NDArray[np.float64]]:
        """Return the class probabilities of rows, by each of these names that the member has."""
        out: dict[str, NDArray[np.float64]] = {}
        offsets = slot_offsets(self.arities)
        if "aode" in keys and self.aode is not None:
            known = hide_values(codes, self.smooth.hidden, offsets, self.arities)
            prior, factors = self.smooth.class_prior, self.smooth.factors
            out["aode"] = average_one_dependence(known, self.aode, offsets, prior, factors)
        if "kdb" in keys and self.families is not None:
            order = np.arange(self.arities.size)
            out["kdb"] = self.families.posterior(codes, order, self.level + 1)
        wanted = [key for key in self.discriminative if key in keys]
        if not wanted:
            return out
        slots = slots_of(codes, offsets)
        features = None
        if any(key.startswith("finish") for key in wanted) and self.families is not None:
            features = self.families.features(codes, self.level)
        for key in wanted:
            model = self.discriminative[key]
            out[key] = model.forecast(slots, features if model.coefficients.size else None)
        return out


def _noisy_parents(
    pairs: PairCounts,
    values: NDArray[np.float64],
    recipe: Recipe,
    rng: np.random.Generator,
    table: TrainingTable,
) -> list[tuple[int, ...]]:
    """Choose parents as a k-dependence network does, by information that is multiplied by noise."""
    information = class_mutual_information(values, pairs.offsets)
    shared = conditional_mutual_information(
        pairs.by_pair[:, :, : table.n_classes], pairs.offsets, pairs.arities
    )
    if recipe.noise:
        information = information * np.exp(recipe.noise * rng.gumbel(size=information.size))
        shared = shared * np.exp(0.5 * recipe.noise * rng.gumbel(size=shared.shape))
    return fitting_parents(closest_parents(information, shared, recipe.k), table)


def _best_level(families: BackedOffFamilies, rows: TrainingTable) -> int:
    """Return the number of parents with the least log loss of left-out rows."""
    return int(families.losses(rows, np.arange(families.arities.size))[:, -1].argmin())


def _drawn(table: TrainingTable, rng: np.random.Generator, most: int) -> TrainingTable:
    """Draw rows without replacement, all where there are no more than `most`."""
    if table.y.size <= most:
        return table
    rows = np.sort(rng.permutation(table.y.size)[:most])
    return selected(table, rows, None if table.weight is None else table.weight[rows])
