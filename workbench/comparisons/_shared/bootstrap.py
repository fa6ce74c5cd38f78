"""The Bayesian bootstrap over subjects: weights, and intervals of weighted statistics."""

import numpy as np
from numpy.typing import NDArray

from workbench.base.checks import as_integer
from workbench.base.text import shown
from workbench.comparisons._shared.base import check_share, t_critical

__all__ = ["N_RESAMPLES", "expanded_interval", "student_weights", "subject_weights"]

#: With this many draws, the standard error of a probability is at most 0.008.
N_RESAMPLES = 4000


def subject_weights(
    n_subjects: int, *, n_resamples: int = N_RESAMPLES, random_state: int = 0
) -> NDArray[np.float64]:
    """Draw weights of subjects from the Bayesian bootstrap: `weights @ values` are draws of the mean."""
    # Rubin, "The Bayesian bootstrap", Annals of Statistics 9, 1981. Rows are Dirichlet(1, ..., 1), of
    # exponentials; Efron's multinomial counts have nearly the same variance. One set for all learners and
    # sizes keeps pairing.
    n, n_draws = as_integer(n_subjects), as_integer(n_resamples)
    if n is None or n < 2:
        raise ValueError(
            f"there are {shown(n_subjects)} subjects: add replicates, since a bootstrap needs at least 2"
        )
    if n_draws is None or n_draws < 1:
        raise ValueError(f"n_resamples is {shown(n_resamples)}: give an integer of at least 1")
    rng = np.random.Generator(np.random.PCG64(random_state))
    exponentials = -np.log1p(-rng.random((n_draws, n)))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def student_weights(
    n_subjects: int, *, n_resamples: int = N_RESAMPLES, random_state: int = 0
) -> NDArray[np.float64]:
    """Draw weights like `subject_weights`, dispersed so that draws of the mean follow Student's t."""
    # Plain weights have a variance too small by (n - 1) / (n + 1), and normal tails: the distance from equal
    # ones is scaled by sqrt((n + 1) / (n - 1)) / sqrt(chi square on n - 1 degrees / (n - 1)).
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
    """Return the percentile interval of draws, widened for few subjects to about Student's."""
    # Hesterberg, The American Statistician 69, 2015, here for the Bayesian bootstrap, whose variance is too
    # small by (n - 1) / (n + 1): tails are Phi(-t sqrt((n + 1) / (n - 1))), t that of Student on n - 1
    # degrees of freedom.
    from scipy.special import ndtr

    check_share(level, what="level")
    reach = t_critical(1 - level, n_subjects - 1) * np.sqrt((n_subjects + 1) / (n_subjects - 1))
    tail = float(ndtr(-reach))
    # Order statistics, as infinite draws cannot be interpolated.
    low, high = np.quantile(draws, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)
