"""Concepts: rules on the attributes that determine the class distribution."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import RandomState, as_generator, check_n_rows
from generators.base.probabilities import log_sum
from generators.base.validation import check_cpts, check_names, check_states, shown
from generators.concepts._shared.rule import (
    Box,
    Rule,
    box_of,
    box_size,
    checked_rule,
    disjoint_boxes,
    rule_document,
    rule_of,
    rule_text,
)
from generators.files import documents
from generators.laws.intractable import IntractableLaw
from generators.networks.inference import log_joint_table
from generators.networks.network import Network
from generators.networks.programs import SoftEvidence
from generators.networks.truth import Truth
from generators.tables.codes import MISSING, code_dtype

__all__ = ["Concept"]

BLOCK_ENTRIES = 2**21


@dataclass(frozen=True, eq=False, repr=False)
class Concept(Truth):
    """A truth in which the first rule that holds determines the distribution of the class.

    A network is the joint distribution of the attributes. The rules are ordered. The first rule that holds
    selects a leaf, and a leaf is a distribution of the class. The rules of a decision tree are mutually
    exclusive. In a decision graph several rules share a leaf. The rules do not depend on the other
    attributes.

    Parameters
    ----------
    attribute_network : Network
        Distribution of the attributes, a network without a class.
    rules : sequence of Rule
        Ordered rules. At least one rule must hold for every combination of states.
    leaves : array-like of shape (n_leaves, n_classes)
        Class distributions. Rows sum to one within 1e-8.
    label : str, default="y"
        Name of the class, which follows the attributes.
    labels : sequence of hashable, optional
        States of the class. By default 0, 1, ...

    Attributes
    ----------
    names, states, class_index
        Names and states of the attributes, then of the class, and the index of the class.

    Raises
    ------
    ValueError
        If the network of the attributes has a class, a rule names an unknown attribute or state, some
        combination of states meets no rule, the rules split the attribute space into more than 5,000 boxes,
        or a leaf is not a distribution.

    See Also
    --------
        random_decision_tree, random_decision_graph, random_rules : Draw a concept.

    Examples
    --------
    >>> from generators import Rule
    >>> coins = Network(("a", "b"), ((0, 1), (0, 1)), ((), ()), ([0.5, 0.5], [0.5, 0.5]))
    >>> both = Concept(coins, [Rule(((0, (1,)), (1, (1,))), 0), Rule((), 1)], [[0.0, 1.0], [1.0, 0.0]])
    >>> print(both)
    y depends on a, b
      if a = 1 and b = 1: y = 1
      otherwise: y = 0
    >>> both.posterior([[1, 1], [1, -1]])
    array([[0. , 1. ],
           [0.5, 0.5]])
    """

    kind = "concept"
    law = IntractableLaw("concepts of conditions have no posterior in closed form")
    attribute_network: Network
    rules: tuple[Rule, ...]
    leaves: NDArray[np.float64]
    label: str = "y"
    labels: tuple[Hashable, ...] | None = None

    def __post_init__(self) -> None:
        network = self.attribute_network
        if not isinstance(network, Network) or network.class_index is not None:
            raise ValueError(
                f"the attributes are {shown(network)}: expected a Network without a class, such as the "
                "result of with_class(None)"
            )
        n_leaves, n_classes = _shape(self.leaves)
        names = check_names((*network.names, self.label))
        labels = range(n_classes) if self.labels is None else self.labels
        states = check_states(names, (*network.states, tuple(labels)))
        leaf_states = (tuple(range(n_leaves)), states[-1])
        flat = np.full(n_leaves, 1.0 / n_leaves)
        _, leaves = check_cpts(("leaf", self.label), leaf_states, ((), (0,)), (flat, self.leaves))
        checked = {
            "rules": tuple(checked_rule(rule, network, n_leaves) for rule in self.rules),
            "leaves": leaves,
            "labels": states[-1],
            "names": names,
            "states": states,
            "class_index": len(names) - 1,
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)
        self._check_coverage()

    def __repr__(self) -> str:
        n_rules = f"{len(self.rules)} rule{'' if len(self.rules) == 1 else 's'}"
        n_named = f"{len(self.relevant)} of {len(self.attributes)} attributes"
        return f"Concept({n_rules} on {n_named}, class {self.class_name!r} of {len(self.classes)})"

    def __str__(self) -> str:
        named = ", ".join(self.names[v] for v in self.relevant) or "no attribute"
        lines = [f"{self.class_name} depends on {named}"]
        for rule in self.rules:
            forecast = self._forecast(self.leaves[rule.leaf])
            lines.append(f"  {rule_text(rule, self.attribute_network)}: {self.class_name} = {forecast}")
        return "\n".join(lines)

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        n_arcs = sum(map(len, self.attribute_network.parent_indices))
        among = f"joined by {n_arcs} arcs" if n_arcs else "independent"
        return (
            f"concept: {len(self.rules)} rules with {len(self.leaves)} class distributions on "
            f"{len(self.relevant)} of {len(self.attributes)} attributes, which are {among}"
        )

    @cached_property
    def relevant(self) -> tuple[int, ...]:
        """Indices of the attributes that the rules use."""
        return tuple(sorted({attribute for rule in self.rules for attribute, _ in rule.conditions}))

    def to_document(self) -> dict[str, Any]:
        """Return the concept as plain data: attributes, rules by names and labels, and leaves."""
        variable = {"name": self.label, "states": documents.plain_states(self.label, self.classes)}
        return {
            **documents.head(self.kind),
            "attributes": documents.network_document(self.attribute_network),
            "class": variable,
            "rules": [rule_document(rule, self.attribute_network) for rule in self.rules],
            "leaves": self.leaves.tolist(),
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the concept from a document that `to_document` returned."""
        attributes = documents.checked(
            documents.field_of(document, "attributes", dict, "the concept"), "network"
        )
        network = Network.from_document(attributes)
        variable = documents.field_of(document, "class", dict, "the concept")
        rules = documents.field_of(document, "rules", list, "the concept")
        return cls(
            network,
            tuple(rule_of(rule, network) for rule in rules),
            documents.field_of(document, "leaves", list, "the concept"),
            documents.field_of(variable, "name", str, "the class"),
            documents.field_of(variable, "states", list, "the class"),
        )

    def sample_codes(self, n: int, random_state: RandomState = None) -> NDArray[Any]:
        """Draw rows as state codes.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. Random numbers are drawn first for the attributes' network, then `rng.random(n)` for the
            class, by the inverse cumulative distribution of the leaf.

        Returns
        -------
        ndarray of shape (n, n_variables)
            Codes in the smallest unsigned type, column-major.
        """
        n, rng = check_n_rows(n), as_generator(random_state)
        codes = np.empty((self.n_variables, n), dtype=code_dtype(self.arities, missing=False))
        codes[:-1] = self.attribute_network.sample_codes(n, rng).T
        cumulative = np.cumsum(self.leaves, axis=1)
        thresholds = (cumulative / cumulative[:, -1:])[:, :-1][self.leaf_of(codes[:-1])]
        codes[-1] = (rng.random(n)[:, np.newaxis] >= thresholds).sum(axis=1)
        return codes.T

    def leaf_of(self, columns: NDArray[Any]) -> NDArray[np.intp]:
        """Return the index of the leaf of each row.

        Parameters
        ----------
        columns : ndarray of shape (n_attributes, n_rows)
            State codes. Attributes that a rule names must not have missing values.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        leaf = np.zeros(columns.shape[1], dtype=np.intp)
        for rule in reversed(self.rules):
            holds = np.ones(columns.shape[1], dtype=np.bool_)
            for attribute, codes in rule.conditions:
                holds &= np.isin(np.arange(self.arities[attribute]), codes)[columns[attribute]]
            leaf[holds] = rule.leaf
        return leaf

    def _log_joint_table(
        self, columns: NDArray[np.intp], target: int | None, soft: SoftEvidence | None = None
    ) -> NDArray[np.float64]:
        soft = soft or {}
        if target == self.class_index:
            return self._log_class_table(columns, soft)
        if target is None:
            return self._log_seen(columns, soft)[:, np.newaxis]
        table = np.empty((columns.shape[1], int(self.arities[target])))
        others = {variable: values for variable, values in soft.items() if variable != target}
        for code in range(table.shape[1]):
            set_to = columns.copy()
            set_to[target] = code
            table[:, code] = self._log_seen(set_to, others)
        return table + soft[target] if target in soft else table

    def _log_seen(self, columns: NDArray[np.intp], soft: SoftEvidence) -> NDArray[np.float64]:
        """Return log P(evidence), with the class observed or not."""
        given = columns[-1]
        without = {v: values for v, values in soft.items() if v != self.class_index}
        table = self._log_class_table(columns, without)
        chosen = table[np.arange(len(table)), np.maximum(given, 0)]
        unseen = table + soft[len(columns) - 1] if len(columns) - 1 in soft else table
        return np.where(given == MISSING, log_sum(unseen, axis=1), chosen)

    def _log_class_table(self, columns: NDArray[np.intp], soft: SoftEvidence) -> NDArray[np.float64]:
        """Return log P(observed attributes, class), of shape (n_rows, n_classes)."""
        out = np.empty((columns.shape[1], len(self.classes)))
        incomplete = (columns[list(self.relevant)] < 0).any(axis=0)
        network = self.attribute_network
        with np.errstate(divide="ignore"):
            log_leaves = np.log(self.leaves)
        rows = np.flatnonzero(~incomplete)
        if len(rows):
            seen = log_joint_table(network, columns[:-1, rows], None, _of_rows(soft, rows, self.class_index))
            out[rows] = seen + log_leaves[self.leaf_of(columns[:-1, rows])]
        rows = np.flatnonzero(incomplete)
        most = max(1, BLOCK_ENTRIES // max(len(self._boxes) * int(self.arities.max()), 1))
        for first in range(0, len(rows), most):
            block = rows[first : first + most]
            mass = self._log_leaf_mass(columns[:-1, block], _of_rows(soft, block, self.class_index))
            out[block] = log_sum(mass[:, :, np.newaxis] + log_leaves, axis=1)
        return out + soft[self.class_index] if self.class_index in soft else out  # type: ignore[index]

    def _log_leaf_mass(self, columns: NDArray[np.intp], soft: SoftEvidence) -> NDArray[np.float64]:
        """Return log P(observed attributes, leaf), of shape (n_rows, n_leaves)."""
        joined = any(self.attribute_network.parent_indices)
        mass = self._mass_in_network(columns, soft) if joined else self._mass_of_independent(columns, soft)
        out = np.full((columns.shape[1], len(self.leaves)), -np.inf)
        leaf_of_box = np.array([leaf for leaf, _ in self._boxes])
        for leaf in range(len(self.leaves)):
            mine = leaf_of_box == leaf
            if mine.any():
                out[:, leaf] = log_sum(mass[:, mine], axis=1)
        return out

    def _mass_of_independent(self, columns: NDArray[np.intp], soft: SoftEvidence) -> NDArray[np.float64]:
        """Multiply, for each box, the probabilities of the observed states, or of all allowed states."""
        mass = np.zeros((columns.shape[1], len(self._boxes)))
        for attribute, log_prior in enumerate(self.attribute_network.log_cpts):
            log_terms = log_prior[:, np.newaxis] + self._log_masks[attribute]
            # the code of a missing value, -1, takes the last row
            factor = np.concatenate([log_terms, log_sum(log_terms, axis=0)[np.newaxis]])[columns[attribute]]
            if attribute in soft:
                hidden = np.flatnonzero(columns[attribute] < 0)
                weighed = soft[attribute][hidden][:, :, np.newaxis] + log_terms
                factor[hidden] = log_sum(weighed, axis=1)
            mass += factor
        return mass

    def _mass_in_network(self, columns: NDArray[np.intp], soft: SoftEvidence) -> NDArray[np.float64]:
        """Sum out missing values within each box, with the box as soft evidence."""
        mass = np.full((columns.shape[1], len(self._boxes)), -np.inf)
        for place in range(len(self._boxes)):
            masks = {v: self._log_masks[v][:, place] for v in self.relevant}
            outside = [(columns[v] >= 0) & np.isneginf(masks[v][columns[v]]) for v in self.relevant]
            rows = np.flatnonzero(~np.any(outside, axis=0))
            allowed = {v: np.broadcast_to(mask, (len(rows), len(mask))) for v, mask in masks.items()}
            for variable, values in _of_rows(soft, rows).items():
                allowed[variable] = allowed.get(variable, 0.0) + values
            mass[rows, place] = log_joint_table(self.attribute_network, columns[:, rows], None, allowed)[:, 0]
        return mass

    @cached_property
    def _boxes(self) -> tuple[tuple[int, Box], ...]:
        """Return disjoint boxes that cover every combination, each with its leaf."""
        arities = self.arities[:-1].tolist()
        ordered = [box_of(dict(rule.conditions), arities) for rule in self.rules]
        parts = zip(self.rules, disjoint_boxes(ordered), strict=True)
        return tuple((rule.leaf, box) for rule, boxes in parts for box in boxes)

    @cached_property
    def _log_masks(self) -> tuple[NDArray[np.float64], ...]:
        """Return an array (arity, n_boxes) for each attribute: 0 where a box allows the state, else -inf."""
        masks = []
        for attribute, arity in enumerate(self.arities[:-1].tolist()):
            allowed = np.array(
                [[box[attribute] >> code & 1 for _, box in self._boxes] for code in range(arity)]
            )
            masks.append(np.where(allowed == 1, 0.0, -np.inf))
        return tuple(masks)

    def _check_coverage(self) -> None:
        held = sum(box_size(box) for _, box in self._boxes)
        if held < self.n_cells:
            raise ValueError(
                f"the rules leave {self.n_cells - held:,} of {self.n_cells:,} combinations without a class: "
                "end with a rule without conditions"
            )

    def _forecast(self, leaf: NDArray[np.float64]) -> str:
        likely = [(-p, str(label)) for p, label in zip(leaf, self.classes, strict=True) if p >= 0.0005]
        likely.sort(key=lambda pair: pair[0])
        if len(likely) == 1:
            return likely[0][1]
        return ", ".join(f"{label} ({-p:.3f})" for p, label in likely)


def _of_rows(soft: SoftEvidence, rows: NDArray[np.intp], without: int | None = None) -> dict[int, Any]:
    return {variable: values[rows] for variable, values in soft.items() if variable != without}


def _shape(leaves: Any) -> tuple[int, int]:
    try:
        shape = np.shape(leaves)
    except (TypeError, ValueError):
        shape = ()
    if len(shape) != 2 or 0 in shape:
        raise ValueError(
            f"the leaves have the shape {shape}: expected a row for each leaf and a column for each class"
        )
    return shape[0], shape[1]
