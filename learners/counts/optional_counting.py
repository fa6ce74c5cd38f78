"""The base of learners that need only counts with some options, and all rows with others."""

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any

from learners.counts.counting_learner import CountingLearner

__all__ = ["OptionalCountingLearner"]


class _FromCounts:
    """A method of instances that need only counts."""

    # like scikit-learn's `available_if`, whose error "has no attribute" would hide the reason

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        update_wrapper(self, method)  # type: ignore[arg-type]

    def __get__(
        self, learner: "OptionalCountingLearner | None", owner: type | None = None
    ) -> Callable[..., Any]:
        if learner is None:
            return self.method
        why = learner._why_all_rows()
        if why is not None:
            reason, instead = why
            raise AttributeError(
                f"{reason}, so there is no {self.method.__name__}. Give all rows to fit, or use {instead}."
            )
        return MethodType(self.method, learner)


class OptionalCountingLearner(CountingLearner):
    """Base of the learners that have `partial_fit` and its like with some of their options."""

    partial_fit = _FromCounts(CountingLearner.partial_fit)
    merged = _FromCounts(CountingLearner.merged)
    emptied = _FromCounts(CountingLearner.emptied)
    count = _FromCounts(CountingLearner.count)
    learn = _FromCounts(CountingLearner.learn)

    def _why_all_rows(self) -> tuple[str, str] | None:
        """Return why the options need all rows, and which options do not, or None if these do not."""
        return None
