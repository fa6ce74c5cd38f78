"""Identities of learners and functions, by which stored numbers are known to be valid."""

import functools
import hashlib
import importlib.metadata
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from generators.laws._shared.law import Law
from workbench.base.errors import WorkbenchError
from workbench.base.seeds import canonical

__all__ = [
    "changed_options",
    "changed_parameters",
    "class_identity",
    "current_values",
    "implementation",
    "learner_identity",
    "place_of",
    "plain",
]

# Flag of classes defined by a class statement (Py_TPFLAGS_HEAPTYPE) rather than in C.
HEAP_TYPE = 1 << 9

OURS = frozenset({"generators", "learners", "workbench"})

#: Values of our learners' parameters that were renamed, and the words that identities keep for them, so that
#: stored cells and the seeds made of identities stay valid.
FORMER_VALUES = {("smoothing", "friedman"): "n0", ("missing_sets", "predicted"): "program"}


def learner_identity(estimator: Any, *, stand_in: str | None = None) -> dict[str, Any]:
    """Describe an estimator by everything that determines its numbers, and only by that."""
    kind = type(estimator)
    described = class_identity(kind)
    if hasattr(kind, "program_version") and estimator.program_version is not None:
        described["version"] = estimator.program_version  # of a program outside Python
    described["parameters"] = {
        name: plain(_former(kind, name, value), f"parameter {name} of {kind.__name__}", stand_in=stand_in)
        for name, value in changed_parameters(estimator, stand_in=stand_in).items()
        if name not in getattr(estimator, "not_identifying", ())
    }
    return described


def current_values(identity: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters in a learner's identity, with the words that its class now uses."""
    values = dict(identity.get("parameters", {}))
    if str(identity.get("class")).partition(".")[0] in OURS:
        for (name, now), former in FORMER_VALUES.items():
            if values.get(name) == former:
                values[name] = now
    return values


def class_identity(kind: type) -> dict[str, Any]:
    """Describe a class by its name and version."""
    return {"class": _qualified(kind), **_versions(kind)}


def place_of(thing: type | Callable[..., Any]) -> str:
    """Return "module:name", by which a class or function can be imported."""
    return f"{thing.__module__}:{thing.__qualname__}"


def implementation(function: Callable[..., Any]) -> dict[str, Any]:
    """Describe the code of a function with a key."""
    named = function if hasattr(function, "__qualname__") else type(function)
    ours = _top_level(named) in OURS
    return ({} if ours else {"function": _qualified(named)}) | _versions(function)


def changed_parameters(estimator: Any, *, stand_in: str | None = None) -> dict[str, Any]:
    """List the parameters of an estimator that differ from its constructor's defaults."""
    if not hasattr(estimator, "get_params"):
        raise WorkbenchError(
            f"{type(estimator).__name__} has no get_params, so its settings are unknown: "
            "derive it from sklearn.base.BaseEstimator"
        )
    return changed_options(type(estimator), estimator.get_params(deep=False), stand_in=stand_in)


def changed_options(kind: type, found: Mapping[str, Any], *, stand_in: str | None = None) -> dict[str, Any]:
    """Keep the options that differ from the defaults of a class."""
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(kind.__init__).parameters.items()  # type: ignore[misc]
        if parameter.default is not inspect.Parameter.empty
    }
    return {
        name: found[name]
        for name in sorted(found)
        if not (
            name in defaults
            and _is_default(found[name], defaults[name], f"parameter {name} of {kind.__name__}", stand_in)
        )
    }


