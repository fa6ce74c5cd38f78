"""Boxes: sets of combinations of states, one set of states for each variable."""

import math
from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Box", "MOST_BOXES", "box_of", "box_size", "disjoint_boxes"]

#: For each variable the states allowed, as bits of an integer.
Box = tuple[int, ...]

MOST_BOXES = 5_000


def box_of(conditions: Mapping[int, Sequence[int]], arities: Sequence[int]) -> Box:
    """Return the box in which variables have one of the states named, and the others any."""
    box = [(1 << arity) - 1 for arity in arities]
    for variable, codes in conditions.items():
        box[variable] = sum(1 << code for code in codes)
    return tuple(box)


def box_size(box: Box) -> int:
    """Return how many combinations a box holds."""
    return math.prod(allowed.bit_count() for allowed in box)


def disjoint_boxes(ordered: Sequence[Box]) -> list[list[Box]]:
    """Return what each box holds beyond those before it, as disjoint boxes."""
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
