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
    """A Bayesian network, in which each variable depends only on its parents.

    It has `sample`, `log_joint`, `posterior` and `enumerate`, and learns nothing.

    Parameters
    ----------
    names : sequence of str
        The variables; distinct.
    states : sequence of sequence of hashable
        The states of each variable, in order; distinct, none of them None or NaN.
    parent_indices : sequence of sequence of int
        The parents of each variable, by index.
    cpts : sequence of array-like
        P(variable | parents): one axis per parent in the order given, the variable last; the last axis sums
        to one within 1e-8.
    class_index : int or None, default=None
        Which variable is the class; None for a joint distribution without one.
    law : Law or None, default=None
        The law from which the network was drawn, if it is known; see `generators.laws`. Networks that differ
        in it alone are equal.

    Attributes
    ----------
    arities : ndarray of shape (n_variables,)
        Number of states of each variable.
    attributes, attribute_names : tuple
        Indices and names of the variables without the class.
    classes, class_name : tuple, str
        States and name of the class.
    n_cells, enumerable : int, bool
        Size of the attribute space, and whether `enumerate` accepts it.

    Raises
    ------
    ValueError
        If names or states are not distinct, the parents form a cycle, a CPT has another shape or a row
        that is not a distribution, or the law cannot draw such a network.

    See Also
    --------
    Mixture : a weighted sum of networks.

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
        """Return the CPTs as HTML, on demand, for a notebook."""
        return cpts_html(self)

    def __eq__(self, other: object) -> bool:
        """Whether names, states with their types, parents, the class and every digit are the same."""
        if not isinstance(other, Network):
            return NotImplemented
        return self._identified == other._identified and all(map(np.array_equal, self.cpts, other.cpts))

    def __hash__(self) -> int:
        return hash(self._identified)

    @property
    def _identified(self) -> tuple[object, ...]:
        """What two equal networks have in common but for their probabilities."""
        kinds = tuple(tuple(map(type, own)) for own in self.states)
        return self.names, self.states, kinds, self.parent_indices, self.class_index

    def with_class(self, name: str | None) -> Network:
        """Return the same network with the named variable as class, or with none.

        Its law is of this class alone, so a network with another class states none; `random_dag_with_class`
        draws networks that do.

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
        """Return the conditional distribution of a variable as a table.

        Parameters
        ----------
        name : str
            The variable.

        Returns
        -------
        DataFrame of shape (n_rows, n_states)
            A row for each combination of the parents' states, the last parent fastest, or a single one
            without a name; a column for each state of the variable. Rows sum to one.

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
            One name or several.
        evidence : mapping of str to state, or Series, optional
            States of other variables, such as a part of a table's row; all that are not mentioned are summed
            out.

        Returns
        -------
        Series
            Named "probability", with the states as index, the last variable fastest; sums to one.

        Raises
        ------
        ValueError
            If a name or state is unknown, a variable is among the evidence, or the evidence has
            probability 0.

        See Also
        --------
        posterior : The same of one variable for many rows at once.
        most_probable : The most probable states of all other variables together.

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
        """Return the most probable states of all other variables together (MPE), exactly.

        Parameters
        ----------
        evidence : mapping of str to state, or Series, optional
            States of some variables.

        Returns
        -------
        MostProbable
            `states` of the variables without evidence, by name, and their joint `probability` given it.

        Raises
        ------
        ValueError
            If a name or state is unknown, or the evidence has probability 0.

        Notes
        -----
        By max-product elimination, so it takes as long as a query. The most probable states together need
        not be those that are most probable one by one. A tie goes to the state that is listed first, of the
        variable that is eliminated last; ties that rounding breaks may go either way.

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
            The stream: for each variable in `order` one `rng.random(n)`, turned into states by the inverse
            cumulative distribution of its row.

        Returns
        -------
        ndarray of shape (n, n_variables)
            In the smallest unsigned type; column-major, so that a column is contiguous.

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
            Sums to one. Its size is the product of the arities: check `enumerable` first.

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
        """Return KL(self || other) of the joint distributions, exactly.

        Zero if they are the same; +inf if `other` excludes what `self` allows.

        Parameters
        ----------
        other : Network or Mixture
            Over variables of the same names and states, in any order. Against a Mixture, small enough to
            enumerate.

        Returns
        -------
        float
            Bits.

        Raises
        ------
        ValueError
            If the variables or their states differ, or a Mixture is too large.

        Notes
        -----
        Between networks it is a sum over the families of `other`, whose distributions under `self` come from
        variable elimination, without the whole joint.

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
        """The dependencies, in words.

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
        """Read what `to_json` wrote.

        Raises
        ------
        ValueError
            If the text is something else; the message says what is wrong.

        Examples
        --------
        >>> Network.from_json(Network(("a",), ((True, "no"),), ((),), ([0.1, 0.9],)).to_json()).states
        ((True, 'no'),)
        """
        return super().from_json(text)

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the network that `to_document` described."""
        return cls(**documents.network_arguments(document))

    def to_networkx(self) -> networkx.DiGraph:
        """Return a networkx DiGraph; nodes have `states`, `parents`, `cpt`, and the graph `class_name`.

        Examples
        --------
        >>> from generators import random_naive_bayes
        >>> list(random_naive_bayes(n_attributes=2, random_state=0).to_networkx().edges)
        [('y', 'x0'), ('y', 'x1')]
        """
        return interop.to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: networkx.DiGraph) -> Network:
        """Read a DiGraph whose nodes have `states` and `cpt`.

        Parameters
        ----------
        graph : networkx.DiGraph
            Nodes in the order of the variables. The axes of `cpt` are in the order of the node's `parents`,
            else of its predecessors; the class is the graph's `class_name`, if it has one.

        Raises
        ------
        ValueError
            If an attribute is absent, `parents` are not the predecessors, or the network is unsound.

        Examples
        --------
        >>> from generators import random_naive_bayes
        >>> Network.from_networkx(random_naive_bayes(n_attributes=2, random_state=0).to_networkx())
        Network(3 variables, 2 arcs, class 'y' of 4)
        """
        return cls(**interop.networkx_arguments(graph))

    def to_pgmpy(self) -> Any:
        """Return a pgmpy DiscreteBayesianNetwork of the same states and CPTs, without a class."""
        return interop.to_pgmpy(self)

    @classmethod
    def from_pgmpy(cls, model: Any, class_name: str | None = None) -> Network:
        """Read a pgmpy DiscreteBayesianNetwork that has all its CPDs.

        Parameters
        ----------
        model : pgmpy.models.DiscreteBayesianNetwork
            Nodes are strings, in the order of the variables.
        class_name : str, optional
            Which variable is the class.

        Raises
        ------
        ValueError
            If a CPD is absent, or the variable `class_name` is unknown.
        """
        network = cls(**interop.pgmpy_arguments(model))
        return network if class_name is None else network.with_class(class_name)

    def to_bif(self, path: str | os.PathLike[str] | None = None) -> str:
        r"""Return the network as BIF text, from which `from_bif` restores every name, state and number.

        Any program that reads BIF can read the text. Names and states that BIF cannot represent are written
        as labels of letters, digits and underscores, such as `le_2_45` for "(-inf, 2.45]"; comments at the
        beginning have the exact ones.

        Parameters
        ----------
        path : str or path, optional
            A file that the text is written to, in UTF-8.

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
        """Read BIF by `to_bif` or by another program.

        Parameters
        ----------
        text_or_path : str or path
            BIF if it is a string with a line break, else the path of a BIF file in UTF-8. In text not written
            by `to_bif`, states are strings, and rows that sum to one within 1e-3, as printed with few digits,
            are divided by their sum.
        class_name : str, optional
            Which variable is the class; by default that with the property `role = class`, if one has it.

        Raises
        ------
        ValueError
            If the text is not BIF, the network is unsound, or the variable `class_name` is unknown.
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
        """Draw the variables in layers, parents above children and the class on top.

        Look for the arcs among attributes: those from the class are thin, and go around the other nodes. The
        class is a shaded ellipse, an attribute a box with its number of states. Lines below the drawing say
        what dashes and numbers mean.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; its limits are set and its frame is hidden. A new figure that fits by default.
        kind : {"dag", "pattern", "average"}
            "dag" draws the arcs of this network. "pattern" draws its equivalence class: an arc whose
            direction no data determine is dashed and has no head. "average" draws every pair that is joined
            with a posterior of 0.2 or more, with a head where one direction has 90% of it and all networks
            equivalent to this one have that direction; else dashed.
        excluded : collection of (int, int)
            Arcs that prior knowledge excludes, see `pattern`; a pair that it leaves one direction has a head.
        arc_posteriors : DataFrame or ndarray of shape (n_variables, n_variables), optional
            Probability of each arc, rows from, columns to; in the order of the variables if it has no names.
            With "dag", those below 0.99 are written on their arcs, with that of the reverse in brackets, and
            arcs below 1/2 are thin.
        posterior_source : str, optional
            How they were computed, shown below the drawing, such as "exact".

        Returns
        -------
        matplotlib Axes
            Text and arcs in the color `rcParams["text.color"]`, without a background except under numbers.

        Raises
        ------
        ValueError
            If the kind is unknown, or `arc_posteriors` are absent or not probabilities of these variables.

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
