"""Provenance: versions, machine, state of the source code."""

import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from workbench.base.text import count_of
from workbench.study.known_data import KnownDataset

__all__ = ["PACKAGES", "provenance", "provenance_of_data", "versions"]

PACKAGES = ("learner-workbench", "numpy", "scipy", "pandas", "scikit-learn", "numba", "joblib")


def provenance() -> dict[str, Any]:
    """Describe program and machine."""
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "commit": _commit(),
        "versions": versions(),
    }


def versions() -> dict[str, str | None]:
    """Return the versions of the packages that determine results, None for missing ones."""
    return {name: _version(name) for name in PACKAGES}


def provenance_of_data(folder: str | None, datasets: Mapping[str, KnownDataset]) -> dict[str, str]:
    """Describe the data sets of a study."""
    about = {} if folder is None else {"data folder": Path(folder).name}
    for key, known in datasets.items():
        about[f"data set {key}"] = (
            f"{count_of(known.n_rows, 'row')}, {count_of(known.n_attributes, 'attribute')}, "
            f"{count_of(known.n_classes, 'class', 'classes')}, "
            f"{f'{known.n_groups} groups, ' * bool(known.n_groups)}hash {known.digest}"
        )
    return about


def _cpu() -> str:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


@cache
def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _commit() -> str | None:
    """Return the commit of this checkout, with + if files are changed, or None if git does not know it."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return None
    with suppress(OSError, subprocess.SubprocessError):
        return _commit_of(root)
    return None


@cache
def _commit_of(root: Path) -> str:
    """Ask git, once per process, as later edits are not what it runs. A failure is not kept."""
    return _git(root, "rev-parse", "HEAD") + (
        "+" if _git(root, "status", "--porcelain", "--untracked-files=no") else ""
    )


def _git(root: Path, *arguments: str) -> str:
    # Without locks: a run that is killed meanwhile would leave a lock of the index behind.
    command = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    return done.stdout.strip()
