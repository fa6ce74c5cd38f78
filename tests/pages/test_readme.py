"""What the README shows runs as it stands, and what it says of adding a metric and a figure is enough."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import learners
from workbench import read_study

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
TOML = re.findall(r"```toml\n(.*?)```", README, flags=re.DOTALL)
FILES = {first[2:]: text for text in PYTHON if (first := text.splitlines()[0]).startswith("# workbench/")}
LINES = re.findall(r"^(from .*?)  # in (workbench/\S+)$", README, flags=re.MULTILINE)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")


@pytest.mark.slow
@pytest.mark.parametrize("example", PYTHON, ids=lambda text: text.splitlines()[0])
def test_python_examples_run(example, capsys) -> None:
    exec(compile(example, "README.md", "exec"), {"__name__": "readme"})


def test_the_comparison_has_ten_lines_and_a_row_for_each_learner() -> None:
    comparison = next(text for text in PYTHON if "compare(" in text)
    assert len([line for line in comparison.splitlines() if line.strip()]) == 10
    scope: dict = {}
    exec(compile(comparison, "README.md", "exec"), scope)
    table = scope["results"].table("ir_b")
    assert table.index.get_level_values("learner").tolist() == ["tan", "aode", "camml", "mine"]


def test_trees_and_rules_print_what_is_shown(capsys, monkeypatch) -> None:
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    example = next(text for text in PYTHON if "tree.plot()" in text)
    exec(compile(example, "README.md", "exec"), {"__name__": "readme"})
    (shown,) = re.findall(r"```text\n(.*?)```", README, flags=re.DOTALL)
    assert capsys.readouterr().out == shown


def test_every_learner_is_in_the_table() -> None:
    for name in learners.__all__:
        if name.endswith("Classifier"):
            assert f"\n| `{name}` | " in README, name


def test_the_study_shown_is_read() -> None:
    (text,) = TOML
    study = read_study(text)
    assert [spec.key for spec in study.learners] == ["nb", "tan", "tan_laplace", "truth"]
    assert study.compared == ("nb", "tan")


def test_the_two_commands_come_first() -> None:
    first = README.index("```")
    assert README[first:].split("\n")[1].startswith("make study")
    assert README[first:].split("\n")[2].startswith("make test")


def test_every_file_that_is_linked_is_there() -> None:
    links = re.findall(r"\]\(((?!http)[^)]+)\)", README)
    assert len(links) >= 3
    for link in links:
        assert (ROOT / link).is_file(), link


@pytest.fixture
def clone(tmp_path):
    """Copy the repository and add to it what the README says, and nothing else."""
    for name in ("generators", "learners", "workbench", "experiments", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for path, text in FILES.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    for line, path in LINES:
        module = tmp_path / path
        text = module.read_text(encoding="utf-8")
        last = text.rindex("\n", 0, text.index("\n\n", text.rindex("\nfrom ") + 1)) + 1
        module.write_text(f"{text[:last]}{line}\n{text[last:]}", encoding="utf-8")
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


def test_the_readme_names_two_files_and_their_lines() -> None:
    assert sorted(FILES) == ["workbench/figures/every_truth.py", "workbench/metrics/spherical.py"]
    assert [path for _, path in LINES] == ["workbench/metrics/__init__.py", "workbench/figures/__init__.py"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_metric_and_a_figure_are_two_files_and_two_lines(clone) -> None:
    contract = ["tests/contract/test_metrics.py", "tests/contract/test_figures.py"]
    added = [*FILES, "tests/contract/test_catalogue.py"]
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
    assert "spherical, exact" in page
    assert "Every truth: tan truths." in page


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_is_added_passes_the_checks_of_the_repository(clone) -> None:
    run(clone, "ruff", "check", *FILES)
    run(clone, "ruff", "format", "--check", *FILES)
    run(clone, "mypy", "--cache-dir", str(ROOT / ".mypy_cache"))  # what `make types` left there
