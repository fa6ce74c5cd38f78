"""The imports are ours, light where they should be, and of packages that are declared; the wheel is whole."""

import importlib
import inspect
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.bounds import bound_of, constraints, lowest, pinned

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"generators", "learners", "workbench"}
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
#: The files that use a cluster where a user names one, or hands its client over.
ON_A_CLUSTER = {"dask_cluster.py", "streams.py"}
OF_RIVALS = {"early_stopped.py"}
IMPORT = re.compile(r"^ *(?:from (\w+)[\w.]* import\b|import (\w+)(?=[\w., ]*$))", re.MULTILINE)
#: What is imported under another name than it is installed by.
INSTALLED_AS = {"sklearn": "scikit-learn"}
#: Imported only if the user's own program has loaded it.
USERS_OWN = {"IPython"}


@pytest.mark.parametrize("name", ["generators", "learners", "workbench"])
def test_the_import_is_this_project(name) -> None:
    """The three names are also other projects' on the package index."""
    module = __import__(name)
    site = os.environ.get("WORKBENCH_SITE")
    home = Path.cwd() / site if site else ROOT
    assert Path(module.__file__).resolve().is_relative_to(home.resolve())


@pytest.mark.process
@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("generators", ["pandas", "networkx", "pgmpy", "sklearn", "numba", "matplotlib"]),
        ("learners", ["pgmpy", "matplotlib", "networkx"]),
        # which imports workbench
        ("workbench.cli.app", ["sklearn", "numba", "pandas", "matplotlib", "pgmpy"]),
    ],
)
def test_heavy_libraries_are_loaded_where_used(module, heavy) -> None:
    code = f"import sys, {module}; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_imported_is_declared() -> None:
    """Defaults run on what `pip install` brings: every import is a dependency."""
    needed = {Requirement(line).name for line in PROJECT["dependencies"]}
    dask, rivals = (
        {Requirement(line).name for line in PROJECT["optional-dependencies"][extra]}
        for extra in ("dask", "rivals")
    )
    for package in PACKAGES:
        for path in ROOT.joinpath(package).rglob("*.py"):
            extra = dask if path.name in ON_A_CLUSTER else rivals if path.name in OF_RIVALS else set()
            found = {INSTALLED_AS.get(name, name) for name in imported(path)}
            assert found - needed - extra - USERS_OWN - PACKAGES == set(), path


def imported(path: Path) -> set[str]:
    """Return the packages that a file imports, lazily or not, without those of Python."""
    found = {start or other for start, other in IMPORT.findall(path.read_text(encoding="utf-8"))}
    return found - set(sys.stdlib_module_names)


@pytest.mark.parametrize("name", ["workbench.metrics", "workbench.comparisons", "workbench.forecasts"])
def test_help_shows_the_types_as_they_are_written(name) -> None:
    module = importlib.import_module(name)
    functions = {key: getattr(module, key) for key in module.__all__ if callable(getattr(module, key))}
    assert functions
    assert [key for key, own in functions.items() if "_typing" in _signature(own)] == []


def _signature(function: Any) -> str:
    try:
        return str(inspect.signature(function))
    except ValueError:  # of an error
        return ""


def test_every_dependency_has_a_lower_bound_that_the_pinned_version_keeps() -> None:
    names = {name.lower(): version for name, version in pinned().items()}
    for name, bound in lowest().items():
        assert Version(bound) <= Version(names[name.lower()]), name
    for line in PROJECT["dependencies"]:
        assert Version(names[Requirement(line).name.lower()]) in Requirement(line).specifier, line


def test_a_dependency_without_a_lower_bound_is_refused() -> None:
    assert bound_of("pgmpy>=1.1,<1.3") == ("pgmpy", "1.1")
    assert bound_of("dask[complete]>=2025.1") == ("dask", "2025.1")
    with pytest.raises(ValueError, match="'numpy'"):
        bound_of("numpy")


def test_the_lowest_versions_replace_the_pinned_ones() -> None:
    lines = list(constraints())
    names = [line.partition("==")[0].lower() for line in lines]
    assert len(names) == len(set(names))
    assert {f"{name}=={version}" for name, version in lowest().items()} <= set(lines)


def test_the_lowest_python_is_the_first_that_is_named() -> None:
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if ":: 3." in line]
    assert named == sorted(named, key=Version)
    assert PROJECT["requires-python"] == f">={named[0]}"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """Return a folder with the wheel and the source distribution."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.mark.process
def test_the_wheel_has_every_file_of_the_packages_and_no_other(built) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        inside = {name for name in wheel.namelist() if ".dist-info/" not in name}
        info = {name.partition(".dist-info/")[2] for name in wheel.namelist()} - {""}
    there = {str(path.relative_to(ROOT)) for name in PACKAGES for path in ROOT.joinpath(name).rglob("*.*")}
    assert inside == {name for name in there if "__pycache__" not in name}
    assert {f"{name}/py.typed" for name in PACKAGES} <= inside
    assert info == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}


@pytest.mark.process
def test_the_source_distribution_has_what_the_wheel_is_made_of(built) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        needed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    with tarfile.open(next(built.glob("*.tar.gz"))) as source:
        inside = {name.partition("/")[2] for name in source.getnames()}
    assert needed | {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"} <= inside
    assert not {name for name in inside if name.split("/")[0] in {".venv", "build", "dist"}}


USERS_SCRIPT = """
from generators import random_tan
from learners import TANClassifier
from workbench import compare
truth = random_tan(random_state=1)
results = compare({"tan": TANClassifier()}, on=[truth], sizes=(50,))
answer: str = results.answer()
wrong: int = results.answer()
"""


@pytest.mark.process
def test_a_users_type_checker_reads_our_types(tmp_path) -> None:
    """Both that nothing is missing, and that a wrong type is found."""
    tmp_path.joinpath("mine.py").write_text(USERS_SCRIPT)
    site = os.environ.get("WORKBENCH_SITE")
    home = Path.cwd() / site if site else ROOT
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--follow-imports=silent", "mine.py"],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(home)},
        capture_output=True,
        text=True,
    )
    found = [line for line in done.stdout.splitlines() if line.startswith("mine.py")]
    assert len(found) == 1, done.stdout
    assert found[0].startswith("mine.py:8: error: Incompatible types in assignment")
