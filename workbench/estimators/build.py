"""Build learners from the names in a study, and check that they are classifiers."""

import inspect
from collections.abc import Mapping
from typing import Any

from workbench.base import catalogue
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import article

__all__ = ["check_classifier", "check_parameters", "make_learner"]

EXPECTED = "an unfitted scikit-learn classifier with fit and predict_proba or predict"


def make_learner(name: str, learner: str, parameters: Mapping[str, Any]) -> Any:
    """Make an unfitted estimator from a key of the catalogue or "module:Class"."""
    make = catalogue.find("learners", learner)
    # Code that is not in the catalogue is checked before it is called.
    if ":" in learner and not (isinstance(make, type) and hasattr(make, "fit")):
        raise WorkbenchError(
            f"learner {name!r} is {learner!r}, which cannot be made (it is not a class with fit): "
            f"expected {EXPECTED}"
        )
    try:
        return make(**parameters)
    except TypeError as error:
        raise WorkbenchError(
            f"learner {name!r} is {learner!r}, which cannot be made ({error}): expected {EXPECTED}"
        ) from error


def check_parameters(learner: str, parameters: Mapping[str, Any]) -> None:
    """Raise WorkbenchError if the named learner has no such parameter."""
    try:
        known = inspect.signature(catalogue.find("learners", learner)).parameters
    except (TypeError, ValueError):  # not callable, or without a signature: building it will show
        return
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in known.values()):
        return
    for name in parameters:
        if name not in known:
            raise WorkbenchError(f"unknown parameter {name!r} of learner {learner!r}; {nearest(name, known)}")


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


def _has_tags(estimator: Any) -> bool:
    """Return whether an estimator has tags; a wrapper without its inner estimator has none."""
    from sklearn.utils import get_tags

    try:
        get_tags(estimator)
    except AttributeError:
        return False
    return True


def _what(thing: Any) -> str:
    """Describe a value in a few words."""
    return repr(thing) if isinstance(thing, str | int | float | None) else article(type(thing).__name__)
