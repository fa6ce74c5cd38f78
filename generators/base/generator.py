"""The decorator that registers a function as a generator under the key that studies and suites use."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

__all__ = ["GENERATORS", "current_names", "former_names", "generator"]

Function = TypeVar("Function", bound=Callable[..., Any])

#: Generators by key; those of this package once `generators` is imported.
GENERATORS: dict[str, Callable[..., Any]] = {}

#: Renamed parameters of our generators and laws, and the names that documents, suites and identities keep for
#: them, so that files can be read and the seeds made of identities stay the same.
FORMER_NAMES = {"class_imbalance": "class_skew"}


def former_names(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters by the names that documents, suites and identities store."""
    return {FORMER_NAMES.get(name, name): value for name, value in parameters.items()}


def current_names(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters of a document, a suite or an identity by the names of the generators."""
    current = {former: name for name, former in FORMER_NAMES.items()}
    return {current.get(name, name): value for name, value in parameters.items()}


def generator(key: str) -> Callable[[Function], Function]:
    """Register a function as the generator of a key. It takes only keywords, including `random_state`."""

    def declare(function: Function) -> Function:
        other = GENERATORS.setdefault(key, function)
        if (other.__module__, other.__qualname__) != (function.__module__, function.__qualname__):
            raise ValueError(
                f"{function.__name__} and {other.__name__} have the same key {key!r}: give each generator "
                "a different key"
            )
        GENERATORS[key] = function
        function.key = key  # type: ignore[attr-defined]
        return function

    return declare
