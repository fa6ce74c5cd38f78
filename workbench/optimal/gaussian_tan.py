"""The optimum on Gaussian tree-augmented truths: parameters integrated, and all rooted trees summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.laws._shared.gaussian_rows import check_gaussian_rows
from learners.bayes._kernels.rooted_trees import eliminate_in_logs
from learners.counts.class_distribution import ClassDistribution
from learners.options import check_number
from workbench.optimal._kernels.normal_trees import (
    log_densities,
    log_tree_joints,
    log_tree_weights,
    regression_triangles,
)
from workbench.optimal.number_rows import NumberRows, checked_values

__all__ = ["GaussianTANOptimum"]


@dataclass(frozen=True, eq=False, repr=False)
class GaussianTANOptimum:
    """The best forecasts on average over truths of `random_gaussian_tan`, given rows."""

    # Given the tree, an attribute in a class is a normal linear regression with its conjugate prior, whose
    # marginal likelihood and forecast, Student's t, have closed forms (Bernardo & Smith, Bayesian Theory,
    # 1994, appendix A.2). Both are products over the arcs, summed over all rooted trees as
    # `learners.AveragedTANClassifier` sums them. 1000 rows to learn from and 1000 to forecast, of 7
    # attributes and 5 classes: 25 ms; of 30 attributes: 1.1 s.
    separation: float
    effect: float
    degrees: float
    log_prior: NDArray[np.float64]  # (n_classes,): of the next row's class, before its numbers are seen
    log_evidence: float  # nats, all constants included: each row adds its `log_joint`
    counts: NDArray[np.float64]  # weight of each class
    triangles: NDArray[np.float64]  # (n_classes, child, parent, 6); parent = child: without one
    log_weights: NDArray[np.float64]  # (child, parent): log density given it, less that without
    log_total: float  # log of the sum over all trees of the product of their arcs' weights

    def __repr__(self) -> str:
        attributes, classes = len(self.log_weights), len(self.counts)
        plural = "" if attributes == 1 else "s", "" if classes == 1 else "es"
        return (
            f"GaussianTANOptimum({attributes} attribute{plural[0]}, {classes} class{plural[1]}, "
            f"log evidence {self.log_evidence:.2f})"
        )

    @classmethod
    def of(
        cls,
        values: ArrayLike,
        y: ArrayLike,
        n_classes: int,
        *,
        separation: float,
        effect: float,
        degrees: float,
        class_alpha: float = 1.0,
        class_marginal: Sequence[float] | None = None,
        weight: ArrayLike | None = None,
    ) -> GaussianTANOptimum:
        """Condition the law on numbers, (n_attributes, n_rows), without missing values."""
        # class_marginal, where the law gives it, replaces class_alpha; a row of weight 2 counts as two
        rows = NumberRows.of(values, y, n_classes, weight)
        _check_complete(rows.values)
        separation, effect, degrees = check_gaussian_rows(separation, effect, degrees)
        alpha = check_number("class_alpha", class_alpha, above=0)
        counts, d = rows.class_counts, len(rows.values)
        classes = ClassDistribution.of(counts, alpha, known=class_marginal)
        triangles = regression_triangles(*rows, separation, effect)
        log_masses = log_densities(triangles, counts, degrees)
        log_weights = log_tree_weights(log_masses)
        log_total = float(eliminate_in_logs(log_weights.copy(), np.empty(d), np.empty(d)))
        without_parents = float(np.einsum("cjj->", log_masses))
        log_mean = log_total - (d - 1) * np.log(d) if d else 0.0
        with np.errstate(divide="ignore"):  # a known class distribution may have zeros
            log_prior = np.log(classes.probabilities)
        return cls(
            separation,
            effect,
            degrees,
            log_prior,
            float(classes.log_evidence + without_parents + log_mean),
            counts,
            triangles,
            log_weights,
            log_total,
        )

    def log_joint(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return log p(x, y | D), nats, of rows (n_attributes, n), all complete, as (n, n_classes)."""
        numbers = checked_values(values, len(self.log_weights))
        _check_complete(numbers)
        found: NDArray[np.float64] = log_tree_joints(
            numbers,
            self.triangles,
            self.counts,
            self.log_weights,
            self.log_total,
            self.log_prior,
            self.separation,
            self.effect,
            self.degrees,
        )
        return found


def _check_complete(numbers: NDArray[np.float64]) -> None:
    missing = int(np.isnan(numbers).any(axis=0).sum())
    if missing:
        raise ValueError(
            f"values has {missing} row{'' if missing == 1 else 's'} with a missing number, for which the "
            "sum over trees has no closed form: give complete rows"
        )
