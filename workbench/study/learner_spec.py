"""A learner of a study: its key, the form of its rows, and how to make a new estimator."""

import functools
import itertools
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from workbench.base.errors import WorkbenchError, nearest
from workbench.base.identity import learner_identity
from workbench.base.legacy_options import AS_SPLIT, LEGACY_OPTIONS, TRAINING
from workbench.base.text import article, error_line
from workbench.estimators.build import (
    EXPECTED,
    check_classifier,
    check_parameters,
    holds_frozen,
    make_learner,
)
from workbench.estimators.early_stopped import check_early_stopped
from workbench.estimators.inputs import check_input, input_identity, is_ours
from workbench.estimators.rivals import cloneable

__all__ = ["LearnerSpec", "read_learners"]


@dataclass(frozen=True)
class LearnerSpec:
    """A learner and its key in tables.

    `learner` is a key of the catalogue or ``"module:Class"``, with `parameters`. Alternatively, `estimator`
    is an unfitted estimator, which is cloned. `input` is the form of its rows, by default what suits it: see
    `workbench.estimators.inputs`. `test_rows="file_order"` scores test rows in the order of the data set,
    which matters to `significance` and `miscalibration`. `cut_on="all_rows"` discretizes by Fayyad and
    Irani's rule on all rows, as programs did that discretized a file before splitting it: test rows influence
    the cuts.
    """

    key: str
    learner: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    estimator: Any = None
    input: str | None = None
    test_rows: str = AS_SPLIT
    cut_on: str = TRAINING

    def __post_init__(self) -> None:
        if self.learner is None and self.estimator is None:
            raise WorkbenchError(
                f"learner {self.key!r} is None: give a key of the catalogue, or a classifier"
            )
        if self.learner is not None and self.estimator is not None:
            raise WorkbenchError(
                f"learner {self.key!r} needs either a learner's key or an estimator, not both"
            )
        if self.learner is not None and not isinstance(self.learner, str):
            named = f"learner {self.key!r}" if isinstance(self.key, str) else "a learner"
            raise WorkbenchError(
                f"{named} has learner = {self.learner!r}: give a key of the catalogue, such as 'c45', or "
                "'module:Class', and its parameters next to it"
            )
        for name, (usual, other) in LEGACY_OPTIONS.items():
            word = getattr(self, name)
            if word not in (usual, other):
                raise WorkbenchError(
                    f"learner {self.key!r} has {name} = {word!r}: expected {usual!r} or {other!r}"
                )
        if self.input is not None:
            object.__setattr__(self, "input", check_input(self.input, f"learner {self.key!r}"))
        with _named(self.key):
            if self.learner is not None:
                self._check_parameters()
            check_classifier(self.key, self.estimator if self.learner is None else self.made)
            check_early_stopped(self.made)
            if self.input is None and holds_frozen(self.made):
                raise WorkbenchError(
                    f"learner {self.key!r} contains a FrozenEstimator, which was fitted before and may have "
                    "seen the test rows: give its estimator unfitted, or name by input= the form of the rows "
                    "to which it was fitted"
                )

    def _check_parameters(self) -> None:
        """Raise WorkbenchError if the class has no such parameter. A key of the entry may be meant."""
        try:
            check_parameters(str(self.learner), self.parameters)
        except WorkbenchError as error:
            for name in self.parameters:
                close = get_close_matches(name, LEGACY_OPTIONS, n=1, cutoff=0.8)
                if close:
                    raise WorkbenchError(
                        f"unknown key {name!r} of learner {self.key!r}; did you mean {close[0]!r}?"
                    ) from error
            raise

    @property
    def legacy_options(self) -> dict[str, str]:
        """The values of `test_rows` and `cut_on` that are not the default, which only data sets have."""
        return {
            name: word
            for name, (usual, _) in LEGACY_OPTIONS.items()
            if (word := getattr(self, name)) != usual
        }

    @functools.cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that determines the learner's numbers, as plain data. Valid within one study."""
        with _named(self.key):
            return {
                **learner_identity(self.made, stand_in=f"learner {self.key}"),
                **input_identity(self.made, self.input),
                **self.legacy_options,
            }

    def check_recognizable(self) -> None:
        """Raise WorkbenchError if a nameless function makes the identity valid in one study only."""
        learner_identity(self.made)

    @functools.cached_property
    def made(self) -> Any:
        """The unfitted estimator, to be inspected and not fitted."""
        with _named(self.key):
            if self.learner is None:
                return clone(cloneable(self.estimator))
            return make_learner(self.key, self.learner, self.parameters)

    def build(self) -> Any:
        """Make a fresh, unfitted estimator."""
        with _named(self.key):
            return clone(self.made)


