"""Random mixtures of one-dependence networks of numeric attributes, one network for each attribute."""

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
    """Draw a mixture of Gaussian one-dependence networks (AODE).

    In the network of attribute i, every other attribute is, given the class, linear in attribute i plus
    normal noise. Each row comes from one network, chosen with equal probability. The chosen network is
    hidden. All networks have the same class distribution. The optimal forecasts given training rows have no
    closed form.

    Parameters
    ----------
    n_attributes : int or (low, high), default=(3, 7)
        Number of attributes without the class. A range is sampled uniformly, both ends included.
    n_classes : int or (low, high), default=(2, 5)
        Number of classes.
    separation, effect : float, default=1.0
        Standard deviation of the intercepts (`separation`) and of the coefficients (`effect`), in units of
        the noise's standard deviation, from 0 to 1e6.
    degrees : float, default=10.0
        Degrees of freedom of the noise variances, from 1 to 1e6. The variances are drawn from ``degrees`` /
        chi-squared(``degrees``). Larger values bring the variances closer to 1.
    concentration : float, default=1.0
        Dirichlet parameter of the class distribution, from 1e-6 to 1e6.
    class_marginal : sequence of float, optional
        Distribution of the class. By default it is drawn. `n_classes` must equal its length.
    class_imbalance : float, optional
        Alternative to `class_marginal`: ratio of the first class probability to the last, at least 1.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: n_attributes, n_classes, the class distribution. Then
        for each network and for x0, x1, ... noise variances, intercepts and coefficients, class by class, all
        by the inverse of their cumulative distribution functions.

    Returns
    -------
    ConditionalGaussianMixture
        Attributes x0, x1, ..., then the class y. Classes are 0, 1, ...

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or another argument is invalid.

    See Also
    --------
    random_gaussian_tan, random_gaussian_naive_bayes
    random_aode : The corresponding model for nominal attributes.

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
