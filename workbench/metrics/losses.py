"""Losses: of forecasts, of their decisions, relative to the prior, and relative to the truth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from workbench.metrics._shared.base import BLOCK, Metric, SampleMetric, ScoringRule, expectation, log_unit
from workbench.metrics._shared.checks import (
    Classes,
    Codes,
    Numbers,
    check_cells,
    check_choice,
    check_forecast,
    check_prior,
    check_weights,
    numbers,
)
from workbench.metrics._shared.rows import of_each, own_entries, predicted_class, taken, without_each

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CostMatrix", "D2Brier", "D2LogLoss", "KLDivergence", "LogLoss", "NaturalLogLoss", "QuadraticLoss"]

#: The tolerance of row sums would let the quadratic loss of a certain miss exceed it by a rounding.
GREATEST_LOSS = 2.0
#: A ratio beyond these may have lost digits: its logarithm is then taken of its parts.
LEAST_RATIO, GREATEST_RATIO = 1e-290, 1e290
#: Expected costs that differ by less, as a share, are equal but for rounding.
TIE = 1e-12


class LogLoss(ScoringRule):
    """Score a forecast by the negative log probability of the true class, in bits.

    Smaller is better. From 0, without upper bound. Infinite if the true class has probability 0.

    Parameters
    ----------
    base : {2.0, math.e}
        Base of the logarithms: 2.0 gives bits, math.e nats.
    name : str
        Name in tables and study files.

    Notes
    -----
    The loss of a sample is ``-log2(y_prob[y_true])``, and losses are averaged. Probabilities are not clipped:
    see `clip_probabilities`. In nats this is scikit-learn's log loss.

    References
    ----------
    .. [1] Good, I. J., "Rational decisions", Journal of the Royal Statistical Society B 14, 1952.

    Examples
    --------
    >>> from workbench.metrics import log_loss
    >>> log_loss([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    1.5
    >>> log_loss(["no"], [[0.0, 1.0]], classes=["no", "yes"])
    inf
    """

    workbench_identity = "workbench.metrics.log_loss:LogLoss"
    name = "log_loss"
    base = 2.0
    direction = "lower"
    bounds = (0.0, np.inf)
    proper = True

    def __init__(self, *, base: float = 2.0, name: str = "log_loss") -> None:
        log_unit(base)
        # Stores know the metric of a scorer by its attributes, and this one had no options.
        for option, value in (("base", base), ("name", name)):
            if value != getattr(self, option):
                setattr(self, option, value)

    @property
    def unit(self) -> str:  # type: ignore[override]
        """The unit of the base."""
        return log_unit(self.base)[0]

    @property
    def meaning(self) -> str:  # type: ignore[override]
        """The meaning of the scores, in one line."""
        return f"the negative log probability of the true class, in {self.unit}; 0 is certain and right"

    def _by_class(self, forecast: Numbers, prior: Any) -> Numbers:
        return _log_losses(forecast) * log_unit(self.base)[1]

    def _of_outcome(self, codes: Codes, forecast: Numbers, prior: Any) -> Numbers:
        return _log_losses(own_entries(forecast, codes)) * log_unit(self.base)[1]


class NaturalLogLoss(LogLoss):
    """Score a forecast by the negative log probability of the true class, in nats.

    Smaller is better. From 0, without upper bound. Infinite if the true class has probability 0.

    Notes
    -----
    The loss of a sample is ``-ln(y_prob[y_true])``, and losses are averaged. This is scikit-learn's log loss,
    and `log_loss` times ln 2. It equals ``LogLoss(base=math.e)``. It is a class of its own because stores
    name this class.

    References
    ----------
    .. [1] Good, I. J., "Rational decisions", Journal of the Royal Statistical Society B 14, 1952.

    Examples
    --------
    >>> from workbench.metrics import log_loss_nats
    >>> log_loss_nats([0, 1], [[0.5, 0.5], [0.75, 0.25]]).__round__(6)
    1.039721
    """

    workbench_identity = "workbench.metrics.log_loss:NaturalLogLoss"
    name = "log_loss_nats"
    base = math.e

    def __init__(self) -> None:
        super().__init__(base=self.base, name=self.name)


def _log_losses(probability: Numbers) -> Numbers:
    """Return the negative log2 of probabilities."""
    # maximum: the tolerance of the row sums lets a probability exceed 1 by a rounding
    with np.errstate(divide="ignore"):
        return np.maximum(-np.log2(probability), 0.0)


class QuadraticLoss(ScoringRule):
    """Score a forecast by the sum of the squared errors of its probabilities.

    Smaller is better. From 0, for a forecast that is certain and right, to 2, for a forecast that is certain
    and wrong.

    Notes
    -----
    This is also called the Brier score. The loss of a sample is
    ``sum over classes of (q_i - a_i)**2 = 1 - 2 q_t + sum of q_i**2``, where a_i is 1 for the true class t
    and 0 for the other classes. Losses are averaged over samples. The loss is summed over classes, so with
    two classes it is twice the binary score ``(q_1 - a_1)**2``.

    References
    ----------
    .. [1] Brier, G. W., "Verification of forecasts expressed in terms of probability", 1950.
    .. [2] Witten, I. H., and Frank, E., "Data mining", 2nd edition, 2005, p. 158.

    Examples
    --------
    >>> from workbench.metrics import quadratic_loss
    >>> quadratic_loss([0, 1], [[1.0, 0.0], [0.5, 0.5]])
    0.25
    >>> quadratic_loss.by_class([[0.5, 0.25, 0.25]])
    array([[0.375, 0.875, 0.875]])
    """

    workbench_identity = "workbench.metrics.quadratic_loss:QuadraticLoss"
    name = "quadratic_loss"
    unit = "squared probability"
    direction = "lower"
    meaning = "the Brier score: squared errors of the probabilities, summed over classes; 0 is best"
    bounds = (0.0, 2.0)
    proper = True

    def _by_class(self, forecast: Numbers, prior: Any) -> Numbers:
        return of_each(self._each(forecast))

    def _of_outcome(self, codes: Codes, forecast: Numbers, prior: Any) -> Numbers:
        return taken(self._each(forecast), codes)

    def _each(self, forecast: Numbers) -> Numbers:
        """Return the loss for each class (rows) at each sample."""
        columns = np.ascontiguousarray(forecast.T)
        missing = np.array(without_each(np.add, columns))
        losses = missing * missing + without_each(np.add, columns * columns)
        return np.minimum(losses, GREATEST_LOSS, out=losses)


class CostMatrix(ScoringRule):
    """Score a forecast by the cost of the decision that it leads to.

    Smaller is better. Bounded by the least and the greatest cost.

    Parameters
    ----------
    costs : array-like of shape (n_classes, n_classes), DataFrame or mapping of mappings, optional
        Entry [i, j] is the cost, at least 0, of deciding for class j if class i is true. A DataFrame or
        mapping is matched by the names of the classes:
        ``{"healthy": {"healthy": 0, "sick": 1}, "sick": ...}``. Numbers without names are matched by the
        order of the columns of `y_prob`. In studies this is the order that a truth or a categorical column
        declares, otherwise the sorted order. By default every error costs 1.
    classes : sequence, optional
        Names of the rows and columns, for costs that are given as numbers.
    decision : {"bayes", "argmax"}
        "bayes" decides for the class with the least expected cost under the forecast, "argmax" for the most
        probable class.
    name : str
        Name in tables and study files.

    Notes
    -----
    The cost of a sample is ``costs[t, d]``, with true class t and
    ``d = argmin_j sum_i y_prob[i] * costs[i, j]``. Costs are averaged. If expected costs are equal within
    rounding error, the first class is chosen. A constant that is added to a row of costs changes no decision.
    So gains, which are negative costs, can be shifted to 0 or more. With "bayes", the true probabilities have
    the least expected cost. With "argmax", other forecasts may have a lower expected cost, unless all errors
    cost the same.

    With two classes and costs ``[[0, t / (1 - t)], [1, 0]]``, the decision is for the second class if its
    probability exceeds t. If no forecast equals t, the mean cost is the share of the second class minus the
    net benefit at t by `workbench.forecasts.curves.decision_curve`. That curve also treats rows with a
    forecast equal to t.

    References
    ----------
    .. [1] Elkan, C., "The foundations of cost-sensitive learning", IJCAI 2001.

    Examples
    --------
    >>> from workbench.metrics import CostMatrix
    >>> dear = CostMatrix([[0, 1], [10, 0]], name="dear")  # a miss of class 1 costs 10 false alarms
    >>> dear.per_sample([0, 1, 1], [[0.8, 0.2], [0.8, 0.2], [0.95, 0.05]])
    array([ 1.,  0., 10.])
    >>> CostMatrix([[0, 1], [10, 0]], decision="argmax")([0, 1], [[0.8, 0.2], [0.8, 0.2]])
    5.0
    >>> named = CostMatrix({"sick": {"sick": 0, "healthy": 10}, "healthy": {"sick": 1, "healthy": 0}})
    >>> named(["sick"], [[0.95, 0.05]], classes=["healthy", "sick"])
    10.0
    >>> named.meaning
    'the mean cost of the decisions by the forecasts: deciding healthy where sick costs 10, sick where
    healthy 1; it decides for sick if its forecast is at least 9.09%'
    """

    unit = "cost per sample"
    direction = "lower"

    def __init__(
        self,
        costs: ArrayLike | Mapping[Any, Mapping[Any, float]] | pd.DataFrame | None = None,
        *,
        classes: Sequence[Any] | None = None,
        decision: Literal["bayes", "argmax"] = "bayes",
        name: str = "cost",
    ) -> None:
        check_choice(decision, ("bayes", "argmax"), name="decision")
        given: Any = costs
        if hasattr(given, "to_dict"):
            given = given.to_dict("index")
        if isinstance(given, Mapping):
            given, classes = _by_name(given), tuple(given)
        self.costs = None if given is None else _cost_rows(given)
        self.classes = None if classes is None else _names(classes, self.costs)
        self.decision = decision
        self.name = name
        every = (0.0, 1.0) if self.costs is None else np.ravel(self.costs).tolist()
        self.bounds = (min(every), max(every))
        self.weakly_proper = decision == "bayes" or self.costs is None

    @property
    def meaning(self) -> str:  # type: ignore[override]
        """The meaning of the scores, with the costs if their classes have names."""
        what = "the mean cost of the decisions by the forecasts"
        if self.decision == "argmax":
            what = "the mean cost of deciding for the most probable class"
        if self.costs is None:
            return f"{what}; every error costs 1"
        if self.classes is None:
            return f"{what}; rows of costs are the true classes, in the order of the data"
        pairs = [(i, j) for i in range(len(self.classes)) for j in range(len(self.classes)) if i != j]
        said = [
            f"{self.classes[j]} where {self.classes[i]}{' costs' * (n == 0)} {self.costs[i][j]:g}"
            for n, (i, j) in enumerate(pairs)
        ]
        return f"{what}: deciding {', '.join(said)}{self._threshold()}"

    def _threshold(self) -> str:
        """State, for two classes, from which forecast on the costlier class to miss is decided for."""
        if self.decision == "argmax" or self.costs is None or self.classes is None or len(self.costs) != 2:
            return ""
        saved = [self.costs[i][1 - i] - self.costs[i][i] for i in (0, 1)]
        if min(saved) <= 0 or saved[0] == saved[1]:
            return ""
        dear = int(saved[1] > saved[0])
        share = 100 * saved[1 - dear] / sum(saved)
        return f"; it decides for {self.classes[dear]} if its forecast is at least {share:.3g}%"

    @property
    def goes_by_order(self) -> bool:
        """Whether costs have no names, and differ if classes are in another order."""
        if self.costs is None or self.classes is not None:
            return False
        table, same = np.array(self.costs), np.eye(len(self.costs), dtype=np.bool_)
        return len({*table[same]}) > 1 or len({*table[~same]}) > 1

    def of_classes(self, classes: Sequence[Any]) -> CostMatrix:
        """Return the costs with these names, in their order, or raise ValueError if they are for others."""
        if self.costs is None:
            return self
        if self.classes is None:
            if len(self.costs) != len(classes):
                raise ValueError(
                    f"costs of {self.name} are for {len(self.costs)} classes, not for the {len(classes)} "
                    f"classes {', '.join(map(str, classes))}: give a row and a column of costs for each class"
                )
            return CostMatrix(self.costs, classes=classes, decision=self.decision, name=self.name)
        known = [str(one) for one in self.classes]
        lost = [str(one) for one in classes if str(one) not in known]
        if lost:
            raise ValueError(
                f"costs of {self.name} name {', '.join(known)}, but not {lost[0]!r}: add this class"
            )
        order = [known.index(str(one)) for one in classes]
        costs = [[self.costs[i][j] for j in order] for i in order]
        return CostMatrix(costs, classes=classes, decision=self.decision, name=self.name)

    def per_sample(
        self, y_true: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None, classes: Classes = None
    ) -> Numbers:
        """Return the cost of each sample. For costs with names, `classes` must name the columns."""
        if self.classes is None or classes is None:
            return super().per_sample(y_true, y_prob, prior=prior, classes=classes)
        own = self.of_classes(np.asarray(classes).tolist())
        return super(CostMatrix, own).per_sample(y_true, y_prob, prior=prior, classes=classes)

    def _by_class(self, forecast: Numbers, prior: Any) -> Numbers:
        table = self._table(forecast.shape[1])
        return of_each(table[:, self._decided(forecast, table)])

    def _of_outcome(self, codes: Codes, forecast: Numbers, prior: Any) -> Numbers:
        table = self._table(forecast.shape[1])
        return table[codes, self._decided(forecast, table)]

    def _decided(self, forecast: Numbers, table: Numbers) -> Codes:
        if self.decision == "argmax":
            return predicted_class(forecast)
        # not a product of matrices, whose rounding depends on the number of rows
        expected = reduce(np.add, (p[:, None] * costs for p, costs in zip(forecast.T, table, strict=True)))
        return (expected <= expected.min(axis=1, keepdims=True) * (1.0 + TIE)).argmax(axis=1)

    def _table(self, n_classes: int) -> Numbers:
        if self.costs is None:
            return 1.0 - np.eye(n_classes)
        if len(self.costs) != n_classes:
            raise ValueError(
                f"costs of {self.name} is for {len(self.costs)} classes and y_prob has {n_classes} columns: "
                "give a row and a column of costs for each class"
            )
        return np.array(self.costs)


def _by_name(costs: Mapping[Any, Mapping[Any, float]]) -> list[list[float]]:
    """Return the costs of named decisions as rows of numbers, or raise."""
    for happened, row in costs.items():
        if not isinstance(row, Mapping) or {*row} != {*costs}:
            raise ValueError(
                f"costs of {happened!r} is {row!r}: give the cost of deciding for each of "
                f"{', '.join(map(repr, costs))}, where {happened!r} happened"
            )
    return [[row[name] for name in costs] for row in costs.values()]


def _names(classes: Sequence[Any], costs: tuple[tuple[float, ...], ...] | None) -> tuple[Any, ...]:
    """Return the names of rows and columns, or raise."""
    names = np.asarray(classes, dtype=object).tolist()
    if isinstance(classes, str) or costs is None or len({*map(str, names)}) != len(costs):
        raise ValueError(
            f"classes is {classes!r}: give one name for each row of costs (columns have the same names)"
        )
    return tuple(names)


def _cost_rows(costs: ArrayLike) -> tuple[tuple[float, ...], ...]:
    """Return a matrix of costs as tuples, which cannot be changed, or raise."""
    table = numbers(costs, name="costs").astype(np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
        raise ValueError(
            f"costs has shape {table.shape}: give a row for each class that happens, with the cost of "
            "deciding for each class, such as [[0, 1], [10, 0]]"
        )
    for row, column in np.argwhere(~(np.isfinite(table) & (table >= 0.0))).tolist():
        raise ValueError(
            f"costs[{row}][{column}] is {table[row, column]:g}: give finite costs of at least 0 (adding a "
            "constant to a whole row changes no decision)"
        )
    return tuple(map(tuple, table.tolist()))


class _D2(SampleMetric):
    """Compare a mean loss with that of the prior. Subclasses define the loss."""

    loss: ScoringRule
    unit = "share of the prior's loss"
    direction = "higher"
    bounds = (-np.inf, 1.0)
    needs = frozenset({"prior"})
    proper = True
    has_expected = True

    def expected(self, joint: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None) -> float:
        """Return the limit of the score for many samples. The arguments are those of `ScoringRule`."""
        mass, forecast = check_cells(joint, y_prob)
        reference = check_prior(prior, mass.shape[1], metric=self.name)
        of_prior = np.broadcast_to(self.loss._by_class(reference[None], None), forecast.shape)
        of_forecast = self.loss._scored(forecast, None)
        return _saved(expectation(mass, of_forecast).value, expectation(mass, of_prior).value)

    def _of_sample(self, codes: Codes, forecast: Numbers, prior: Any) -> float:
        # Both are means of as many terms in the same order, so the prior itself scores 0 to the last bit.
        of_prior = self.loss._by_class(prior[None], None)[0, codes]
        return _saved(float(self.loss._scored(forecast, None, codes).mean()), float(of_prior.mean()))


class D2LogLoss(_D2):
    """Score forecasts by the share of the prior's log loss that they save.

    Larger is better. At most 1, for certain forecasts that are all right. 0 for the prior itself, and
    negative for worse forecasts. Unbounded below, and minus infinity if the true class of a sample has
    probability 0.

    Notes
    -----
    The score is ``1 - mean(log q_t) / mean(log pi_t)`` over the samples, with forecast q, prior pi and true
    class t. The base of the logarithms cancels. If the prior is the class frequencies of the scored samples,
    the score is scikit-learn's ``d2_log_loss_score``, which accepts no other prior. The score is a ratio of
    means, so a single sample has no value.

    References
    ----------
    .. [1] Hastie, T., Tibshirani, R., and Wainwright, M., "Statistical learning with sparsity", 2015,
       equation (3.11).

    Examples
    --------
    >>> from workbench.metrics import d2_log_loss
    >>> even = [[0.5, 0.5], [0.5, 0.5]]
    >>> d2_log_loss([0, 1], even, prior=[0.25, 0.75]).__round__(6)  # 1 - 2 / (log2 4 + log2 4/3)
    0.171856
    >>> d2_log_loss([0, 1], [[1.0, 0.0], [0.0, 1.0]], prior=[0.25, 0.75])
    1.0
    """

    workbench_identity = "workbench.metrics.d2:D2LogLoss"
    loss = LogLoss()
    name = "d2_log_loss"
    meaning = "the share of the prior's log loss that a forecast saves; 0 for the prior itself"


class D2Brier(_D2):
    """Score forecasts by the share of the prior's quadratic loss that they save.

    Larger is better. At most 1, for certain forecasts that are all right. 0 for the prior itself, and
    negative for worse forecasts.

    Notes
    -----
    The score is ``1 - mean(loss of q) / mean(loss of pi)`` over the samples, with forecast q, prior pi and
    the loss ``sum over classes of (q_i - a_i)**2``. If the prior is the class frequencies of the scored
    samples, the score is scikit-learn's ``d2_brier_score``. In forecasting it is known as the Brier skill
    score.

    References
    ----------
    .. [1] Murphy, A. H., "Hedging and skill scores for probability forecasts", Journal of Applied Meteorology
       12, 1973.

    Examples
    --------
    >>> from workbench.metrics import d2_brier
    >>> even = [[0.5, 0.5], [0.5, 0.5]]
    >>> d2_brier([0, 1], even, prior=[0.25, 0.75]).__round__(6)  # 1 - 0.5 / ((1.125 + 0.125) / 2)
    0.2
    """

    workbench_identity = "workbench.metrics.d2:D2Brier"
    loss = QuadraticLoss()
    name = "d2_brier"
    meaning = "the share of the prior's quadratic loss that a forecast saves; 0 for the prior itself"


def _saved(loss: float, prior_loss: float) -> float:
    """Return one minus the ratio. If the prior was certain and right, nothing can be saved."""
    if prior_loss == 0.0:
        return np.nan if loss == 0.0 else -np.inf
    return 1.0 - loss / prior_loss


class KLDivergence(Metric):
    """Compute the Kullback-Leibler divergence of the forecast from the true probabilities, in bits.

    Smaller is better. 0 for the true probabilities, without upper bound. Infinite if the forecast assigns
    probability 0 to a class that is possible. The metric needs the true probabilities, so it is limited to
    simulations.

    Parameters
    ----------
    p_true : array-like of shape (n_samples, n_classes)
        True class probabilities at each row.
    y_prob : array-like of shape (n_samples, n_classes)
        Forecast probabilities at the same rows.

    Returns
    -------
    float
        The mean over rows of KL(p_true || y_prob), in bits.

    Notes
    -----
    The divergence of a row is ``sum_i p_true[i] * (log2(p_true[i]) - log2(y_prob[i]))``, with 0 log 0 = 0.
    `Network.kl_divergence` computes the divergence of two joint distributions.

    References
    ----------
    .. [1] Kullback, S., and Leibler, R. A., "On information and sufficiency", 1951.
    .. [2] Hope, L. R., and Korb, K. B., "A Bayesian metric for evaluating machine learning algorithms", 2004,
       equation (1).

    Examples
    --------
    >>> from workbench.metrics import kl_divergence
    >>> kl_divergence([[0.5, 0.5]], [[0.25, 0.75]]).__round__(6)
    0.207519
    >>> kl_divergence([[0.5, 0.5], [0.1, 0.9]], [[0.5, 0.5], [0.1, 0.9]])
    0.0
    """

    workbench_identity = "workbench.metrics.kl_divergence:KLDivergence"
    name = "kl_divergence"
    unit = "bits"
    direction = "lower"
    meaning = "the divergence of a forecast from the true probabilities, in bits; 0 is the truth"
    bounds = (0.0, np.inf)
    needs = frozenset({"truth"})
    proper = True
    has_per_sample = True
    has_expected = True

    # The first argument is a distribution, not an outcome.
    def __call__(self, p_true: ArrayLike, y_prob: ArrayLike) -> float:
        """Return the mean divergence over rows, in bits."""
        return float(self.per_sample(p_true, y_prob).mean())

    def per_sample(self, p_true: ArrayLike, y_prob: ArrayLike) -> Numbers:
        """Return the divergence of each row, in bits. The arguments are those of the metric."""
        truth = check_forecast(p_true, name="p_true")
        forecast = check_forecast(y_prob)
        if truth.shape != forecast.shape:
            raise ValueError(
                f"p_true has shape {truth.shape} and y_prob {forecast.shape}: "
                "give both for the same rows and classes"
            )
        if len(truth) <= BLOCK:
            return _divergences(truth, forecast)
        blocks = (slice(start, start + BLOCK) for start in range(0, len(truth), BLOCK))
        return np.concatenate([_divergences(truth[rows], forecast[rows]) for rows in blocks])

    def expected(self, p_x: ArrayLike, p_true: ArrayLike, y_prob: ArrayLike) -> float:
        """Return the mean divergence over cells with probabilities `p_x`, without cells of probability 0."""
        truth, forecast = np.asarray(p_true), np.asarray(y_prob)
        mass = check_weights(p_x, forecast.shape[:1], name="p_x")
        if truth.shape != forecast.shape:
            raise ValueError(
                f"p_true has shape {truth.shape} and y_prob {forecast.shape}: "
                "give both for the same cells and classes"
            )
        possible = mass > 0.0
        return expectation(mass[possible], self.per_sample(truth[possible], forecast[possible])).value


def _divergences(p_true: Numbers, y_prob: Numbers) -> Numbers:
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        ratios = p_true / y_prob
        terms = p_true * np.log2(ratios)
        if not ratios.min() > LEAST_RATIO or not ratios.max() < GREATEST_RATIO:
            odd = ~((ratios > LEAST_RATIO) & (ratios < GREATEST_RATIO))
            p, q = p_true[odd], y_prob[odd]
            terms[odd] = np.where(p > 0.0, p * (np.log2(p) - np.log2(q)), 0.0)
    bits = reduce(np.add, np.ascontiguousarray(terms.T))  # in this order also for a single row
    return np.maximum(bits, 0.0)  # Gibbs: never below 0 but by rounding
