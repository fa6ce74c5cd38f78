"""Tree-augmented naive Bayes for numeric attributes, without discretization."""

import numpy as np
from numpy.typing import NDArray

from generators.networks.conditional_gaussian import ConditionalGaussian
from generators.networks.network import Network
from learners.bayes._kernels.spanning_tree import heaviest_tree
from learners.bayes._shared.gaussian_classifier import GaussianClassifier
from learners.facts import LearnerFacts

__all__ = ["GaussianTANClassifier"]


class GaussianTANClassifier(GaussianClassifier):
    """Gaussian TAN: the most informative tree of numeric attributes, linear given the class.

    It assumes that every numeric attribute is a linear function of at most one other attribute plus normal
    noise, with a separate function and variance in each class. The tree maximizes the sum of the conditional
    mutual information along its arcs, -(1/2) sum P(c) ln (1 - r_c^2), with r_c the correlation in class c.
    The root of the tree is the first attribute that is not constant. Nominal attributes depend only on the
    class. Missing numbers are integrated out exactly at prediction. In training, a row counts for every pair
    of attributes that are both known in that row.

    Parameters
    ----------
    n0 : float, default 5.0
        Weight of the covariances pooled over the classes, as a number of rows, above 0. The covariances of
        each class are averaged with the pooled covariances (see Notes).
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
        Class probabilities: ``(n_c + 1) / (n + n_classes)``, with n_c of the n training rows in the class.
    parents_ : tuple of int, length n_features
        Index of each attribute's attribute parent, or -1 if it has none.
    network_ : ConditionalGaussian or Network
        Network of the class and the attributes that are not constant. It can be sampled, plotted and queried.
        If all attributes are nominal, it is a naive Bayes network. If there are both numeric and nominal
        attributes, this attribute does not exist.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    TANClassifier : TAN with discretized numbers.
    GaussianAODEClassifier : Average over models in each of which one attribute is the parent of all others.
    generators.random_gaussian_tan : Draw generating models for which the assumption holds.

    Notes
    -----
    Let S_c be the sums of squares and products about the mean of class c, which has n_c rows. The covariances
    of class c are estimated as

        (1 + 1 / n_c) (S_c + n0 W) / (n_c - 1 + n0),    W = (sum S_c + D) / (N + 1),

    where D is the diagonal matrix of the variances over all rows, with the weight of one row, and N is the
    sum of n_c - 1. W are the covariances pooled over the classes [2]_. The first factor accounts for the
    estimated mean. The lower limit of a variance is the variance of rounding, q^2 / 12, with q the median gap
    between neighboring distinct numbers, or the attribute's variance over all rows if that is smaller. A
    class without rows has the means and variances of all rows, and the pooled correlations. With few rows and
    many columns, slopes are estimated from noise and forecasts are overconfident: on 20 rows of 30 columns of
    noise they lose 5 bits. If training rows have missing numbers, each pair is estimated from the rows in
    which both numbers are known. These estimates need not be consistent, so forecasts depend somewhat on the
    root, and thus on the order of the columns. Nominal values contribute the factors of naive Bayes, ``(n_xc
    + 1) / (n_c + r)``. A constant numeric column is ignored.

    References
    ----------
    .. [1] A. Pérez, P. Larrañaga, I. Inza, "Supervised classification with conditional Gaussian networks:
       Increasing the structure complexity from naive Bayes", International Journal of Approximate Reasoning
       43, 2006.
    .. [2] J. H. Friedman, "Regularized discriminant analysis", Journal of the American Statistical
       Association 84, 1989.

    Examples
    --------
    >>> from generators import random_gaussian_tan
    >>> truth = random_gaussian_tan(n_attributes=4, n_classes=2, random_state=3)
    >>> X, y = truth.sample(500, random_state=1)
    >>> tan = GaussianTANClassifier().fit(X, y)
    >>> tan.parents_
    (-1, 0, 0, 0)
    >>> tan.predict_proba(X[1:2]).round(3), truth.posterior(X[1:2]).round(3)
    (array([[0.273, 0.727]]), array([[0.275, 0.725]]))
    """

    workbench_identity = "learners.gaussian_tan:GaussianTANClassifier"
    facts = LearnerFacts(
        key="gaussian_tan",
        authors="Pérez, Larrañaga, Inza",
        title="Supervised classification with conditional Gaussian networks",
        year=2006,
        numbers="taken",
        missing="summed out",
        weights="any",
        also=("network_.plot",),
    )

    def _learn(self) -> None:
        normals = self._normals
        information = -0.5 * np.log1p(-np.minimum(normals.correlations**2, 1 - 1e-12))
        weights = np.tensordot(self.class_prior_, information, axes=1)
        np.fill_diagonal(weights, 0.0)
        self._parents = heaviest_tree(np.ascontiguousarray(weights))
        found = np.full(len(self._schema.attributes), -1)
        places = np.array([self._schema.numeric[j] for j in normals.units.varied], dtype=np.intp)
        found[places] = np.where(self._parents < 0, -1, np.append(places, -1)[self._parents])
        self.parents_ = tuple(found.tolist())

    def _log_densities(self, standard: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._normals.log_densities(standard, self._parents)

    def _make_truth(self) -> ConditionalGaussian:
        return self._with_arcs(self._parents)

    @property
    def network_(self) -> ConditionalGaussian | Network:
        """The learned network, created on first access."""
        return self._learned("network_")
