"""Parts of random concepts: the distribution of the attributes, and the paths of a decision tree."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from generators.base.draw import Bounds, random_between, random_integer, random_order, random_sizes
from generators.base.random_graph import checked_max_parents, random_cpts, random_parents
from generators.networks.network import Network

__all__ = ["SPLITS", "Path", "RandomAttributes", "random_attributes", "random_paths"]

#: Attribute to the codes that the tests of a path leave.
Path = dict[int, tuple[int, ...]]

Parts = list[tuple[int, ...]]


@dataclass(frozen=True)
class RandomAttributes:
    """The attributes of a random concept."""

    network: Network  # their distribution, without a class
    relevant: tuple[int, ...]  # those that conditions may use, in random order
    n_classes: int

    @property
    def arities(self) -> tuple[int, ...]:
        """Number of states of each attribute."""
        return tuple(self.network.arities.tolist())


def random_attributes(
    rng: np.random.Generator,
    *,
    n_attributes: Bounds,
    arity: Bounds,
    n_classes: Bounds,
    n_relevant: Bounds | None,
    max_parents: int,
    concentration: float,
) -> RandomAttributes:
    """Draw the attributes of a concept."""
    limit = checked_max_parents(max_parents)
    sizes = random_sizes(rng, n_attributes=n_attributes, arity=arity, n_classes=n_classes)
    n, names = sizes.n_attributes, sizes.names[:-1]
    n_named = n if n_relevant is None else min(n, random_between(rng, "n_relevant", n_relevant))
    relevant = random_order(rng, n)[:n_named]
    parents = random_parents(rng, n, limit) if limit else ((),) * n
    cpts = random_cpts(rng, names, sizes.arities, parents, rows="dirichlet", concentration=concentration)
    return RandomAttributes(Network(names, sizes.states[:-1], parents, cpts), relevant, sizes.n_classes)


def random_paths(
    rng: np.random.Generator, attributes: RandomAttributes, *, n_leaves: Bounds, max_depth: int, split: str
) -> list[Path]:
    """Draw the paths of a decision tree by splitting random leaves on random attributes."""
    if split not in SPLITS:
        raise ValueError(f"split is {split!r}: expected one of {', '.join(map(repr, SPLITS))}")
    if isinstance(max_depth, bool) or not isinstance(max_depth, int | np.integer) or max_depth < 1:
        raise ValueError(f"max_depth is {max_depth!r}: expected a maximum depth of 1 or more")
    wanted = random_between(rng, "n_leaves", n_leaves)
    highest = n_leaves[1] if isinstance(n_leaves, tuple | list) else n_leaves
    leaves: list[tuple[int, Path]] = [(0, {})]
    while len(leaves) < wanted:
        room = highest - len(leaves)
        open_leaves = [
            (place, tests)
            for place, (depth, path) in enumerate(leaves)
            if depth < max_depth and (tests := _tests(path, attributes, room, split))
        ]
        if not open_leaves:
            break
        place, tests = open_leaves[random_integer(rng, 0, len(open_leaves) - 1)]
        attribute, codes = tests[random_integer(rng, 0, len(tests) - 1)]
        depth, path = leaves[place]
        leaves[place : place + 1] = [
            (depth + 1, {**path, attribute: part}) for part in SPLITS[split](rng, codes)
        ]
    return [path for _, path in leaves]


def _tests(
    path: Path, attributes: RandomAttributes, room: int, split: str
) -> list[tuple[int, tuple[int, ...]]]:
    """Return the attributes that can be tested below a path, with the remaining states of each."""
    left = [(v, path.get(v, tuple(range(attributes.arities[v])))) for v in attributes.relevant]
    return [
        (v, codes) for v, codes in left if len(codes) > 1 and (split == "binary" or len(codes) <= room + 1)
    ]


def _two_groups(rng: np.random.Generator, codes: Sequence[int]) -> Parts:
    n_left = random_integer(rng, 1, len(codes) - 1)
    places = random_order(rng, len(codes))[:n_left]
    left = tuple(code for place, code in enumerate(codes) if place in places)
    return [left, tuple(code for code in codes if code not in left)]


def _single_states(_: np.random.Generator, codes: Sequence[int]) -> Parts:
    return [(code,) for code in codes]


SPLITS: dict[str, Callable[[np.random.Generator, Sequence[int]], Parts]] = {
    "binary": _two_groups,
    "multiway": _single_states,
}
