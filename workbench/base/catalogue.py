"""Short keys for what a study and a report can name; other packages add theirs by entry points."""

import functools
import importlib
import importlib.metadata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.base.errors import WorkbenchError, nearest

__all__ = ["FAMILIES", "find", "keys", "package_of", "repeated", "summary"]

#: Family, short key, "module:attribute". Nothing is imported before it is asked for.
NAMED: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "learners": {
            "nb": "learners:NaiveBayesClassifier",
            "tan": "learners:TANClassifier",
            "aode": "learners:AODEClassifier",
            "kdb": "learners:KDBClassifier",
            "ande": "learners:AnDEClassifier",
            "camml": "learners:CaMMLClassifier",
            "c45": "learners:C45Classifier",
            "j48": "learners:J48Classifier",
            "c45rules": "learners:C45RulesClassifier",
            "c50": "learners:C50Classifier",
            "mml_tree": "learners:MMLTreeClassifier",
            "mml_graph": "learners:MMLGraphClassifier",
            "one_r": "learners:OneRClassifier",
            "stump": "learners:DecisionStumpClassifier",
            "foil": "learners:FOILClassifier",
            "induct_rdr": "learners:InductRDRClassifier",
            "induct_dnf": "learners:InductDNFClassifier",
            "prior": "learners:PriorClassifier",
            "cart": "sklearn.tree:DecisionTreeClassifier",
            "truth": "workbench.estimators.truth_classifier:TruthClassifier",
            "recalibrated": "workbench.estimators.recalibrated:recalibrated",
        },
        "generators": {
            "naive_bayes": "generators:random_naive_bayes",
            "tan": "generators:random_tan",
            "aode": "generators:random_aode",
            "kdb": "generators:random_kdb",
            "dag": "generators:random_dag_with_class",
            "decision_tree": "generators:random_decision_tree",
            "decision_graph": "generators:random_decision_graph",
            "rules": "generators:random_rules",
            "gaussian_naive_bayes": "generators:random_gaussian_naive_bayes",
        },
    }
)
#: Keys that stand for another key with parameters, so that a study can name both.
VARIANTS: Mapping[str, Mapping[str, tuple[str, Mapping[str, Any]]]] = MappingProxyType(
    {
        "learners": {
            "tan_superparent": ("tan", {"structure": "superparent"}),
            "c45_unpruned": ("c45", {"prune": False}),
            "j48_unpruned": ("j48", {"prune": False}),
            "c50_boosted": ("c50", {"trials": 10}),
        }
    }
)
#: Families whose members know their own keys: the package lists what its `__init__` imports.
LISTED: Mapping[str, str] = MappingProxyType(
    {
        "metrics": "workbench.metrics:METRICS",
        "designs": "workbench.designs:DESIGNS",
        "figures": "workbench.figures:FIGURES",
    }
)
FAMILIES = (*NAMED, *LISTED)


def keys(family: str) -> tuple[str, ...]:
    """List the short keys of a family, ours first, then those of installed packages."""
    return (*_own(family), *_others(family))


@functools.cache
def find(family: str, key: str) -> Any:
    """Import what a short key stands for."""
    own, others = _own(family), _others(family)
    if key in VARIANTS.get(family, ()):
        base, parameters = VARIANTS[family][key]
        return functools.partial(find(family, base), **parameters)
    place = own.get(key) or others.get(key, key)
    if not isinstance(place, str):
        return place
    if ":" not in place:
        raise WorkbenchError(f"{key!r} is no key of the {family}: {_known(key, (*own, *others))}")
    try:
        return _imported(place)
    except (ImportError, AttributeError, ValueError) as error:
        raise WorkbenchError(
            f"{key!r} of the {family} stands for {place}, which cannot be imported: {error}"
        ) from error


def summary(family: str, key: str) -> str:
    """Return the first line of the documentation of what a key stands for."""
    if key in VARIANTS.get(family, ()):
        base, parameters = VARIANTS[family][key]
        return f"{base} with {', '.join(f'{name}={value!r}' for name, value in parameters.items())}."
    text = (getattr(find(family, key), "__doc__", None) or "").strip()
    return text.splitlines()[0] if text else ""


def package_of(family: str, key: str) -> str:
    """Name the installed package that adds a key, with its version."""
    if key in _own(family):
        return ""
    points = importlib.metadata.entry_points(group=f"workbench.{family}", name=key)
    return next((f"{entry.dist.name} {entry.dist.version}" for entry in points if entry.dist), "")


def repeated(family: str) -> dict[str, str]:
    """Name the entry points of installed packages that are left out, as the key is one of ours."""
    own = _own(family)
    points = importlib.metadata.entry_points(group=f"workbench.{family}")
    return {
        entry.name: f"{entry.value} of {entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        for entry in points
        if entry.name in own
    }


def _own(family: str) -> Mapping[str, Any]:
    """Return our members: the places of those that are heavy to import, the others themselves."""
    if family not in FAMILIES:
        raise WorkbenchError(f"{family!r} is no family of the catalogue: {nearest(family, FAMILIES)}")
    if family not in NAMED:
        return _imported(LISTED[family])
    return {**NAMED[family], **VARIANTS.get(family, {})}


@functools.cache
def _others(family: str) -> Mapping[str, str]:
    """Return the places of what installed packages add; they replace nothing of ours."""
    own = _own(family)
    points = importlib.metadata.entry_points(group=f"workbench.{family}")
    return {entry.name: entry.value for entry in points if entry.name not in own}


def _known(key: str, known: tuple[str, ...]) -> str:
    """Name the nearest key, or all; what is near none may be of a package that is not here."""
    hint = nearest(key, known)
    if hint.startswith("known are"):
        return f"{hint}; a key that a package adds is known where the package is installed"
    return hint


def _imported(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return functools.reduce(getattr, attribute.split("."), importlib.import_module(module))
