"""Boxes: sets of combinations of states, one set of states for each variable."""

import math
from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Box", "MOST_BOXES", "box_of", "box_size", "disjoint_boxes"]

#: For each variable the states allowed, as bits of an integer.
Box = tuple[int, ...]

MOST_BOXES = 5_000


def box_of(conditions: Mapping[int, Sequence[int]], arities: Sequence[int]) -> Box:
    """Return the box in which variables have one of the states named, and the others any.

    Parameters
    ----------
    conditions : mapping of int to sequence of int
        Variable to the codes allowed.
    arities : sequence of int
        Number of states of each variable.

    Returns
    -------
    Box

    Examples
    --------
    >>> [bin(allowed) for allowed in box_of({1: [0, 2]}, (2, 3))]
    ['0b11', '0b101']
    """
    box = [(1 << arity) - 1 for arity in arities]
    for variable, codes in conditions.items():
        box[variable] = sum(1 << code for code in codes)
    return tuple(box)


def box_size(box: Box) -> int:
    """Return how many combinations a box holds.

    Examples
    --------
    >>> box_size(box_of({1: [0, 2]}, (2, 3)))
    4
    """
    return math.prod(allowed.bit_count() for allowed in box)


def disjoint_boxes(ordered: Sequence[Box]) -> list[list[Box]]:
    """Return what each box holds beyond those before it, as disjoint boxes.

    Parameters
    ----------
    ordered : sequence of Box
        The first that holds a combination takes it.

    Returns
    -------
    list of list of Box
        One list for each; empty where those before it hold all.

    Raises
    ------
    ValueError
        If there would be more than 5,000 boxes.

    Examples
    --------
    >>> first, rest = disjoint_boxes([box_of({0: [1]}, (2, 2)), box_of({}, (2, 2))])
    >>> [box_size(box) for box in (*first, *rest)]
    [2, 2]
    """
    found: list[list[Box]] = []
    n_boxes = 0
    for place, box in enumerate(ordered):
        pieces = [box]
        for earlier in ordered[:place]:
            pieces = [part for piece in pieces for part in _outside(piece, earlier)]
            if n_boxes + len(pieces) > MOST_BOXES:
                raise ValueError(
                    f"the rules cut the attributes into more than {MOST_BOXES:,} boxes; give fewer rules, or "
                    "fewer conditions in each"
                )
        n_boxes += len(pieces)
        found.append(pieces)
    return found


def _outside(box: Box, other: Box) -> Iterator[Box]:
    """Yield the parts of a box that lie outside another."""
    if any(not (own & theirs) for own, theirs in zip(box, other, strict=True)):
        yield box
        return
    rest = list(box)
    for variable, theirs in enumerate(other):
        beyond = rest[variable] & ~theirs
        if beyond:
            yield (*rest[:variable], beyond, *rest[variable + 1 :])
            rest[variable] &= theirs
