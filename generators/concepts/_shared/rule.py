"""Rules of a concept: conditions on attributes, the leaf they lead to, and the resulting boxes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generators.base.validation import shown
from generators.files import documents
from generators.networks.network import Network

__all__ = [
    "MOST_BOXES",
    "Box",
    "Rule",
    "box_of",
    "box_size",
    "checked_rule",
    "disjoint_boxes",
    "rule_document",
    "rule_of",
    "rule_text",
]


#: A set of combinations of states: for each variable the states allowed, as bits of an integer.
Box = tuple[int, ...]

MOST_BOXES = 5_000


@dataclass(frozen=True)
class Rule:
    """A conjunction of conditions, and the leaf of a `Concept` that applies if all conditions hold.

    Parameters
    ----------
    conditions : tuple of (int, tuple of int)
        Pairs of an attribute and the codes of its allowed states, each attribute at most once. A rule without
        conditions always holds.
    leaf : int
        Index of the row of the concept's `leaves`.

    Examples
    --------
    >>> Rule(((0, (1,)), (2, (0, 2))), leaf=3).leaf
    3
    """

    conditions: tuple[tuple[int, tuple[int, ...]], ...]
    leaf: int


def checked_rule(rule: Rule, network: Network, n_leaves: int) -> Rule:
    """Return a rule with sorted codes, or raise ValueError if it names an unknown attribute or state."""
    if not isinstance(rule, Rule):
        raise ValueError(f"a rule is {shown(rule)}: expected a Rule(conditions, leaf)")
    if not _is_index(rule.leaf, n_leaves):
        raise ValueError(
            f"a rule leads to leaf {shown(rule.leaf)}: expected an index from 0 to {n_leaves - 1}"
        )
    named = [attribute for attribute, _ in rule.conditions]
    if len(set(named)) < len(named):
        raise ValueError(
            f"a rule names an attribute twice ({shown(named)}): put its states into one condition"
        )
    return Rule(tuple(_checked_condition(*pair, network) for pair in rule.conditions), int(rule.leaf))


def _checked_condition(attribute: int, codes: Iterable[int], network: Network) -> tuple[int, tuple[int, ...]]:
    if not _is_index(attribute, network.n_variables):
        raise ValueError(
            f"attribute {shown(attribute)} of a rule: expected an index from 0 to {network.n_variables - 1}"
        )
    codes, arity = tuple(codes), len(network.states[attribute])
    if not codes or not all(_is_index(code, arity) for code in codes):
        raise ValueError(
            f"a rule allows the codes {shown(codes)} of {shown(network.names[attribute])}: expected "
            f"codes from 0 to {arity - 1}"
        )
    return int(attribute), tuple(sorted({int(code) for code in codes}))


def _is_index(value: Any, n: int) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(0 <= value < n)


def rule_text(rule: Rule, network: Network) -> str:
    """Return the conditions as text."""
    said = []
    for attribute, codes in rule.conditions:
        states = [str(network.states[attribute][code]) for code in codes]
        among = f"= {states[0]}" if len(states) == 1 else f"in {{{', '.join(states)}}}"
        said.append(f"{network.names[attribute]} {among}")
    return f"if {' and '.join(said)}" if said else "otherwise"


def rule_document(rule: Rule, network: Network) -> dict[str, Any]:
    """Return a rule as plain data, by names and states."""
    conditions = [
        [network.names[v], [network.states[v][code] for code in codes]] for v, codes in rule.conditions
    ]
    return {"if": conditions, "leaf": rule.leaf}


def rule_of(rule: Any, network: Network) -> Rule:
    """Return the rule that `rule_document` described, or raise ValueError if it is invalid."""
    conditions = []
    for condition in documents.field_of(rule, "if", list, "a rule"):
        if not (isinstance(condition, list) and len(condition) == 2 and isinstance(condition[1], list)):
            raise ValueError(f"a rule has the condition {shown(condition)}: expected JSON written by to_json")
        name, labels = condition
        if name not in network.names:
            raise ValueError(
                f"a rule names {shown(name)}, which is not an attribute: expected JSON written by to_json"
            )
        attribute = network.names.index(name)
        conditions.append(
            (attribute, tuple(_code(label, network.states[attribute], name) for label in labels))
        )
    return Rule(tuple(conditions), documents.field_of(rule, "leaf", int, "a rule"))


def _code(label: Any, states: Sequence[Hashable], name: str) -> int:
    # by type too, because the states 1 and True are equal
    places = [code for code, state in enumerate(states) if (type(state), state) == (type(label), label)]
    if not places:
        raise ValueError(f"a rule has the unknown state {shown(label)} of {shown(name)}")
    return places[0]


def box_of(conditions: Mapping[int, Sequence[int]], arities: Sequence[int]) -> Box:
    """Return the box in which the named variables have one of the given states and the others any state."""
    box = [(1 << arity) - 1 for arity in arities]
    for variable, codes in conditions.items():
        box[variable] = sum(1 << code for code in codes)
    return tuple(box)


def box_size(box: Box) -> int:
    """Return the number of combinations in a box."""
    return math.prod(allowed.bit_count() for allowed in box)


def disjoint_boxes(ordered: Sequence[Box]) -> list[list[Box]]:
    """Return the part of each box that is outside all previous ones, as disjoint boxes."""
    found: list[list[Box]] = []
    n_boxes = 0
    for place, box in enumerate(ordered):
        pieces = [box]
        for earlier in ordered[:place]:
            pieces = [part for piece in pieces for part in _outside(piece, earlier)]
            if n_boxes + len(pieces) > MOST_BOXES:
                raise ValueError(
                    f"the rules cut the attributes into more than {MOST_BOXES:,} boxes: give fewer rules, or "
                    "fewer conditions in each"
                )
        n_boxes += len(pieces)
        found.append(pieces)
    return found


def _outside(box: Box, other: Box) -> Iterator[Box]:
    """Yield the parts of a box that lie outside another."""
    if any(not (own & theirs) for own, theirs in zip(box, other, strict=True)):
        yield box
        return
    rest = list(box)
    for variable, theirs in enumerate(other):
        beyond = rest[variable] & ~theirs
        if beyond:
            yield (*rest[:variable], beyond, *rest[variable + 1 :])
            rest[variable] &= theirs
