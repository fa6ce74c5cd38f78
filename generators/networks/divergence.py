"""Kullback-Leibler divergence between two truths over the same variables, in bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.base.variables import Variables
from generators.networks.inference import family_marginal
from generators.networks.truth import Truth

__all__ = ["kl_by_enumeration", "kl_by_families"]

LN_2 = float(np.log(2.0))


def kl_by_families(p: Factorization, q: Factorization) -> float:
    """Return KL(p || q) of two networks, family by family."""
    _check_variables(p, q)
    log_p = _expected_log(p, p)
    log_q = _expected_log(p, q)
    return _bits(log_p - log_q)


def _expected_log(p: Factorization, q: Factorization) -> float:
    """Return the mean of log q(x) under p, in nats."""
    total = 0.0
    for child in range(q.n_variables):
        family = (*q.parent_indices[child], child)
        in_p = tuple(p.names.index(q.names[variable]) for variable in family)
        marginal = _with_states_of(q, family, family_marginal(p, in_p), p, in_p)
        possible = marginal > 0
        total += float(np.sum(marginal[possible] * q.log_cpts[child][possible]))
    return total


def kl_by_enumeration(p: Truth, q: Truth) -> float:
    """Return KL(p || q) of any two truths, cell by cell."""
    _check_variables(p, q)
    if not p.enumerable:
        raise ValueError(
            f"there are {p.n_cells} cells, too many for an exact comparison: compare on a sample instead"
        )
    variables = tuple(range(q.n_variables))
    in_p = tuple(p.names.index(name) for name in q.names)
    joint_p = _with_states_of(q, variables, p.joint_array(in_p), p, in_p)
    joint_q = q.joint_array(variables)
    possible = joint_p > 0
    with np.errstate(divide="ignore"):
        return _bits(
            float(np.sum(joint_p[possible] * (np.log(joint_p[possible]) - np.log(joint_q[possible]))))
        )


def _check_variables(p: Variables, q: Variables) -> None:
    ours, theirs = dict(zip(p.names, p.states, strict=True)), dict(zip(q.names, q.states, strict=True))
    if set(ours) != set(theirs):
        odd = ", ".join(sorted(set(ours) ^ set(theirs)))
        raise ValueError(
            f"only one of the two distributions has {odd}: expected distributions over the same variables"
        )
    for name, states in ours.items():
        if set(states) != set(theirs[name]):
            raise ValueError(
                f"the states of {name!r} are {states} and {theirs[name]}: give both the same states"
            )


def _with_states_of(
    q: Variables,
    q_variables: Sequence[int],
    values: NDArray[np.float64],
    p: Variables,
    p_variables: Sequence[int],
) -> NDArray[np.float64]:
    """Reorder each axis of an array of p to the state order of q."""
    for axis, (q_variable, p_variable) in enumerate(zip(q_variables, p_variables, strict=True)):
        if q.states[q_variable] != p.states[p_variable]:
            codes = [p.states[p_variable].index(state) for state in q.states[q_variable]]
            values = values.take(codes, axis=axis)
    return values


def _bits(nats: float) -> float:
    # rounding may leave -1e-16 for two equal distributions
    return max(nats / LN_2, 0.0)
