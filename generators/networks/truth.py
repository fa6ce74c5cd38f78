"""The interface of all generating models: sample, log_joint, posterior, enumerate."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.base.draw import RandomState, as_generator, batch_sizes
from generators.base.probabilities import log_sum
from generators.base.variables import Variables, codes_of_labels, is_array
from generators.files.documents import Documented
from generators.laws._shared.law import Law
from generators.networks.enumeration import Enumeration, cell_codes
from generators.networks.programs import SoftEvidence
from generators.tables.codes import MISSING

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ENUMERABLE_CELLS", "Truth"]

ENUMERABLE_CELLS = 100_000
# of all marginal tables computed at once
MOST_CODES = 2**22


class Truth(Documented, Variables):
    """A known joint distribution over discrete variables, optionally with a class (abstract base)."""

    @property
    def law(self) -> Law | None:
        """The law from which the truth was drawn, if it is known."""
        return None

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        return repr(self)

    @property
    def reduced(self) -> Truth:
        """The truth without the attributes that were added as irrelevant attributes."""
        return self

    @property
    def complete(self) -> bool:
        """Whether sampled rows never have missing values."""
        return True

    @property
    def enumerable(self) -> bool:
        """Whether `enumerate` accepts the truth: it has at most 100,000 combinations of attribute states."""
        return self.n_cells <= ENUMERABLE_CELLS

    @abstractmethod
    def sample_codes(self, n: int, random_state: RandomState = None) -> NDArray[Any]:
        """Draw rows as state codes, of shape (n, n_variables)."""

    @abstractmethod
    def _log_joint_table(
        self, columns: NDArray[np.intp], target: int | None, soft: SoftEvidence | None = None
    ) -> NDArray[np.float64]:
        """Return log P(evidence, target) for coded columns, of shape (n_rows, arity of the target)."""
        # soft evidence is as for `generators.networks.inference.log_joint_table`

    def _log_posterior_table(self, columns: NDArray[np.intp], target: int) -> NDArray[np.float64]:
        """Return log P(target | evidence) up to a constant of the row."""
        return self._log_joint_table(columns, target)

    def joint_array(self, axes: Sequence[int]) -> NDArray[np.float64]:
        """Return the joint distribution of all variables as one array with axes in the given order."""
        return self.marginal_table(axes)

    def marginal_table(self, variables: Sequence[int]) -> NDArray[np.float64]:
        """Return the joint distribution of some variables, with all others summed out exactly.

        Parameters
        ----------
        variables : sequence of int
            Distinct indices of the variables.

        Returns
        -------
        ndarray with one axis per variable
            Probabilities, which sum to one, with axes in the given order. The axis of an attribute that can
            have missing values has one more entry, the last, for the missing value.

        Examples
        --------
        >>> from generators import random_tan
        >>> random_tan(n_attributes=9, arity=3, n_classes=2, random_state=0).marginal_table((9, 4)).shape
        (2, 3)
        """
        return next(self._marginal_tables([tuple(variables)]))

    def _marginal_tables(self, scopes: Sequence[tuple[int, ...]]) -> Iterator[NDArray[np.float64]]:
        """Yield the marginal table of each scope."""
        # many at once, as compiled eliminations are fast for many patterns
        if not scopes:
            return
        arities = [tuple(self.arities[list(scope)].tolist()) for scope in scopes]
        ends = np.cumsum([math.prod(shape) for shape in arities]) * self.n_variables
        for block in np.split(np.arange(len(scopes)), np.flatnonzero(np.diff(ends // MOST_CODES)) + 1):
            cells = [cell_codes(np.array(arities[k])).T for k in block]
            bounds = np.cumsum([0, *(codes.shape[1] for codes in cells)])
            columns = np.full((self.n_variables, bounds[-1]), MISSING, dtype=np.intp)
            for k, codes, begin, end in zip(block, cells, bounds, bounds[1:], strict=False):
                columns[list(scopes[k]), begin:end] = codes
            joint = np.exp(self._log_joint_table(columns, None)[:, 0])
            for k, table in zip(block, np.split(joint, bounds[1:-1]), strict=True):
                yield table.reshape(arities[k])

    def sample_table(self, n: int, random_state: RandomState = None) -> pd.DataFrame:
        """Draw rows of all variables as one DataFrame.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. The order of the draws is the same as in `sample_codes`.

        Returns
        -------
        DataFrame of shape (n, n_variables)
            Unordered categorical columns. The categories of each column are all states in order, including
            states that were not drawn.

        Examples
        --------
        >>> from generators import random_tan
        >>> random_tan(n_attributes=3, random_state=0).sample_table(5, 1).shape
        (5, 4)
        """
        return self._table(self.sample_codes(n, random_state).T, range(self.n_variables))

    def sample(self, n: int, random_state: RandomState = None) -> tuple[pd.DataFrame, pd.Series]:
        """Draw rows with attributes and class separate.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. The order of the draws is the same as in `sample_codes`.

        Returns
        -------
        X : DataFrame of shape (n, n_attributes)
            Unordered categorical columns. The categories of each column are all states in order, including
            states that were not drawn.
        y : Series of shape (n,)
            Categorical Series that has the name of the class.

        Raises
        ------
        ValueError
            If the truth has no class.

        Examples
        --------
        >>> from generators import random_tan
        >>> X, y = random_tan(n_attributes=3, random_state=0).sample(5, random_state=1)
        >>> list(X), y.name
        (['x0', 'x1', 'x2'], 'y')
        """
        import pandas as pd

        target = self._target(None)
        codes = self.sample_codes(n, random_state)
        y = self.columns_declared[target].labels(codes[:, target])
        columns = [codes[:, variable] for variable in self.attributes]
        return self._table(columns, self.attributes), pd.Series(y, name=self.class_name)

    def sample_batches(
        self, n: int, *, batch_rows: int = 1_000_000, random_state: RandomState = None
    ) -> Iterator[tuple[pd.DataFrame, pd.Series]]:
        """Draw many rows in batches, to limit memory use.

        Parameters
        ----------
        n : int
            Total number of rows.
        batch_rows : int, default=1_000_000
            Number of rows of each batch, at least 1. The last batch may be smaller.
        random_state : int, Generator, SeedSequence or None
            Seed or generator. One generator draws the batches in turn, each as `sample` does. If there is
            only one batch, it equals `sample(n)`. Otherwise the rows differ from those of `sample(n)`, have
            the same distribution, and depend on `batch_rows`.

        Returns
        -------
        iterator of (DataFrame, Series)
            X and y of each batch, as from `sample`.

        Raises
        ------
        ValueError
            If the truth has no class, or a number of rows is invalid.

        Examples
        --------
        >>> from generators import random_tan
        >>> truth = random_tan(n_attributes=3, random_state=0)
        >>> [len(y) for X, y in truth.sample_batches(10, batch_rows=4, random_state=1)]
        [4, 4, 2]
        """
        self._target(None)
        sizes, rng = batch_sizes(n, batch_rows), as_generator(random_state)
        return (self.sample(size, rng) for size in sizes)

    def sample_code_batches(
        self, n: int, *, batch_rows: int = 1_000_000, random_state: RandomState = None
    ) -> Iterator[NDArray[Any]]:
        """Draw many rows as state codes, in batches.

        Parameters
        ----------
        n, batch_rows, random_state
            See `sample_batches`. With the same seed, both methods draw the same rows.

        Returns
        -------
        iterator of ndarray of shape (rows of the batch, n_variables)
            State codes, as `sample_codes` returns them.

        Raises
        ------
        ValueError
            If a number of rows is invalid.

        Examples
        --------
        >>> from generators import random_tan
        >>> truth = random_tan(n_attributes=3, random_state=0)
        >>> [codes.shape for codes in truth.sample_code_batches(10, batch_rows=6, random_state=1)]
        [(6, 4), (4, 4)]
        """
        sizes, rng = batch_sizes(n, batch_rows), as_generator(random_state)
        return (self.sample_codes(size, rng) for size in sizes)

    def log_joint(self, X: pd.DataFrame | ArrayLike, y: Any = None) -> NDArray[np.float64]:
        """Return the log-probability of each row. Missing values are summed out exactly.

        Parameters
        ----------
        X : DataFrame of n_samples rows, or integer array-like of shape (n_samples, n_attributes)
            A DataFrame has labels, and its columns are matched by name. An array has state codes, with
            columns in the order of `attributes`. Absent columns, missing labels, unknown labels and the code
            -1 are missing values. A column without any known state causes a warning.
        y : array-like of shape (n_samples,), optional
            Classes: labels if `X` is a DataFrame or `y` a Series, otherwise codes. Missing classes are summed
            out, and so are all classes if `y` is None.

        Returns
        -------
        ndarray of shape (n_samples,)
            Log-probabilities in nats, -inf for impossible rows.

        Raises
        ------
        ValueError
            If `X` or `y` has another shape, a code is out of range, or `y` is given for a truth without a
            class.

        Examples
        --------
        >>> from generators import random_tan
        >>> truth = random_tan(n_attributes=3, random_state=0)
        >>> bool(np.isclose(truth.log_joint([[-1, -1, -1]], [0])[0], np.log(truth.class_marginal()[0])))
        True
        """
        table = self._log_joint_table(self._columns(X, self.class_index), self.class_index)
        if y is None:
            return log_sum(table, axis=1)
        codes = codes_of_labels(y, str(self.class_name), self.classes, len(table), labels=not is_array(X))
        chosen = table[np.arange(len(table)), np.maximum(codes, 0)]
        return np.where(codes == MISSING, log_sum(table, axis=1), chosen)

    def posterior(self, X: pd.DataFrame | ArrayLike, of: str | None = None) -> NDArray[np.float64]:
        """Return the exact distribution of one variable given the others.

        Parameters
        ----------
        X : DataFrame of n_samples rows, or integer array-like of shape (n_samples, n_variables - 1)
            A DataFrame has labels, and its columns are matched by name. A column of the requested variable is
            ignored. An array has state codes of all variables except the requested variable, in order. Absent
            columns, missing labels, unknown labels and the code -1 are missing values, which are summed out.
        of : str, optional
            Name of the requested variable. By default the class.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns are in the order of the variable's `states`. Rows sum to one. If the values of a row are
            impossible, its result is the marginal distribution of the variable.

        Raises
        ------
        ValueError
            If `X` has another shape, a code is out of range, or the variable is unknown.

        Notes
        -----
        The result for a row is bitwise the same whichever other rows are given with it. Rows without missing
        values take a few table lookups. Other rows take one variable elimination for each missing-value
        pattern, in compiled code if more than 8 patterns have few rows each.

        Examples
        --------
        >>> from generators import random_tan
        >>> truth = random_tan(n_attributes=3, n_classes=2, random_state=0)
        >>> X, y = truth.sample(4, random_state=1)
        >>> truth.posterior(X).shape, truth.posterior(X[["x1"]], of="x0").shape
        ((4, 2), (4, 4))
        """
        target = self._target(of)
        return self._posterior(self._columns(X, target), target)

    def class_marginal(self, of: str | None = None) -> NDArray[np.float64]:
        """Return the marginal distribution of the class, or of the named variable.

        Returns
        -------
        ndarray of shape (n_classes,)

        Raises
        ------
        ValueError
            If the variable is unknown.

        Examples
        --------
        >>> from generators import random_tan
        >>> random_tan(n_classes=2, random_state=0).class_marginal().shape
        (2,)
        """
        nothing_seen = np.full((self.n_variables, 1), MISSING, dtype=np.intp)
        return self._posterior(nothing_seen, self._target(of))[0]

    def _posterior(self, columns: NDArray[np.intp], target: int) -> NDArray[np.float64]:
        log_table = self._log_posterior_table(columns, target)
        log_total = log_sum(log_table, axis=1)
        impossible = np.isneginf(log_total)
        posterior = np.exp(log_table - np.where(impossible, 0.0, log_total)[:, np.newaxis])
        if impossible.any():
            posterior[impossible] = self.class_marginal(self.names[target])
        return posterior

    def enumerate(self) -> Enumeration:
        """Return all combinations of attribute states with their joint probabilities with the class.

        Returns
        -------
        Enumeration
            `codes` of shape (n_cells, n_attributes), `joint` of shape (n_cells, n_classes), and `X` as a
            DataFrame.

        Raises
        ------
        ValueError
            If the truth has no class, or more than 100,000 combinations of attribute states.

        Examples
        --------
        >>> from generators import random_tan
        >>> cells = random_tan(n_attributes=3, arity=2, n_classes=2, random_state=0).enumerate()
        >>> cells.codes.shape, round(float(cells.joint.sum()), 12)
        ((8, 3), 1.0)
        """
        target = self._target(None)
        if not self.enumerable:
            raise ValueError(
                f"there are {self.n_cells} cells, more than {ENUMERABLE_CELLS}: score on a sample instead"
            )
        joint = self.joint_array((*self.attributes, target)).reshape(self.n_cells, len(self.classes))
        return Enumeration(cell_codes(self.arities[list(self.attributes)]), joint, self)
