"""A learner of a study: a name in tables and how to make a fresh estimator."""

import functools
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.base import catalogue
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.identity import learner_identity
from workbench.base.text import article

__all__ = ["LearnerSpec"]


EXPECTED = "an unfitted scikit-learn classifier with fit and predict_proba or predict"


@dataclass(frozen=True)
class LearnerSpec:
    """A learner under the name that tables give it.

    Parameters
    ----------
    key : str
        The name in tables; it is not part of the learner's identity.
    learner : str, optional
        Short key of the catalogue or ``"module:Class"``.
    parameters : mapping
        Keyword arguments of the class.
    estimator : estimator, optional
        Instead of `learner`: an unfitted estimator; it is cloned, never fitted itself.

    Raises
    ------
    WorkbenchError
        If there are both or neither, the class has no such parameter, or what is named is no classifier.

    Examples
    --------
    >>> spec = LearnerSpec("stump", learner="cart", parameters={"max_depth": 1})
    >>> spec.build()
    DecisionTreeClassifier(max_depth=1)
    >>> spec.identity["parameters"]
    {'max_depth': 1}
    """

    key: str
    learner: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    estimator: Any = None

    def __post_init__(self) -> None:
        if (self.learner is None) == (self.estimator is None):
            raise WorkbenchError(
                f"learner {self.key!r} needs either a learner's key or an estimator, and not both"
            )
        if self.learner is not None and not isinstance(self.learner, str):
            named = f"learner {self.key!r}" if isinstance(self.key, str) else "a learner"
            raise WorkbenchError(
                f"{named} has learner = {self.learner!r}: give a key of the catalogue, such as 'c45', or "
                "'module:Class', and its parameters beside it"
            )
        if isinstance(self.estimator, type):
            name = self.estimator.__name__
            raise WorkbenchError(f"learner {self.key!r} is the class {name}: give an instance, {name}()")
        if self.learner is not None:
            self._check_parameters()
            self._check_classifier(self._made())
        else:
            self._check_classifier(self.estimator)

    @functools.cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the learner's numbers, as plain data; good within one study."""
        return learner_identity(self.build(), stand_in=f"learner {self.key}")

    def check_recognizable(self) -> None:
        """Raise WorkbenchError if a nameless function makes the identity good for one study only."""
        learner_identity(self.build())

    def build(self) -> Any:
        """Make a fresh, unfitted estimator."""
        from sklearn.base import clone

        if self.learner is None:
            return clone(self.estimator)
        return self._made()

    def _made(self) -> Any:
        make = catalogue.find("learners", str(self.learner))
        # What is not the catalogue's is asked what it is before it is called.
        if ":" in str(self.learner) and not (isinstance(make, type) and hasattr(make, "fit")):
            raise WorkbenchError(
                f"learner {self.key!r} is {self.learner!r}, which cannot be made (it is no class with fit): "
                f"expected {EXPECTED}"
            )
        try:
            return make(**self.parameters)
        except TypeError as error:
            raise WorkbenchError(
                f"learner {self.key!r} is {self.learner!r}, which cannot be made ({error}): "
                f"expected {EXPECTED}"
            ) from error

    def _check_classifier(self, estimator: Any) -> None:
        from sklearn.base import is_classifier, is_regressor

        verbs = ("fit", "get_params", "set_params", "__sklearn_tags__")
        # Some show `predict` only when they are fitted, such as StackingClassifier; their class has it.
        answers = any(hasattr(kind, "predict") for kind in (estimator, type(estimator)))
        able = all(hasattr(estimator, verb) for verb in verbs) and (
            answers or hasattr(estimator, "predict_proba")
        )
        if isinstance(estimator, type) or not able or not _can_be_asked(estimator):
            raise WorkbenchError(
                f"learner {self.key!r} is {_what(estimator)}: expected {EXPECTED}, derived from "
                "sklearn.base.BaseEstimator"
            )
        if is_regressor(estimator) and not is_classifier(estimator):
            raise WorkbenchError(
                f"learner {self.key!r} is {_what(estimator)}, a regressor: expected {EXPECTED}"
            )

    def _check_parameters(self) -> None:
        try:
            parameters = inspect.signature(catalogue.find("learners", str(self.learner))).parameters
        except (TypeError, ValueError):  # not callable, or without a signature: making one will tell
            return
        if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
            return
        for name in self.parameters:
            if name not in parameters:
                raise WorkbenchError(
                    f"{name!r} is no parameter of learner {self.learner!r}: {nearest(name, parameters)}"
                )


def _can_be_asked(estimator: Any) -> bool:
    """Whether an estimator says what it is; one around another does not where that was not given."""
    from sklearn.utils import get_tags

    try:
        get_tags(estimator)
    except AttributeError:
        return False
    return True


def _what(thing: Any) -> str:
    """Say what was given, in a few words."""
    return repr(thing) if isinstance(thing, str | int | float | None) else article(type(thing).__name__)
