"""Truths as JSON documents: plain dictionaries, checked in one place when they are read."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import islice
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.base.validation import shown
from generators.laws._shared.law import Law
from generators.laws.unknown_law import law_or_unknown

__all__ = [
    "Documented",
    "altered_truth",
    "checked",
    "exact_state",
    "field_of",
    "from_json",
    "head",
    "interval_document",
    "law_in",
    "law_part",
    "load",
    "mixture_document",
    "mixture_parts",
    "network_arguments",
    "network_document",
    "place_of",
    "plain_states",
]

FORMAT = "generators"
VERSION = 1
#: Classes by the kind of document that they declare.
KINDS: dict[str, type[Documented]] = {}


class Documented(ABC):
    """A frozen dataclass written as data under its `kind`, and rebuilt from it by `from_json`."""

    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "kind" in cls.__dict__:
            other = KINDS.setdefault(cls.kind, cls)
            if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
                raise TypeError(
                    f"{cls.__name__} and {other.__name__} have the same kind {cls.kind!r}: give each class "
                    "a different kind"
                )
            KINDS[cls.kind] = cls

    def __reduce__(self) -> tuple[Any, ...]:
        # rebuilt from its parts: no caches in the pickle, and arrays are read-only again
        return type(self), tuple(getattr(self, part.name) for part in fields(self))  # type: ignore[arg-type]

    @abstractmethod
    def to_document(self) -> dict[str, Any]:
        """Return the truth, with the name of its type, as plain data for `to_json`."""

    @classmethod
    @abstractmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the truth from a document that `to_document` of the same type returned."""

    def to_json(self) -> str:
        """Return the truth as JSON text, from which `generators.from_json` restores it completely.

        Raises
        ------
        ValueError
            If a state is not a string, bool, int, finite float or pandas Interval of numbers.
        """
        return json.dumps(self.to_document(), allow_nan=False, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a truth of this type from JSON text written by `to_json`.

        Raises
        ------
        ValueError
            If the text is not JSON written by `to_json`. The message states the fault.
        """
        return cls.from_document(load(text, kind=cls.kind))


def from_json(text: str) -> Any:
    """Read a truth of any type from JSON.

    Parameters
    ----------
    text : str
        JSON text that `to_json` of a truth returned.

    Returns
    -------
    Network, Mixture, Concept, ...
        The truth that was written.

    Raises
    ------
    ValueError
        If the text is not JSON written by `to_json`. The message states the fault.

    Examples
    --------
    >>> from generators import random_tan
    >>> from_json(random_tan(n_attributes=2, n_classes=2, random_state=0).to_json())
    Network(3 variables, 3 arcs, class 'y' of 2)
    """
    try:
        return _truth_of(load(text))
    except RecursionError:
        raise ValueError("the JSON has truths nested too deeply: expected JSON written by to_json") from None


def altered_truth(document: Any, owner: str) -> Any:
    """Read the inner truth of an alteration, from the field "truth" of its document."""
    return _truth_of(checked(field_of(document, "truth", dict, owner)))


def _truth_of(document: dict[str, Any]) -> Any:
    return KINDS[document["kind"]].from_document(document)


def load(text: str, kind: str | None = None) -> dict[str, Any]:
    """Read JSON text, and check that it is one of our documents."""
    try:
        document = json.loads(text)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply: expected JSON written by to_json") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"the text is not JSON ({error}): expected JSON written by to_json") from None
    return checked(document, kind)


def checked(document: Any, kind: str | None = None) -> dict[str, Any]:
    """Return a document of the requested kind, or raise ValueError."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'the JSON does not have "format": "{FORMAT}". Expected JSON written by to_json')
    if document.get("version") != VERSION:
        raise ValueError(
            f"the JSON is of version {shown(document.get('version'))}: expected version {VERSION}"
        )
    found = document.get("kind")
    if not isinstance(found, str) or found not in KINDS:
        raise ValueError(
            f"unknown kind {shown(found)} of truth in the JSON: expected one of {', '.join(sorted(KINDS))}"
        )
    if kind is not None and found != kind:
        raise ValueError(f"the JSON describes a {found}, not a {kind}: read it with generators.from_json")
    return document


def head(kind: str) -> dict[str, Any]:
    """Return the leading fields of every document."""
    return {"format": FORMAT, "version": VERSION, "kind": kind}


def network_document(network: Factorization) -> dict[str, Any]:
    """Return a network as a document: variables in order, parents by name, CPTs as nested lists."""
    variables = [
        {
            "name": name,
            "states": plain_states(name, network.states[index]),
            "parents": [network.names[parent] for parent in network.parent_indices[index]],
            "cpt": network.cpts[index].tolist(),
        }
        for index, name in enumerate(network.names)
    ]
    law = law_part(getattr(network, "law", None))
    return {**head("network"), "class": network.class_name, "variables": variables, **law}


def law_part(law: Law | None) -> dict[str, Any]:
    """Return the field with the truth's law, or no field if there is no law."""
    return {} if law is None else {"law": law.to_document()}


def law_in(document: dict[str, Any]) -> Law | None:
    """Return the law in a document, if there is one."""
    if document.get("law") is None:
        return None
    try:
        return law_or_unknown(document["law"])
    except RecursionError:
        raise ValueError("the JSON has a law nested too deeply: expected JSON written by to_json") from None
    except ValueError as error:
        raise ValueError(f"the JSON has a law that cannot be read: {error}") from None


def plain_states(name: str, states: Iterable[Any]) -> list[Any]:
    """Return the states of a variable as JSON values, or raise ValueError if that is impossible."""
    return [_plain(name, state) for state in states]


def interval_document(state: Any) -> dict[str, Any] | None:
    """Return a pandas Interval of numbers as plain data, or None for any other state."""
    ends: tuple[Any, Any] = getattr(state, "left", None), getattr(state, "right", None)
    # asked by name, so that networks of plain states need no pandas
    if type(state).__name__ != "Interval" or not all(isinstance(end, Real) for end in ends):
        return None
    # as text: JSON has no infinity
    plain = (int(end) if isinstance(end, Integral) else float(end) for end in ends)
    return {"interval": [repr(end) for end in plain], "closed": state.closed}


def exact_state(plain: Any) -> Any:
    """Return the state that `interval_document` describes, or any other value unchanged."""
    if not isinstance(plain, dict):
        return plain
    import pandas as pd

    try:
        left, right = (float(end) if set(end) & set(".einf") else int(end) for end in plain["interval"])
        return pd.Interval(left, right, closed=plain["closed"])
    except (KeyError, TypeError, ValueError):
        raise ValueError(
            f"the state {shown(plain)} is not an interval as to_json and to_bif write it: correct it"
        ) from None


def _plain(name: str, state: Any) -> Any:
    interval = interval_document(state)
    if interval is not None:
        return interval
    # exact types: a subclass of str or int would come back as its base
    if type(state) not in (str, bool, int, float) or (isinstance(state, float) and not math.isfinite(state)):
        raise ValueError(
            f"{shown(name)} has the state {shown(state)}, which JSON cannot represent: "
            "use a str, bool, int, finite float or an Interval of pandas"
        )
    return state


def network_arguments(document: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Network` in a document."""
    variables = field_of(document, "variables", list, "the network")
    names = [field_of(variable, "name", str, "a variable") for variable in variables]
    fields = {
        key: [
            field_of(variable, key, list, f"the variable {shown(name)}")
            for name, variable in zip(names, variables, strict=True)
        ]
        for key in ("states", "parents", "cpt")
    }
    places = {name: place for place, name in enumerate(names)}
    class_name = document.get("class")
    return {
        "names": names,
        "states": [
            [_plain(name, state) if isinstance(state, float) else exact_state(state) for state in states]
            for name, states in zip(names, fields["states"], strict=True)
        ],
        "parent_indices": [[place_of(places, parent) for parent in parents] for parents in fields["parents"]],
        "cpts": fields["cpt"],
        "class_index": None if class_name is None else place_of(places, class_name),
        "law": law_in(document),
    }


def mixture_document(
    components: Sequence[Factorization], weights: NDArray[np.float64], law: Law | None
) -> dict[str, Any]:
    """Return a mixture as a document: weights, and one network document per component."""
    documents = [network_document(component) for component in components]
    return {**head("mixture"), "weights": weights.tolist(), "components": documents, **law_part(law)}


def mixture_parts(document: dict[str, Any]) -> tuple[list[dict[str, Any]], list[float], Law | None]:
    """Return the arguments of each component, the weights, and the law in a document."""
    weights = field_of(document, "weights", list, "the mixture")
    components = field_of(document, "components", list, "the mixture")
    return [network_arguments(component) for component in components], weights, law_in(document)


def field_of(document: Any, key: str, kind: Any, owner: str) -> Any:
    """Return a field of a document, or raise ValueError if it is absent or of another type."""
    value = document.get(key) if isinstance(document, dict) else None
    if not isinstance(value, kind):
        word = getattr(kind, "__name__", "number")  # the union of int and float has no name
        raise ValueError(f"the JSON of {owner} has no {word} {key!r}: expected JSON written by to_json")
    return value


def place_of(places: dict[str, int], name: Any) -> int:
    """Return the index of a name, or raise ValueError if it is unknown."""
    if not isinstance(name, str) or name not in places:
        known = ", ".join(shown(known).strip("'") for known in islice(places, 20))
        raise ValueError(f"the JSON refers to the unknown variable {shown(name)}: expected one of {known}")
    return places[name]
