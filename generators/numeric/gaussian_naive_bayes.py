"""Random Gaussian naive Bayes models: attributes are normal and independent given the class."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import (
    Bounds,
    RandomState,
    as_generator,
    check_n_rows,
    random_order,
    random_sizes,
)
from generators.base.generator import generator
from generators.base.probabilities import (
    logs,
    random_normals,
    random_rows,
    with_class_marginal,
)
from generators.base.validation import check_cpts, check_names, check_states, shown
from generators.files import documents
from generators.laws._shared.law import Law, check_finite, check_law
from generators.laws.gaussian_naive_bayes import GaussianNaiveBayesLaw
from generators.laws.intractable import IntractableLaw
from generators.networks.gaussian_truth import GaussianTruth, class_parts

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GaussianNaiveBayes", "random_gaussian_naive_bayes"]

MOST_MAGNITUDES = 100  # so that squares of the numbers stay finite


@dataclass(frozen=True, eq=False, repr=False)
class GaussianNaiveBayes(GaussianTruth):
    """A Gaussian naive Bayes model: attributes are normal and independent given the class.

    Parameters
    ----------
    prior : array-like of shape (n_classes,)
        Distribution of the class.
    means, deviations : array-like of shape (n_attributes, n_classes)
        Mean and standard deviation of each attribute in each class. Deviations are positive.
    attribute_names : sequence of str, optional
        By default x0, x1, ...
    class_name : str, default="y"
    classes : sequence of hashable, optional
        By default 0, 1, ...
    law : Law or None, default=None
        Law from which the model was drawn, if it is known.

    Raises
    ------
    ValueError
        If shapes disagree, the prior is not a distribution, a number is not finite, or a deviation is not
        positive.

    See Also
    --------
    random_gaussian_naive_bayes : Draw a Gaussian naive Bayes model.

    Examples
    --------
    >>> truth = GaussianNaiveBayes([0.5, 0.5], means=[[-1.0, 1.0]], deviations=[[1.0, 1.0]])
    >>> truth.posterior([[0.0], [2.0], [float("nan")]]).round(3)
    array([[0.5  , 0.5  ],
           [0.018, 0.982],
           [0.5  , 0.5  ]])
    """

    kind = "gaussian_naive_bayes"
    prior: NDArray[np.float64]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]
    attribute_names: tuple[str, ...] = ()
    class_name: str = "y"
    classes: tuple[Hashable, ...] = ()
    law: Law | None = None

    def __post_init__(self) -> None:
        means, deviations = _numbers("means", self.means), _numbers("deviations", self.deviations)
        if means.shape != deviations.shape:
            raise ValueError(
                f"means have the shape {means.shape} and deviations {deviations.shape}: expected "
                "(n_attributes, n_classes) for both"
            )
        if not (deviations > 0).all():
            raise ValueError(f"a deviation is {deviations.min():g}: expected positive standard deviations")
        names = self.attribute_names or tuple(f"x{j}" for j in range(len(means)))
        names = check_names((*names, self.class_name))
        if len(names) != len(means) + 1:
            raise ValueError(
                f"there are {len(names) - 1} names of {len(means)} attributes: expected one for each"
            )
        (classes,) = check_states((self.class_name,), (self.classes or tuple(range(means.shape[1])),))
        (prior,) = check_cpts((self.class_name,), (classes,), ((),), (self.prior,))
        if len(classes) != means.shape[1]:
            raise ValueError(
                f"there are {len(classes)} classes, and means for {means.shape[1]} classes: expected a mean "
                "for each class"
            )
        checked = {
            "prior": prior,
            "means": means,
            "deviations": deviations,
            "attribute_names": names[:-1],
            "classes": classes,
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)
        check_law(self)

    def __repr__(self) -> str:
        n_attributes, n_classes = self.means.shape
        return f"GaussianNaiveBayes({n_attributes} attributes, class {self.class_name!r} of {n_classes})"

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        return (
            f"{len(self.means)} numeric attributes, normal and independent given the class {self.class_name}"
        )

    def to_document(self) -> dict[str, Any]:
        """Return the model as plain data."""
        return {
            **documents.head(self.kind),
            **self._class_document(),
            "attributes": list(self.attribute_names),
            "means": self.means.tolist(),
            "deviations": self.deviations.tolist(),
            **documents.law_part(self.law),
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the truth from a document that `to_document` returned."""
        owner = "the Gaussian naive Bayes"
        prior, class_name, classes = class_parts(document, owner)
        lists = {
            key: documents.field_of(document, key, list, owner)
            for key in ("means", "deviations", "attributes")
        }
        return cls(
            prior,  # type: ignore[arg-type]
            lists["means"],
            lists["deviations"],
            tuple(lists["attributes"]),
            class_name,
            classes,
            documents.law_in(document),
        )

    def sample(self, n: int, random_state: RandomState = None) -> tuple[pd.DataFrame, pd.Series]:
        """Draw rows.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. First `rng.random(n)` is drawn for the class, then again for each attribute. Inverse
            cumulative distributions map the numbers to classes and values.

        Returns
        -------
        X : DataFrame of shape (n, n_attributes)
            Floats.
        y : Series of shape (n,)
            Categorical.

        Examples
        --------
        >>> X, y = random_gaussian_naive_bayes(n_attributes=2, random_state=0).sample(3, random_state=1)
        >>> X.dtypes.tolist()
        [dtype('float64'), dtype('float64')]
        """
        n, rng = check_n_rows(n), as_generator(random_state)
        codes = self._sample_classes(n, rng)
        columns = np.empty((len(self.means), n))
        for column, means, deviations in zip(columns, self.means, self.deviations, strict=True):
            column[:] = means[codes] + deviations[codes] * random_normals(rng, (n,))
        return self._table(columns, codes)

    def exact_bayes_error(self) -> float | None:
        """Return the exact Bayes error of a model with one attribute, otherwise None.

        Two classes are equally probable at some points of the attribute. Between neighboring points, the most
        probable class is the same everywhere. The error is therefore a sum of normal probabilities of
        intervals.

        Examples
        --------
        >>> truth = GaussianNaiveBayes([0.5, 0.5], means=[[-1.0, 1.0]], deviations=[[1.0, 1.0]])
        >>> round(truth.exact_bayes_error(), 4)  # P(Z > 1)
        0.1587
        """
        if len(self.means) != 1:
            return None
        return _error_of_normals(self.prior, self.means[0], self.deviations[0])

    def _log_table(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        table = np.broadcast_to(logs(self.prior), (columns.shape[1], len(self.classes))).copy()
        for values, means, deviations in zip(columns, self.means, self.deviations, strict=True):
            z = (values[:, np.newaxis] - means) / deviations
            log_density = -0.5 * z**2 - np.log(deviations) - 0.5 * math.log(2 * math.pi)
            table += np.where(np.isnan(values)[:, np.newaxis], 0.0, log_density)
        return table


@generator("gaussian_naive_bayes")
def random_gaussian_naive_bayes(
    *,
    n_attributes: Bounds = (3, 7),
    n_classes: Bounds = (2, 5),
    separation: float = 1.0,
    spread: float = 0.25,
    concentration: float = 1.0,
    class_marginal: Sequence[float] | None = None,
    class_imbalance: float | None = None,
    magnitudes: float = 0.0,
    random_state: RandomState = None,
) -> GaussianNaiveBayes:
    """Draw a Gaussian naive Bayes model.

    Attributes are normal, and independent of each other given the class.

    Parameters
    ----------
    n_attributes : int or (low, high), default=(3, 7)
        Number of attributes without the class. A range is sampled uniformly, both ends included.
    n_classes : int or (low, high), default=(2, 5)
        Number of classes.
    separation : float, default=1.0
        Standard deviation of the class means, where the attributes' standard deviations are near 1. At 0, the
        means of all classes are equal. At 3, the classes are easy to separate.
    spread : float, default=0.25
        Standard deviation of the logarithms of the attributes' standard deviations. At 0, all these standard
        deviations are 1, and the most probable classes are separated by hyperplanes.
    concentration : float, default=1.0
        Dirichlet parameter of the class distribution, from 1e-6 to 1e6.
    class_marginal : sequence of float, optional
        Distribution of the class. By default it is drawn. `n_classes` must equal its length.
    class_imbalance : float, optional
        Alternative to `class_marginal`: ratio of the first class probability to the last, at least 1.
    magnitudes : float, default=0.0
        Orders of magnitude by which the units of the attributes differ, from 0 to 100. Means and deviations
        are multiplied by powers of 10, evenly spaced from ``-magnitudes / 2`` to ``magnitudes / 2`` and
        assigned to the attributes in random order. This does not change posteriors. The law does not include
        the units, so no optimum can be computed if `magnitudes` is above 0.
    random_state : int, Generator, SeedSequence or None
        Seed. Random numbers are drawn in this order: n_attributes, n_classes, the class distribution, means,
        deviations. Normal numbers are drawn as the inverse cumulative distribution of uniform numbers. If
        `magnitudes` is above 0, the order of the units is drawn last.

    Returns
    -------
    GaussianNaiveBayes
        Attributes x0, x1, ..., then the class y. Classes are 0, 1, ...

    Raises
    ------
    ValueError
        If a bound is not an integer of at least 1, low exceeds high, or another argument is invalid.

    Examples
    --------
    >>> random_gaussian_naive_bayes(n_attributes=4, n_classes=3, random_state=1)
    GaussianNaiveBayes(4 attributes, class 'y' of 3)
    """
    separation, spread = check_finite("separation", separation), check_finite("spread", spread)
    magnitudes = _checked_magnitudes(magnitudes)
    rng = as_generator(random_state)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=1, n_classes=n_classes)
    drawn = random_rows(rng, (sizes.n_classes,), concentration=concentration)
    prior = with_class_marginal(drawn, class_marginal, class_imbalance)
    shape = (sizes.n_attributes, sizes.n_classes)
    means = separation * random_normals(rng, shape)
    deviations = np.exp(spread * random_normals(rng, shape))
    law: Law = GaussianNaiveBayesLaw(separation, spread, concentration, class_marginal, class_imbalance)
    if magnitudes > 0:
        units = _random_units(rng, sizes.n_attributes, magnitudes)[:, np.newaxis]
        means, deviations = means * units, deviations * units
        law = IntractableLaw("its attributes have units of their own, which are hidden")
    return GaussianNaiveBayes(prior, means, deviations, law=law)


