"""What truths that alter another truth have in common: checks, names, and evidence that is passed on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.base.validation import shown
from generators.networks.inference import SoftEvidence, log_sum
from generators.networks.truth import Truth

__all__ = [
    "add_evidence",
    "alterable",
    "fresh_names",
    "inverse_cdf",
    "likelihood",
    "logs",
    "split_evidence",
]


def alterable(truth: Truth, what: str, *, complete: bool = True) -> Truth:
    """Return a truth that can be altered, or raise ValueError.

    Parameters
    ----------
    truth : Truth
        Nominal, with a class.
    what : str
        What would alter it, in the error.
    complete : bool, default=True
        Whether its rows must be complete.

    Returns
    -------
    Truth

    Examples
    --------
    >>> alterable("tan", "label noise")
    Traceback (most recent call last):
    ...
    ValueError: label noise is for nominal truths with a class, not 'tan'; give one, and show numbers last
    """
    if not isinstance(truth, Truth) or truth.class_index is None:
        raise ValueError(
            f"{what} is for nominal truths with a class, not {shown(truth)}; give one, and show numbers last"
        )
    if complete and not truth.complete:
        raise ValueError(f"{what} is for truths without missing values; let values be missing after it")
    return truth


def fresh_names(wanted: Sequence[str], taken: Sequence[str]) -> tuple[str, ...]:
    """Return names that nothing bears yet: those wanted, with a number behind where they are taken.

    Examples
    --------
    >>> fresh_names(["a", "b", "b"], ["a", "y"])
    ('a2', 'b', 'b2')
    """
    known, found = set(taken), []
    for name in wanted:
        number, candidate = 1, name
        while candidate in known:
            number += 1
            candidate = f"{name}{number}"
        known.add(candidate)
        found.append(candidate)
    return tuple(found)


def logs(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return natural logs; -inf where a probability is zero.

    Examples
    --------
    >>> logs(np.array([1.0, 0.0]))
    array([  0., -inf])
    """
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def likelihood(
    log_table: NDArray[np.float64], codes: NDArray[np.intp], soft: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return what is known of a parent through its child, as log-likelihoods of the parent's states.

    Parameters
    ----------
    log_table : ndarray of shape (n_parent_states, n_child_states)
        log P(child | parent).
    codes : ndarray of shape (n_rows,)
        Of the child; -1 where it is missing.
    soft : ndarray of shape (n_rows, n_child_states) or None
        Soft evidence on the child, for rows that miss it.

    Returns
    -------
    ndarray of shape (n_rows, n_parent_states)
        Zeros where nothing is known.

    Examples
    --------
    >>> table = np.log([[0.75, 0.25], [0.5, 0.5]])
    >>> np.exp(likelihood(table, np.array([0, -1]), None))
    array([[0.75, 0.5 ],
           [1.  , 1.  ]])
    """
    # the code of a missing value, -1, takes the last row
    found = np.concatenate([log_table.T, np.zeros((1, len(log_table)))])[codes]
    if soft is not None:
        hidden = np.flatnonzero(codes < 0)
        found[hidden] = log_sum(soft[hidden][:, np.newaxis, :] + log_table, axis=2)
    return found


def add_evidence(
    soft: dict[int, NDArray[np.float64]],
    variable: int,
    log_likelihood: NDArray[np.float64],
    codes: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Add log-likelihoods of a variable to the soft evidence; return what they say where it is seen.

    Parameters
    ----------
    soft : dict
        Changed.
    variable : int
    log_likelihood : ndarray of shape (n_rows, arity)
    codes : ndarray of shape (n_rows,)
        Of the variable; -1 where it is missing, or is the target.

    Returns
    -------
    ndarray of shape (n_rows,)
        Nats to add to the row; 0 where the variable is missing.

    Examples
    --------
    >>> soft = {}
    >>> add_evidence(soft, 3, np.array([[-1.0, -2.0], [-1.0, -2.0]]), np.array([1, -1])), list(soft)
    (array([-2.,  0.]), [3])
    """
    seen = codes >= 0
    hidden_part = np.where(seen[:, np.newaxis], 0.0, log_likelihood)
    soft[variable] = soft[variable] + hidden_part if variable in soft else hidden_part
    return np.where(seen, log_likelihood[np.arange(len(codes)), np.maximum(codes, 0)], 0.0)


def split_evidence(soft: SoftEvidence | None, n_first: int) -> tuple[dict[int, Any], dict[int, Any]]:
    """Divide soft evidence between the first variables and the others, which are numbered from 0 again."""
    values = dict(soft or {})
    first = {variable: values[variable] for variable in values if variable < n_first}
    return first, {variable - n_first: values[variable] for variable in values if variable >= n_first}


def inverse_cdf(
    table: NDArray[np.float64], rows: NDArray[Any], uniforms: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Turn uniforms into states, each by the cumulative distribution of its row.

    Examples
    --------
    >>> inverse_cdf(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0, 1]), np.array([0.2, 0.2]))
    array([0, 1])
    """
    cumulative = np.cumsum(table, axis=1)
    # divided by the total, so that a last state of probability zero is never drawn
    thresholds = (cumulative / cumulative[:, -1:])[:, :-1]
    states = np.zeros(len(uniforms), dtype=np.intp)
    for column in thresholds.T:
        states += uniforms >= column[rows]
    return states
