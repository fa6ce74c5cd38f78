"""`workbench doctor`: what it prints, and what it calls a problem."""

import importlib.metadata
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from workbench.cli import installation
from workbench.cli.app import app


def report(*expected, code):
    found = CliRunner().invoke(app, ["doctor"])
    assert found.exit_code == code, found.output
    for words in expected:
        assert words in found.output
    return found


def test_versions_cores_memory_compiled_code_and_data_are_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path))
    numpy = importlib.metadata.version("numpy")
    found = report("learner-workbench", "Python", "cores", "memory", "compiled code", numpy, code=0)
    assert not found.stderr
    assert str(tmp_path) in found.stdout
    assert "data sets are found" in found.stdout


@pytest.mark.parametrize(
    ("installed", "problem"), [("1.2", "numpy 1.2 does not satisfy >=2.0"), (None, "numpy is not installed")]
)
def test_a_requirement_that_is_too_old_or_missing_is_a_problem(monkeypatch, installed, problem):
    version = importlib.metadata.version

    def other(name):
        if name != "numpy":
            return version(name)
        if installed is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return installed

    monkeypatch.setattr(installation.importlib.metadata, "version", other)
    assert problem in report(code=1).stderr


def test_a_package_of_another_project_with_our_name_is_a_problem(monkeypatch, tmp_path):
    other = SimpleNamespace(origin=str(tmp_path / "generators" / "__init__.py"))
    find = installation.importlib.util.find_spec
    monkeypatch.setattr(
        installation.importlib.util, "find_spec", lambda name: other if name == "generators" else find(name)
    )
    found = report(str(tmp_path), code=1)
    assert "another project has a package 'generators'" in found.stderr


def test_a_folder_of_data_that_is_not_there_is_a_problem(monkeypatch, tmp_path):
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path / "nowhere"))
    assert "which is not a folder" in report(code=1).stderr