def _checked_magnitudes(value: float) -> float:
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not (is_number and 0 <= value <= MOST_MAGNITUDES):
        raise ValueError(f"magnitudes is {shown(value)}: expected a number from 0 to {MOST_MAGNITUDES}")
    return float(value)


def _random_units(rng: np.random.Generator, n_attributes: int, magnitudes: float) -> NDArray[np.float64]:
    """Return powers of 10, evenly spaced about 1, in random order."""
    places = np.array(random_order(rng, n_attributes))
    steps = places / max(n_attributes - 1, 1) - (0.5 if n_attributes > 1 else 0.0)
    return np.asarray(10.0 ** (magnitudes * steps), dtype=np.float64)


def _numbers(name: str, values: Any) -> NDArray[np.float64]:
    try:
        checked = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        checked = np.empty(0)
    if checked.ndim != 2 or not checked.size or not np.isfinite(checked).all():
        raise ValueError(f"{name} is {shown(values)}: expected finite numbers, one row for each attribute")
    checked.flags.writeable = False
    return checked


def _error_of_normals(
    prior: NDArray[np.float64], means: NDArray[np.float64], deviations: NDArray[np.float64]
) -> float:
    """Return the probability that the most probable class is wrong."""
    from scipy.special import ndtr

    log_scale = logs(prior) - np.log(deviations)
    crossings = _crossings(log_scale, means, 1 / deviations**2)
    if not crossings:
        return float(1 - prior.max())
    edges = np.array([-np.inf, *crossings, np.inf])
    inner = (edges[1:-2] + edges[2:-1]) / 2
    inside = np.array([crossings[0] - 1, *inner, crossings[-1] + 1])
    log_density = log_scale - ((inside[:, np.newaxis] - means) / deviations) ** 2 / 2
    mass = prior * np.diff(ndtr((edges[:, np.newaxis] - means) / deviations), axis=0)
    return float(1 - mass[np.arange(len(mass)), log_density.argmax(axis=1)].sum())


def _crossings(
    log_scale: NDArray[np.float64], means: NDArray[np.float64], precisions: NDArray[np.float64]
) -> list[float]:
    """Return the points where two classes are equally probable, in order."""
    found: set[float] = set()
    possible = np.flatnonzero(np.isfinite(log_scale))
    for place, a in enumerate(possible):
        for b in possible[:place]:
            square = (precisions[b] - precisions[a]) / 2
            slope = precisions[a] * means[a] - precisions[b] * means[b]
            level = (precisions[b] * means[b] ** 2 - precisions[a] * means[a] ** 2) / 2
            found.update(_roots(square, slope, level + log_scale[a] - log_scale[b]))
    return sorted(found)


def _roots(square: float, slope: float, level: float) -> list[float]:
    """Return the finite real roots of a polynomial of degree two at most."""
    if square == 0:
        return [-level / slope] if slope else []
    discriminant = slope**2 - 4 * square * level
    if discriminant < 0:
        return []
    # the larger sum first, so that nothing cancels
    q = -(slope + math.copysign(math.sqrt(discriminant), slope)) / 2
    return [root for root in (q / square, level / q if q else 0.0) if math.isfinite(root)]
