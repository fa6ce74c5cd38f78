"""Checks of graphs given as lists of parents."""

from collections.abc import Mapping, Sequence

import numpy as np

from learners.options import is_whole

__all__ = ["GivenParents", "Parents", "check_parents", "column_index", "find_cycle"]

Parents = tuple[tuple[int, ...], ...]
#: Of each column in order, or of those that have any, by name or index.
GivenParents = Sequence[Sequence[int | str]] | Mapping[str, Sequence[int | str]]


def check_parents(parents: GivenParents, names: tuple[str, ...]) -> Parents:
    """Return the parents by index."""
    if isinstance(parents, Mapping):
        listed: list[Sequence[int | str]] = [()] * len(names)
        for name, others in parents.items():
            listed[column_index(name, names, "The column")] = others
        parents = listed
    if isinstance(parents, str) or len(parents) != len(names) or not all(map(_is_list, parents)):
        raise ValueError(
            f"parents must hold a sequence for each of the {len(names)} columns, but was {parents!r}."
        )
    checked = tuple(tuple(column_index(u, names, "The parent") for u in others) for others in parents)
    for v, others in enumerate(checked):
        if len(set(others)) < len(others):
            raise ValueError(
                f"The parents of {names[v]!r} name a column twice: {parents[v]!r}. Give each once."
            )
    cycle = find_cycle(checked)
    if cycle:
        path = " -> ".join(names[v] for v in [*cycle, cycle[0]])
        raise ValueError(f"The parents have a cycle, {path}. Leave out one of its arcs.")
    return checked


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def column_index(name: int | str, names: tuple[str, ...], what: str) -> int:
    """Return the index of a column that a user named."""
    if isinstance(name, str) and name in names:
        return names.index(name)
    if is_whole(name) and 0 <= int(name) < len(names):
        return int(name)
    raise ValueError(
        f"{what} {name!r} is not a column of X: expected an index from 0 to {len(names) - 1} "
        f"or one of {', '.join(names)}."
    )


def find_cycle(parents: Parents) -> list[int]:
    """Return the nodes of a cycle, each a parent of the next, or an empty list if there is none."""
    left = set(range(len(parents)))
    while True:
        free = {v for v in left if not left.intersection(parents[v])}
        if not free:
            break
        left -= free
    if not left:
        return []
    path = [min(left)]
    while True:  # walk backwards through nodes that all have a remaining parent
        parent = min(left.intersection(parents[path[-1]]))
        if parent in path:
            cycle = path[path.index(parent) :][::-1]
            first = cycle.index(min(cycle))
            return cycle[first:] + cycle[:first]
        path.append(parent)
