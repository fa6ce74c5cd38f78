"""Growing one clause as FOIL does: greedily, with backtracking and the best complete clause saved."""

import numpy as np

from learners.rules._kernels.foil import N_FIELDS, FoilOptions
from learners.rules._kernels.foil_search import (
    LAST,
    N_AT,
    N_CLAUSES,
    N_EXAMINED,
    TRAILS,
    WAS_CUT,
    Search,
    found_clause,
    grow_clause,
)
from learners.rules.growing.foil_clause import ClassClauses, Clause, longer

__all__ = ["ClauseSearch", "begun_search"]

N_STEPS = 2**8  # for which there is room at first


class ClauseSearch:
    """The search for one clause of a class."""

    # `n_clauses` counts the clauses met, also in another order of literals; `n_examined` those whose literals
    # were sought; `was_cut`: backtracking points were left when `max_clauses` was reached
    def __init__(self, clauses: ClassClauses, options: FoilOptions) -> None:
        self.clauses, self.options = clauses, options
        self.n_clauses, self.n_examined, self.was_cut = 0, 0, False

    def grow(self) -> Clause:
        """Grow a clause until it covers no row of another class, or nothing more can be added."""
        clauses, table = self.clauses, self.clauses.rows.table
        search = begun_search(self.options)
        clauses.begin_search()
        while not grow_clause(table, clauses.memory, search, self.options):
            search = search._replace(**{name: longer(getattr(search, name)) for name in GROWING})
            clauses.make_room()
        literals, rows, right, total = found_clause(table, clauses.memory, search)
        self.n_clauses, self.n_examined = int(search.at[N_CLAUSES]), int(search.at[N_EXAMINED])
        self.was_cut = bool(search.at[WAS_CUT])
        conditions = tuple(clauses.rows.condition(literal) for literal in literals.tolist())
        return Clause(conditions, rows, right, total)


GROWING = (
    "trails",
    "trail_bits",
    "continuations",
    "bits_before",
    "choices",
    "choice_figures",
    "checkpoints",
)


def begun_search(options: FoilOptions) -> Search:
    """Return a search with the trail without literals."""
    at, n = np.zeros(N_AT, dtype=np.int64), N_STEPS + options.max_alternatives
    at[[TRAILS, LAST]] = 1, -1
    return Search(
        at=at,
        trails=np.zeros((N_STEPS, 4), dtype=np.int64),
        trail_bits=np.zeros(N_STEPS),
        continuations=np.empty((N_STEPS, 4), dtype=np.int64),
        bits_before=np.empty(N_STEPS),
        choices=np.empty((n, 2), dtype=np.int64),
        choice_figures=np.empty((n, 2)),
        checkpoints=np.empty((n, 2), dtype=np.int64),
        saved=np.zeros(2),
        lines=np.zeros((options.max_alternatives + 1, N_FIELDS)),
    )
