"""The imports are ours, and light where they should be."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", ["generators", "learners", "workbench"])
def test_the_import_is_this_project(name) -> None:
    """The three names are also other projects' on the package index."""
    module = __import__(name)
    site = os.environ.get("WORKBENCH_SITE")
    home = Path.cwd() / site if site else ROOT
    assert Path(module.__file__).resolve().is_relative_to(home.resolve())


@pytest.mark.slow
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
