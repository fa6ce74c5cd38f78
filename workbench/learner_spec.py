"""A learner of a study: a name in tables and how to make a fresh estimator."""

import functools
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench import catalogue
from workbench.errors import WorkbenchError, nearest
from workbench.identity import learner_identity

__all__ = ["LearnerSpec"]


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
        If there are both or neither, or the class has no such parameter.

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
        if isinstance(self.estimator, type):
            name = self.estimator.__name__
            raise WorkbenchError(f"learner {self.key!r} is the class {name}: give an instance, {name}()")
        if self.learner is not None:
            self._check_parameters()

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
        return catalogue.find("learners", self.learner)(**self.parameters)

    def _check_parameters(self) -> None:
        parameters = inspect.signature(catalogue.find("learners", str(self.learner))).parameters
        if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
            return
        for name in self.parameters:
            if name not in parameters:
                raise WorkbenchError(
                    f"{name!r} is no parameter of learner {self.learner!r}: {nearest(name, parameters)}"
                )
