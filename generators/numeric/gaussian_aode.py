"""Random truths that average one-dependence networks of numeric attributes, one for each attribute."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from generators.base.draw import Bounds, RandomState, as_generator, random_sizes
from generators.base.generator import generator
from generators.base.probabilities import random_rows, with_class_marginal
from generators.laws._shared.gaussian_rows import check_gaussian_rows
from generators.laws.intractable import IntractableLaw
from generators.networks.conditional_gaussian import ConditionalGaussian
from generators.networks.conditional_gaussian_mixture import ConditionalGaussianMixture
from generators.numeric._shared.class_networks import NormalRows

__all__ = ["random_gaussian_aode"]


@generator("gaussian_aode")
def random_gaussian_aode(
    *,
    n_attributes: Bounds = (3, 7),
    n_classes: Bounds = (2, 5),
    separation: float = 1.0,
    effect: float = 1.0,
    degrees: float = 10.0,
    concentration: float = 1.0,
    class_marginal: Sequence[float] | None = None,
    class_imbalance: float | None = None,
    random_state: RandomState = None,
) -> ConditionalGaussianMixture:
    """Draw a mixture of one-dependence networks of numbers.

    In the network of attribute i every other attribute is a linear function of attribute i, given the class,
    plus normal noise; a row comes from one of the networks, all equally likely, and which one is hidden. All
    have the same distribution of the class; the best forecasts from rows have no closed form.

    Parameters
    ----------
    n_attributes : int or (low, high), default=(3, 7)
        Number of attributes, without the class; drawn uniformly, both ends included.
    n_classes : int or (low, high), default=(2, 5)
        Number of classes.
    separation, effect : float, default=1.0
        Standard deviation of intercepts and of coefficients, in units of the noise's deviation, from 0 to
        1e6.
    degrees : float, default=10.0
        Degrees of freedom of the noise variances, ``degrees`` / chi-squared(``degrees``), from 1 to 1e6: the
        larger, the closer all are to 1.
    concentration : float, default=1.0
        Parameter of the Dirichlet of the class distribution, from 1e-6 to 1e6.
    class_marginal : sequence of float, optional
        The distribution of the class; drawn by default. Takes `n_classes` of its length.
    class_imbalance : float, optional
        Instead of it: how many times as frequent the first class is as the last, at least 1.
    random_state : int, Generator, SeedSequence or None
        The stream: n_attributes, n_classes, the class distribution; then for each network, for x0, x1, ...
        noise variances, intercepts and coefficients, class by class, all by inverse cumulative distributions.

    Returns
    -------
    ConditionalGaussianMixture
        Attributes x0, x1, ..., then the class y; classes 0, 1, ...

    Raises
    ------
    ValueError
        If a bound is not an integer from 1, low exceeds high, or another argument is not as above.

    See Also
    --------
    random_gaussian_tan, random_gaussian_naive_bayes
    random_aode : The same of nominal attributes.

    Examples
    --------
    >>> random_gaussian_aode(n_attributes=4, n_classes=3, random_state=1)
    ConditionalGaussianMixture(4 components of 4 attributes, class 'y' of 3)
    """
    rows = NormalRows(*check_gaussian_rows(separation, effect, degrees))
    rng = as_generator(random_state)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=1, n_classes=n_classes)
    n, n_classes = sizes.n_attributes, sizes.n_classes
    drawn = random_rows(rng, (n_classes,), concentration=concentration)
    prior = with_class_marginal(drawn, class_marginal, class_imbalance)
    components = []
    for center in range(n):
        parents = [() if child == center else (center,) for child in range(n)]
        components.append(ConditionalGaussian(prior, rows.networks(rng, parents, n_classes)))
    law = IntractableLaw("which attribute leads a row is hidden, so what rows say has no closed form")
    return ConditionalGaussianMixture(tuple(components), np.full(n, 1 / n), law)
