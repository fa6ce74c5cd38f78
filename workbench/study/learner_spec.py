"""A learner of a study: its key, and how to make a fresh estimator."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.base.errors import WorkbenchError
from workbench.base.identity import learner_identity
from workbench.estimators.build import check_classifier, check_parameters, make_learner

__all__ = ["LearnerSpec"]


@dataclass(frozen=True)
class LearnerSpec:
    """A learner and its key in tables.

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
        If there are both or neither, the class has no such parameter, or what is named is not a classifier.

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
                f"learner {self.key!r} needs either a learner's key or an estimator, not both"
            )
        if self.learner is not None and not isinstance(self.learner, str):
            named = f"learner {self.key!r}" if isinstance(self.key, str) else "a learner"
            raise WorkbenchError(
                f"{named} has learner = {self.learner!r}: give a key of the catalogue, such as 'c45', or "
                "'module:Class', and its parameters next to it"
            )
        if self.learner is not None:
            check_parameters(self.learner, self.parameters)
        check_classifier(self.key, self.estimator if self.learner is None else self.build())

    @functools.cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that determines the learner's numbers, as plain data; valid within one study."""
        return learner_identity(self.build(), stand_in=f"learner {self.key}")

    def check_recognizable(self) -> None:
        """Raise WorkbenchError if a nameless function makes the identity valid in one study only."""
        learner_identity(self.build())

    def build(self) -> Any:
        """Make a fresh, unfitted estimator."""
        from sklearn.base import clone

        if self.learner is None:
            return clone(self.estimator)
        return make_learner(self.key, self.learner, self.parameters)
