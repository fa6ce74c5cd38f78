"""Conversion of numbers to the intervals of discretized columns."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.networks.network import Network
from generators.networks.queries import Evidence, states_given
from generators.tables.cells import kind_of
from learners.tables.columns import NUMBERS
from learners.tables.discretize import interval_codes

__all__ = ["CutColumns"]


@dataclass(frozen=True, eq=False)
class CutColumns:
    """The cut points of a learned network's numeric columns, which convert numbers to states (intervals)."""

    network: Network
    cut_points: Mapping[str, NDArray[np.float64]]

    def evidence(self, evidence: Evidence | None) -> dict[str, Hashable]:
        """Return the evidence with states in place of numbers and of intervals."""
        return {
            name: self._state(name, value) if name in self.cut_points else value
            for name, value in states_given(evidence).items()
        }

    def rows(self, X: Any, without: int | None) -> Any:
        """Return rows with states in place of numbers. An array has all variables but one."""
        if not self.cut_points and not isinstance(X, pd.DataFrame):
            return X
        if isinstance(X, pd.DataFrame):
            table = X.rename(columns={name: f"x{name}" for name in X.columns if isinstance(name, int)})
        else:
            table = self._frame(X, without)
        cut = {name: self._cut(name, table[name]) for name in self.cut_points if name in table}
        return table.assign(**cut)

    def _frame(self, X: Any, without: int | None) -> pd.DataFrame:
        names = [name for v, name in enumerate(self.network.names) if v != without]
        values = np.asarray(X)
        if values.ndim != 2 or values.shape[1] != len(names):
            raise ValueError(
                f"X has the shape {values.shape}: expected {len(names)} columns: {', '.join(names)}."
            )
        return pd.DataFrame(values, columns=names).infer_objects()

    def _cut(self, name: str, column: Any) -> Any:
        """Return the states of a column of numbers or intervals, or any other column unchanged."""
        if column.ndim != 1:  # two columns of one name: the network says so
            return column
        values = column.dtype.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
        if isinstance(values.dtype, pd.IntervalDtype):
            found = {one: self._state(name, one) for one in values.unique() if not pd.isna(one)}
            return pd.Series([found.get(one) for one in column], column.index, dtype=object)
        if (
            kind_of(values.dtype) != "numbers"
            and pd.api.types.infer_dtype(values, skipna=True) not in NUMBERS
        ):
            return column
        cuts = self.cut_points[name]
        codes = interval_codes(pd.to_numeric(column.astype(object)).astype("float64"), cuts).astype(np.intp)
        codes[codes > len(cuts)] = -1
        states = self.network.columns_declared[self.network.names.index(name)]
        return pd.Series(states.labels(codes), column.index)

    def _state(self, name: str, value: Hashable) -> Hashable:
        """Return the state of a number or interval, or any other value unchanged."""
        cuts, states = self.cut_points[name], self.network.states[self.network.names.index(name)]
        if isinstance(value, Real) and not isinstance(value, bool | np.bool_) and not np.isnan(float(value)):
            return states[int(interval_codes([float(value)], cuts)[0])]
        if isinstance(value, pd.Interval) and value.closed == "right":
            exact = zip([-np.inf, *cuts.tolist()], [*cuts.tolist(), np.inf], strict=True)
            for state, ends in zip(states, exact, strict=True):
                if (value.left, value.right) in (ends, _ends(state)):
                    return state
        return value


def _ends(state: Hashable) -> tuple[float, float]:
    """Return the ends of an interval as written in its name."""
    low, high = str(state)[1:-1].split(", ")
    return float(low), float(high)
