"""Averaged one-dependence estimators of numbers, which are not cut."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.networks.conditional_gaussian_mixture import ConditionalGaussianMixture
from generators.networks.network import Network
from learners.bayes._shared.gaussian_classifier import GaussianClassifier
from learners.facts import LearnerFacts

__all__ = ["GaussianAODEClassifier"]


class GaussianAODEClassifier(GaussianClassifier):
    """Average over all numeric attributes as the one parent of the others, linear given the class.

    Each part of the average assumes that every numeric attribute is normal about a linear function of one
    attribute, the same for all, with a line and a variance of its own in each class. Nominal attributes
    depend on the class alone. Missing numbers are integrated out exactly at prediction; in training a row
    counts for each pair of attributes that it has.

    Parameters
    ----------
    n0 : float, default 5.0
        Rows' worth of the covariances that all classes have in common, with which those of each class are
        averaged, as in `GaussianTANClassifier`; above 0.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_nominal,)
        Number of declared values of each nominal attribute.
    class_prior_ : ndarray of float64, shape (n_classes,)
        ``(n_c + 1) / (n + n_classes)``.
    mixture_ : ConditionalGaussianMixture or Network
        The parts of the average, over the attributes that vary: it can be sampled and asked. A naive Bayes
        network where all attributes are nominal; absent where both kinds are there.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    AODEClassifier : Cuts numbers into intervals.
    GaussianTANClassifier : One tree; its notes tell how normal distributions are estimated.
    generators.random_gaussian_aode : Truths of this kind.

    References
    ----------
    .. [1] G. I. Webb, J. R. Boughton, Z. Wang, "Not so naive Bayes: aggregating one-dependence estimators",
       Machine Learning 58, 2005.
    .. [2] M. J. Flores, J. A. Gámez, A. M. Martínez, J. M. Puerta, "GAODE and HAODE: two proposals based on
       AODE to deal with continuous variables", ICML 2009.

    Examples
    --------
    >>> from generators import random_gaussian_aode
    >>> truth = random_gaussian_aode(n_attributes=4, n_classes=2, random_state=5)
    >>> X, y = truth.sample(500, random_state=1)
    >>> aode = GaussianAODEClassifier().fit(X, y)
    >>> aode.predict_proba(X[:1]).round(3), truth.posterior(X[:1]).round(3)
    (array([[0.318, 0.682]]), array([[0.299, 0.701]]))
    """

    workbench_identity = "learners.gaussian_aode:GaussianAODEClassifier"
    facts = LearnerFacts(
        key="gaussian_aode",
        authors="Flores, Gámez, Martínez, Puerta",
        title="GAODE and HAODE",
        year=2009,
        numbers="taken",
        missing="summed out",
        weights="any",
    )

    def __init__(
        self,
        n0: float = 5.0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.n0 = n0
        self.categorical_features = categorical_features
        self.arities = arities

    def _log_densities(self, standard: NDArray[np.float64], c: int) -> NDArray[np.float64]:
        totals = self._normals.log_marginals(standard, c)
        everyone = np.arange(len(totals))
        for parent, total in enumerate(totals):
            children = np.delete(everyone, parent)
            parents = np.full(children.size, parent)
            total += self._normals.log_conditionals(standard, c, children, parents).sum(axis=0)
        return np.asarray(np.logaddexp.reduce(totals, axis=0) - np.log(len(totals)))

    def _make_truth(self) -> ConditionalGaussianMixture:
        n = self._normals.varied.size
        parts = [self._with_arcs(np.where(np.arange(n) == parent, -1, parent)) for parent in range(n)]
        return ConditionalGaussianMixture(tuple(parts), np.full(n, 1 / n))

    @property
    def mixture_(self) -> ConditionalGaussianMixture | Network:
        """The parts of the average as a truth, made on first access."""
        return self._learned("mixture_")
