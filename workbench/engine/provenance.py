"""Where numbers come from: versions, machine, state of the sources."""

import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from workbench.base.text import count_of
from workbench.store.data_folder import KnownTable

__all__ = ["PACKAGES", "provenance", "provenance_of_data", "versions"]

PACKAGES = ("learner-workbench", "numpy", "scipy", "pandas", "scikit-learn", "numba", "joblib")


def provenance() -> dict[str, Any]:
    """Describe program and machine.

    Returns
    -------
    dict
        Plain data: "python", "platform", "cpu", "cores", "commit" (of the checkout that holds the package,
        "+" at its end if files are changed; None outside a checkout), "versions" by distribution. No host or
        user name.

    Examples
    --------
    >>> sorted(provenance())
    ['commit', 'cores', 'cpu', 'platform', 'python', 'versions']
    """
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "commit": _commit(),
        "versions": versions(),
    }


def versions() -> dict[str, str | None]:
    """Give the versions of the packages that decide numbers; None for one that is not installed.

    Examples
    --------
    >>> list(versions())[:2]
    ['learner-workbench', 'numpy']
    """
    return {name: _version(name) for name in PACKAGES}


def provenance_of_data(folder: str | None, tables: Mapping[str, KnownTable]) -> dict[str, str]:
    """Describe the tables of a study.

    Parameters
    ----------
    folder : str or None
        The folder of data sets.
    tables : mapping of str to KnownTable
        By the keys of the sources.

    Returns
    -------
    dict of str to str
        The folder's own name, without the path to it; size and hash of each table.

    Examples
    --------
    >>> provenance_of_data("/home/me/uci", {"iris": KnownTable("ab12", 150, 4, 3)})
    {'data folder': 'uci', 'table iris': '150 rows, 4 attributes, 3 classes, hash ab12'}
    """
    about = {} if folder is None else {"data folder": Path(folder).name}
    for key, known in tables.items():
        about[f"table {key}"] = (
            f"{count_of(known.n_rows, 'row')}, {count_of(known.n_attributes, 'attribute')}, "
            f"{count_of(known.n_classes, 'class', 'classes')}, hash {known.digest}"
        )
    return about


def _cpu() -> str:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _commit() -> str | None:
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return None
    head = _git(root, "rev-parse", "HEAD")
    return head and head + ("+" if _git(root, "status", "--porcelain", "--untracked-files=no") else "")


def _git(root: Path, *arguments: str) -> str | None:
    # Only looking: a run that is killed meanwhile would leave a lock of the index behind.
    command = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
        return done.stdout.strip()
    return None
