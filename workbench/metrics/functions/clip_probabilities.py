"""Cut-offs that keep a forecast away from 0 and 1, as the papers of 2001 and 2002 had them."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks import check_choice, check_forecast, check_integer

__all__ = ["clip_probabilities"]


def clip_probabilities(
    y_prob: ArrayLike, *, n_train: int, rule: Literal["2002", "2001"] = "2002"
) -> NDArray[np.float64]:
    """Move probabilities into the range that the size of the training set supports.

    Rows that are in the range already come back bit for bit.

    Parameters
    ----------
    y_prob : array-like of shape (n_samples, n_classes)
        Forecast probabilities; each row sums to one.
    n_train : int
        Number of training samples, at least 1.
    rule : {"2002", "2001"}
        Which range; see Notes.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        The clipped forecast; each row sums to one.

    Raises
    ------
    ValueError
        If a row of `y_prob` is not a distribution, `n_train` is not an integer of at least 1, or `rule`
        unknown.

    Notes
    -----
    With n training samples and k classes, "2001" is [0.5/(n + 1), (n + 0.5)/(n + 1)] and "2002" is
    [0.5/(n + 0.5k), (n + 0.5)/(n + 0.5k)]. A row that clipping changes is divided by its sum, which leaves
    its least entries a little below the range. O(n_samples * n_classes).

    References
    ----------
    .. [1] Korb, K. B., Hope, L. R., and Hughes, M. J., "The evaluation of predictive learners: some
       theoretical and empirical results", 2001, section 5.
    .. [2] Hope, L. R., and Korb, K. B., "Bayesian information reward", 2002, section 6.

    Examples
    --------
    >>> from workbench.metrics import clip_probabilities
    >>> clip_probabilities([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]], n_train=50).round(4)
    array([[0.4952, 0.4952, 0.0096],
           [0.2   , 0.3   , 0.5   ]])
    """
    forecast = check_forecast(y_prob)
    low, high = _limits(n_train, forecast.shape[1], rule)
    clipped = np.clip(forecast, low, high)
    changed = (clipped != forecast).any(axis=1)
    clipped[changed] /= clipped[changed].sum(axis=1, keepdims=True)
    return clipped


def _limits(n_train: int, n_classes: int, rule: str) -> tuple[float, float]:
    """Return the least and the greatest probability that `rule` allows."""
    check_choice(rule, ("2001", "2002"), name="rule")
    n = check_integer(n_train, least=1, name="n_train", meaning="the number of training samples")
    total = n + 1.0 if rule == "2001" else n + 0.5 * n_classes
    return 0.5 / total, (n + 0.5) / total
