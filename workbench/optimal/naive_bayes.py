"""The optimum on naive Bayes truths: counts, and the Dirichlet's parameter added to each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

__all__ = ["NaiveBayesOptimum", "dirichlet_evidence"]


@dataclass(frozen=True, eq=False)
class NaiveBayesOptimum:
    """The posterior predictive of naive Bayes whose rows are Dirichlet(alpha).

    All rows of probabilities are independent, before and after the data, so the predictive is a product of
    (n + alpha) / (N + alpha r): naive Bayes with alpha as its pseudo-count. A missing value leaves out its
    factor, exactly.

    Attributes
    ----------
    log_prior : ndarray of shape (n_classes,)
        Log of P(class | rows).
    log_factors : list of ndarray of shape (arity + 1, n_classes)
        Log of P(value | class, rows) of each attribute; the last row, of a missing value, is 0.
    log_evidence : float
        Log of P(rows, classes), nats.

    Examples
    --------
    >>> codes, y = np.array([[0, 0, 1]]), np.array([0, 0, 1])
    >>> best = NaiveBayesOptimum.of(codes, np.array([2]), y, 2, alpha=1.0)
    >>> np.exp(best.log_joint(np.array([[0, 2]]))).round(3)
    array([[0.45 , 0.133],
           [0.6  , 0.4  ]])
    """

    log_prior: NDArray[np.float64]
    log_factors: list[NDArray[np.float64]]
    log_evidence: float

    @classmethod
    def of(
        cls,
        codes: NDArray[np.integer],
        arities: NDArray[np.int64],
        y: NDArray[np.intp],
        n_classes: int,
        *,
        alpha: float,
        class_marginal: ArrayLike | None = None,
        weight: NDArray[np.float64] | None = None,
    ) -> "NaiveBayesOptimum":
        """Count training rows; `codes` has a row for each attribute, the arity itself where missing."""
        by_class = np.bincount(y, weights=weight, minlength=n_classes).astype(np.float64)
        if class_marginal is None:
            log_prior = np.log((by_class + alpha) / (by_class.sum() + alpha * n_classes))
            evidence = dirichlet_evidence(by_class[None], alpha)
        else:
            log_prior = np.log(np.asarray(class_marginal, dtype=np.float64))
            evidence = float(by_class @ log_prior)
        factors = []
        for column, arity in zip(codes, arities.tolist(), strict=True):
            cells = column.astype(np.int64) * n_classes + y
            counted = np.bincount(cells, weights=weight, minlength=(arity + 1) * n_classes)
            counts = counted.reshape(arity + 1, n_classes)[:arity].astype(np.float64)
            shares = (counts + alpha) / (counts.sum(axis=0) + alpha * arity)
            factors.append(np.log(np.vstack([shares, np.ones(n_classes)])))
            evidence += dirichlet_evidence(counts.T, alpha)
        return cls(log_prior, factors, evidence)

    def log_joint(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the log of P(row, class | training rows), of shape (n_rows, n_classes), nats."""
        total = np.tile(self.log_prior, (codes.shape[1], 1))
        for column, factors in zip(codes, self.log_factors, strict=True):
            total += factors[column]
        return total


def dirichlet_evidence(counts: NDArray[np.float64], alpha: float) -> float:
    """Return the log probability of rows of counts, each from its own Dirichlet(alpha), in a fixed order."""
    n_rows, r = counts.shape
    constant = n_rows * (gammaln(alpha * r) - r * gammaln(alpha))
    return float(constant + gammaln(counts + alpha).sum() - gammaln(counts.sum(axis=1) + alpha * r).sum())
