"""Named discrete variables, optionally with a class, and the mapping of their labels to codes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from generators.tables.cells import columns_named
from generators.tables.codes import MISSING, codes_of_array
from generators.tables.columns import Column

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Variables", "codes_of_labels", "is_array"]


class Variables:
    """The named variables of a distribution, optionally with a class (base of truths and factorizations)."""

    names: tuple[str, ...]
    states: tuple[tuple[Hashable, ...], ...]
    class_index: int | None

    @property
    def n_variables(self) -> int:
        """Number of variables, the class included."""
        return len(self.names)

    @cached_property
    def arities(self) -> NDArray[np.int64]:
        """Number of states of each variable, of shape (n_variables,)."""
        arities = np.array([len(states) for states in self.states], dtype=np.int64)
        arities.flags.writeable = False
        return arities

    @cached_property
    def attributes(self) -> tuple[int, ...]:
        """Indices of the variables other than the class."""
        return tuple(variable for variable in range(self.n_variables) if variable != self.class_index)

    @property
    def attribute_names(self) -> tuple[str, ...]:
        """Names of the variables other than the class."""
        return tuple(self.names[variable] for variable in self.attributes)

    @property
    def class_name(self) -> str | None:
        """Name of the class, or None."""
        return None if self.class_index is None else self.names[self.class_index]

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """States of the class. Raises an error if there is no class."""
        return self.states[self._target(None)]

    @property
    def node_notes(self) -> tuple[str, ...]:
        """Text below each name of a drawing: the number of states."""
        return tuple(f"{len(states)} state{'' if len(states) == 1 else 's'}" for states in self.states)

    @property
    def n_cells(self) -> int:
        """Number of combinations of attribute states."""
        return math.prod(len(self.states[variable]) for variable in self.attributes)

    @cached_property
    def columns_declared(self) -> tuple[Column, ...]:
        """Declarations of the variables' columns. All tables drawn from the truth share their types."""
        return tuple(map(Column.of_states, self.names, self.states))

    def attribute_table(self, codes: NDArray[Any]) -> pd.DataFrame:
        """Return attribute codes of shape (n, n_attributes), without missing values, as a DataFrame."""
        return self._table(codes.T, self.attributes)

    def _table(self, columns: Iterable[NDArray[Any]], variables: Sequence[int]) -> pd.DataFrame:
        import pandas as pd

        table = {
            self.names[variable]: self.columns_declared[variable].labels(codes)
            for variable, codes in zip(variables, columns, strict=True)
        }
        return pd.DataFrame(table, copy=False)

    def _target(self, of: str | None) -> int:
        if of is not None and of not in self.names:
            raise ValueError(f"unknown variable {of!r}: expected one of {', '.join(self.names)}")
        if of is None and self.class_index is None:
            raise ValueError(
                "the truth has no class: draw all variables with sample_table, choose a class with "
                "with_class(name), or name a variable in posterior(X, of=name)"
            )
        return self.names.index(of) if of is not None else int(self.class_index)  # type: ignore[arg-type]

    def _columns(self, X: Any, target: int | None) -> NDArray[np.intp]:
        """Return the codes of X with one row per variable, missing in the target's."""
        others = [variable for variable in range(self.n_variables) if variable != target]
        names = [self.names[variable] for variable in others]
        if is_array(X):
            codes = codes_of_array(X, names, self.arities[others])
        else:
            codes = np.full((len(others), len(X)), MISSING, dtype=np.intp)
            for row, variable, cells in zip(codes, others, columns_named(X, names, self.names), strict=True):
                if cells is not None:
                    row[:] = self.columns_declared[variable].positions(cells)
                    self.columns_declared[variable].warn_if_unknown(cells, row)
        if target is None:
            return codes
        return np.insert(codes, target, MISSING, axis=0)


def codes_of_labels(
    y: Any, name: str, states: Sequence[Hashable], n_samples: int, *, labels: bool
) -> NDArray[np.intp]:
    """Return the class of each row as a code. Only a Series, or any input with `labels`, holds labels."""
    if labels or (hasattr(y, "dtype") and hasattr(y, "index")):
        codes = Column.of_states(name, states).positions(y).astype(np.intp)
    else:
        codes = codes_of_array(np.asarray(y).reshape(len(y), -1), [name], np.array([len(states)]))[0]
    if len(codes) != n_samples:
        raise ValueError(f"X has {n_samples} rows and y has {len(codes)}: expected one class per row")
    return codes


def is_array(X: Any) -> bool:
    """Whether data are an array of codes, not a DataFrame of labels."""
    # a DataFrame is recognized by its columns, so that codes need no pandas
    return not hasattr(X, "columns")
