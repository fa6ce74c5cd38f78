"""Checks of the description of a Bayesian network."""

import heapq
import reprlib
from collections import Counter
from collections.abc import Hashable, Sequence, Sized

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "check_cpts",
    "check_names",
    "check_parents",
    "check_states",
    "check_weights",
    "shown",
    "topological_order",
]

ROW_SUM_TOLERANCE = 1e-8
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def shown(value: object) -> str:
    r"""Return a value as shown in error messages: on one line, shortened if long, of plain Python."""
    try:
        return " ".join(_SHORT.repr(value.item() if isinstance(value, np.generic) else value).split())
    except ValueError:  # Python refuses to format an integer of more than 4300 digits
        return f"an {type(value).__name__} of very many digits"


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names as a tuple, or raise ValueError if they are not distinct strings."""
    if isinstance(names, str) or _count("names", names) == 0:
        raise ValueError(f"names is {shown(names)}: expected a sequence of at least one string")
    for name in names:
        if not isinstance(name, str):
            raise ValueError(
                f"the variable name {shown(name)} is not a string: name every variable by a string"
            )
    for name, count in Counter(names).items():
        if count > 1:
            raise ValueError(f"the name {shown(name)} is given to several variables: make the names distinct")
    return tuple(str(name) for name in names)


def check_states(
    names: tuple[str, ...], states: Sequence[Sequence[Hashable]]
) -> tuple[tuple[Hashable, ...], ...]:
    """Return the states as tuples of Python values, or raise ValueError if a variable's are not distinct."""
    if _count("states", states) != len(names):
        raise ValueError(
            f"there are {len(names)} names and {len(states)} lists of states: expected one per variable"
        )
    return tuple(_distinct(name, values) for name, values in zip(names, states, strict=True))


def _distinct(name: str, values: Sequence[Hashable]) -> tuple[Hashable, ...]:
    if isinstance(values, str) or not isinstance(values, Sized) or len(values) == 0:
        raise ValueError(
            f"the states of {shown(name)} are {shown(values)}: expected a sequence of at least one state"
        )
    plain = tuple(value.item() if isinstance(value, np.generic) else value for value in values)
    seen: dict[Hashable, Hashable] = {}
    for value in plain:
        if not isinstance(value, Hashable):
            raise ValueError(
                f"{shown(name)} has the state {shown(value)}, which is not hashable: expected a plain value"
            )
        if value is None or value != value:
            raise ValueError(
                f"{shown(name)} has the state {shown(value)}, which means missing: give it another name"
            )
        if value in seen:
            raise ValueError(
                f"{shown(name)} has the equal states {shown(seen[value])} and {shown(value)}: make them "
                "distinct"
            )
        seen[value] = value
    return plain