def plain(value: Any, where: str = "value", *, stand_in: str | None = None) -> Any:
    """Convert a value to plain data that is the same in every process."""
    if isinstance(value, np.generic):  # first, as np.float64 is a float
        return plain(value.item(), where, stand_in=stand_in)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [plain(item, where, stand_in=stand_in) for item in value]
    if isinstance(value, set | frozenset):
        return {"set": sorted((plain(item, where, stand_in=stand_in) for item in value), key=canonical)}
    if isinstance(value, Mapping):
        pairs = (plain(pair, where, stand_in=stand_in) for pair in value.items())
        return {"mapping": sorted(pairs, key=canonical)}
    if isinstance(value, np.ndarray) and value.dtype != object:
        content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return {"array": [value.dtype.str, list(value.shape), content]}
    if hasattr(value, "get_params") and not isinstance(value, type):
        return learner_identity(value, stand_in=stand_in)
    if isinstance(value, Law):
        return plain(value.to_document(), where)
    if callable(value) and hasattr(value, "__qualname__"):
        return _function(value, where, stand_in)
    if isinstance(value, slice):
        return {
            "slice": [plain(end, where, stand_in=stand_in) for end in (value.start, value.stop, value.step)]
        }
    if isinstance(value, functools.partial):
        parts = (value.func, value.args, value.keywords)
        return {"partial": [plain(part, where, stand_in=stand_in) for part in parts]}
    if callable(value) and _is_open(value):
        kind = type(value)
        attributes = plain(vars(value), where, stand_in=stand_in)
        return {"instance": _qualified(kind), **_versions(kind), "attributes": attributes}
    if stand_in is not None:
        return {"instance": _qualified(type(value)), "of": stand_in}
    raise WorkbenchError(
        f"{where} is a {type(value).__name__}, which has no stable description: "
        "use numbers, strings, lists or estimators, or run without a store"
    )


def _former(kind: type, name: str, value: Any) -> Any:
    """Return the word that identities keep for a renamed value."""
    known = isinstance(value, str) and _top_level(kind) in OURS
    return FORMER_VALUES.get((name, value), value) if known else value


def _is_default(value: Any, default: Any, where: str, stand_in: str | None) -> bool:
    if value is default:
        return True
    # A nameless default equals only itself, so it must not share the stand-in of the value.
    given, usual = plain(value, where, stand_in=stand_in), plain(default, where, stand_in="the default")
    return canonical(given) == canonical(usual)


def _function(function: Callable[..., Any], where: str, stand_in: str | None) -> dict[str, Any]:
    name = _qualified(function)
    if _has_name(function):
        return {"callable": name}
    if stand_in is None:
        raise WorkbenchError(
            f"{where} is {function.__qualname__}, which has no name that a store could identify: "
            "define it as a function at module level, or run without a store"
        )
    return {"callable": name, "of": stand_in}


def _is_open(value: Any) -> bool:
    """Return whether `vars` shows the whole state: all classes are defined in Python, without slots."""
    kinds = [kind for kind in type(value).__mro__ if kind is not object]
    return hasattr(value, "__dict__") and all(
        kind.__flags__ & HEAP_TYPE and not vars(kind).get("__slots__") for kind in kinds
    )


def _has_name(function: Callable[..., Any]) -> bool:
    """Return whether module and qualified name lead back to the same class or function."""
    if isinstance(function, type):
        return True  # also inside a function, as in notebooks and tests
    if "<lambda>" in function.__qualname__ or "<locals>" in function.__qualname__:
        return False
    bound_to = getattr(function, "__self__", None)
    return bound_to is None or inspect.ismodule(bound_to)


def _versions(thing: type | Callable[..., Any]) -> dict[str, Any]:
    """Return the version of a third-party distribution, and `algorithm_version` unless it is 1."""
    found: dict[str, Any] = {}
    version = _foreign_version(_top_level(thing))
    if version is not None:
        found["version"] = version
    # Without the attribute the version is 1, so that adding it changes nothing.
    if getattr(thing, "algorithm_version", 1) != 1:
        found["algorithm_version"] = plain(thing.algorithm_version, "algorithm_version")  # type: ignore[union-attr]
    return found


def _top_level(thing: Any) -> str:
    return str(getattr(thing, "__module__", None)).partition(".")[0]


def _qualified(thing: type | Callable[..., Any]) -> str:
    """Return the identity that a class or function declares, so that it can move, or "module:name"."""
    declared = getattr(thing, "__dict__", {}).get("workbench_identity")  # a subclass inherits none
    return declared if isinstance(declared, str) else place_of(thing)


@functools.cache
def _foreign_version(top_level: str) -> str | None:
    """Return the version of the distribution of a module, or None if it is ours or in no distribution."""
    if top_level in (*OURS, "__main__"):  # the script itself, for which all distributions would be searched
        return None
    owners = importlib.metadata.packages_distributions().get(top_level)
    return importlib.metadata.version(owners[0]) if owners else None
