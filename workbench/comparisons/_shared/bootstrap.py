"""The Bayesian bootstrap over subjects: weights, and intervals of weighted statistics."""

import numpy as np
from numpy.typing import NDArray

from workbench.base.checks import as_integer
from workbench.comparisons._shared.base import check_share, t_critical

__all__ = ["N_RESAMPLES", "expanded_interval", "student_weights", "subject_weights"]

#: With this many draws, the standard error of a probability is at most 0.008.
N_RESAMPLES = 4000


def subject_weights(
    n_subjects: int, *, n_resamples: int = N_RESAMPLES, random_state: int = 0
) -> NDArray[np.float64]:
    """Draw weights of subjects, flat over all distributions on them.

    ``weights @ values`` are draws of the posterior of the mean. Using one set of weights for all learners and
    sizes preserves pairing.

    Notes
    -----
    Each row is Dirichlet(1, ..., 1), made of exponentials; Efron's bootstrap has multinomial counts instead,
    of nearly the same variance: n + 1 here against n there.

    References
    ----------
    .. [1] Rubin, D. B., "The Bayesian bootstrap", The Annals of Statistics 9, 1981.
    """
    n, n_draws = as_integer(n_subjects), as_integer(n_resamples)
    if n is None or n < 2:
        raise ValueError(
            f"there are {n_subjects!r} subjects: add replicates, since a bootstrap needs at least 2"
        )
    if n_draws is None or n_draws < 1:
        raise ValueError(f"n_resamples is {n_resamples!r}: give an integer of at least 1")
    rng = np.random.Generator(np.random.PCG64(random_state))
    exponentials = -np.log1p(-rng.random((n_draws, n)))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def student_weights(
    n_subjects: int, *, n_resamples: int = N_RESAMPLES, random_state: int = 0
) -> NDArray[np.float64]:
    """Draw weights like `subject_weights`, but more dispersed to account for few subjects.

    ``weights @ values`` are draws of a posterior of the mean that is approximately Student's.

    Notes
    -----
    The variance of a mean under the plain weights is too small by (n - 1) / (n + 1), and its tails are a
    normal distribution's. Each row's distance from equal weights is scaled by
    ``sqrt((n + 1) / (n - 1))``, and divided by the root of a chi square on n - 1 degrees of freedom over
    n - 1.
    """
    from scipy.special import gammaincinv

    plain = subject_weights(n_subjects, n_resamples=n_resamples, random_state=random_state)
    n_draws, n = plain.shape
    # A separate stream, by inversion, so that no release of numpy changes the draws.
    rng = np.random.Generator(np.random.PCG64([random_state, n, n_draws]))
    chi_square = 2 * gammaincinv((n - 1) / 2, 1 - rng.random((n_draws, 1)))
    spread = np.sqrt((n + 1) / np.maximum(chi_square, np.finfo(float).tiny))
    widened: NDArray[np.float64] = 1 / n + spread * (plain - 1 / n)
    return widened


def expanded_interval(
    draws: NDArray[np.float64], *, n_subjects: int, level: float = 0.95
) -> tuple[float, float]:
    """Return the percentile interval of draws, widened for few subjects.

    Notes
    -----
    Plain percentiles are those of a normal distribution with a variance that is too small, here by
    (n - 1) / (n + 1). The tails are taken as Phi(-t sqrt((n + 1) / (n - 1))), with t that of Student on n - 1
    degrees of freedom, so that the interval of a mean is about Student's; Hesterberg's expansion, for the
    variance of the Bayesian bootstrap.

    References
    ----------
    .. [1] Hesterberg, T. C., "What teachers should know about the bootstrap: resampling in the undergraduate
       statistics curriculum", The American Statistician 69, 2015.
    """
    from scipy.special import ndtr

    check_share(level, what="level")
    reach = t_critical(1 - level, n_subjects - 1) * np.sqrt((n_subjects + 1) / (n_subjects - 1))
    tail = float(ndtr(-reach))
    # Order statistics, as infinite draws cannot be interpolated.
    low, high = np.quantile(draws, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)
