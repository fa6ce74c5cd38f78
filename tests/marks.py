"""Marks that tests share."""

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_slow(values: Iterable[Any], quick: int) -> list[Any]:
    """Return parameters of a test of which the quick suite takes the first `quick` ones."""
    return [
        value if i < quick else pytest.param(value, marks=pytest.mark.slow) for i, value in enumerate(values)
    ]
