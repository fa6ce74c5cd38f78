"""Facts about a truth: its difficulty, how informative its attributes are, and its dependencies."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.alterations.numeric_cuts import NumericAttributes
from generators.base.draw import RandomState
from generators.base.validation import shown
from generators.networks.conditional_gaussian import ConditionalGaussian
from generators.networks.conditional_gaussian_mixture import ConditionalGaussianMixture
from generators.networks.numeric_truth import NumericTruth
from generators.networks.truth import Truth

__all__ = ["Estimate", "Facts", "bayes_error", "ceiling", "class_entropy", "describe", "information"]

N_ROWS = 100_000
#: A dependence that is zero but for rounding, as it is printed.
NONE = "0.0000"

PerRow = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Estimate:
    """A number, with whether it is exact or estimated."""

    value: float
    standard_error: float = 0.0  # 0 if exact, otherwise that of a mean over sampled rows
    n_rows: int = 0  # rows sampled; 0 if exact

    @property
    def exact(self) -> bool:
        """Whether the number is exact."""
        return self.n_rows == 0

    def __str__(self) -> str:
        if self.exact:
            return f"{self.value:.4f}"
        return f"{self.value:.4f} (sampled: {self.n_rows:,} rows, standard error {self.standard_error:.4f})"


@dataclass(frozen=True)
class Facts:
    """Properties of a truth. Information is in bits.

    Attributes
    ----------
    class_entropy : float
        Entropy of the class, from 0 to log2 of the number of classes.
    bayes_error : Estimate
        Error rate of the most probable class. No forecast has a lower error rate.
    information : Estimate
        Mutual information of all attributes jointly with the class.
    ceiling : Estimate
        Expected IR_B of the truth's own forecasts against the class marginal. No forecast has a higher
        expected reward. It is the mean over classes of the information about "this class or not". It equals
        `information` if there are two classes and is smaller if there are more.
    attribute_information : dict of str to Estimate
        Mutual information of each attribute with the class.
    dependence : float
        Mutual information of two attributes given the class, averaged over all pairs of attributes. It is 0
        if there are no pairs. For a `ConditionalGaussianMixture` it is estimated from sampled rows, otherwise
        it is exact.
    strongest_pair : tuple of (str, str) or None
        The pair of attributes with the strongest dependence given the class.
    strongest_dependence : float
        Mutual information of `strongest_pair` given the class.
    structure : str
        Description of the dependencies.
    """

    class_entropy: float
    bayes_error: Estimate
    information: Estimate
    ceiling: Estimate
    attribute_information: dict[str, Estimate]
    dependence: float
    strongest_pair: tuple[str, str] | None
    strongest_dependence: float
    structure: str

    def __str__(self) -> str:
        pair = ""
        if self.strongest_pair and f"{self.strongest_dependence:.4f}" != NONE:
            pair = f", most {self.strongest_dependence:.4f}: {' and '.join(self.strongest_pair)}"
        lines = [
            self.structure,
            f"class entropy: {self.class_entropy:.4f} bits",
            f"Bayes error: {self.bayes_error}",
            f"information about the class, bits: {self.information}",
            f"ceiling of IR_B against the class marginal, bits: {self.ceiling}",
            f"dependence given the class, bits: mean {self.dependence:.4f}{pair}",
        ]
        return "\n".join(
            lines
            + [f"information of {name}, bits: {found}" for name, found in self.attribute_information.items()]
        )


def describe(
    truth: Any,
    *,
    n_rows: int = N_ROWS,
    random_state: RandomState = 0,
    callback: Callable[[], object] = lambda: None,
) -> Facts:
    """Compute properties of a truth, exactly where possible.

    Parameters
    ----------
    truth : Truth or NumericTruth
        Truth with a class.
    n_rows : int, default=100_000
        Number of rows to sample, at least 2. They are used for a truth that is too large to enumerate, to
        estimate the Bayes error, the information and the ceiling.
    random_state : int, Generator, SeedSequence or None
        Seed of the sample.
    callback : callable, optional
        Function without arguments that is called before each pair of attributes, to report progress.

    Returns
    -------
    Facts

    Raises
    ------
    ValueError
        If the truth has no class, or `n_rows` is below 2.

    Examples
    --------
    >>> from generators import random_naive_bayes
    >>> facts = describe(random_naive_bayes(n_attributes=2, arity=2, n_classes=2, random_state=0))
    >>> facts.bayes_error.exact, round(facts.dependence, 12)
    (True, 0.0)
    >>> facts.information.value == facts.ceiling.value
    True
    """
    _check(truth)
    nominal = truth.truth if isinstance(truth, NumericAttributes) else truth
    options: dict[str, Any] = {"n_rows": n_rows, "random_state": random_state}
    if isinstance(nominal, NumericTruth):
        alone = {name: _of_one_number(nominal, name, **options) for name in nominal.attribute_names}
        pairs = _dependence_of_numbers(nominal, callback, **options)
    else:
        alone = _information_of_each(nominal)
        pairs = _dependence_of_pairs(nominal, callback)
    strongest = max(pairs, key=lambda pair: pairs[pair], default=None)
    error, gain, reward = _expected(truth, _error, _gain, _reward, **options)
    return Facts(
        class_entropy(truth),
        _exact_error(truth) or error,
        gain,
        reward,
        alone,
        sum(pairs.values()) / len(pairs) if pairs else 0.0,
        strongest,
        pairs[strongest] if strongest else 0.0,
        truth.structure,
    )


def class_entropy(truth: Any) -> float:
    """Return the entropy of the class, in bits."""
    _check(truth)
    return _entropy(truth.class_marginal())


def bayes_error(truth: Any, *, n_rows: int = N_ROWS, random_state: RandomState = 0) -> Estimate:
    """Return the probability that the most probable class is wrong."""
    _check(truth)
    return _exact_error(truth) or _expected(truth, _error, n_rows=n_rows, random_state=random_state)[0]


def information(truth: Any, *, n_rows: int = N_ROWS, random_state: RandomState = 0) -> Estimate:
    """Return the mutual information of all attributes together with the class, in bits."""
    _check(truth)
    return _expected(truth, _gain, n_rows=n_rows, random_state=random_state)[0]


def ceiling(truth: Any, *, n_rows: int = N_ROWS, random_state: RandomState = 0) -> Estimate:
    """Return the expected IR_B of the truth's own forecasts against the class marginal, in bits."""
    _check(truth)
    return _expected(truth, _reward, n_rows=n_rows, random_state=random_state)[0]


