"""Bayesian networks of discrete variables: generating models, or learned models."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import RandomState, as_generator, check_n_rows
from generators.base.factorization import Factorization
from generators.drawing import figure as drawing
from generators.files import bif, documents, interop
from generators.laws._shared.law import Law, check_law
from generators.networks.directed_graph import DirectedGraph
from generators.networks.divergence import kl_by_enumeration, kl_by_families
from generators.networks.enumeration import network_joint
from generators.networks.inference import log_joint_table, log_posterior_table
from generators.networks.notebook import cpts_html, network_html
from generators.networks.pairs import tables_of_pairs
from generators.networks.patterns import compelled_arcs
from generators.networks.programs import SoftEvidence
from generators.networks.queries import (
    Evidence,
    MostProbable,
    cpt_table,
    joint_posterior,
    most_probable_states,
)
from generators.networks.truth import ENUMERABLE_CELLS, Truth
from generators.tables.codes import code_dtype

if TYPE_CHECKING:
    import os

    import networkx
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["ENUMERABLE_CELLS", "Network"]


@dataclass(frozen=True, eq=False, repr=False)
class Network(DirectedGraph, Factorization, Truth):
    """A Bayesian network of discrete variables: each variable depends only on its parents.

    A network samples rows (`sample`) and computes exact probabilities (`log_joint`, `posterior`,
    `enumerate`). It is not a classifier with `fit`: `learners.learn_network` learns networks from data.

    Parameters
    ----------
    names : sequence of str
        Names of the variables, all distinct.
    states : sequence of sequence of hashable
        Distinct states of each variable, in order. None and NaN are not allowed.
    parent_indices : sequence of sequence of int
        The parents of each variable, by index.
    cpts : sequence of array-like
        P(variable | parents), with one axis per parent in the given order, then the variable. The last axis
        sums to one within 1e-8.
    class_index : int or None, default=None
        Index of the class, or None for a joint distribution without a class.
    law : Law or None, default=None
        Law from which the network was drawn, if it is known (see `generators.laws`). It is ignored when
        networks are compared.

    Attributes
    ----------
    arities : ndarray of shape (n_variables,)
        Number of states of each variable.
    attributes, attribute_names : tuple
        Indices and names of the variables without the class.
    classes, class_name : tuple, str
        States and name of the class.
    n_cells, enumerable : int, bool
        Number of combinations of attribute states, and whether `enumerate` accepts so many.

    Raises
    ------
    ValueError
        If names or states are not distinct, the arcs form a cycle, a CPT has another shape, a row of a CPT is
        not a distribution, or the law cannot draw such a network.

    See Also
    --------
    Mixture : A weighted sum of networks.

    Examples
    --------
    >>> rain = Network(
    ...     names=("rain", "grass"),
    ...     states=(("no", "yes"), ("dry", "wet")),
    ...     parent_indices=((), (0,)),
    ...     cpts=([0.8, 0.2], [[0.9, 0.1], [0.25, 0.75]]),
    ...     class_index=0,
    ... )
    >>> rain
    Network(2 variables, 1 arc, class 'rain' of 2)
    >>> rain.posterior([[1]]).round(3)
    array([[0.348, 0.652]])
    """

    kind = "network"
    law: Law | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_law(self)

    def __repr__(self) -> str:
        n_arcs = sum(map(len, self.parent_indices))
        arcs = f"{n_arcs} arc{'' if n_arcs == 1 else 's'}"
        variables = f"{self.n_variables} variable{'' if self.n_variables == 1 else 's'}"
        role = "no class" if self.class_index is None else f"class {self.class_name!r} of {len(self.classes)}"
        return f"Network({variables}, {arcs}, {role})"

    def _repr_html_(self) -> str:
        # notebooks show this; repr never draws
        return network_html(self, repr(self))

    def details_html(self) -> str:
        """Return the CPTs as HTML for a notebook."""
        return cpts_html(self)

    def __eq__(self, other: object) -> bool:
        """Whether names, states with their types, parents, class and all numbers are identical."""
        if not isinstance(other, Network):
            return NotImplemented
        return self._identified == other._identified and all(map(np.array_equal, self.cpts, other.cpts))

    def __hash__(self) -> int:
        return hash(self._identified)

    @property
    def _identified(self) -> tuple[object, ...]:
        """Return everything but the probabilities that two equal networks have in common."""
        kinds = tuple(tuple(map(type, own)) for own in self.states)
        return self.names, self.states, kinds, self.parent_indices, self.class_index

    def with_class(self, name: str | None) -> Network:
        """Return the same network with the named variable as class, or with no class.

        The law is specific to the class, so a network with another class has no law. `random_dag_with_class`
        draws networks with the class at any node and with a law.

        Raises
        ------
        ValueError
            If the variable is unknown.

        Examples
        --------
        >>> from generators import random_tan
        >>> random_tan(n_attributes=3, random_state=0).with_class("x1").attribute_names
        ('x0', 'x2', 'y')
        """
        place = None if name is None else self._target(name)
        return replace(self, class_index=place, law=self.law if place == self.class_index else None)

    def cpt(self, name: str) -> pd.DataFrame:
        """Return the conditional probability table (CPT) of a variable.

        Parameters
        ----------
        name : str
            Name of the variable.

        Returns
        -------
        DataFrame of shape (n_rows, n_states)
            One row for each combination of the parents' states, with the last parent changing fastest, or a
            single row without a name if there are no parents. One column for each state of the variable. Rows
            sum to one.

        Raises
        ------
        ValueError
            If the variable is unknown.

        Examples
        --------
        >>> rain = Network(
        ...     names=("rain", "grass"),
        ...     states=(("no", "yes"), ("dry", "wet")),
        ...     parent_indices=((), (0,)),
        ...     cpts=([0.8, 0.2], [[0.9, 0.1], [0.25, 0.75]]),
        ... )
        >>> rain.cpt("grass")
        grass   dry   wet
        rain
        no     0.90  0.10
        yes    0.25  0.75
        >>> float(rain.cpt("grass").loc["yes", "wet"])
        0.75
        """
        return cpt_table(self, name)

    def query(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> pd.Series:
        """Return the joint distribution of some variables given evidence, exactly.

        Parameters
        ----------
        variables : str or sequence of str
            One or several names.
        evidence : mapping of str to state, or Series, optional
            States of other variables by name, such as some columns of a row of a DataFrame. Variables without
            evidence are summed out.

        Returns
        -------
        Series
            Probabilities, which sum to one, under the name "probability". The index holds the states, with
            the last variable changing fastest.

        Raises
        ------
        ValueError
            If a name or state is unknown, a requested variable is also in the evidence, or the evidence has
            probability 0.

        See Also
        --------
        posterior : Distribution of one variable for many rows.
        most_probable : The most probable joint states of all other variables.

        Examples
        --------
        >>> rain = Network(
        ...     names=("rain", "grass"),
        ...     states=(("no", "yes"), ("dry", "wet")),
        ...     parent_indices=((), (0,)),
        ...     cpts=([0.8, 0.2], [[0.9, 0.1], [0.25, 0.75]]),
        ... )
        >>> rain.query("rain", {"grass": "wet"}).round(3)
        rain
        no     0.348
        yes    0.652
        Name: probability, dtype: float64
        >>> float(rain.query(["rain", "grass"])["yes", "wet"].round(2))
        0.15
        """
        return joint_posterior(self, variables, evidence)

    def most_probable(self, evidence: Evidence | None = None) -> MostProbable:
        """Return the most probable explanation (MPE): the most probable joint states of all other variables.

        Parameters
        ----------
        evidence : mapping of str to state, or Series, optional
            States of some variables.

        Returns
        -------
        MostProbable
            `states` of the variables without evidence, by name, and the joint `probability` of these states
            given the evidence.

        Raises
        ------
        ValueError
            If a name or state is unknown, or the evidence has probability 0.

        Notes
        -----
        The result is exact. It is computed by max-product elimination, which takes as long as a query. The
        most probable joint states can differ from the most probable state of each variable. Ties are broken
        for the variable that is eliminated last, in favor of the state that is listed first. Rounding can
        also break a tie.

        Examples
        --------
        >>> rain = Network(
        ...     names=("rain", "grass"),
        ...     states=(("no", "yes"), ("dry", "wet")),
        ...     parent_indices=((), (0,)),
        ...     cpts=([0.8, 0.2], [[0.9, 0.1], [0.25, 0.75]]),
        ... )
        >>> rain.most_probable().states
        {'rain': 'no', 'grass': 'dry'}
        >>> rain.most_probable({"grass": "wet"})
        MostProbable(states={'rain': 'yes'}, probability=0.6521739130434783)
        """
        return most_probable_states(self, evidence)

    def sample_codes(self, n: int, random_state: RandomState = None) -> NDArray[Any]:
        """Draw rows as state codes.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. For each variable, in the order of `order`, one `rng.random(n)` is mapped to states by the
            inverse cumulative distribution of the matching CPT rows.

        Returns
        -------
        ndarray of shape (n, n_variables)
            Codes in the smallest unsigned type, column-major, so that a column is contiguous.

        Examples
        --------
        >>> from generators import random_tan
        >>> random_tan(n_attributes=3, random_state=0).sample_codes(2, random_state=1).dtype
        dtype('uint8')
        """
        n, rng = check_n_rows(n), as_generator(random_state)
        codes = np.empty((self.n_variables, n), dtype=code_dtype(self.arities, missing=False))
        for child in self.order:
            uniforms = rng.random(n)
            row = np.zeros(n, dtype=np.intp)
            for parent in self.parent_indices[child]:
                row = row * int(self.arities[parent]) + codes[parent]
            states = np.zeros(n, dtype=codes.dtype)
            for thresholds in self._thresholds[child]:
                states += uniforms >= thresholds.take(row)
            codes[child] = states
        return codes.T

    @cached_property
    def _thresholds(self) -> tuple[NDArray[np.float64], ...]:
        """Cumulative distributions without the last state, of shape (arity - 1, n_rows of the CPT)."""
        cumulative = [np.cumsum(cpt.reshape(-1, cpt.shape[-1]), axis=1) for cpt in self.cpts]
        # divided by the total, so that a last state of probability zero is never drawn
        return tuple(np.ascontiguousarray((rows / rows[:, -1:])[:, :-1].T) for rows in cumulative)

    def joint_array(self, axes: Sequence[int]) -> NDArray[np.float64]:
        """Return the joint distribution as one array.

        Parameters
        ----------
        axes : sequence of int
            All variables, in the order of the axes.

        Returns
        -------
        ndarray with one axis per variable
            Probabilities, which sum to one. The size of the array is the product of the arities: check
            `enumerable` first.

        Examples
        --------
        >>> from generators import random_tan
        >>> random_tan(n_attributes=2, arity=3, n_classes=2, random_state=0).joint_array((2, 0, 1)).shape
        (2, 3, 3)
        """
        return network_joint(self, axes)

    def _marginal_tables(self, scopes: Sequence[tuple[int, ...]]) -> Iterator[NDArray[np.float64]]:
        """Yield the marginal table of each scope."""
        return tables_of_pairs(self, scopes) or super()._marginal_tables(scopes)

    def _log_joint_table(
        self, columns: NDArray[np.intp], target: int | None, soft: SoftEvidence | None = None
    ) -> NDArray[np.float64]:
        return log_joint_table(self, columns, target, soft)

    def _log_posterior_table(self, columns: NDArray[np.intp], target: int) -> NDArray[np.float64]:
        return log_posterior_table(self, columns, target)

    def kl_divergence(self, other: Truth) -> float:
        """Return the KL divergence KL(self || other) of the joint distributions, exactly.

        The divergence is 0 for identical distributions, and +inf if `other` gives probability 0 to a row that
        is possible under `self`.

        Parameters
        ----------
        other : Network or Mixture
            Distribution of variables with the same names and states, in any order. A Mixture must be small
            enough to enumerate.

        Returns
        -------
        float
            Divergence in bits.

        Raises
        ------
        ValueError
            If the variables or their states differ, or a Mixture is too large.

        Notes
        -----
        If `other` is a network, the divergence is a sum over its families (a variable and its parents). The
        distribution of each family under `self` is computed by variable elimination, without the whole joint
        distribution.

        Examples
        --------
        >>> a = Network(("a",), ((0, 1),), ((),), ([0.5, 0.5],))
        >>> b = Network(("a",), ((0, 1),), ((),), ([0.75, 0.25],))
        >>> round(a.kl_divergence(b), 4)
        0.2075
        """
        if isinstance(other, Network):
            return kl_by_families(self, other)
        return kl_by_enumeration(self, other)

    @property
    def structure(self) -> str:
        """Description of the dependencies.

        Examples
        --------
        >>> from generators import random_naive_bayes
        >>> random_naive_bayes(n_attributes=3, random_state=0).structure
        'network: class y is a parent of all 3 attributes; no arcs between them'
        """
        if self.class_index is None:
            return f"network: {sum(map(len, self.parent_indices))} arcs between {self.n_variables} variables"
        target, n = self.class_index, len(self.attributes)
        below = sum(target in self.parent_indices[variable] for variable in self.attributes)
        others = [len(set(self.parent_indices[variable]) - {target}) for variable in self.attributes]
        n_above = len(self.parent_indices[target])
        return (
            f"network: class {self.class_name} is a parent of "
            f"{f'all {n}' if below == n > 1 else f'{below} of {n}'} attributes"
            f"{f' and a child of {n_above}' if n_above else ''}; "
            + (
                f"{sum(others)} arcs between them, at most {max(others)} into one"
                if any(others)
                else "no arcs between them"
            )
        )

    def to_document(self) -> dict[str, Any]:
        """Return the network as plain data: variables in order, parents by name, CPTs as nested lists."""
        return documents.network_document(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a network from JSON text written by `to_json`.

        Raises
        ------
        ValueError
            If the text is not JSON written by `to_json`. The message states the fault.

        Examples
        --------
        >>> Network.from_json(Network(("a",), ((True, "no"),), ((),), ([0.1, 0.9],)).to_json()).states
        ((True, 'no'),)
        """
        return super().from_json(text)

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the network from a document that `to_document` returned."""
        return cls(**documents.network_arguments(document))

    def to_networkx(self) -> networkx.DiGraph:
        """Return a networkx DiGraph with `states`, `parents` and `cpt` of each node and a `class_name`.

        Examples
        --------
        >>> from generators import random_naive_bayes
        >>> list(random_naive_bayes(n_attributes=2, random_state=0).to_networkx().edges)
        [('y', 'x0'), ('y', 'x1')]
        """
        return interop.to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: networkx.DiGraph) -> Network:
        """Read a networkx DiGraph whose nodes have the attributes `states` and `cpt`.

        Parameters
        ----------
        graph : networkx.DiGraph
            Graph whose nodes are the variables, in this order. The axes of `cpt` are in the order of the node
            attribute `parents`, or of the predecessors if there is no such attribute. The graph attribute
            `class_name` names the class, if there is one.

        Raises
        ------
        ValueError
            If a node attribute is absent, `parents` are not the predecessors, or the network is invalid.

        Examples
        --------
        >>> from generators import random_naive_bayes
        >>> Network.from_networkx(random_naive_bayes(n_attributes=2, random_state=0).to_networkx())
        Network(3 variables, 2 arcs, class 'y' of 4)
        """
        return cls(**interop.networkx_arguments(graph))

    def to_pgmpy(self) -> Any:
        """Return a pgmpy DiscreteBayesianNetwork with the same states and CPTs, without a class."""
        return interop.to_pgmpy(self)

    @classmethod
    def from_pgmpy(cls, model: Any, class_name: str | None = None) -> Network:
        """Read a pgmpy DiscreteBayesianNetwork that has a CPD for every node.

        Parameters
        ----------
        model : pgmpy.models.DiscreteBayesianNetwork
            Network whose nodes are strings, in the order of the variables.
        class_name : str, optional
            Name of the class.

        Raises
        ------
        ValueError
            If a CPD is absent, or the variable `class_name` is unknown.
        """
        network = cls(**interop.pgmpy_arguments(model))
        return network if class_name is None else network.with_class(class_name)

    def to_bif(self, path: str | os.PathLike[str] | None = None) -> str:
        r"""Return the network as BIF text, from which `from_bif` restores all names, states and numbers.

        All programs that read BIF can read the text. Names and states that BIF cannot represent are written
        as labels of letters, digits and underscores, such as `le_2_45` for "(-inf, 2.45]". Comments at the
        beginning contain the exact names.

        Parameters
        ----------
        path : str or path, optional
            File to write the text to, in UTF-8.

        Raises
        ------
        ValueError
            If a state is not a string, bool, int, float or pandas Interval of numbers.

        Examples
        --------
        >>> cut = Network(("petal width",), (("(-inf, 2.45]", "big"),), ((),), ([0.25, 0.75],))
        >>> print("\n".join(cut.to_bif().split("\n")[1:7]))
        // Exact names and states, by label, as JSON:
        // petal_width = {"name": "petal width", "states": {"le_2_45": "(-inf, 2.45]"}}
        network bayesian_network {
        }
        variable petal_width {
            type discrete [ 2 ] { le_2_45, big };
        """
        text = bif.to_bif(self)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    @classmethod
    def from_bif(cls, text_or_path: str | os.PathLike[str], class_name: str | None = None) -> Network:
        """Read BIF written by `to_bif` or another program.

        Parameters
        ----------
        text_or_path : str or path
            A string with a line break is BIF text. Any other string is the path of a BIF file in UTF-8. In
            text of other programs, all states are read as strings. Rows that sum to one within 1e-3, because
            they were written with few digits, are divided by their sum.
        class_name : str, optional
            Name of the class. By default the variable with the property `role = class`, if there is one.

        Raises
        ------
        ValueError
            If the text is not BIF, the network is invalid, or the variable `class_name` is unknown.
        OSError
            If the file cannot be read.
        """
        network = cls(**bif.bif_arguments(text_or_path))
        return network if class_name is None else network.with_class(class_name)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str = "dag",
        excluded: Collection[tuple[int, int]] = (),
        arc_posteriors: pd.DataFrame | NDArray[np.float64] | None = None,
        posterior_source: str | None = None,
    ) -> Axes:
        """Draw the network in layers, parents above children and the class on top.

        The drawing emphasizes the arcs among attributes. Arcs from the class are thin and go around the other
        nodes. The class is a shaded ellipse, an attribute a box with its number of states. A caption explains
        dashed lines and numbers.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on. Their limits are set and the frame is hidden. By default a new figure of fitting
            size.
        kind : {"dag", "pattern", "average"}
            "dag" draws the arcs of this network. "pattern" draws its Markov equivalence class, in which an
            arc is dashed and has no head if no data can determine the direction. "average" joins every pair
            of variables whose arcs, in both directions together, have a posterior of 0.2 or more. An arc has
            a head if one direction has 90% of that posterior and all networks equivalent to this one have
            that direction. Otherwise it is dashed.
        excluded : collection of (int, int)
            Arcs excluded by prior knowledge, by index (see `pattern`). A pair with only one remaining
            direction is drawn with a head.
        arc_posteriors : DataFrame or ndarray of shape (n_variables, n_variables), optional
            Probability of each arc, with a row for each parent and a column for each child. An array has them
            in the order of the variables. With "dag", a probability below 0.99 is written on its arc,
            followed in brackets by the probability of the reversed arc. Arcs with a probability below 1/2 are
            thin.
        posterior_source : str, optional
            Method by which `arc_posteriors` were computed, such as "exact". It is shown below the drawing.

        Returns
        -------
        matplotlib Axes
            Text and arcs have the color `rcParams["text.color"]`. Only numbers on arcs have a background.

        Raises
        ------
        ValueError
            If `kind` is unknown, `kind` is "average" without `arc_posteriors`, or these are not probabilities
            of arcs between the network's variables.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from generators import random_naive_bayes
        >>> truth = random_naive_bayes(n_attributes=1, random_state=0)
        >>> [text.get_text() for text in truth.plot().texts]
        ['x0', '3 states', 'y', '4 states']
        >>> truth.plot(kind="pattern").texts[-1].get_text()
        'dashed: joined, in either direction'
        """
        return drawing.plot_network(
            self,
            ax,
            kind=kind,
            directed=compelled_arcs(self.parent_indices, excluded) if kind != "dag" else frozenset(),
            arc_posteriors=arc_posteriors,
            posterior_source=posterior_source,
        )
