"""Short keys for learners, generators, metrics and designs; third parties add theirs by entry points."""

import functools
import importlib
import importlib.metadata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.errors import WorkbenchError, nearest

__all__ = ["BUILT_IN", "find", "keys", "summary"]

#: Family, short key, "module:attribute". Nothing is imported before it is asked for.
BUILT_IN: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "learners": {
            "nb": "learners:NaiveBayesClassifier",
            "tan": "learners:TANClassifier",
            "aode": "learners:AODEClassifier",
            "camml": "learners:CaMMLClassifier",
            "prior": "learners:PriorClassifier",
            "cart": "sklearn.tree:DecisionTreeClassifier",
            "truth": "workbench.truth_classifier:TruthClassifier",
        },
        "generators": {
            "naive_bayes": "generators:random_naive_bayes",
            "tan": "generators:random_tan",
            "aode": "generators:random_aode",
        },
        "metrics": {
            "accuracy": "workbench.metrics:accuracy",
            "ir_b": "workbench.metrics:ir_b",
            "kl_divergence": "workbench.metrics:kl_divergence",
            "log_loss": "workbench.metrics:log_loss",
        },
        "designs": {"fresh_samples": "workbench.designs:FreshSamples"},
    }
)


def keys(family: str) -> tuple[str, ...]:
    """List the short keys of a family, ours first, then those of installed packages.

    Parameters
    ----------
    family : {"learners", "generators", "metrics", "designs"}

    Returns
    -------
    tuple of str

    Raises
    ------
    WorkbenchError
        If there is no such family.

    Examples
    --------
    >>> keys("generators")[:3]
    ('naive_bayes', 'tan', 'aode')
    """
    return tuple(_places(family))


@functools.cache
def find(family: str, key: str) -> Any:
    """Import what a short key stands for.

    Parameters
    ----------
    family : {"learners", "generators", "metrics", "designs"}
    key : str
        A short key, or ``"module:attribute"`` for anything that can be imported.

    Returns
    -------
    object
        A learner class, a generator function, a metric, or a design class.

    Raises
    ------
    WorkbenchError
        If the key is unknown (the message names the nearest one) or cannot be imported.

    Examples
    --------
    >>> find("learners", "cart").__name__
    'DecisionTreeClassifier'
    >>> find("learners", "sklearn.tree:ExtraTreeClassifier").__name__
    'ExtraTreeClassifier'
    >>> find("generators", "tann")
    Traceback (most recent call last):
    ...
    workbench.errors.WorkbenchError: 'tann' is no key of the generators: did you mean 'tan'?
    """
    places = _places(family)
    place = places.get(key, key)
    if ":" not in place:
        raise WorkbenchError(f"{key!r} is no key of the {family}: {nearest(key, places)}")
    module, _, attribute = place.partition(":")
    try:
        return functools.reduce(getattr, attribute.split("."), importlib.import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        raise WorkbenchError(
            f"{key!r} of the {family} stands for {place}, which cannot be imported: {error}"
        ) from error


def summary(family: str, key: str) -> str:
    """Give the first line of the documentation of what a key stands for.

    Parameters
    ----------
    family : {"learners", "generators", "metrics", "designs"}
    key : str

    Returns
    -------
    str
        Empty if nothing is documented.

    Examples
    --------
    >>> summary("learners", "cart")
    'A decision tree classifier.'
    """
    text = (getattr(find(family, key), "__doc__", None) or "").strip()
    return text.splitlines()[0] if text else ""


@functools.cache
def _places(family: str) -> Mapping[str, str]:
    if family not in BUILT_IN:
        raise WorkbenchError(f"{family!r} is no family of the catalogue: {nearest(family, BUILT_IN)}")
    places = {
        entry.name: entry.value for entry in importlib.metadata.entry_points(group=f"workbench.{family}")
    }
    return {
        **BUILT_IN[family],
        **{name: place for name, place in places.items() if name not in BUILT_IN[family]},
    }
