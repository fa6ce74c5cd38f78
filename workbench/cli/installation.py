"""What `workbench doctor` reports: versions, machine, compiled code, data, and what is wrong with them."""

import importlib.metadata
import importlib.util
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

from learners.counts.threads import check_threads
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError

__all__ = ["DISTRIBUTION", "Fact", "facts_of_installation"]

DISTRIBUTION = "learner-workbench"
PACKAGES = ("generators", "learners", "workbench")
#: Variables of the environment that change results or run times.
VARIABLES = ("WORKBENCH_CACHE", "WORKBENCH_DATA", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
             "MKL_NUM_THREADS", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS", "PYTHONHASHSEED")  # fmt: skip


class Fact(NamedTuple):
    """A line of the report, and what is wrong, if anything."""

    name: str
    value: str
    problem: str = ""


def facts_of_installation() -> Iterator[Fact]:
    """Return the facts in the order of the report."""
    yield Fact(DISTRIBUTION, importlib.metadata.version(DISTRIBUTION))
    yield Fact("Python", f"{platform.python_version()} ({platform.python_implementation()})")
    yield Fact("system", platform.platform())
    yield Fact("cores", str(check_threads(-1)))
    yield Fact("memory", _memory())
    yield from _imports()
    yield from _dependencies()
    yield from _added()
    yield _compiled()
    yield _data()
    yield from (Fact(name, os.environ[name]) for name in VARIABLES if name in os.environ)


def _memory() -> str:
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        total, free = (page * os.sysconf(name) / 1e9 for name in ("SC_PHYS_PAGES", "SC_AVPHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return "unknown"
    return f"{total:.1f} GB, of which {free:.1f} GB are free"


def _imports() -> Iterator[Fact]:
    """Report packages of other projects that have the names of ours."""
    here = Path(__file__).resolve().parents[2]
    for name in PACKAGES:
        found = importlib.util.find_spec(name)
        place = Path(found.origin).resolve().parents[1] if found and found.origin else None
        if place != here:
            where = place or "a folder without __init__.py"
            yield Fact(
                name,
                f"imported from {where}",
                f"another project has a package {name!r}: use an environment without it",
            )
    yield Fact("imported from", str(here))


def _dependencies() -> Iterator[Fact]:
    """Report the version of each requirement; those of extras may be absent."""
    for text in importlib.metadata.requires(DISTRIBUTION) or ():
        need = Requirement(text)
        optional = need.marker is not None and not need.marker.evaluate({"extra": ""})
        try:
            version = importlib.metadata.version(need.name)
        except importlib.metadata.PackageNotFoundError:
            problem = "" if optional else f"{need.name} is not installed: pip install '{need}'"
            yield Fact(need.name, "not installed" + (" (optional)" if optional else ""), problem)
            continue
        fits = need.specifier.contains(version, prereleases=True)
        problem = "" if fits else f"{need.name} {version} does not satisfy {need.specifier}: pip install -U"
        yield Fact(need.name, version, problem)


def _added() -> Iterator[Fact]:
    """Report members that other packages add, and keys that are ignored."""
    for family in catalogue.FAMILIES:
        for key in catalogue.keys(family):
            if package := catalogue.package_of(family, key):
                yield Fact(f"{family[:-1]} {key}", f"of {package}")
        for key, place in catalogue.repeated(family).items():
            yield Fact(f"{family[:-1]} {key}", f"ignored: {place}", f"{key!r} is a built-in key: rename it")


def _compiled() -> Fact:
    """Report where compiled kernels are kept."""
    from generators.base.compiled import cache_folder

    folder = cache_folder("workbench")
    if not folder:
        problem = "no folder for compiled code can be written: set WORKBENCH_CACHE to one that can"
        return Fact("compiled code", "not kept", problem)
    files = [path for path in Path(folder).rglob("*") if path.suffix in (".nbc", ".nbi")]
    size = sum(path.stat().st_size for path in files) / 1e6
    n = sum(path.suffix == ".nbi" for path in files)
    return Fact("compiled code", f"{n} functions, {size:.0f} MB in {folder}")


def _data() -> Fact:
    """Report which data sets of the papers are found."""
    from workbench.datasets import list_datasets

    try:
        table = list_datasets()
    except WorkbenchError as error:
        return Fact("data sets", "not searched", str(error))
    counts = table["found"].value_counts()
    n = int(counts.drop("missing", errors="ignore").sum())
    return Fact(
        "data sets",
        f"{n} of the papers' {len(table)} data sets are found, WORKBENCH_DATA names a folder with more",
    )
