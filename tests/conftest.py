"""Where the tests find data, and how hypothesis runs."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("suite", max_examples=50, deadline=None, derandomize=True)
settings.load_profile("suite")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder with the reference outputs and data sets, or skip and say why."""
    beside = Path(__file__).resolve().parents[1].parent / "shared"
    place = Path(os.environ.get("WORKBENCH_DATA", beside))
    if not place.is_dir():
        pytest.skip(f"no data folder: set WORKBENCH_DATA or put it at {beside}")
    return place


@pytest.fixture(scope="session")
def golden() -> Path:
    """Give the folder of published figures that the repository carries."""
    return Path(__file__).resolve().parent / "golden"
