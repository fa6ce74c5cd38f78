"""The problem that a table poses to the searches, where its variables have names."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.networks.search.search_problem import SearchProblem
from learners.networks.structure_prior import StructurePrior, check_structure_prior

__all__ = ["network_problem"]


def network_problem(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    names: tuple[str, ...],
    *,
    constant: str,
    local_model: str,
    structure_prior: StructurePrior | None = None,
    max_parents: int | None = None,
    max_cells: int | None = None,
) -> SearchProblem:
    """Check what a user asks for, and give it to the searches.

    Parameters
    ----------
    codes : ndarray of unsigned integers, shape (n_variables, n_rows)
        The arity itself is a hole.
    arities : ndarray of int64, shape (n_variables,)
        Number of values of each variable.
    names : tuple of str
        Names of the variables, for opinions and errors.
    constant, local_model, max_parents, max_cells
        See `SearchProblem.of`.
    structure_prior : StructurePrior or None
        What is known of the arcs beforehand.

    Returns
    -------
    SearchProblem

    Raises
    ------
    ValueError
        If an option is not possible, or a variable has more values than a table may have cells.

    Examples
    --------
    >>> codes = np.array([[0, 1, 2, 3]], dtype=np.uint8)
    >>> network_problem(codes, np.array([4]), ("x0",), constant="exact", local_model="table", max_cells=3)
    Traceback (most recent call last):
    ValueError: The variable 'x0' has 4 values, but max_cells is 3; give at least 4, or None.
    """
    prices = check_structure_prior(structure_prior).prices(names)
    problem = SearchProblem.of(
        codes,
        arities,
        constant=constant,
        prices=prices,
        max_parents=max_parents,
        max_cells=max_cells,
        local_model=local_model,
    )
    widest = int(np.argmax(problem.arities))
    most = int(problem.arities[widest])
    if most > problem.cell_limit:
        raise ValueError(
            f"The variable {names[widest]!r} has {most} values, but max_cells is {max_cells}; give at least "
            f"{most}, or None."
        )
    return problem
