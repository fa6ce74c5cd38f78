"""One member of the ensemble of Bayesian network classifiers: two models of the same intervals."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.averages._shared.discriminative import LogisticModel, LogisticRows, slots_of
from learners.averages._shared.folds import selected
from learners.base import TrainingTable
from learners.bayes._kernels.spanning_tree import conditional_mutual_information
from learners.bayes._shared.backed_off_families import BackedOffFamilies
from learners.bayes._shared.k_dependence import closest_parents, fitting_parents
from learners.counts.class_prior import class_prior
from learners.counts.counts import PairCounts
from learners.counts.distinct_rows import distinct_rows
from learners.counts.slots import N0_CLASS_ALPHA, class_mutual_information, slot_offsets

__all__ = ["KINDS", "EnsembleMember", "Recipe"]

#: The models of a member, and their penalties, the strongest first: a fit begins where the one before ended.
PENALTIES = {"logistic": (30.0, 3.0, 0.3), "finish": (100.0, 10.0, 1.0)}
KINDS = tuple(PENALTIES)
#: The models are fitted to at most so many rows, drawn anew for each member.
MOST_ROWS = 20_000
#: The number of parents is chosen by so many rows, each forecast from all others.
ENOUGH_ROWS = 5_000


@dataclass(frozen=True)
class Recipe:
    """The properties of a member, except its cuts."""

    kinds: tuple[str, ...]  # models to fit, of `KINDS`
    k: int  # most attribute parents in the network
    noise: float  # deviation, about, of what is added to the logs of information that order the network
    seed: int  # of the noise, and of the rows that are drawn


@dataclass(frozen=True, eq=False)
class EnsembleMember:
    """Models fitted to one table of codes."""

    arities: NDArray[np.int64]
    families: BackedOffFamilies | None  # tables of the network, with as many parents as it uses; None without
    models: dict[str, LogisticModel]  # by kind and penalty

    @classmethod
    def of(cls, table: TrainingTable, ordered: NDArray[np.bool_], recipe: Recipe) -> "EnsembleMember":
        """Fit the models to a table without numbers, `ordered` where its codes are intervals."""
        table = distinct_rows(table)
        rng = np.random.default_rng(recipe.seed)
        families, level = None, 0
        if "finish" in recipe.kinds:
            # all of a row is left out: what stays of it would give its class away
            parents = _noisy_parents(table, recipe, rng)
            families = BackedOffFamilies.of(table, parents, whole_rows=True)
            # the number of parents with the least log loss of left-out rows
            level = int(families.losses_with_all(_drawn(table, rng, ENOUGH_ROWS)).argmin())
        some = _drawn(table, rng, MOST_ROWS)
        rows = LogisticRows.of(some, ordered, class_prior(table.class_counts(), alpha=N0_CLASS_ALPHA))
        models = {}
        for kind in recipe.kinds:
            features = None
            if kind == "finish" and families is not None:
                features = families.left_out_features(some, level)
            for penalty, model in zip(PENALTIES[kind], rows.fit(PENALTIES[kind], features), strict=True):
                models[f"{kind} {penalty:g}"] = model
        return cls(table.arities, families and families.up_to(level), models)

    def forecasts(self, codes: NDArray[Any], keys: set[str]) -> dict[str, NDArray[np.float64]]:
        """Return the class probabilities of rows, by each of these models that the member has."""
        slots = slots_of(codes, slot_offsets(self.arities))
        features = None
        if self.families is not None and any(key.startswith("finish") for key in keys):
            features = self.families.features(codes)
        return {
            key: model.forecast(slots, features if model.coefficients.size else None)
            for key, model in self.models.items()
            if key in keys
        }


def _noisy_parents(table: TrainingTable, recipe: Recipe, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Choose parents as in a k-dependence network, by bias-corrected information with noise."""
    # Chance brings more to columns of many values, so that these would be the parents of all. Noise that
    # multiplies leaves attributes without any information in one order; so there is as much as chance varies.
    pairs = PairCounts.of(table)
    values = np.ascontiguousarray(pairs.by_pair.diagonal().T)
    information = class_mutual_information(values, pairs.offsets)
    shared = conditional_mutual_information(pairs.by_pair, pairs.offsets, pairs.arities)
    chance, deviation = _chance_information(table)
    shared -= chance
    if recipe.noise:
        information = information * np.exp(recipe.noise * rng.gumbel(size=information.size))
        shared = shared * np.exp(0.5 * recipe.noise * rng.gumbel(size=shared.shape))
        shared += deviation * rng.normal(size=shared.shape)
    return fitting_parents(closest_parents(information, shared, recipe.k), table)


def _chance_information(table: TrainingTable) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and deviation, in nats, of plug-in I(X_i, X_j | class) of independent attributes."""
    # 2 n I is chi-squared, about; of unequal weights n is the number of rows whose mean varies as much
    n_rows = float(table.y.size)
    if table.weight is not None:
        n_rows = table.weight.sum() ** 2 / (table.weight @ table.weight)
    mean = np.outer(table.arities - 1.0, table.arities - 1.0) * table.n_classes / (2.0 * n_rows)
    return mean, np.sqrt(mean / n_rows)


def _drawn(table: TrainingTable, rng: np.random.Generator, most: int) -> TrainingTable:
    """Draw rows without replacement, or all rows if there are at most `most`."""
    if table.y.size <= most:
        return table
    rows = np.sort(rng.permutation(table.y.size)[:most])
    return selected(table, rows, None if table.weight is None else table.weight[rows])
