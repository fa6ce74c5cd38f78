"""Truths read from JSON, whichever kind they are."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from generators.files import documents

if TYPE_CHECKING:
    from generators.networks.truth import Truth

__all__ = ["from_json", "nominal_truth_of"]

#: Kind of document, "module:class"; imported when it is read, since truths that alter others read those here.
PLACES = {
    "network": "generators.networks.network:Network",
    "mixture": "generators.networks.mixture:Mixture",
    "concept": "generators.concepts._shared.concept:Concept",
    "irrelevant_attributes": "generators.alterations.irrelevant_attributes:IrrelevantAttributes",
    "noisy_copies": "generators.alterations.noisy_copies:NoisyCopies",
    "label_noise": "generators.alterations.label_noise:LabelNoise",
    "missing_values": "generators.alterations.missing_values:MissingValues",
    "gaussian_naive_bayes": "generators.numeric.gaussian_naive_bayes:GaussianNaiveBayes",
    "numeric_cuts": "generators.alterations.numeric_cuts:NumericCuts",
}


def from_json(text: str) -> Any:
    """Read a truth from JSON, whichever kind it is.

    Parameters
    ----------
    text : str
        What `to_json` of any truth wrote.

    Returns
    -------
    Network, Mixture, Concept, ...
        What wrote it.

    Raises
    ------
    ValueError
        If the text is something else; the sentence says what is wrong.

    Examples
    --------
    >>> from generators import random_tan
    >>> from_json(random_tan(n_attributes=2, n_classes=2, random_state=0).to_json())
    Network(3 variables, 3 arcs, class 'y' of 2)
    """
    try:
        return _truth_of(documents.load(text))
    except RecursionError:
        raise ValueError("the JSON is of truths nested too deeply; give what to_json wrote") from None


def nominal_truth_of(document: Any, owner: str) -> Truth:
    """Read the truth that another one alters, from the field "truth" of its document."""
    return _truth_of(documents.checked(documents.field_of(document, "truth", dict, owner)))


def _truth_of(document: dict[str, Any]) -> Any:
    module, _, name = PLACES[document["kind"]].partition(":")
    return getattr(importlib.import_module(module), name).from_document(document)