def _exact_error(truth: Any) -> Estimate | None:
    exact = truth.exact_bayes_error() if hasattr(truth, "exact_bayes_error") else None
    return None if exact is None else Estimate(exact)


def _expected(truth: Any, *per_row: PerRow, n_rows: int, random_state: RandomState) -> list[Estimate]:
    """Return the expectations of functions of posterior and class marginal."""
    nominal = truth.truth if isinstance(truth, NumericAttributes) else truth
    nominal = nominal.reduced if isinstance(nominal, Truth) else nominal
    marginal = nominal.class_marginal()
    if nominal.enumerable:
        cells = nominal.enumerate()
        posterior, weight = cells.posterior, cells.weight
        return [Estimate(max(0.0, float(weight @ function(posterior, marginal)))) for function in per_row]
    posterior = nominal.posterior(_rows(nominal, n_rows, random_state))
    return [_mean(function(posterior, marginal)) for function in per_row]


def _mean(values: NDArray[np.float64]) -> Estimate:
    return Estimate(float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)), len(values))


def _rows(truth: Any, n_rows: int, random_state: RandomState) -> Any:
    n_rows = _checked(n_rows)
    if isinstance(truth, Truth):
        return truth.sample_codes(n_rows, random_state)[:, list(truth.attributes)]
    return truth.sample(n_rows, random_state)[0]


def _checked(n_rows: Any) -> int:
    if isinstance(n_rows, bool) or not isinstance(n_rows, int | np.integer) or n_rows < 2:
        raise ValueError(f"n_rows is {shown(n_rows)}: expected a number of rows to sample, 2 or more")
    return int(n_rows)


def _of_one_number(truth: Any, name: str, *, n_rows: int, random_state: RandomState) -> Estimate:
    X = _rows(truth, n_rows, random_state)
    return _mean(_gain(truth.posterior(X[[name]]), truth.class_marginal()))


