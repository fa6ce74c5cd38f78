"""The decorator that registers a function as a generator under the key that studies and suites use."""

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["GENERATORS", "generator"]

Function = TypeVar("Function", bound=Callable[..., Any])

#: Generators by key; those of this package once `generators` is imported.
GENERATORS: dict[str, Callable[..., Any]] = {}


def generator(key: str) -> Callable[[Function], Function]:
    """Declare a function as the generator of a key; it takes keywords only, `random_state` among them."""

    def declare(function: Function) -> Function:
        other = GENERATORS.setdefault(key, function)
        if (other.__module__, other.__qualname__) != (function.__module__, function.__qualname__):
            raise ValueError(
                f"the key {key!r} of {function.__name__} is already that of {other.__name__}; give each its "
                "own key"
            )
        GENERATORS[key] = function
        function.key = key  # type: ignore[attr-defined]
        return function

    return declare
