"""Rewards of rows, one for the class that happened or one for each class.

Sums and products without one entry are those before it with those after it: nothing is subtracted or divided,
so nothing cancels, and the forms for one entry and for each give the same bits.
"""

import math

import numpy as np
from numpy.typing import NDArray

from learners.compiled import kernel

__all__ = [
    "product_without",
    "products_without_each",
    "sum_without",
    "sums_without_each",
    "information_bits",
    "information_ratios",
    "information_ratios_by_class",
    "modal_bayesian_rewards",
    "bayesian_rewards",
    "bayesian_rewards_by_class",
    "good_rewards",
    "kononenko_bratko_rewards",
    "kononenko_bratko_rewards_by_class",
    "quadratic_losses",
    "quadratic_losses_by_class",
]

#: A product below this may have lost digits: then the logarithms of its factors are added up.
LEAST_PRODUCT = 1e-280
#: The tolerance of row sums would let the quadratic loss of a certain miss exceed it by a rounding.
GREATEST_LOSS = 2.0


@kernel
def sum_without(rows: NDArray[np.float64], r: int, t: int) -> float:
    """Add up all entries of row `r` but entry `t`."""
    before = 0.0
    for i in range(t):
        before += rows[r, i]
    after = 0.0
    for i in range(rows.shape[1] - 1, t, -1):
        after += rows[r, i]
    return before + after


@kernel
def sums_without_each(rows: NDArray[np.float64], r: int, out: NDArray[np.float64]) -> None:
    """Fill `out` with `sum_without` of row `r` and each of its entries."""
    after = 0.0
    for i in range(out.size - 1, -1, -1):
        out[i] = after
        after += rows[r, i]
    before = 0.0
    for i in range(out.size):
        out[i] = before + out[i]
        before += rows[r, i]


@kernel
def product_without(factors: NDArray[np.float64], t: int) -> float:
    """Multiply all factors but factor `t`."""
    before = 1.0
    for i in range(t):
        before *= factors[i]
    after = 1.0
    for i in range(factors.size - 1, t, -1):
        after *= factors[i]
    return before * after


