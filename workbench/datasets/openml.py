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

from workbench.base.errors import WorkbenchError
from workbench.datasets._shared.split import split_class

__all__ = ["cached", "fetch"]

TIMEOUT_SECONDS = 20.0
#: Limit on the unpacked size of a file in the cache.
MOST_BYTES = 2**30
MOST_OF_DESCRIPTION = 2**24
BLOCK = 2**20


def fetch(openml_id: int) -> tuple[pd.DataFrame, pd.Series]:
    """Load a data set from scikit-learn's cache, or fetch it from OpenML into that cache."""
    from sklearn.datasets import fetch_openml

    _check_cache(openml_id)
    try:
        with _no_endless_wait():
            # as an array of codes with the class among the attributes: the only form in which scikit-learn
            # passes on the declared values
            bunch = fetch_openml(
                data_id=openml_id, target_column=None, as_frame=False, parser="liac-arff", n_retries=1
            )
    except Exception as error:  # network, OpenML or a damaged cache: many types, some private
        raise WorkbenchError(f"OpenML {openml_id} cannot be fetched: {_first_line(error)}") from error
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
    place = _home()
    try:
        with gzip.open(_description(openml_id)) as stream:
            text = stream.read(MOST_OF_DESCRIPTION)
        url = json.loads(text)["data_set_description"]["url"]
        path = place / (urlsplit(url).path.strip("/") + ".gz")
        return path if ".." not in path.parts and path.is_file() else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error, RecursionError):
        return None


def _home() -> Path:
    home = Path(os.environ.get("SCIKIT_LEARN_DATA", "~/scikit_learn_data")).expanduser()
    return home / "openml" / "openml.org"


def _description(openml_id: int) -> Path:
    return _home() / "api" / "v1" / "json" / "data" / f"{openml_id}.gz"


def _check_cache(openml_id: int) -> None:
    """Unpack the files of the cache piece by piece to check their size, as scikit-learn does not."""
    for path in (_description(openml_id), cached(openml_id)):
        if path is None or not path.is_file():
            continue
        try:
            with gzip.open(path) as stream:
                size = 0
                while size <= MOST_BYTES and (block := stream.read(BLOCK)):
                    size += len(block)
        except (OSError, EOFError, zlib.error):
            continue  # scikit-learn fetches a damaged file again, or raises
        if size > MOST_BYTES:
            raise WorkbenchError(f"{path} holds more than {MOST_BYTES} bytes when it is unpacked: remove it")


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
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype([str(value) for value in declared]))


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
