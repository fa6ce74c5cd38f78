"""Truths as JSON documents: plain dictionaries, checked in one place when they are read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

from generators.base.validation import shown

if TYPE_CHECKING:
    from generators.networks.mixture import Mixture
    from generators.networks.network import Network

__all__ = [
    "KINDS",
    "checked",
    "dump",
    "field_of",
    "head",
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
KINDS = (
    "network",
    "mixture",
    "concept",
    "irrelevant_attributes",
    "noisy_copies",
    "label_noise",
    "missing_values",
    "gaussian_naive_bayes",
    "numeric_cuts",
)


def dump(document: dict[str, Any]) -> str:
    """Return a document as JSON text; floats are written so that reading gives the same bits."""
    return json.dumps(document, allow_nan=False, ensure_ascii=False)


def load(text: str, kind: str | None = None) -> dict[str, Any]:
    """Read JSON text, and check that it is one of our documents."""
    try:
        document = json.loads(text)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply; give what to_json wrote") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"the text is not JSON ({error}); give what to_json wrote") from None
    return checked(document, kind)


def checked(document: Any, kind: str | None = None) -> dict[str, Any]:
    """Return a document if it is one of ours, and of the kind asked for; else raise ValueError."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f'the JSON does not say "format": "{FORMAT}"; give what to_json wrote')
    if document.get("version") != VERSION:
        raise ValueError(
            f"the JSON is of version {shown(document.get('version'))}; this package reads version {VERSION}"
        )
    found = document.get("kind")
    if found not in KINDS:
        raise ValueError(f"the JSON is of kind {shown(found)}; give one of {', '.join(KINDS)}")
    if kind is not None and found != kind:
        raise ValueError(f"the JSON describes a {found}, not a {kind}; read it with generators.from_json")
    return document


def head(kind: str) -> dict[str, Any]:
    """Return the fields that every document begins with."""
    return {"format": FORMAT, "version": VERSION, "kind": kind}


def network_document(network: Network) -> dict[str, Any]:
    """Return a network as a document: variables in order, parents by name, CPTs as nested lists."""
    variables = [
        {
            "name": name,
            "states": plain_states(name, network.states[index]),
            "parents": [network.names[parent] for parent in network.parents[index]],
            "cpt": network.cpts[index].tolist(),
        }
        for index, name in enumerate(network.names)
    ]
    return {**head("network"), "class": network.class_name, "variables": variables}


def plain_states(name: str, states: Iterable[Any]) -> list[Any]:
    """Return the states of a variable as JSON holds them, or raise ValueError if it cannot."""
    return [_plain(name, state) for state in states]


def _plain(name: str, state: Any) -> Any:
    # exact types: a subclass of str or int would come back as its base
    if type(state) not in (str, bool, int, float) or (isinstance(state, float) and not math.isfinite(state)):
        raise ValueError(
            f"{shown(name)} has the state {shown(state)}, which JSON cannot hold; "
            "use a str, bool, int or finite float"
        )
    return state


def network_arguments(document: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Network` that a document describes."""
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
            [_plain(name, state) if isinstance(state, float) else state for state in states]
            for name, states in zip(names, fields["states"], strict=True)
        ],
        "parents": [[place_of(places, parent) for parent in parents] for parents in fields["parents"]],
        "cpts": fields["cpt"],
        "class_index": None if class_name is None else place_of(places, class_name),
    }


def mixture_document(mixture: Mixture) -> dict[str, Any]:
    """Return a mixture as a document: weights, and one network document per component."""
    components = [network_document(component) for component in mixture.components]
    return {**head("mixture"), "weights": mixture.weights.tolist(), "components": components}


def mixture_parts(document: dict[str, Any]) -> tuple[list[dict[str, Any]], list[float]]:
    """Return the arguments of each component, and the weights, that a document describes."""
    weights = field_of(document, "weights", list, "the mixture")
    components = field_of(document, "components", list, "the mixture")
    return [network_arguments(component) for component in components], weights


def field_of(document: Any, key: str, kind: type, owner: str) -> Any:
    """Return a field of a document, or raise ValueError if it is absent or of another type."""
    value = document.get(key) if isinstance(document, dict) else None
    if not isinstance(value, kind):
        raise ValueError(f"the JSON of {owner} has no {kind.__name__} {key!r}; give what to_json wrote")
    return value


def place_of(places: dict[str, int], name: Any) -> int:
    """Return the place of a name, or raise ValueError if nothing bears it."""
    if not isinstance(name, str) or name not in places:
        known = ", ".join(shown(known).strip("'") for known in islice(places, 20))
        raise ValueError(f"the JSON refers to {shown(name)}, which is no variable; give one of {known}")
    return places[name]
