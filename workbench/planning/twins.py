"""Twins: networks learned from a table, dense ones, from which tables of any size are drawn."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.networks.network import Network
from learners import TANClassifier, learn_network
from learners.networks.families import count_family
from workbench.base.seeds import generator_for, integer_seed
from workbench.planning.columns import GroupedColumns
from workbench.planning.fits import Indices

__all__ = ["DRAWS", "KINDS", "Structure", "Twin", "structures_of", "twins_of"]

#: The kinds of structure, and how many twins are drawn of each.
KINDS, DRAWS = ("dense", "tan"), 3
#: Probability of an arc, and the pseudo-count of each cell of a drawn table.
ARC_PROBABILITY, ALPHA = 0.5, 0.5
#: Limits of dense networks, and the seconds after which a search ends with what it has.
MOST_PARENTS, MOST_CELLS, SEARCH_SECONDS = 5, 4096, 60.0

Parents = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Structure:
    """The arcs of twins, and the counts of their tables."""

    kind: str
    parents: Parents  # of each attribute, and of the class, which is the last variable
    # by the groups of the parents and the variable itself; each family on its complete rows
    counts: tuple[NDArray[np.int64], ...]
    is_whole: bool = True  # whether the search came to its end

    def draw(self, rng: np.random.Generator) -> Network:
        """Draw tables given the counts, each row from a Dirichlet distribution with `ALPHA` added."""
        gammas = [rng.standard_gamma(counts + ALPHA) for counts in self.counts]
        cpts = tuple(own / own.sum(axis=-1, keepdims=True) for own in gammas)
        names = tuple(f"x{v}" for v in range(len(cpts)))
        states = tuple(tuple(range(own.shape[-1])) for own in cpts)
        return Network(names, states, self.parents, cpts, class_index=len(cpts) - 1)


@dataclass(frozen=True, eq=False)
class Twin:
    """A generating model that is like a table: a network over groups of its values."""

    kind: str
    network: Network
    columns: GroupedColumns  # turn groups into values

    def sample(self, n: int, rng: np.random.Generator) -> tuple[pd.DataFrame, Indices]:
        """Draw rows in the form of the table, and the codes of their classes."""
        codes = self.network.sample_codes(n, rng).T.astype(np.intp)
        return self.columns.drawn(codes, rng)


def twins_of(columns: GroupedColumns, structures: tuple[Structure, ...], *, seed: int) -> Iterator[Twin]:
    """Draw `DRAWS` twins of each structure."""
    for structure in structures:
        for i in range(DRAWS):
            rng = generator_for("tables of a twin", seed, structure.kind, i)
            yield Twin(structure.kind, structure.draw(rng), columns)


def structures_of(columns: GroupedColumns, *, seed: int) -> tuple[Structure, ...]:
    """Learn the two structures of twins: a dense network, and a tree given the class."""
    dense, is_whole = _dense_parents(columns, seed)
    found = ((KINDS[0], dense, is_whole), (KINDS[1], _tree_parents(columns), True))
    return tuple(Structure(kind, parents, _counts(columns, parents), whole) for kind, parents, whole in found)


def _dense_parents(columns: GroupedColumns, seed: int) -> tuple[Parents, bool]:
    """Learn a network without the cost of parameters, and an arc as probable as none."""
    # structure that few rows cannot pay for would be absent from the twin, and with it what more rows bring
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of missing values, which is said elsewhere
        learned = learn_network(
            columns.codes.T,
            arities=columns.arities.tolist(),
            search="fast",
            constant="none",
            arc_probability=ARC_PROBABILITY,
            max_parents=MOST_PARENTS,
            max_cells=MOST_CELLS,
            max_seconds=SEARCH_SECONDS,
            random_state=integer_seed("structure of a twin", seed),
            progress=False,
        )
    return learned.network.parents, not learned.found.interrupted


def _tree_parents(columns: GroupedColumns) -> Parents:
    """Learn the tree of TAN: each attribute has the class as a parent, and at most one other attribute."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tan = TANClassifier(arities=columns.arities[:-1].tolist()).fit(
            columns.codes[:-1].T, columns.codes[-1]
        )
    place = len(columns.arities) - 1
    return (*((place,) if p < 0 else (place, p) for p in tan.parents_), ())


def _counts(columns: GroupedColumns, parents: Parents) -> tuple[NDArray[np.int64], ...]:
    arities = columns.arities
    # Counts take the number of groups as the sign of a missing value.
    codes = np.where(columns.codes < 0, arities[:, None], columns.codes)
    return tuple(count_family(codes, arities, v, own) for v, own in enumerate(parents))
