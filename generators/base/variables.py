"""Named discrete variables, one of which may be the class; their labels to codes and back."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.base.coding import (
    MISSING,
    categorical,
    category_dtype,
    encode_array,
    encode_column,
    encode_table,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Variables", "is_array"]

OURS = ("generators", "learners", "workbench")  # packages that warnings should not point to
FEW_ROWS = 10  # below which labels that are no states may be so by chance


class Variables:
    """The named variables of a distribution, one maybe the class; a base of truths and factorizations."""

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
        """States of the class; raises if there is no class."""
        return self.states[self._target(None)]

    @property
    def node_notes(self) -> tuple[str, ...]:
        """What a drawing says below each name: how many states there are."""
        return tuple(f"{len(states)} state{'' if len(states) == 1 else 's'}" for states in self.states)

    @property
    def n_cells(self) -> int:
        """Number of combinations of attribute states."""
        return math.prod(len(self.states[variable]) for variable in self.attributes)

    @cached_property
    def category_dtypes(self) -> tuple[pd.CategoricalDtype, ...]:
        """The categorical dtype of each variable, shared by all tables."""
        return tuple(category_dtype(states) for states in self.states)

    def attribute_table(self, codes: NDArray[Any]) -> pd.DataFrame:
        """Return complete attribute codes, of shape (n, n_attributes), as a DataFrame like `sample`'s."""
        return self._table(codes.T, self.attributes)

    def _table(self, columns: Iterable[NDArray[Any]], variables: Sequence[int]) -> pd.DataFrame:
        import pandas as pd

        table = {
            self.names[variable]: categorical(codes, self.category_dtypes[variable])
            for variable, codes in zip(variables, columns, strict=True)
        }
        return pd.DataFrame(table, copy=False)

    def _target(self, of: str | None) -> int:
        if of is not None and of not in self.names:
            raise ValueError(f"unknown variable {of!r}; give one of {', '.join(self.names)}")
        if of is None and self.class_index is None:
            raise ValueError(
                "the truth has no class: sample_table draws all variables, with_class makes one the class, "
                "and posterior takes of="
            )
        return self.names.index(of) if of is not None else int(self.class_index)  # type: ignore[arg-type]

    def _columns(self, X: pd.DataFrame | ArrayLike, target: int | None) -> NDArray[np.intp]:
        """Return the codes of X with one row per variable, missing in the target's."""
        others = [variable for variable in range(self.n_variables) if variable != target]
        names = [self.names[variable] for variable in others]
        if is_array(X):
            codes = encode_array(X, names, self.arities[others])
        else:
            table: Any = X
            for column in table.columns:  # a misspelled one would count as missing throughout
                if column not in self.names:
                    raise ValueError(
                        f"X has the column {column!r}, which is not a variable; give {', '.join(self.names)}"
                    )
            codes = encode_table(table, names, [self.category_dtypes[variable] for variable in others])
            for variable, own in zip(others, codes, strict=True):
                name = self.names[variable]
                if own.size and own.max() == MISSING and name in table.columns:
                    _warn_without_states(name, table[name], self.states[variable])
        if target is None:
            return codes
        return np.insert(codes, target, MISSING, axis=0)

    def _class_codes(self, y: Any, n_samples: int, *, labels: bool) -> NDArray[np.intp]:
        target = self._target(None)
        if labels or (hasattr(y, "dtype") and hasattr(y, "index")):
            codes = encode_column(y, self.category_dtypes[target])
        else:
            values = np.asarray(y).reshape(len(y), -1)
            codes = encode_array(values, [self.names[target]], self.arities[[target]])[0]
        if len(codes) != n_samples:
            raise ValueError(f"X has {n_samples} rows and y has {len(codes)}; give one class per row")
        return codes


def _warn_without_states(name: str, column: pd.Series, states: tuple[Hashable, ...]) -> None:
    """Warn of a column that has labels, none of which is a state."""
    n_labels = int(column.notna().sum())
    numbers_for_words = column.dtype.kind in "iuf" and all(isinstance(state, str) for state in states)
    if n_labels >= FEW_ROWS or (n_labels and numbers_for_words):
        warnings.warn(
            f"the column {name!r} has none of the states of the variable, such as {states[0]!r}; all its "
            "values count as missing",
            UserWarning,
            stacklevel=_user_level(),
        )


def _user_level() -> int:
    """Return the stack level with which a warning of the caller points outside our packages."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
        level, frame = level + 1, frame.f_back
    return level


def is_array(X: Any) -> bool:
    """Whether data are an array of codes, not a DataFrame of labels."""
    # a DataFrame is recognized by its columns, so that codes need no pandas
    return not hasattr(X, "columns")
