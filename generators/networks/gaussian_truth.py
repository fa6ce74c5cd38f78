"""The base of models with normal attributes: the class is drawn first, then the attributes given it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.base.probabilities import log_sum, states_of
from generators.base.variables import codes_of_labels, is_array
from generators.files import documents
from generators.networks.normal import number_columns
from generators.networks.numeric_truth import NumericTruth
from generators.tables.codes import MISSING
from generators.tables.columns import labels_of_codes

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GaussianTruth", "class_parts"]

LARGEST = 1e100  # squares of larger numbers leave the range of floats


class GaussianTruth(NumericTruth):
    """A class drawn from `prior`, and attributes that are normal or a mixture of normals given it."""

    prior: NDArray[np.float64]

    @abstractmethod
    def _log_table(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log-densities, (n_samples, n_classes), of rows given by columns, with NaN for missing."""

    def log_joint(self, X: pd.DataFrame | ArrayLike, y: Any = None) -> NDArray[np.float64]:
        """Return the log-density of each row. Missing numbers and classes are summed out.

        Parameters
        ----------
        X : DataFrame of n_samples rows, or array-like of shape (n_samples, n_attributes)
            Columns are matched by name, or by order in an array. NaN and absent columns are missing.
        y : array-like of shape (n_samples,), optional
            Classes: labels if `X` is a DataFrame or `y` a Series, otherwise codes.

        Returns
        -------
        ndarray of shape (n_samples,)
            Nats.

        Raises
        ------
        ValueError
            If `X` or `y` has another shape, a column is not numeric, or the absolute value of a number
            exceeds 1e100.
        """
        table = self._log_table(self._columns(X))
        if y is None:
            return log_sum(table, axis=1)
        codes = codes_of_labels(y, self.class_name, self.classes, len(table), labels=not is_array(X))
        chosen = table[np.arange(len(table)), np.maximum(codes, 0)]
        return np.where(codes == MISSING, log_sum(table, axis=1), chosen)

    def posterior(self, X: pd.DataFrame | ArrayLike) -> NDArray[np.float64]:
        """Return the distribution of the class given the numbers, exactly.

        Parameters
        ----------
        X : DataFrame of n_samples rows, or array-like of shape (n_samples, n_attributes)
            See `log_joint`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Rows sum to one.

        Raises
        ------
        ValueError
            If `X` has another shape, a column is not numeric, or a number is infinite or its absolute value
            exceeds 1e100.
        """
        table = self._log_table(self._columns(X))
        return np.exp(table - log_sum(table, axis=1)[:, np.newaxis])

    def class_marginal(self) -> NDArray[np.float64]:
        """Return the marginal distribution of the class, of shape (n_classes,)."""
        return self.prior

    def _sample_classes(self, n: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """Draw codes of the class, by its inverse cumulative distribution."""
        return states_of(self.prior, rng.random(n))

    def _table(self, columns: NDArray[np.float64], codes: NDArray[np.intp]) -> tuple[pd.DataFrame, pd.Series]:
        """Return drawn numbers, a row for each attribute, and classes as tables."""
        import pandas as pd

        X = pd.DataFrame(dict(zip(self.attribute_names, columns, strict=True)))
        return X, labels_of_codes(codes, self.classes, name=self.class_name)

    def _class_document(self) -> dict[str, Any]:
        """Return the fields of a document that hold the class and its distribution."""
        states = documents.plain_states(self.class_name, self.classes)
        return {"class": {"name": self.class_name, "states": states}, "prior": self.prior.tolist()}

    def _columns(self, X: Any) -> NDArray[np.float64]:
        if hasattr(X, "columns"):
            X = X.drop(columns=self.class_name, errors="ignore")
        columns = number_columns(X, self.attribute_names)
        if (np.abs(columns) > LARGEST).any():
            extreme = columns[np.abs(columns) > LARGEST][0]
            raise ValueError(f"X has the number {extreme:g}: expected finite numbers up to {LARGEST:g}")
        return columns


def class_parts(document: dict[str, Any], owner: str) -> tuple[list[float], str, tuple[Any, ...]]:
    """Return distribution, name and states of the class in a document."""
    variable = documents.field_of(document, "class", dict, owner)
    return (
        documents.field_of(document, "prior", list, owner),
        documents.field_of(variable, "name", str, "the class"),
        tuple(documents.field_of(variable, "states", list, "the class")),
    )
