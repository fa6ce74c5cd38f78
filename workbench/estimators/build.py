"""Build learners from the names in a study, and check that they are classifiers."""

import inspect
import sys
from collections.abc import Mapping
from typing import Any

from workbench.base import catalogue
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import article
from workbench.estimators.rivals import cloneable

__all__ = [
    "EXPECTED",
    "check_classifier",
    "check_parameters",
    "holds_frozen",
    "inner_learner",
    "make_learner",
]

EXPECTED = "an unfitted scikit-learn classifier with fit and predict_proba or predict"


def make_learner(name: str, learner: str, parameters: Mapping[str, Any]) -> Any:
    """Make an estimator from a key, or "module:name" of a class, a function or an estimator."""
    found = catalogue.find("learners", learner)
    try:
        if _is_estimator(found):
            from sklearn.base import clone

            return clone(found).set_params(**parameters)
        if ":" in learner and not _makes_estimators(found):
            raise TypeError("it is neither a class with fit, nor an estimator, nor a function that makes one")
        return found(**parameters)
    except TypeError as error:
        raise WorkbenchError(
            f"learner {name!r} is {learner!r}, which cannot be made ({error}): expected {EXPECTED}"
        ) from error


def check_parameters(learner: str, parameters: Mapping[str, Any]) -> None:
    """Raise WorkbenchError if the named learner has no such parameter."""
    found = catalogue.find("learners", learner)
    if _is_estimator(found):  # with parameters of what it wraps
        for name in parameters:
            if name not in found.get_params():
                raise WorkbenchError(
                    f"unknown parameter {name!r} of learner {learner!r}; {nearest(name, found.get_params())}"
                )
        return
    try:
        known = inspect.signature(found).parameters
    except (TypeError, ValueError):  # not callable, or without a signature: building it will show
        return
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in known.values()):
        return
    for name in parameters:
        if name not in known:
            raise WorkbenchError(f"unknown parameter {name!r} of learner {learner!r}; {nearest(name, known)}")


def _makes_estimators(thing: Any) -> bool:
    """Return whether a thing may be called for an estimator: a class, or a function not of Python itself."""
    if isinstance(thing, type):
        return hasattr(thing, "fit")
    top = str(getattr(thing, "__module__", "")).partition(".")[0]
    return callable(thing) and top not in sys.stdlib_module_names - {"__main__"}


def _is_estimator(thing: Any) -> bool:
    """Return whether a thing is an estimator and neither a class nor a function that makes one."""
    return not isinstance(thing, type) and hasattr(thing, "fit") and hasattr(thing, "get_params")


def check_classifier(name: str, estimator: Any) -> None:
    """Raise WorkbenchError unless an estimator is an unfitted classifier with scikit-learn's tags."""
    from sklearn.base import is_classifier, is_regressor

    if isinstance(estimator, type):
        kind = estimator.__name__
        raise WorkbenchError(f"learner {name!r} is the class {kind}: use an instance, {kind}()")
    verbs = ("fit", "get_params", "set_params", "__sklearn_tags__")
    # Some have `predict` only when fitted, such as StackingClassifier; their class has it.
    answers = any(hasattr(kind, "predict") for kind in (estimator, type(estimator)))
    able = all(hasattr(estimator, verb) for verb in verbs) and (
        answers or hasattr(estimator, "predict_proba")
    )
    if not able or not _has_tags(estimator):
        raise WorkbenchError(
            f"learner {name!r} is {_what(estimator)}: expected {EXPECTED}, derived from "
            "sklearn.base.BaseEstimator"
        )
    if is_regressor(estimator) and not is_classifier(estimator):
        raise WorkbenchError(f"learner {name!r} is {_what(estimator)}, a regressor: expected {EXPECTED}")


def inner_learner(of: Any, name: str = "of") -> Any:
    """Return the unfitted learner in a wrapper, from an estimator, a key or a table."""
    from sklearn.base import clone

    if of is None:
        return None
    if not isinstance(of, str | Mapping):
        check_classifier(name, of)
        return clone(cloneable(of))
    table = {"learner": of} if isinstance(of, str) else dict(of)
    key = table.pop("learner", None)
    if not isinstance(key, str):
        raise WorkbenchError(
            f"{name} is {of!r}: expected a learner's key such as \"nb\", or a table with 'learner' and its "
            "parameters"
        )
    check_parameters(key, table)
    check_classifier(key, learner := make_learner(key, key, table))
    return learner


def holds_frozen(estimator: Any) -> bool:
    """Return whether an estimator, or one inside it, is frozen after an earlier fit."""
    from sklearn.frozen import FrozenEstimator

    return any(
        isinstance(part, FrozenEstimator) for part in (estimator, *estimator.get_params(deep=True).values())
    )


def _has_tags(estimator: Any) -> bool:
    """Return whether an estimator has tags. A wrapper without its inner estimator has none."""
    from sklearn.utils import get_tags

    try:
        get_tags(estimator)
    except AttributeError:
        return False
    return True


def _what(thing: Any) -> str:
    """Describe a value in a few words."""
    return repr(thing) if isinstance(thing, str | int | float | None) else article(type(thing).__name__)
