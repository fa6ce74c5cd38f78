"""Checks of a user's options, and construction of the search problem."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.local_cost import LOGIT
from learners.networks._kernels.logit_cost import MOST_EFFECTS
from learners.networks.number_table import NumberTable
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.search_problem import SearchProblem
from learners.networks.structure_prior import StructurePrior, check_structure_prior

__all__ = ["check_coefficient_prior", "gaussian_problem", "network_problem"]

PRIORS = ("unit", "noise")


def network_problem(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    names: tuple[str, ...],
    *,
    constant: str,
    local_model: str,
    apart: NDArray[np.bool_],
    structure_prior: StructurePrior | None = None,
    max_parents: int | None = None,
    max_cells: int | None = None,
) -> SearchProblem:
    """Check the options, and make the search problem, in which isolated variables have no arcs."""
    arc_costs = check_structure_prior(structure_prior).arc_costs(names)
    problem = SearchProblem.of(
        codes,
        arities,
        constant=constant,
        arc_costs=arc_costs.without(apart),
        max_parents=max_parents,
        max_cells=max_cells,
        local_model=local_model,
    )
    _check_arities(problem, names)
    widest = int(np.argmax(problem.arities))
    most = int(problem.arities[widest])
    if most > problem.cell_limit:
        raise ValueError(
            f"The variable {names[widest]!r} has {most} values, but max_cells is {max_cells}: expected at "
            f"least {most}, or None."
        )
    return problem


def gaussian_problem(
    table: NumberTable,
    *,
    structure_prior: StructurePrior | None = None,
    max_parents: int | None = None,
    max_cells: int | None = None,
    constant: str = "exact",
    categorical_features: Any = "from_dtype",
    arities: Any = None,
    n_intervals: int = 5,
    coefficient_prior: str = "unit",
) -> GaussianProblem:
    """Check the options, and make the search problem of numeric variables, which have no tables."""
    for name, value, usual in (
        ("max_cells", max_cells, None),
        ("constant", constant, "exact"),
        ("arities", arities, None),
        ("n_intervals", n_intervals, 5),
    ):
        if value != usual:
            raise ValueError(
                f'local_model="gaussian" has no tables, and so no {name}, but {name} is {value!r}. Leave it '
                f"at {usual!r}."
            )
    if not (isinstance(categorical_features, str) and categorical_features == "from_dtype"):
        raise ValueError(
            'local_model="gaussian" takes only numbers, but categorical_features names nominal columns. '
            "Leave them out of X, or use another local_model."
        )
    check_coefficient_prior(coefficient_prior)
    return GaussianProblem.of(
        table.values,
        as_noise=coefficient_prior == "noise",
        arc_costs=check_structure_prior(structure_prior).arc_costs(table.names),
        max_parents=max_parents,
    )


def check_coefficient_prior(coefficient_prior: object) -> None:
    """Raise an error for an invalid prior of coefficients."""
    if coefficient_prior not in PRIORS:
        raise ValueError(f'coefficient_prior must be "unit" or "noise", but was {coefficient_prior!r}.')


def _check_arities(problem: SearchProblem, names: tuple[str, ...]) -> None:
    """Raise an error for variables that are too wide for a logit even without parents."""
    widest = int(np.argmax(problem.arities))
    if problem.local_model == LOGIT and problem.arities[widest] - 1 > MOST_EFFECTS:
        raise ValueError(
            f"The variable {names[widest]!r} has {problem.arities[widest]} values, but a logit takes at most "
            f'{MOST_EFFECTS + 1}. Use local_model="auto" or "table", or merge values.'
        )
