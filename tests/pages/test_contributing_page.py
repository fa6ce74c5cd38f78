"""The recipes for contributors are complete: Python that compiles, in folders of members, with its lines."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
FILES = {text.splitlines()[0][2:]: text for text in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)}
LINES = re.findall(r"^from (\S+) import (\w+) as \2  # in (\S+)$", PAGE, flags=re.MULTILINE)
#: Two of the files, which a report of one study shows.
REPORTED = ("workbench/metrics/spherical.py", "workbench/figures/every_truth.py")


@pytest.mark.parametrize("path", FILES)
def test_a_recipe_is_a_new_file_in_a_folder_of_members(path) -> None:
    ast.parse(FILES[path])
    place = ROOT / path
    assert (place.parent / "__init__.py").is_file()
    assert not place.exists(), "the example has become a member: choose another for the page"


@pytest.mark.parametrize(("module", "name", "path"), LINES, ids=lambda part: str(part))
def test_a_line_imports_what_its_file_defines(module, name, path) -> None:
    defined = ast.parse(FILES[f"{module.replace('.', '/')}.py"]).body
    names = {getattr(one, "name", "") for one in defined}
    names |= {target.id for one in defined if isinstance(one, ast.Assign) for target in one.targets}
    assert name in names
    assert (ROOT / path).is_file()


def test_every_family_has_its_recipe() -> None:
    sections = re.findall(r"^\| \[.+?\]\(#(.+?)\) \|", PAGE, flags=re.MULTILINE)
    heads = [head.lower().replace(" ", "-") for head in re.findall(r"^## (.+)$", PAGE, flags=re.MULTILINE)]
    assert len(sections) == len(FILES) == 7
    assert set(sections) <= set(heads)


@pytest.fixture
def clone(tmp_path):
    """Copy the repository and add to it what the page says, and nothing else."""
    for name in ("generators", "learners", "workbench", "experiments", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for path, text in FILES.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    for module, name, path in LINES:
        line = f"from {module} import {name} as {name}"
        init = tmp_path / path
        text = init.read_text(encoding="utf-8")
        last = text.rindex("\n", 0, text.index("\n\n", text.rindex("\nfrom ") + 1)) + 1
        init.write_text(f"{text[:last]}{line}\n{text[last:]}", encoding="utf-8")
    return tmp_path


def run(clone: Path, *command: str) -> str:
    """Run Python in the clone, whose packages are the ones that are imported."""
    environment = {**os.environ, "PYTHONPATH": str(clone), "MPLBACKEND": "Agg"}
    environment.pop("WORKBENCH_SITE", None)
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=clone, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_metric_and_a_figure_are_two_files_and_two_lines(clone) -> None:
    contract = ["tests/contract/test_metrics.py", "tests/contract/test_figures.py"]
    added = [*REPORTED, "tests/contract/test_catalogue.py"]
    own = "spherical or every_truth or every_file or catalogue"
    passed = run(clone, "pytest", "-q", "-p", "no:cacheprovider", "-k", own, *contract, *added)
    assert "failed" not in passed
    study = clone / "experiments" / "small.toml"
    text = study.read_text(encoding="utf-8")
    for plain, ours in (
        ('metrics = ["ir_b",', 'metrics = ["ir_b", "spherical",'),
        ("replicates = 6", "replicates = 2"),
    ):
        assert plain in text
        text = text.replace(plain, ours)
    study.write_text(text, encoding="utf-8")
    run(clone, "workbench.cli.app", "run", "experiments/small.toml", "--store", "s.db", "--report", "s.html")
    page = (clone / "s.html").read_text(encoding="utf-8")
    assert "spherical (exact)" in page
    assert "Every truth: tan truths." in page


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_is_added_passes_the_checks_of_the_repository(clone) -> None:
    run(clone, "ruff", "check", *FILES)
    run(clone, "ruff", "format", "--check", *FILES)
    run(clone, "mypy", "--cache-dir", str(ROOT / ".mypy_cache"))  # what `make types` left there
