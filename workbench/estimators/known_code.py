"""Whose code a learner runs: that of this project and of scikit-learn, or anybody's."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.special

__all__ = ["is_known_code"]

#: Packages whose estimators and functions neither end nor change the process that calls them.
KNOWN = frozenset({"generators", "learners", "workbench", "sklearn"})
#: Packages whose values and functions may be parameters of such estimators.
OF_DATA = frozenset({"builtins", "numpy", "scipy", "pandas", "math", "fractions", "decimal"})


def is_known_code(value: Any) -> bool:
    """Return whether an estimator and all that it wraps and calls are of this project or of scikit-learn."""
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(is_known_code, value))
    if isinstance(value, Mapping):
        return all(map(is_known_code, value.values()))
    if isinstance(value, type) or hasattr(value, "__code__"):
        return _top(value) in KNOWN | OF_DATA and not hasattr(value, "__wrapped__")
    if isinstance(value, np.ufunc):  # numpy.frompyfunc makes one of any function
        return any(vars(library).get(value.__name__) is value for library in (np, scipy.special))
    top = _top(type(value))
    if callable(value) and top in OF_DATA:
        is_builtin = hasattr(value, "__self__") or type(value).__name__ == "builtin_function_or_method"
        return is_builtin and _top(value) in OF_DATA  # and not os._exit, say
    if top not in KNOWN:
        return top in OF_DATA
    try:
        # Scorers, splitters and kernels keep what they call as attributes.
        parts = value.get_params(deep=False) if hasattr(value, "get_params") else vars(value)
        return all(map(is_known_code, parts.values()))
    except Exception:  # such as that of a learner that keeps its parameters elsewhere
        return False


def _top(thing: Any) -> str:
    return str(getattr(thing, "__module__", "builtins") or "builtins").partition(".")[0]
