"""Random Gaussian TAN models: attributes form a linear-Gaussian tree given the class."""

from __future__ import annotations

from collections.abc import Sequence

from generators.base.draw import Bounds, RandomState, as_generator, random_integer, random_sizes
from generators.base.generator import generator
from generators.base.probabilities import random_rows, with_class_marginal
from generators.base.random_graph import random_labelled_tree, rooted_parents
from generators.laws._shared.gaussian_rows import check_gaussian_rows
from generators.laws.gaussian_tan import GaussianTANLaw
from generators.networks.conditional_gaussian import ConditionalGaussian
from generators.numeric._shared.class_networks import NormalRows

__all__ = ["random_gaussian_tan"]


@generator("gaussian_tan")
def random_gaussian_tan(
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
) -> ConditionalGaussian:
    """Draw a Gaussian tree-augmented naive Bayes model (TAN).

    Given the class, every attribute is linear in at most one other attribute, its parent in a tree, plus
    normal noise. The intercepts, the coefficients and the noise depend on the class, but the tree does not.
    All labeled trees, and all roots, are equally likely.

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
        Seed. Random numbers are drawn in this order: n_attributes, n_classes, tree, root, the class
        distribution. Then for x0, x1, ... noise variances, intercepts and coefficients, class by class, all
        by the inverse of their cumulative distribution functions.

    Returns
    -------
    ConditionalGaussian
        Attributes x0, x1, ..., then the class y. Classes are 0, 1, ...

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or another argument is invalid.

    See Also
    --------
    random_gaussian_aode, random_gaussian_naive_bayes
    random_tan : The corresponding model for nominal attributes.

    Examples
    --------
    >>> random_gaussian_tan(n_attributes=4, n_classes=3, random_state=1)
    ConditionalGaussian(4 attributes, 3 arcs among them, class 'y' of 3)
    """
    rows = NormalRows(*check_gaussian_rows(separation, effect, degrees))
    law = GaussianTANLaw(*rows, concentration, class_marginal, class_imbalance)
    rng = as_generator(random_state)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=1, n_classes=n_classes)
    n, n_classes = sizes.n_attributes, sizes.n_classes
    tree = rooted_parents(n, random_labelled_tree(rng, n), random_integer(rng, 0, n - 1))
    drawn = random_rows(rng, (n_classes,), concentration=concentration)
    prior = with_class_marginal(drawn, class_marginal, class_imbalance)
    parents = [() if parent < 0 else (parent,) for parent in tree]
    return ConditionalGaussian(prior, rows.networks(rng, parents, n_classes), law=law)