@contextmanager
def _named(key: object) -> Iterator[None]:
    """Convert any error while a learner is made, copied and described to a sentence that names it."""
    try:
        yield
    except (WorkbenchError, KeyboardInterrupt):
        raise
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1].name
        raise WorkbenchError(
            f"learner {key!r} cannot be made, copied or described ({error_line(error)}, in {place}): "
            f"expected {EXPECTED}, which sklearn.base.clone can copy"
        ) from error


def read_learners(learners: Any, inputs: Any = None) -> tuple[LearnerSpec, ...]:
    """Read the learners of `workbench.compare`: estimators and keys, by name, in a list, or a single one."""
    named = learners if isinstance(learners, Mapping) else _by_name(learners)
    if isinstance(inputs, Mapping):
        for key in inputs:
            if key not in named:
                raise WorkbenchError(f"input names the learner {key!r}; {nearest(key, map(str, named))}")
        return tuple(_spec(key, member, inputs.get(key)) for key, member in named.items())
    if inputs is not None:
        check_input(inputs, "compare")
    return tuple(
        _spec(key, member, None if inputs is None or _makes_ours(key, member) else inputs)
        for key, member in named.items()
    )


def _spec(key: str, member: Any, input: str | None) -> LearnerSpec:
    if _is_key(member):
        return LearnerSpec(key, learner=member, input=input)
    return LearnerSpec(key, estimator=member, input=input)


def _makes_ours(key: str, member: Any) -> bool:
    return is_ours(make_learner(key, member, {}) if _is_key(member) else member)


def _is_key(member: Any) -> bool:
    return issubclass(type(member), str)  # isinstance would look at attributes, which may raise


def _by_name(learners: Any) -> dict[str, Any]:
    """Name estimators: ours by their keys, others by their classes, equal names by a number after them."""
    if isinstance(learners, str) or hasattr(learners, "fit"):
        learners = [learners]
    if not isinstance(learners, Iterable):
        raise WorkbenchError(
            f"learners is {article(type(learners).__name__)}: expected classifiers, in a list or by name in "
            "a dictionary"
        )
    members = list(learners)
    names = []
    for member in members:
        with _named(type(member).__name__):
            names.append(_name(member))
    names = [
        _with_steps(m) if names.count(name) > 1 else name for m, name in zip(members, names, strict=True)
    ]
    return dict(zip(_numbered(names), members, strict=True))


def _numbered(names: list[str]) -> list[str]:
    """Add a number to each repeated name, so that all differ."""
    found: list[str] = []
    for name in names:
        free = (one for i in itertools.count(2) if (one := f"{name}_{i}") not in {*found, *names})
        found.append(next(free) if name in found else name)
    return found


def _with_steps(member: Any) -> str:
    """Name a pipeline by all of its steps, as another learner ends in the same one."""
    if not isinstance(member, Pipeline):
        return _name(member)
    return "+".join(_name(step) for _, step in member.steps if not (step is None or isinstance(step, str)))


def _name(member: Any) -> str:
    """Name an estimator by its key, or its class with that of what it wraps."""
    if _is_key(member):
        return str(member)
    if isinstance(member, type):  # to be refused by this name
        return member.__name__
    facts = getattr(type(member), "facts", None)
    if facts is not None and is_ours(member):
        return str(facts.key)
    if isinstance(member, Pipeline) and member.steps:
        return _name(member.steps[-1][1])
    inner = None
    with suppress(Exception):  # of a learner that cannot say its parameters, which is refused later
        inner = member.get_params(deep=False).get("estimator")
    name = type(member).__name__
    return f"{name}({_name(inner)})" if hasattr(inner, "fit") and not isinstance(inner, type) else name
