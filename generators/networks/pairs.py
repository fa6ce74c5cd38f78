"""Joint distributions of two attributes and the class, for all pairs in a tree-structured network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization

__all__ = ["tables_of_pairs"]

# entries of all tables, which are held at once
MOST_ENTRIES = 2**25


def tables_of_pairs(
    network: Factorization, scopes: Sequence[tuple[int, ...]]
) -> Iterator[NDArray[np.float64]] | None:
    """Yield the table of each scope of two attributes and the class, or None if another method is needed."""
    above = _attribute_parents(network)
    if above is None or not all(len(scope) == 3 and scope[2] == network.class_index for scope in scopes):
        return None
    entries = float(network.arities.sum()) ** 2 * len(network.cpts[scopes[0][2]]) if scopes else 0
    if len(scopes) < len(above) or entries > MOST_ENTRIES:
        return None  # few are faster one by one
    joint = _all_pairs(network, above)
    return (joint[one, other].transpose(1, 2, 0) for one, other, _ in scopes)


def _attribute_parents(network: Factorization) -> dict[int, int | None] | None:
    """Return the attribute parent of each attribute, parents first, or None if one has several."""
    target = network.class_index
    if target is None or network.parent_indices[target]:
        return None
    above: dict[int, int | None] = {}
    for variable in network.order:
        attributes = [parent for parent in network.parent_indices[variable] if parent != target]
        if len(attributes) > 1:
            return None
        if variable != target:
            above[variable] = attributes[0] if attributes else None
    return above


def _all_pairs(
    network: Factorization, above: dict[int, int | None]
) -> dict[tuple[int, int], NDArray[np.float64]]:
    """Return P(class, one, other) of any two attributes, which may be the same."""
    assert network.class_index is not None
    prior = network.cpts[network.class_index][:, np.newaxis, np.newaxis]
    joint: dict[tuple[int, int], NDArray[np.float64]] = {}
    done: list[int] = []
    for variable, parent in above.items():
        chances = _given_class(network, variable, parent)
        alone = (prior if parent is None else joint[parent, parent]).sum(axis=1, keepdims=True) @ chances
        joint[variable, variable] = alone.swapaxes(1, 2) * np.eye(alone.shape[2])
        for other in done:
            if parent is None:
                table = joint[other, other].sum(axis=2, keepdims=True) @ chances
            else:
                table = joint[other, parent] @ chances
            joint[other, variable], joint[variable, other] = table, table.swapaxes(1, 2)
        done.append(variable)
    return joint


def _given_class(network: Factorization, variable: int, parent: int | None) -> NDArray[np.float64]:
    """Return the CPT with axes class (1 if it is no parent), parent (1 if there is none), attribute."""
    parents, cpt = network.parent_indices[variable], network.cpts[variable]
    if network.class_index in parents:
        cpt = np.moveaxis(cpt, parents.index(network.class_index), 0)
    else:
        cpt = cpt[np.newaxis]
    return cpt[:, np.newaxis] if parent is None else cpt
