"""Supervised discretization by minimum description length."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from generators.tables.columns import sorted_classes
from learners.tables._kernels.mdlp import accepted_cuts

__all__ = ["MDLPDiscretizer", "interval_codes", "interval_labels", "mdlp_cut_points"]


def mdlp_cut_points(
    x: ArrayLike, y: ArrayLike, n_classes: int, *, sample_weight: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Find the cuts of one numeric attribute that minimize the description length of the classes."""
    # The cut with the least class entropy E of the two sides, midway between neighboring values, is kept if
    #     H - E > (log2(N - 1) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)) / N
    # with N the weight of the rows, H the entropy in bits and k the number of classes present (1, 2: of
    # either side); then both sides are cut in turn (Fayyad & Irani, 1993). In log2(N - 1) Weka uses the
    # number of rows, regardless of weight. Of equally good cuts the first is taken.
    values = np.asarray(x, dtype=np.float64)
    codes = np.asarray(y)
    weight = np.empty(0) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    _check_rows(values, codes, weight, n_classes, weighted=sample_weight is not None)
    counts = ~np.isnan(values)
    if weight.size:
        counts &= weight > 0.0
    if not counts.all():
        values, codes = values[counts], codes[counts]
        weight = weight[counts] if weight.size else weight
    order = np.argsort(values)
    weight = weight[order] if weight.size else weight
    cuts = accepted_cuts(values[order], codes[order].astype(np.intp, copy=False), weight, n_classes)
    cuts.sort()
    return cuts


def interval_codes(x: ArrayLike, cuts: ArrayLike) -> NDArray[Any]:
    """Return the interval number of each value."""
    values = np.asarray(x, dtype=np.float64)
    edges = np.asarray(cuts, dtype=np.float64)
    codes = np.searchsorted(edges, values, side="left").astype(np.min_scalar_type(edges.size + 1))
    codes[np.isnan(values)] = edges.size + 1
    return codes


def interval_labels(cuts: ArrayLike) -> list[str]:
    """Return names of the intervals between cuts, with the fewest digits that distinguish the cuts."""
    edges = np.asarray(cuts, dtype=np.float64).tolist()
    for digits in range(6, 18):  # 17 digits distinguish all floats
        texts = [f"{edge:.{digits}g}" for edge in edges]
        if len(set(texts)) == len(texts):
            break
    ends = [f"{text}]" for text in texts] + ["inf)"]
    return [f"({start}, {end}" for start, end in zip(["-inf", *texts], ends, strict=True)]


class MDLPDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Supervised discretization of numeric columns by minimum description length (Fayyad and Irani).

    It assumes that the class distribution changes in steps along each attribute. If no cut of a column
    shortens the description, the column becomes one interval. A missing value (NaN) stays missing.

    Attributes
    ----------
    cut_points_ : list of ndarray of float64
        Cut points of each column, ascending.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Names of the columns, if `X` was a DataFrame with string names.

    References
    ----------
    .. [1] Fayyad, U. M., and Irani, K. B., "Multi-interval discretization of continuous-valued attributes
       for classification learning", IJCAI 1993.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> discretizer = MDLPDiscretizer().fit(X, y)
    >>> [cuts.round(2).tolist() for cuts in discretizer.cut_points_]
    [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    >>> discretizer.transform([[5.0, 3.0, float("nan"), 2.0]])
    array([[ 0.,  1., nan,  2.]])
    """

    workbench_identity = "learners.discretize:MDLPDiscretizer"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the cut points of every column.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, with NaN for missing values.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, at least 0.

        Returns
        -------
        MDLPDiscretizer
            The fitted transformer.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        labels, codes = sorted_classes(y)
        self.cut_points_ = [
            mdlp_cut_points(column, codes, len(labels), sample_weight=sample_weight)
            for column in np.ascontiguousarray(X.T)  # each column is read several times
        ]
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Replace each number by the code of its interval.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, with NaN for missing values.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Code of each value's interval, from 0, as float64. Missing values are NaN.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        codes = np.empty(X.shape)
        for j, cuts in enumerate(self.cut_points_):
            codes[:, j] = np.searchsorted(cuts, X[:, j], side="left")
        codes[np.isnan(X)] = np.nan
        return codes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


def _check_rows(
    values: NDArray[np.float64],
    codes: NDArray[Any],
    weight: NDArray[np.float64],
    n_classes: int,
    *,
    weighted: bool,
) -> None:
    """Raise an error unless values, class codes and weights match and are in range."""
    shapes = [values.shape, codes.shape] + [weight.shape] * weighted
    if values.ndim != 1 or len(set(shapes)) > 1:
        raise ValueError(
            f"x, y (and sample_weight) have shapes {', '.join(map(str, shapes))}: "
            "give one number, one class code (and one weight) for each row"
        )
    if codes.dtype.kind not in "iu":
        raise ValueError(f"y holds {codes.dtype} values: expected integer class codes 0 to {n_classes - 1}")
    if codes.size and not (codes.min() >= 0 and codes.max() < n_classes):
        raise ValueError(
            f"y holds codes {codes.min()} to {codes.max()}: "
            f"with n_classes={n_classes} give codes from 0 to {n_classes - 1}"
        )
    if weight.size and not (weight.min() >= 0.0 and weight.max() < np.inf):
        raise ValueError(
            "sample_weight holds a value that is negative or not finite: expected weights of at least 0"
        )
