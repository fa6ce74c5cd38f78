"""Data sets of OpenML through scikit-learn and its cache."""

import gzip
import json
import os
import socket
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pandas as pd

from generators.tables.columns import labels_of_codes
from workbench.base.errors import WorkbenchError
from workbench.datasets._shared.split import split_class

__all__ = ["cached", "fetch"]

TIMEOUT_SECONDS = 20.0


def fetch(openml_id: int) -> tuple[pd.DataFrame, pd.Series]:
    """Load a data set from scikit-learn's cache, or fetch it from OpenML into that cache."""
    from sklearn.datasets import fetch_openml

    try:
        with _no_endless_wait():
            # as an array of codes with the class among the attributes: the only form in which scikit-learn
            # passes on the declared values
            bunch = fetch_openml(
                data_id=openml_id, target_column=None, as_frame=False, parser="liac-arff", n_retries=1
            )
    except Exception as error:  # network, OpenML or a damaged cache: many types, some private
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise WorkbenchError(f"OpenML {openml_id} cannot be fetched: {reason}") from error
    categories = bunch.categories or {}
    columns = {
        name: _column(bunch.data[:, i], categories.get(name)) for i, name in enumerate(bunch.feature_names)
    }
    target = bunch.details.get("default_target_attribute")
    if target not in categories:
        raise WorkbenchError(f"OpenML {openml_id} has no nominal default target: its target is {target!r}")
    return split_class(pd.DataFrame(columns), target, f"OpenML {openml_id}")


def cached(openml_id: int) -> Path | None:
    """Return the place of a data set in scikit-learn's cache, or None."""
    home = Path(os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")).expanduser()
    place = home / "openml" / "openml.org"
    try:
        with gzip.open(place / "api" / "v1" / "json" / "data" / f"{openml_id}.gz") as stream:
            url = json.load(stream)["data_set_description"]["url"]
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
        return None
    path = place / (urlsplit(url).path.strip("/") + ".gz")
    return path if path.is_file() else None


@contextmanager
def _no_endless_wait() -> Iterator[None]:
    """Set a time limit for the network, as scikit-learn sets none."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(TIMEOUT_SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings(
                "ignore", message="A network error occurred"
            )  # the error itself is reported
            yield
    finally:
        socket.setdefaulttimeout(before)


def _column(values: Any, declared: list[str] | None) -> Any:
    numbers = np.asarray(values, dtype=np.float64)
    if declared is None:
        return numbers
    codes = np.where(np.isnan(numbers), -1, numbers).astype(np.int32)
    return labels_of_codes(codes, [str(value) for value in declared])
