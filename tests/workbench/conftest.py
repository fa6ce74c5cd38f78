"""Small studies that run in a fraction of a second, and the command line in a process of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import workbench

TINY = """
name = "tiny"
seed = 1
learners = ["cart", "prior", "truth"]

[[sources]]
generator = "tan"
n_attributes = 2
arity = [2, 3]

[design]
replicates = 3
sizes = [20, 40]
n_test = 50

[scores]
metrics = ["ir_b", "accuracy", "kl_divergence"]
cutoffs = ["none", "2002"]
"""

#: Programs of the browser in which pages are looked at.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# A shell may have its background jobs ignore Ctrl-C, which children inherit.
START = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from workbench.cli.app import main
main()
"""


@pytest.fixture(scope="session")
def tiny_toml() -> str:
    """Return a study of 18 cells."""
    return TINY


@pytest.fixture
def tiny() -> workbench.Study:
    """Return the same study as an object."""
    return workbench.read_study(TINY)


@pytest.fixture(scope="session")
def experiments() -> Path:
    """Return the folder of study files."""
    return Path(__file__).resolve().parents[2] / "experiments"


@pytest.fixture(scope="session")
def on_datasets() -> workbench.Results:
    """Return results on two data sets, each split six times; the log loss of the tree is infinite."""
    from sklearn.datasets import load_iris, load_wine
    from sklearn.tree import DecisionTreeClassifier

    from learners import NaiveBayesClassifier, PriorClassifier
    from workbench.designs import RandomSplits

    tables = {"iris": load_iris, "wine": load_wine}
    return workbench.compare(
        {"nb": NaiveBayesClassifier(), "tree": DecisionTreeClassifier(), "prior": PriorClassifier()},
        on={name: load(return_X_y=True, as_frame=True) for name, load in tables.items()},
        metrics=("accuracy", "ir_b", "log_loss"),
        design=RandomSplits(repeats=6),
    )


@pytest.fixture
def sketched(monkeypatch):
    """Let reports draw their figures, and not write them to files, which takes most of their time."""

    def sketch(picture, number):
        picture.sketch()
        return "<svg></svg>"

    monkeypatch.setattr("workbench.report.renderers.html.inline_svg", sketch)
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda *arguments, **options: None)


@pytest.fixture(scope="session")
def start_cli():
    """Return a function that starts the command line in its own process group."""

    def start(*arguments: object) -> subprocess.Popen:
        environment = {**os.environ, "PYTHONPATH": str(Path(workbench.__file__).resolve().parents[1])}
        return subprocess.Popen(
            [sys.executable, "-c", START, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        )

    return start


@pytest.fixture(scope="session")
def run_cli(start_cli):
    """Return a function that runs the command line to its end: (exit code, stdout, stderr)."""

    def run(*arguments: object) -> tuple[int, str, str]:
        process = start_cli(*arguments)
        out, err = process.communicate()
        return process.returncode, out, err

    return run


@pytest.fixture(scope="session")
def browser():
    """Start one browser for all tests of pages, or skip and say why."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the Python package playwright")
    program = os.environ.get("WORKBENCH_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"no browser: install {BROWSERS[0]}, or name one in WORKBENCH_CHROMIUM")
    as_root = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=program, args=as_root)
        yield found
        found.close()
