"""Whether the code of a learner is only of this project and of scikit-learn."""

from collections.abc import Mapping
from typing import Any

import numpy as np

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
    is_function = hasattr(value, "__qualname__") or isinstance(value, np.ufunc)
    thing = value if is_function else type(value)
    top = str(getattr(thing, "__module__", "builtins") or "builtins").partition(".")[0]
    if is_function or top not in KNOWN | OF_DATA or (top in OF_DATA and not callable(value)):
        return top in KNOWN | OF_DATA
    try:
        # Scorers, splitters and kernels keep what they call as attributes.
        parts = value.get_params(deep=False) if hasattr(value, "get_params") else vars(value)
        return all(map(is_known_code, parts.values()))
    except Exception:  # such as that of a learner that keeps its parameters elsewhere
        return False