def _dependence_of_numbers(
    truth: NumericTruth, callback: Callable[[], object], *, n_rows: int, random_state: RandomState
) -> dict[tuple[str, str], float]:
    """Return I(one, other | class) of all pairs in bits, or no pairs where attributes are independent."""
    pairs = _pairs(truth.attribute_names, callback)
    if isinstance(truth, ConditionalGaussian):
        return {pair: _dependence_of_normals(truth, *pair) for pair in pairs}
    if not isinstance(truth, ConditionalGaussianMixture):
        return {}
    X, y = truth.sample(_checked(n_rows), random_state)
    alone = {name: truth.log_joint(X[[name]], y) for name in truth.attribute_names}
    of_class = truth.log_joint(X[[]], y)
    return {
        (a, b): max(0.0, float((truth.log_joint(X[[a, b]], y) + of_class - alone[a] - alone[b]).mean()))
        / math.log(2)
        for a, b in pairs
    }


def _pairs(members: Iterable[Any], callback: Callable[[], object]) -> Iterator[tuple[Any, Any]]:
    for pair in itertools.combinations(members, 2):
        callback()
        yield pair


def _dependence_of_normals(truth: ConditionalGaussian, one: str, other: str) -> float:
    bits = 0.0
    for share, network in zip(truth.prior, truth.networks, strict=True):
        # not by the correlation, which rounds to 1 where noise is small
        narrow = network.query(one, {other: 0.0}).deviations[0]
        bits += share * math.log2(network.query(one).deviations[0] / narrow)
    return max(0.0, bits)


def _gain(posterior: NDArray[np.float64], marginal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the divergence of each posterior from the marginal. Its mean is the information."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = posterior * (np.log2(posterior) - np.log2(marginal))
    return np.where(posterior > 0, terms, 0.0).sum(axis=1)


def _error(posterior: NDArray[np.float64], _: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 - posterior.max(axis=1)


def _reward(posterior: NDArray[np.float64], marginal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the reward of each posterior against the marginal, averaged over bets on each class."""
    # Hope and Korb, "A Bayesian metric for evaluating machine learning algorithms", 2004, equation (10)
    if len(marginal) == 2:
        return _gain(posterior, marginal)
    bets = [
        _gain(_against_rest(posterior, k), _against_rest(marginal[np.newaxis], k)[0])
        for k in range(len(marginal))
    ]
    return np.asarray(np.mean(bets, axis=0))


def _against_rest(distributions: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    others = np.delete(distributions, k, axis=1).sum(axis=1)
    return np.column_stack([distributions[:, k], others])


def _information_of_each(truth: Truth) -> dict[str, Estimate]:
    assert truth.class_index is not None
    tables = truth._marginal_tables([(v, truth.class_index) for v in truth.attributes])
    return {
        name: Estimate(_information(table)) for name, table in zip(truth.attribute_names, tables, strict=True)
    }


def _dependence_of_pairs(truth: Truth, callback: Callable[[], object]) -> dict[tuple[str, str], float]:
    assert truth.class_index is not None
    scopes = [(*pair, truth.class_index) for pair in itertools.combinations(truth.attributes, 2)]
    pairs, tables = _pairs(truth.attribute_names, callback), truth._marginal_tables(scopes)
    return {pair: _dependence(table) for pair, table in zip(pairs, tables, strict=True)}


def _information(table: NDArray[np.float64]) -> float:
    """Return the mutual information of first and last axis, in bits."""
    bits = _entropy(table.sum(axis=0)) + _entropy(table.sum(axis=1)) - _entropy(table)
    return max(0.0, bits)  # rounding may leave -1e-16


def _dependence(table: NDArray[np.float64]) -> float:
    """Return the mutual information of first and second axis given the last, in bits."""
    bits = _entropy(table.sum(axis=0)) + _entropy(table.sum(axis=1)) - _entropy(table)
    return max(0.0, bits - _entropy(table.sum(axis=(0, 1))))


def _entropy(probabilities: NDArray[np.float64]) -> float:
    positive = probabilities[probabilities > 0]
    return max(0.0, float(-(positive * np.log2(positive)).sum()))


def _check(truth: Any) -> None:
    if not isinstance(truth, NumericTruth) and not (
        isinstance(truth, Truth) and truth.class_index is not None
    ):
        raise ValueError(
            f"the truth is {shown(truth)}: expected a truth with a class, such as the result of "
            "with_class(name)"
        )