@kernel
def products_without_each(factors: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Fill `out` with `product_without` of each factor."""
    after = 1.0
    for i in range(factors.size - 1, -1, -1):
        out[i] = after
        after *= factors[i]
    before = 1.0
    for i in range(factors.size):
        out[i] = before * out[i]
        before *= factors[i]


@kernel
def information_ratios(
    codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64]
) -> tuple[NDArray[np.float64], int]:
    """Return the product of all ratios for the class that happened, and how many are left at 0 as too small.

    1 000 000 x 10: 16 ms; with a logarithm for each class, numpy takes 45 ms.
    """
    n_rows, n_classes = forecast.shape
    worth = _worth(prior)
    others = np.empty(n_classes)
    out = np.zeros(n_rows)
    n_small = 0
    for r in range(n_rows):
        t = codes[r]
        sums_without_each(forecast, r, others)
        product = forecast[r, t] * product_without(others, t)
        if product >= LEAST_PRODUCT and worth[t] >= LEAST_PRODUCT:
            out[r] = product / worth[t]
        else:
            n_small += 1
    return out, n_small


@kernel
def information_ratios_by_class(
    forecast: NDArray[np.float64], prior: NDArray[np.float64]
) -> tuple[NDArray[np.float64], int]:
    """Return `information_ratios` of each row for each class, to the bit.

    78 000 x 5, the cells of a simulation: 0.9 ms.
    """
    n_rows, n_classes = forecast.shape
    worth = _worth(prior)
    others, products = np.empty(n_classes), np.empty(n_classes)
    out = np.zeros((n_rows, n_classes))
    n_small = 0
    for r in range(n_rows):
        sums_without_each(forecast, r, others)
        products_without_each(others, products)
        for t in range(n_classes):
            product = forecast[r, t] * products[t]
            if product >= LEAST_PRODUCT and worth[t] >= LEAST_PRODUCT:
                out[r, t] = product / worth[t]
            else:
                n_small += 1
    return out, n_small


@kernel
def information_bits(
    rows: NDArray[np.intp],
    codes: NDArray[np.intp],
    forecast: NDArray[np.float64],
    prior: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the bits of the given rows, each for its class in `codes`, as a sum of logarithms."""
    others, prior_others = np.empty(prior.size), np.empty(prior.size)
    sums_without_each(prior.reshape(1, -1), 0, prior_others)
    out = np.empty(rows.size)
    out[:] = -math.inf
    for j in range(rows.size):
        r, t = rows[j], codes[j]
        if forecast[r, t] > 0.0:  # then no other term can be infinite
            sums_without_each(forecast, r, others)
            bits = math.log2(forecast[r, t]) - math.log2(prior[t])
            for i in range(prior.size):
                if i != t:
                    bits += math.log2(others[i]) - math.log2(prior_others[i])
            out[j] = bits
    return out


@kernel
def _worth(prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the product for each class of what the prior gives to the bets."""
    others, worth = np.empty(prior.size), np.empty(prior.size)
    sums_without_each(prior.reshape(1, -1), 0, others)
    products_without_each(others, worth)
    for i in range(prior.size):
        worth[i] *= prior[i]
    return worth


@kernel
def bayesian_rewards(
    codes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the mean of all bets of each row for the class that happened.

    1 000 000 x 10: 60 ms, most of it for ten logarithms per row.
    """
    n_rows, n_classes = forecast.shape
    logs = _prior_logs(prior)
    others, against = np.empty(n_classes), np.empty((1, n_classes))
    out = np.empty(n_rows)
    for r in range(n_rows):
        t = codes[r]
        sums_without_each(forecast, r, others)
        for i in range(n_classes):
            against[0, i] = _log(others[i], forecast[r, i])
        # In a loop of its own, and in no function of its own, this runs in vector registers.
        for i in range(n_classes):
            against[0, i] = _share(against[0, i], logs[1, i])
        own = _share(_log(forecast[r, t], others[t]), logs[0, t])
        out[r] = (own + sum_without(against, 0, t)) / n_classes
    return out


@kernel
def bayesian_rewards_by_class(
    forecast: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return `bayesian_rewards` of each row for each class, to the bit."""
    n_rows, n_classes = forecast.shape
    logs = _prior_logs(prior)
    others, against = np.empty(n_classes), np.empty((1, n_classes))
    out = np.empty((n_rows, n_classes))
    for r in range(n_rows):
        sums_without_each(forecast, r, others)
        for i in range(n_classes):
            against[0, i] = _share(_log(others[i], forecast[r, i]), logs[1, i])
        sums_without_each(against, 0, out[r])
        for t in range(n_classes):
            own = _share(_log(forecast[r, t], others[t]), logs[0, t])
            out[r, t] = (own + out[r, t]) / n_classes
    return out


@kernel
def modal_bayesian_rewards(
    modes: NDArray[np.intp], forecast: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return, for each row, the bet on its class `modes` alone: column 0 if it is lost, column 1 if won."""
    logs = _prior_logs(prior)
    out = np.empty((modes.size, 2))
    for r in range(modes.size):
        m = modes[r]
        others = sum_without(forecast, r, m)
        out[r, 0] = _share(_log(others, forecast[r, m]), logs[1, m])
        out[r, 1] = _share(_log(forecast[r, m], others), logs[0, m])
    return out


@kernel
def _prior_logs(prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log pi_i in row 0 and log(1 - pi_i) in row 1; none is 0, as no entry of a prior is."""
    others = np.empty(prior.size)
    sums_without_each(prior.reshape(1, -1), 0, others)
    logs = np.empty((2, prior.size))
    for i in range(prior.size):
        logs[0, i] = _log(prior[i], others[i])
        logs[1, i] = _log(others[i], prior[i])
    return logs


@kernel
def _share(log: float, prior_log: float) -> float:
    """Return 1 - log / prior_log, as one fraction."""
    return (prior_log - log) / prior_log


@kernel
def _log(part: float, rest: float) -> float:
    """Return log(part), where part + rest = 1, with all digits also where `part` is almost 1."""
    return math.log1p(-rest) if rest < part else math.log(part)


@kernel
def good_rewards(modes: NDArray[np.intp], forecast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each row, the bits of the bet on its class `modes`: column 0 if lost, column 1 if won."""
    out = np.empty((modes.size, 2))
    for r in range(modes.size):
        out[r, 0] = 1.0 + math.log2(sum_without(forecast, r, modes[r]))
        # min: the tolerance of the row sums lets a probability exceed 1 by a rounding
        out[r, 1] = 1.0 + math.log2(min(forecast[r, modes[r]], 1.0))
    return out


@kernel
def kononenko_bratko_rewards(
    codes: NDArray[np.intp],
    forecast: NDArray[np.float64],
    prior: NDArray[np.float64],
    gains: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return bits of each row, by the first of the two formulas where `gains` holds, else by the second."""
    prior_others = np.empty(prior.size)
    sums_without_each(prior.reshape(1, -1), 0, prior_others)
    out = np.empty(codes.size)
    for r in range(codes.size):
        t = codes[r]
        others = sum_without(forecast, r, t)
        out[r] = _kononenko_bratko_bits(forecast[r, t], others, prior[t], prior_others[t], gains[r])
    return out


@kernel
def kononenko_bratko_rewards_by_class(
    forecast: NDArray[np.float64], prior: NDArray[np.float64], gains: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return `kononenko_bratko_rewards` by class, to the bit; `gains` has the shape of `forecast`."""
    prior_others, others = np.empty(prior.size), np.empty(prior.size)
    sums_without_each(prior.reshape(1, -1), 0, prior_others)
    out = np.empty(forecast.shape)
    for r in range(forecast.shape[0]):
        sums_without_each(forecast, r, others)
        for t in range(prior.size):
            out[r, t] = _kononenko_bratko_bits(
                forecast[r, t], others[t], prior[t], prior_others[t], gains[r, t]
            )
    return out


@kernel
def _kononenko_bratko_bits(
    own: float, others: float, prior_own: float, prior_others: float, gain: bool
) -> float:
    # a difference of logarithms: the ratio may overflow
    if gain:
        return math.log2(own) - math.log2(prior_own)
    return math.log2(prior_others) - math.log2(others)


@kernel
def quadratic_losses(codes: NDArray[np.intp], forecast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each row, the squared distance from the class that happened."""
    squares = np.empty((1, forecast.shape[1]))
    out = np.empty(codes.size)
    for r in range(codes.size):
        for i in range(squares.size):
            squares[0, i] = forecast[r, i] * forecast[r, i]
        missing = sum_without(forecast, r, codes[r])
        out[r] = min(sum_without(squares, 0, codes[r]) + missing * missing, GREATEST_LOSS)
    return out


@kernel
def quadratic_losses_by_class(forecast: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `quadratic_losses` of each row for each class, to the bit."""
    squares, missing = np.empty((1, forecast.shape[1])), np.empty(forecast.shape[1])
    out = np.empty(forecast.shape)
    for r in range(forecast.shape[0]):
        for i in range(squares.size):
            squares[0, i] = forecast[r, i] * forecast[r, i]
        sums_without_each(forecast, r, missing)
        sums_without_each(squares, 0, out[r])
        for t in range(squares.size):
            out[r, t] = min(out[r, t] + missing[t] * missing[t], GREATEST_LOSS)
    return out
