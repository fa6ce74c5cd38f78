"""Short keys for the members of studies and reports. Other packages add keys by entry points."""

import functools
import importlib
import importlib.metadata
import importlib.util
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from workbench.base.errors import WorkbenchError, nearest

__all__ = [
    "ALIASES",
    "FAMILIES",
    "Elsewhere",
    "find",
    "is_missing",
    "key_of",
    "keys",
    "package_of",
    "repeated",
    "summary",
]


@dataclass(frozen=True)
class Elsewhere:
    """A member of another package, with suitable parameters."""

    place: str  # "module:name"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def package(self) -> str:
        """The package to install."""
        return self.place.partition(":")[0].partition(".")[0]


#: Where to find the members of each family by key. Nothing is imported before it is needed.
FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "learners": "workbench.estimators.learner_facts:LEARNERS",
        "generators": "generators:GENERATORS",
        "metrics": "workbench.metrics:METRICS",
        "designs": "workbench.designs:DESIGNS",
        "figures": "workbench.figures:RESULT_FIGURES",
    }
)


#: Other names under which people look for a member.
ALIASES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "metrics": {
            "acc": "accuracy",
            "brier": "quadratic_loss",
            "brier_score": "quadratic_loss",
            "ece": "expected_calibration_error",
            "roc_auc": "auc",
            "nll": "log_loss_nats",
            "cross_entropy": "log_loss_nats",
            "kl": "kl_divergence",
        },
    }
)


#: What others call learners and metrics, without underscores and "Classifier": hints only, as defaults and
#: units differ.
ELSEWHERE: Mapping[str, str] = MappingProxyType(
    {
        "naivebayes": "nb",
        "zeror": "prior",
        "oner": "one_r",
        "decisionstump": "stump_binary",
        "averagednde": "aode",
        "bayesnet": "tan",
        "ibk": "sklearn.neighbors:KNeighborsClassifier",
        "knn": "sklearn.neighbors:KNeighborsClassifier",
        "kneighbors": "sklearn.neighbors:KNeighborsClassifier",
        "smo": "sklearn.svm:SVC",
        "svm": "sklearn.svm:SVC",
        "svc": "sklearn.svm:SVC",
        "logisticregression": "logistic",
        "randomforest": "random_forest",
        "extratrees": "extra_trees",
        "gradientboosting": "boosting",
        "histgradientboosting": "boosting",
        "xgb": "xgboost",
        "lgbm": "lightgbm",
        "explainableboosting": "ebm",
        "simplecart": "cart",
        "percentcorrect": "accuracy",
        "rootmeansquarederror": "quadratic_loss",
    }
)


def key_of(family: str, word: str, own: Container[str] = ()) -> str:
    """Return the key of a word: the word if it is a key, in any capitalization."""
    if word in own:
        return word
    folded = word.casefold()
    key = ALIASES.get(family, {}).get(folded, folded)
    return key if key in _own(family) else word


def keys(family: str) -> tuple[str, ...]:
    """List the keys of a family: ours first, then those of installed packages."""
    return (*_own(family), *_others(family))


@functools.cache
def find(family: str, key: str) -> Any:
    """Import the member of a family with a key."""
    own, others = _own(family), _others(family)
    key = key_of(family, key, others)
    place = own.get(key) or others.get(key, key)
    if isinstance(place, Elsewhere):
        return _found_elsewhere(family, key, place)
    if not isinstance(place, str):
        return place
    if ":" not in place:
        raise WorkbenchError(
            f"unknown {_one(family)} {key!r}; {_hint(family, key, (*own, *others, *ALIASES.get(family, {})))}"
        )
    try:
        return _imported(place)
    except (ImportError, AttributeError, ValueError) as error:
        raise WorkbenchError(
            f"{_one(family)} {key!r} stands for {place}, which cannot be imported: {error}"
        ) from error


def is_missing(family: str, key: str) -> bool:
    """Return whether a key is that of a member of a package that is not installed."""
    member = _own(family).get(key)
    return isinstance(member, Elsewhere) and importlib.util.find_spec(member.package) is None


def summary(family: str, key: str) -> str:
    """Return the first line of the docstring of a member."""
    if is_missing(family, key):
        return f"of {_own(family)[key].package}, which is not installed."
    found = find(family, key)
    if isinstance(found, functools.partial):  # a learner with parameters
        given = ", ".join(f"{name}={value!r}" for name, value in found.keywords.items())
        facts = getattr(found.func, "facts", None)
        return f"{facts.key if facts else found.func.__name__} with {given}."
    text = (getattr(found, "__doc__", None) or "").strip()
    return text.splitlines()[0] if text else ""


def package_of(family: str, key: str) -> str:
    """Return name and version of the installed package that adds a key, empty for our own."""
    if key in _own(family):
        return ""
    points = importlib.metadata.entry_points(group=f"workbench.{family}", name=key)
    return next((f"{entry.dist.name} {entry.dist.version}" for entry in points if entry.dist), "")


def repeated(family: str) -> dict[str, str]:
    """Return the entry points that are ignored because their key is one of ours."""
    own = _own(family)
    points = importlib.metadata.entry_points(group=f"workbench.{family}")
    return {
        entry.name: f"{entry.value} of {entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        for entry in points
        if entry.name in own
    }


def _own(family: str) -> Mapping[str, Any]:
    """Return our members by key, slow imports as "module:name"."""
    if family not in FAMILIES:
        raise WorkbenchError(f"unknown family {family!r} of the catalogue; {nearest(family, FAMILIES)}")
    members: Mapping[str, Any] = _imported(FAMILIES[family])
    return members


@functools.cache
def _others(family: str) -> Mapping[str, str]:
    """Return "module:name" of the members that installed packages add. Ours take precedence."""
    own = _own(family)
    points = importlib.metadata.entry_points(group=f"workbench.{family}")
    return {entry.name: entry.value for entry in points if entry.name not in own}


def _found_elsewhere(family: str, key: str, member: Elsewhere) -> Any:
    try:
        found = _imported(member.place)
    except ImportError as error:
        why = "is not installed" if is_missing(family, key) else f"cannot be imported ({error})"
        raise WorkbenchError(
            f"{_one(family)} {key!r} needs the package {member.package}, which {why}: pip install "
            f"{member.package}, or install all such packages with the extra rivals"
        ) from error
    return functools.partial(found, **member.parameters) if member.parameters else found


def _hint(family: str, key: str, known: tuple[str, ...]) -> str:
    """Return the nearest key, or all keys and a hint at packages that are not installed."""
    elsewhere = ELSEWHERE.get(key.casefold().replace("_", "").removesuffix("classifier"))
    if elsewhere:
        return f"did you mean {elsewhere!r}?"
    hint = nearest(key, known)
    if hint.startswith("expected one of"):
        return f"{hint}, or install the package that adds it"
    return hint


def _imported(place: str) -> Any:
    name, _, attribute = place.partition(":")
    module = importlib.import_module(name)
    try:
        return functools.reduce(getattr, attribute.split("."), module)
    except AttributeError as error:
        # one of the same name may come before the user's own
        raise AttributeError(f"{error}, found in {getattr(module, '__file__', 'Python itself')}") from None


def _one(family: str) -> str:
    """Return the singular of a family's name."""
    return family.removesuffix("s")
