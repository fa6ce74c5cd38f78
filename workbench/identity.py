"""What a learner is, for the question whether a stored number still holds."""

import functools
import hashlib
import importlib.metadata
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workbench.errors import WorkbenchError
from workbench.seeds import canonical

__all__ = ["changed_parameters", "learner_identity", "plain"]

OURS = frozenset({"generators", "learners", "workbench"})


def learner_identity(estimator: Any) -> dict[str, Any]:
    """Describe an estimator by everything that decides its numbers, and nothing else.

    Parameters
    ----------
    estimator : estimator with `get_params`
        Not fitted; it is not changed.

    Returns
    -------
    dict
        Plain data: qualified name; version of the distribution if the class is other people's;
        `algorithm_version` if the class has one; the parameters that differ from the constructor's defaults,
        nested estimators described alike. So a new parameter with a default leaves the identity as it was.

    Raises
    ------
    WorkbenchError
        If the object has no `get_params`, or a parameter's value has no stable description.

    Examples
    --------
    >>> from sklearn.naive_bayes import BernoulliNB
    >>> learner_identity(BernoulliNB(alpha=2.0))["parameters"]
    {'alpha': 2.0}
    >>> learner_identity(BernoulliNB(alpha=1.0))["parameters"]
    {}
    """
    kind = type(estimator)
    described: dict[str, Any] = {"class": _qualified(kind)}
    version = _foreign_version(kind.__module__.partition(".")[0])
    if version is not None:
        described["version"] = version
    # A class without one is at its first version, so that adding the attribute changes nothing.
    if getattr(kind, "algorithm_version", 1) != 1:
        described["algorithm_version"] = plain(kind.algorithm_version, "algorithm_version")
    described["parameters"] = {
        name: plain(value, f"parameter {name} of {kind.__name__}")
        for name, value in changed_parameters(estimator).items()
    }
    return described


def changed_parameters(estimator: Any) -> dict[str, Any]:
    """List the parameters of an estimator that differ from its constructor's defaults.

    Parameters
    ----------
    estimator : estimator with `get_params`

    Returns
    -------
    dict
        Name to value, in the order of the names; 1, 1.0 and True differ from each other.

    Raises
    ------
    WorkbenchError
        If the object has no `get_params`.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> changed_parameters(DecisionTreeClassifier(max_depth=3))
    {'max_depth': 3}
    """
    kind = type(estimator)
    if not hasattr(estimator, "get_params"):
        raise WorkbenchError(
            f"{kind.__name__} has no get_params, so its settings cannot be told: "
            "derive it from sklearn.base.BaseEstimator"
        )
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(kind.__init__).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }
    found = estimator.get_params(deep=False)
    return {name: found[name] for name in sorted(found) if not _is_default(found[name], defaults, name, kind)}


def plain(value: Any, where: str = "value") -> Any:
    """Turn a value into plain data that is the same in every process.

    Parameters
    ----------
    value : object
        Plain data, numpy values, estimators, classes or functions, nested as one likes.
    where : str
        What the value is, for the error message.

    Returns
    -------
    plain data
        As `workbench.seeds.canonical` takes it.

    Raises
    ------
    WorkbenchError
        If the value is of a kind that has no stable description, e.g. a random generator.

    Examples
    --------
    >>> plain((1, np.float64(0.5), len))
    [1, 0.5, {'callable': 'builtins:len'}]
    """
    if isinstance(value, np.generic):  # first, as np.float64 is a float
        return plain(value.item(), where)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [plain(item, where) for item in value]
    if isinstance(value, set | frozenset):
        return {"set": sorted((plain(item, where) for item in value), key=canonical)}
    if isinstance(value, Mapping):
        return {
            "mapping": sorted(([plain(k, where), plain(v, where)] for k, v in value.items()), key=canonical)
        }
    if isinstance(value, np.ndarray) and value.dtype != object:
        content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return {"array": [value.dtype.str, list(value.shape), content]}
    if hasattr(value, "get_params") and not isinstance(value, type):
        return learner_identity(value)
    if callable(value) and hasattr(value, "__qualname__"):
        return {"callable": _qualified(value)}
    raise WorkbenchError(
        f"{where} is a {type(value).__name__}, which has no stable description: "
        "give numbers, strings, lists or estimators"
    )


def _is_default(value: Any, defaults: Mapping[str, Any], name: str, kind: type) -> bool:
    if name not in defaults:
        return False
    where = f"parameter {name} of {kind.__name__}"
    default = defaults[name]
    return value is default or canonical(plain(value, where)) == canonical(plain(default, where))


def _qualified(thing: type | Callable[..., Any]) -> str:
    return f"{thing.__module__}:{thing.__qualname__}"


@functools.cache
def _foreign_version(top_level: str) -> str | None:
    """Give the version of the distribution that owns a module; None if it is ours or installed by nobody."""
    if top_level in OURS:
        return None
    owners = importlib.metadata.packages_distributions().get(top_level)
    return importlib.metadata.version(owners[0]) if owners else None
