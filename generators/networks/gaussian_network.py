"""Linear-Gaussian networks: each numeric variable is linear in its parents, with normal noise."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.base.draw import RandomState, as_generator, check_n_rows
from generators.base.probabilities import random_normals
from generators.base.validation import check_names, check_parents, shown, topological_order
from generators.drawing import figure as drawing
from generators.files import documents, interop
from generators.networks.directed_graph import DirectedGraph, check_requested, place_of
from generators.networks.normal import Normal, number_columns, requested, seen_values
from generators.networks.notebook import network_html, on_demand, table_html
from generators.networks.patterns import compelled_arcs
from generators.networks.queries import Evidence, states_given

if TYPE_CHECKING:
    import networkx
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["GaussianNetwork"]

MOST_COLUMNS = 20  # of a table of coefficients in a notebook; larger networks list their arcs


@dataclass(frozen=True, eq=False, repr=False)
class GaussianNetwork(DirectedGraph, documents.Documented):
    """A linear-Gaussian Bayesian network: each variable is linear in its parents plus normal noise.

    The network samples rows and answers queries exactly, since all marginal and conditional distributions are
    normal. `learners.learn_network` learns such a network from data.

    Parameters
    ----------
    names : sequence of str
        Names of the variables, all distinct.
    parent_indices : sequence of sequence of int
        The parents of each variable, by index.
    coefficients : sequence of sequence of float
        For each variable, one coefficient per parent, in the order of the parents.
    deviations : sequence of float
        Positive standard deviation of each variable given its parents.
    intercepts : sequence of float, optional
        Mean of each variable when all its parents are 0. By default all intercepts are 0.

    Attributes
    ----------
    order : tuple of int
        Indices of the variables, parents before children, and otherwise in ascending order.

    Raises
    ------
    ValueError
        If names are not distinct, the arcs form a cycle, a number is not finite, the numbers of coefficients
        and parents differ, a deviation is not positive, or variances exceed the range of a float.

    See Also
    --------
    generators.random_gaussian_dag : Draw a linear-Gaussian network.
    learners.learn_network : Learn a linear-Gaussian network from data, with ``local_model="gaussian"``.
    Network : Bayesian network of discrete variables.

    Examples
    --------
    >>> mood = GaussianNetwork(("sun", "mood"), ((), (0,)), ((), (0.5,)), deviations=(2.0, 1.0))
    >>> mood
    GaussianNetwork(2 variables, 1 arc)
    >>> mood.covariance
    array([[4., 2.],
           [2., 2.]])
    >>> print(mood.explain())
    sun = 0 + 2 e
    mood = 0 + 0.5 sun + 1 e, 0.5 of its variance explained
    """

    kind = "gaussian_network"
    class_index = None  # as for drawings, and as a Network without a class
    class_name = None
    names: tuple[str, ...]
    parent_indices: tuple[tuple[int, ...], ...]
    coefficients: tuple[NDArray[np.float64], ...]
    deviations: NDArray[np.float64]
    intercepts: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        names = check_names(self.names)
        parents = check_parents(names, self.parent_indices)
        given = np.zeros(len(names)) if self.intercepts is None else self.intercepts
        checked = {
            "names": names,
            "parent_indices": parents,
            "order": topological_order(names, parents),
            "coefficients": _checked_coefficients(names, parents, self.coefficients),
            "deviations": _one_each("deviations", self.deviations, names),
            "intercepts": _one_each("intercepts", given, names),
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)
        if not (self.deviations > 0).all():
            bad = int(np.argmin(self.deviations))
            raise ValueError(
                f"the deviation of {names[bad]!r} is {self.deviations[bad]:g}: expected a positive number"
            )
        if not (np.isfinite(self.covariance).all() and np.isfinite(self.means).all()):
            raise ValueError("the variances exceed the range of a float: give smaller coefficients")

    def __repr__(self) -> str:
        n_arcs, n = sum(map(len, self.parent_indices)), len(self.names)
        return (
            f"GaussianNetwork({n} variable{'' if n == 1 else 's'}, {n_arcs} arc{'' if n_arcs == 1 else 's'})"
        )

    def _repr_html_(self) -> str:
        # notebooks show this; repr never draws
        return network_html(self, repr(self))

    def details_html(self) -> str:
        """Return the coefficients as HTML for a notebook."""
        table = self.coefficient_table() if self.n_variables <= MOST_COLUMNS else self._listed_arcs()
        return on_demand("Coefficients", table_html(table))

    def _listed_arcs(self) -> pd.DataFrame:
        import pandas as pd

        ends = [
            (self.names[u], self.names[v], v, i)
            for v, own in enumerate(self.parent_indices)
            for i, u in enumerate(own)
        ]
        return pd.DataFrame(
            {
                "parent": [u for u, *_ in ends],
                "child": [v for _, v, *_ in ends],
                "coefficient": [self.coefficients[v][i] for *_, v, i in ends],
            }
        )

    def __eq__(self, other: object) -> bool:
        """Whether names, parents and all numbers are identical."""
        if not isinstance(other, GaussianNetwork):
            return NotImplemented
        return (
            (self.names, self.parent_indices) == (other.names, other.parent_indices)
            and all(map(np.array_equal, self.coefficients, other.coefficients))
            and np.array_equal(self.deviations, other.deviations)
            and np.array_equal(self._intercepts, other._intercepts)
        )

    def __hash__(self) -> int:
        return hash((self.names, self.parent_indices))

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def _parts(self) -> tuple[Any, ...]:
        return self.names, self.parent_indices, self.coefficients, self._intercepts, self.deviations

    @property
    def _intercepts(self) -> NDArray[np.float64]:
        assert self.intercepts is not None
        return self.intercepts

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """Mean of each variable, of shape (n_variables,)."""
        means = np.empty(self.n_variables)
        for child in self.order:
            means[child] = (
                self._intercepts[child] + self.coefficients[child] @ means[list(self.parent_indices[child])]
            )
        means.flags.writeable = False
        return means

    @cached_property
    def covariance(self) -> NDArray[np.float64]:
        """Covariance matrix of the variables, of shape (n_variables, n_variables)."""
        found = np.zeros((self.n_variables, self.n_variables))
        done: list[int] = []
        with np.errstate(over="ignore", invalid="ignore"):
            for child in self.order:
                weights, others = self.coefficients[child], list(self.parent_indices[child])
                found[child, done] = found[done, child] = weights @ found[np.ix_(others, done)]
                found[child, child] = self.deviations[child] ** 2 + weights @ found[others, child]
                done.append(child)
        found.flags.writeable = False
        return found

    @cached_property
    def normal(self) -> Normal:
        """The joint distribution of all variables."""
        return Normal(self.names, self.means, self.covariance)

    def sample_table(self, n: int, random_state: RandomState = None) -> pd.DataFrame:
        """Draw rows.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. For each variable, in the order of `order`, n normal numbers are drawn, as the inverse
            cumulative distribution of `rng.random(n)`.

        Returns
        -------
        DataFrame of shape (n, n_variables)
            Floats.

        Examples
        --------
        >>> from generators import random_gaussian_dag
        >>> random_gaussian_dag(n_nodes=4, random_state=0).sample_table(5, random_state=1).shape
        (5, 4)
        """
        import pandas as pd

        n, rng = check_n_rows(n), as_generator(random_state)
        values = np.empty((self.n_variables, n))
        for child in self.order:
            noise = self.deviations[child] * random_normals(rng, (n,))
            values[child] = self._mean_given(child, values) + noise
        return pd.DataFrame(dict(zip(self.names, values, strict=True)))

    def log_joint(self, X: pd.DataFrame | ArrayLike) -> NDArray[np.float64]:
        """Return the log-density of each row. Missing values are integrated out.

        Parameters
        ----------
        X : DataFrame of n_rows rows, or array-like of shape (n_rows, n_variables)
            Columns are matched by name, or by order in an array. NaN and absent columns are missing.

        Returns
        -------
        ndarray of shape (n_rows,)
            Nats.

        Raises
        ------
        ValueError
            If `X` has another shape, an unknown or non-numeric column, or an infinite number.
        """
        columns = number_columns(X, self.names)
        missing = np.isnan(columns)
        lacking: NDArray[np.bool_] = np.any(missing, axis=1)
        mixed = lacking & ~missing.all(axis=1)
        if not mixed.any():
            return self._log_density(columns, lacking)
        groups = np.zeros(columns.shape[1], dtype=np.intp)
        for column in missing[mixed]:  # one sort of all patterns takes ten times as long
            groups = np.unique(2 * groups + column, return_inverse=True)[1].ravel()
        total = np.zeros(columns.shape[1])
        for group in range(groups.max() + 1):
            rows = np.flatnonzero(groups == group)
            total[rows] = self._log_density(columns[:, rows], missing[:, rows[0]])
        return total

    def _log_density(self, columns: NDArray[np.float64], missing: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the log-density of rows with the same variables missing."""
        # With the missing ones at their conditional means, the density of all is that of the known ones, but
        # for a constant. Nothing is subtracted that nearly cancels where noise is small. What is no ancestor
        # of a known one is left out.
        kept = ~missing
        for child in reversed(self.order):
            kept[list(self.parent_indices[child])] |= kept[child]
        hidden, constant = kept & missing, 0.0
        if hidden.any():
            known = np.flatnonzero(~missing).tolist()
            means, covariance = self._given(known, columns[known], np.flatnonzero(hidden))
            columns = columns.copy()
            columns[hidden] = means
            constant = 0.5 * np.linalg.slogdet(covariance)[1] + 0.5 * hidden.sum() * math.log(2 * math.pi)
        total = np.full(columns.shape[1], constant)
        for child in np.flatnonzero(kept).tolist():
            z = (columns[child] - self._mean_given(child, columns)) / self.deviations[child]
            total -= 0.5 * z**2 + math.log(self.deviations[child]) + 0.5 * math.log(2 * math.pi)
        return total

    def _given(
        self, seen: list[int], values: NDArray[np.float64], left: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return means, of shape (n_left, n_rows), and covariances of variables given some others."""
        # By the inverse of the covariances, which the equations give without rounding. No parent of a
        # variable of these may be none of them.
        equations = self._residuals[np.union1d(seen, left).astype(np.intp)]
        precision = equations.T @ equations
        block = precision[np.ix_(left, left)]
        scale = 1 / np.sqrt(block.diagonal())
        covariance = np.linalg.inv(block * np.outer(scale, scale)) * np.outer(scale, scale)
        apart = values - self.means[seen][:, np.newaxis]
        shift = covariance @ (precision[left][:, seen] @ apart)
        return self.means[left][:, np.newaxis] - shift, (covariance + covariance.T) / 2

    @cached_property
    def _residuals(self) -> NDArray[np.float64]:
        """Return each variable's noise in each row, in units of its deviation."""
        found = np.eye(self.n_variables)
        for child, others in enumerate(self.parent_indices):
            found[child, list(others)] = -self.coefficients[child]
        return np.asarray(found / self.deviations[:, np.newaxis])

    def _mean_given(self, child: int, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(
            self._intercepts[child] + self.coefficients[child] @ columns[list(self.parent_indices[child])]
        )

    def query(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> Normal:
        """Return the joint distribution of some variables given evidence, exactly.

        Parameters
        ----------
        variables : str or sequence of str
            One or several names.
        evidence : mapping of str to float, or Series, optional
            Values of other variables by name, such as some columns of a row of a DataFrame. Variables without
            evidence, and NaN in a Series, are integrated out.

        Returns
        -------
        Normal
            Distribution with means, covariances, deviations and intervals by name.

        Raises
        ------
        ValueError
            If a name is unknown, a value is not a finite number, or a requested variable is also in the
            evidence.

        Examples
        --------
        >>> mood = GaussianNetwork(("sun", "mood"), ((), (0,)), ((), (0.5,)), deviations=(2.0, 1.0))
        >>> mood.query("sun", {"mood": 2.0})
        Normal(sun: 2 ± 1.414)
        """
        names, known = requested(variables), states_given(evidence)
        if not known:
            return self.normal.of(names)
        seen, values, left = seen_values(self.names, known)
        check_requested(names, [place_of(self.names, name) for name in names], seen)
        means, covariance = self._given(seen, values[:, np.newaxis], np.array(left, dtype=np.intp))
        return Normal(tuple(self.names[place] for place in left), means[:, 0], covariance).of(names)

    def coefficient_table(self) -> pd.DataFrame:
        """Return the coefficients as a table with a row for each variable.

        Returns
        -------
        DataFrame of shape (n_variables, n_variables + 3)
            The columns are "intercept", one column for each variable as parent (NaN if it is not a parent),
            "deviation", and "explained", the share of variance that the parents explain.

        Examples
        --------
        >>> mood = GaussianNetwork(("sun", "mood"), ((), (0,)), ((), (0.5,)), deviations=(2.0, 1.0))
        >>> mood.coefficient_table()
              intercept  sun  mood  deviation  explained
        sun         0.0  NaN   NaN        2.0        0.0
        mood        0.0  0.5   NaN        1.0        0.5
        """
        import pandas as pd

        weights = np.full((self.n_variables, self.n_variables), np.nan)
        for child, others in enumerate(self.parent_indices):
            weights[child, list(others)] = self.coefficients[child]
        parts = [
            pd.Series(self._intercepts, self.names, name="intercept"),
            pd.DataFrame(weights, self.names, self.names),
            pd.Series(self.deviations, self.names, name="deviation"),
            pd.Series(self.explained, self.names, name="explained"),
        ]
        return pd.concat(parts, axis=1)

    @property
    def explained(self) -> NDArray[np.float64]:
        """Share of each variable's variance explained by its parents, from 0 to 1."""
        return np.asarray(np.clip(1 - self.deviations**2 / self.covariance.diagonal(), 0.0, 1.0))

    def explain(self) -> str:
        """Return one equation per line: each variable in terms of its parents and a standard normal e."""
        return "\n".join(self._equation(child) for child in range(self.n_variables))

    def _equation(self, child: int) -> str:
        parts = [f"{self.names[child]} = {self._intercepts[child]:.4g}"]
        for parent, weight in zip(self.parent_indices[child], self.coefficients[child], strict=True):
            parts.append(f"{'-' if weight < 0 else '+'} {abs(weight):.4g} {self.names[parent]}")
        parts.append(f"+ {self.deviations[child]:.4g} e")
        share = (
            f", {self.explained[child]:.2g} of its variance explained" if self.parent_indices[child] else ""
        )
        return " ".join(parts) + share

    def standardized(self) -> GaussianNetwork:
        """Return the network of the standardized variables (mean 0, deviation 1).

        Examples
        --------
        >>> mood = GaussianNetwork(("sun", "mood"), ((), (0,)), ((), (0.5,)), deviations=(2.0, 1.0))
        >>> mood.standardized().covariance.round(3).tolist()
        [[1.0, 0.707], [0.707, 1.0]]
        """
        return self.rescaled(1 / np.sqrt(self.covariance.diagonal()), -self.means)

    def rescaled(self, factors: ArrayLike, shifts: ArrayLike = 0.0) -> GaussianNetwork:
        """Return the network of rescaled variables: each variable is shifted, then multiplied.

        Parameters
        ----------
        factors : array-like of shape (n_variables,) or float
            Factor of each variable, or one factor for all variables. Factors are not 0.
        shifts : array-like of shape (n_variables,) or float, default=0

        Examples
        --------
        >>> mood = GaussianNetwork(("sun", "mood"), ((), (0,)), ((), (0.5,)), deviations=(2.0, 1.0))
        >>> print(mood.rescaled([10, 1]).explain())
        sun = 0 + 20 e
        mood = 0 + 0.05 sun + 1 e, 0.5 of its variance explained
        """
        factor, shift = (
            _one_each(what, np.full(self.n_variables, given) if np.ndim(given) == 0 else given, self.names)
            for what, given in (("factors", factors), ("shifts", shifts))
        )
        if not (np.isfinite(factor).all() and factor.all()):
            raise ValueError(f"factors are {shown(factors)}: expected finite numbers other than 0")
        weights, constants = [], []
        for child, others in enumerate(map(list, self.parent_indices)):
            weights.append(self.coefficients[child] * factor[child] / factor[others])
            moved = self._intercepts[child] + shift[child] - self.coefficients[child] @ shift[others]
            constants.append(factor[child] * moved)
        return GaussianNetwork(
            self.names,
            self.parent_indices,
            tuple(weights),
            np.abs(factor) * self.deviations,
            np.array(constants),
        )

    def kl_divergence(self, other: GaussianNetwork) -> float:
        """Return the KL divergence KL(self || other) of the joint distributions, exactly.

        Parameters
        ----------
        other : GaussianNetwork
            Network over the same variables, in any order.

        Returns
        -------
        float
            Divergence in bits, 0 for identical networks.

        Raises
        ------
        ValueError
            If the names of the variables differ.

        Examples
        --------
        >>> a = GaussianNetwork(("a",), ((),), ((),), deviations=(1.0,))
        >>> round(a.kl_divergence(a.rescaled(1, shifts=1.0)), 4)
        0.7213
        """
        if not isinstance(other, GaussianNetwork):
            raise TypeError(f"other is a {type(other).__name__}: expected a GaussianNetwork")
        if set(self.names) != set(other.names):
            odd = ", ".join(sorted(set(self.names) ^ set(other.names)))
            raise ValueError(
                f"only one of the two distributions has {odd}: expected distributions over the same variables"
            )
        place = [other.names.index(name) for name in self.names]
        theirs = other._residuals[:, place]
        # what the other takes for noise, as a function of this network's own noise and of its means
        spread = np.linalg.solve(self._residuals.T, theirs.T).T
        shift = theirs @ self.means - other._intercepts / other.deviations
        nats = ((spread**2).sum() + shift @ shift - self.n_variables) / 2
        nats += np.log(other.deviations).sum() - np.log(self.deviations).sum()
        return max(float(nats) / math.log(2), 0.0)

    def to_document(self) -> dict[str, Any]:
        """Return the network as plain data: variables in order, parents by name."""
        variables = [
            {
                "name": name,
                "parents": list(self.parents_of(name)),
                "coefficients": self.coefficients[child].tolist(),
                "intercept": float(self._intercepts[child]),
                "deviation": float(self.deviations[child]),
            }
            for child, name in enumerate(self.names)
        ]
        return {**documents.head(self.kind), "variables": variables}

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the network from a document that `to_document` returned."""
        variables = documents.field_of(document, "variables", list, "the network")
        names = [documents.field_of(variable, "name", str, "a variable") for variable in variables]
        places = {name: place for place, name in enumerate(names)}

        def each(key: str, kind: Any) -> list[Any]:
            return [
                documents.field_of(variable, key, kind, f"the variable {shown(name)}")
                for name, variable in zip(names, variables, strict=True)
            ]

        parents = [[documents.place_of(places, one) for one in own] for own in each("parents", list)]
        numbers = [each(key, float | int) for key in ("deviation", "intercept")]
        return cls(names, parents, each("coefficients", list), *numbers)  # type: ignore[arg-type]

    def to_networkx(self) -> networkx.DiGraph:
        """Return a networkx DiGraph. Nodes have `intercept` and `deviation`, arcs have `coefficient`.

        Examples
        --------
        >>> from generators import random_gaussian_dag
        >>> graph = random_gaussian_dag(n_nodes=4, random_state=0).to_networkx()
        >>> GaussianNetwork.from_networkx(graph)
        GaussianNetwork(4 variables, 5 arcs)
        """
        return interop.gaussian_to_networkx(*self._parts)

    @classmethod
    def from_networkx(cls, graph: networkx.DiGraph) -> GaussianNetwork:
        """Read a networkx DiGraph whose nodes have a `deviation` and whose arcs have a `coefficient`.

        Parameters
        ----------
        graph : networkx.DiGraph
            Graph whose nodes are the variables, in this order. A node without an `intercept` has intercept 0.

        Raises
        ------
        ValueError
            If a `deviation` or `coefficient` is absent, or the network is invalid.
        """
        return cls(**interop.gaussian_networkx_arguments(graph))

    def to_pgmpy(self) -> Any:
        """Return a pgmpy LinearGaussianBayesianNetwork with the same coefficients."""
        return interop.gaussian_to_pgmpy(*self._parts)

    @classmethod
    def from_pgmpy(cls, model: Any) -> GaussianNetwork:
        """Read a pgmpy LinearGaussianBayesianNetwork that has a CPD for every node.

        Raises
        ------
        ValueError
            If a CPD is absent.
        """
        return cls(**interop.gaussian_pgmpy_arguments(model))

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str = "dag",
        excluded: Collection[tuple[int, int]] = (),
        arc_posteriors: pd.DataFrame | NDArray[np.float64] | None = None,
        posterior_source: str | None = None,
    ) -> Axes:
        """Draw the variables in layers, parents above children.

        Below the name of each variable is the share of its variance that its parents explain. With "dag",
        each arc shows its standardized coefficient: the coefficient when both variables are in units of their
        standard deviations.

        Parameters
        ----------
        ax, kind, excluded, arc_posteriors, posterior_source
            See `Network.plot`. If `arc_posteriors` are given, they are shown instead of the coefficients.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ValueError
            If `kind` is unknown, `kind` is "average" without `arc_posteriors`, or these are not probabilities
            of arcs between the network's variables.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> mood = GaussianNetwork(("sun", "mood"), ((), (0,)), ((), (0.5,)), deviations=(2.0, 1.0))
        >>> [text.get_text() for text in mood.plot().texts][:5]
        ['sun', 'root', 'mood', '0.50 explained', '0.71']
        """
        return drawing.plot_network(
            self,
            ax,
            kind=kind,
            directed=compelled_arcs(self.parent_indices, excluded) if kind != "dag" else frozenset(),
            arc_posteriors=arc_posteriors,
            posterior_source=posterior_source,
        )

    @property
    def node_notes(self) -> tuple[str, ...]:
        """Return the text below each name of a drawing."""
        return tuple(
            f"{share:.2f} explained" if others else "root"
            for share, others in zip(self.explained, self.parent_indices, strict=True)
        )

    @property
    def arc_caption(self) -> str:
        """Return the meaning of the numbers on the arcs of a drawing."""
        return "upon an arc: its standardized coefficient"

    @property
    def arc_notes(self) -> dict[tuple[int, int], str]:
        """Return the standardized coefficient of each arc, as text for a drawing."""
        scale = np.sqrt(self.covariance.diagonal())
        return {
            (parent, child): f"{weight * scale[parent] / scale[child]:.2f}"
            for child, others in enumerate(self.parent_indices)
            for parent, weight in zip(others, self.coefficients[child], strict=True)
        }


def _checked_coefficients(
    names: tuple[str, ...], parents: tuple[tuple[int, ...], ...], given: Any
) -> tuple[NDArray[np.float64], ...]:
    n_given = len(given) if isinstance(given, Sized) else 0
    if n_given != len(names):
        raise ValueError(
            f"there are {len(names)} names and {n_given} lists of coefficients: expected one per variable"
        )
    checked = []
    for name, others, own in zip(names, parents, given, strict=True):
        weights = _finite(f"the coefficients of {name!r}", own)
        if weights.shape != (len(others),):
            raise ValueError(
                f"{name!r} has {len(others)} parents and {weights.size} coefficients: expected one per parent"
            )
        checked.append(weights)
    return tuple(checked)


def _one_each(what: str, given: Any, names: tuple[str, ...]) -> NDArray[np.float64]:
    values = _finite(what, given)
    if values.shape != (len(names),):
        raise ValueError(
            f"{what} have the shape {values.shape}: expected {len(names)} numbers, one per variable"
        )
    return values


def _finite(what: str, given: Any) -> NDArray[np.float64]:
    try:
        values = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} are {shown(given)}: expected numbers") from None
    if not np.isfinite(values).all():
        raise ValueError(f"{what} are {shown(given)}: expected finite numbers")
    values.flags.writeable = False
    return values
