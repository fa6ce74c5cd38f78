"""Marks that tests share."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

from workbench.base import catalogue


def mostly_slow(values: Iterable[Any], quick: int) -> list[Any]:
    """Return parameters of a test of which the quick suite takes the first `quick` ones."""
    return [
        value if i < quick else pytest.param(value, marks=pytest.mark.slow) for i, value in enumerate(values)
    ]


def need(key: str) -> None:
    """Skip a test of a learner whose package is not installed; where all must be, fail it."""
    if catalogue.is_missing("learners", key):
        said = f"the package of {key} is not installed: it is in the extra rivals"
        pytest.fail(said) if os.environ.get("WORKBENCH_RIVALS") else pytest.skip(said)