def check_parents(names: tuple[str, ...], parents: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the parents as tuples of int, or raise ValueError if they are not distinct other variables."""
    if _count("parents", parents) != len(names):
        raise ValueError(
            f"there are {len(names)} names and {len(parents)} parent sets: expected one per variable"
        )
    for name, indices in zip(names, parents, strict=True):
        if not isinstance(indices, Sized):
            raise ValueError(
                f"the parents of {shown(name)} are {shown(indices)}: expected indices, or () for none"
            )
        for parent in indices:
            if isinstance(parent, bool) or not isinstance(parent, int | np.integer):
                raise ValueError(
                    f"{shown(name)} has the parent {shown(parent)}: expected the index of a variable"
                )
            if not 0 <= parent < len(names):
                raise ValueError(
                    f"{shown(name)} has the parent {parent}: expected an index from 0 to {len(names) - 1}"
                )
        if len(set(indices)) < len(indices):
            raise ValueError(
                f"{shown(name)} has the parents {shown(tuple(indices))}, one of them twice: give each parent "
                "once"
            )
    return tuple(tuple(int(parent) for parent in indices) for indices in parents)


def topological_order(names: tuple[str, ...], parents: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Return the variables with parents before children, ties in the order of the indices."""
    children: list[list[int]] = [[] for _ in names]
    for child, indices in enumerate(parents):
        for parent in indices:
            children[parent].append(child)
    n_waiting = [len(indices) for indices in parents]
    ready = [node for node, count in enumerate(n_waiting) if count == 0]
    order: list[int] = []
    while ready:
        order.append(heapq.heappop(ready))
        for child in children[order[-1]]:
            n_waiting[child] -= 1
            if n_waiting[child] == 0:
                heapq.heappush(ready, child)
    if len(order) < len(names):
        cycle = " -> ".join(
            _bare(names[node]) for node in _cycle(parents, set(range(len(names))) - set(order))
        )
        raise ValueError(f"the parents form a cycle: {cycle}. Remove one of these arcs")
    return tuple(order)


def _cycle(parents: tuple[tuple[int, ...], ...], nodes: set[int]) -> list[int]:
    # every node left has a parent that is left, so walking upwards must meet a node again
    walk = [min(nodes)]
    while walk[-1] not in walk[:-1]:
        walk.append(next(parent for parent in parents[walk[-1]] if parent in nodes))
    return walk[walk.index(walk[-1]) :][::-1]


def check_cpts(
    names: tuple[str, ...],
    states: tuple[tuple[Hashable, ...], ...],
    parents: tuple[tuple[int, ...], ...],
    cpts: Sequence[object],
) -> tuple[NDArray[np.float64], ...]:
    """Return read-only float64 copies of the CPTs, or raise ValueError if one is not a distribution."""
    if _count("cpts", cpts) != len(names):
        raise ValueError(f"there are {len(names)} names and {len(cpts)} CPTs: expected one per variable")
    checked = []
    for child, cpt in enumerate(cpts):
        family = (*parents[child], child)
        values = _as_array(names[child], cpt)
        shape = tuple(len(states[variable]) for variable in family)
        if values.shape != shape:
            axes = ", ".join(_bare(names[variable]) for variable in family)
            raise ValueError(
                f"the CPT of {shown(names[child])} has the shape {values.shape}: expected {shape} ({axes})"
            )
        _check_rows(names, states, family, values)
        values.flags.writeable = False
        checked.append(values)
    return tuple(checked)


def _as_array(name: str, cpt: object) -> NDArray[np.float64]:
    try:
        return np.array(cpt, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"the CPT of {shown(name)} is not an array of numbers: expected an axis for each parent, and a "
            "last axis for the variable"
        ) from None


def _check_rows(
    names: tuple[str, ...],
    states: tuple[tuple[Hashable, ...], ...],
    family: tuple[int, ...],
    values: NDArray[np.float64],
) -> None:
    sums = values.sum(axis=-1)
    bad = ~((values >= 0).all(axis=-1) & (np.abs(sums - 1) <= ROW_SUM_TOLERANCE))
    if not bad.any():
        return
    where = tuple(int(index[0]) for index in np.nonzero(np.atleast_1d(bad)))[: len(family) - 1]
    given = ", ".join(
        f"{_bare(names[parent])}={shown(states[parent][code])}"
        for parent, code in zip(family, where, strict=False)
    )
    row = f"the row {given} of the CPT of" if given else "the distribution of"
    child = names[family[-1]]
    if not (values[where] >= 0).all():
        raise ValueError(f"{row} {shown(child)} has a negative or undefined entry: expected probabilities")
    raise ValueError(f"{row} {shown(child)} sums to {float(sums[where]):.10g}: make every row sum to one")


def check_weights(weights: object, n_components: int) -> NDArray[np.float64]:
    """Return the weights of a mixture as an array, or raise ValueError if they are no distribution."""
    try:
        checked = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"weights is {shown(weights)}: expected one number per component") from None
    if checked.shape != (n_components,):
        raise ValueError(
            f"weights has the shape {checked.shape}: expected one for each of {n_components} components"
        )
    if not (checked >= 0).all() or abs(checked.sum() - 1) > ROW_SUM_TOLERANCE:
        raise ValueError(f"the weights are {shown(checked.tolist())}: expected probabilities that sum to one")
    checked.flags.writeable = False
    return checked


def _count(argument: str, given: object) -> int:
    """Return the length of a sequence, or raise ValueError if it is none."""
    if not isinstance(given, Sized):
        raise ValueError(f"{argument} is {shown(given)}: expected a sequence with an entry for each variable")
    return len(given)


def _bare(name: str) -> str:
    """Return a name without quotes if it is a plain one."""
    return name if len(name) <= 60 and name.isprintable() else shown(name)
